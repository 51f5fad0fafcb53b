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
    """A ship on the board, as far as task forces go. force: in which it sails, or empty;
    hold, tied: those of its owner's report."""

    id: str
    place: str
    type: str
    force: str = ""
    hold: str = ""
    tied: str = ""


_SAILING = (item(v.Move), item(v.Patrol), item(v.Hold), item(b.Intercept))
_FORM, _JOIN, _DETACH, _BREAK = item(v.Form), item(v.Join), item(v.Detach), item(v.Break)
_CONVOY = item(v.Convoy)
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
        found[name] = [*_sailing(forces[name]), *regroup, *fighting(raid)]
    for hull in hulls:
        if hull.force:
            found[hull.id] = [*LED]
            continue
        beside = [h.id for h in hulls if h.place == hull.place and not h.force and h != hull]
        near = tuple([name for name in forces if places[name] == hull.place])
        regroup = _of_ship(tuple(beside), near)
        found[hull.id] = [*_sailing([hull]), *regroup, *fighting(raid)]
    return found


def may(verb: str, hold: str, tied: str) -> bool:
    """4.1, 10.25 May a ship be ordered to move, patrol, hold or intercept now? One that must patrol
    (note 11) may do nothing else; others that are not free stay, and so does who sinks a convoy."""
    if verb == "patrol":
        return hold in ("patrol", "")
    return hold != "patrol" if verb == "hold" else not tied


def _sailing(ships: Sequence[Hull]) -> list[MenuItem]:
    """Where a ship or task force may sail now; 5.31 carriers alone do not patrol."""
    free = [i for i in _SAILING if all(may(i.verb, h.hold, h.tied) for h in ships)]
    return [i for i in free if i.verb != "patrol" or any(h.type != "CV" for h in ships)]


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
    now = [_in_force(h, force) if h.id in ships else h for h in hulls]
    forces = grouped(now)
    return [_in_force(h, "") if h.force and len(forces[h.force]) < 2 else h for h in now]


def _in_force(hull: Hull, force: str) -> Hull:
    return Hull(hull.id, hull.place, hull.type, force, hull.hold, hull.tied)
