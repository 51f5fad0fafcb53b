"""5.4 Which ships sail together, and what each ship and task force may therefore be ordered.

Read by the view, which has the truth, and by the checks of a set of orders, which have the report
and what earlier orders of the set make of it; the order page runs the same functions.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from games.bismarck import verbs as v
from games.bismarck import verbs_battle as b
from pbem.kit.menus import item, limited
from pbem.model import MenuItem


class Hull(Struct, frozen=True):
    """A ship on the board, as far as task forces go. force: in which it sails, or empty."""

    id: str
    place: str
    type: str
    force: str = ""


_HOLD, _MOVE, _PATROL = item(v.Hold), item(v.Move), item(v.Patrol)
_FORM, _JOIN, _DETACH, _BREAK = item(v.Form), item(v.Join), item(v.Detach), item(v.Break)
_INTERCEPT, _CONVOY = item(b.Intercept), item(v.Convoy)
BATTLE = (
    *(item(b.Attack), item(b.Accept), item(b.SetUp), item(b.Course)),
    *(item(b.Range), item(b.Aspect), item(b.Target), item(b.Designate)),
    *(item(b.Reinforce), item(b.Withdraw)),
)
"""Orders of naval combat, for every ship and force."""
LED = (item(b.Avoid), *BATTLE)
"""What a ship of a task force may be ordered: 9.272, and what it does in battle."""


def offered(hulls: Sequence[Hull], raid: bool) -> dict[str, list[MenuItem]]:
    """Every ship and task force of a side with its verbs. raid: are they German (10.25)?"""
    found: dict[str, list[MenuItem]] = {}
    forces = grouped(hulls)
    places = {name: forces[name][0].place for name in forces}
    for name in forces:
        near = tuple([n for n in forces if n != name and places[n] == places[name]])
        regroup = _of_force(forces[name], near)
        patrols = any(h.type != "CV" for h in forces[name])
        modes = [_MOVE, _PATROL, _HOLD] if patrols else [_MOVE, _HOLD]
        found[name] = [*modes, *regroup, _INTERCEPT, *fighting(raid)]
    for hull in hulls:
        if hull.force:
            found[hull.id] = [*LED]
            continue
        beside = [h.id for h in hulls if h.place == hull.place and not h.force and h != hull]
        near = tuple([name for name in forces if places[name] == hull.place])
        regroup = _of_ship(tuple(beside), near)
        modes = [_MOVE, _HOLD] if hull.type == "CV" else [_MOVE, _PATROL, _HOLD]
        found[hull.id] = [*modes, *regroup, _INTERCEPT, *fighting(raid)]
    return found


def fighting(raid: bool) -> list[MenuItem]:
    """What a ship that sails alone, or a task force, may be ordered for its fights, and for the
    convoys that it meets as a German one: 10.25 says that the ship or the force qualifies."""
    return [*BATTLE, _CONVOY] if raid else [*BATTLE]


def grouped(hulls: Sequence[Hull]) -> dict[str, list[Hull]]:
    """The task forces by name, each with its ships."""
    names = sorted({h.force for h in hulls if h.force})
    return {name: [h for h in hulls if h.force == name] for name in names}


def _of_force(ships: Sequence[Hull], near: tuple[str, ...]) -> list[MenuItem]:
    """5.44 A task force breaks, sends ships out, or joins another in its zone."""
    ids = tuple(sorted([h.id for h in ships]))
    some = [limited(_DETACH, "ships", ids), _BREAK, limited(_JOIN, "force", near)]
    return [one for one in some if one is not None]


def _of_ship(beside: tuple[str, ...], near: tuple[str, ...]) -> list[MenuItem]:
    """5.41 A ship forms a task force with others of its zone, or joins one there."""
    some = [limited(_FORM, "ships", beside), limited(_JOIN, "force", near)]
    return [one for one in some if one is not None]


def moved(hulls: Sequence[Hull], ships: Sequence[str], force: str) -> list[Hull]:
    """5.44 The hulls once these ships sail in that force, or alone where it is empty; a force of
    one is dissolved."""
    now = [Hull(h.id, h.place, h.type, force if h.id in ships else h.force) for h in hulls]
    forces = grouped(now)
    return [Hull(h.id, h.place, h.type) if h.force and len(forces[h.force]) < 2 else h for h in now]
