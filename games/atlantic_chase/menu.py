"""Who may be given which verb. Lines of a programme are judged when their turn comes, so the menu
offers what a piece can ever do, not what it can do first.
"""

from __future__ import annotations

from games.atlantic_chase import advanced
from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_advanced as va
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.board import GERMAN, OTHER
from games.atlantic_chase.state import War
from games.atlantic_chase.tables import USES, rules
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Menu = dict[str, list[MenuItem]]

_REACTIONS = [item(k) for k in (v.Seize, v.Spend, v.Slip, v.Support)]
_FORCE = [item(k) for k in (v.Spend, v.Support, v.Slip, v.Keep, v.LapseBy)]
_BATTLE = [item(k) for k in (vb.Target, vb.Torpedo, vb.Stance, vb.Smoke)]
_ADVANCED = [item(k) for k in (va.Attitude, va.Divide, va.Pursue, va.Screen, va.Repair, va.Bridge)]
_OF_SIDE = [item(k) for k in (va.Hinder, va.Steer, va.Confuse)]
"""8.3 What is ordered to a Task Force or a side as a whole."""
_ACTIONS = (v.Course, v.Complete, v.Pass, v.Stop, v.Split, v.Merge, v.Port, v.LeavePort)
AHEAD = 10
"""Unused Task Force pieces that may be ordered: a line before may bring them into play."""

REST = "what is left of your programme goes on, unless you send other lines:"
"""What the form says of it in a window amid a programme."""


def menu(war: War, side: Side) -> Menu:
    """Every actor of a side with its verbs; the side's own name stands for orders to all of it."""
    more = advanced.on(war)
    leaves = item(vb.Exit)  # R202 a side as a whole; 8.3 ship by ship
    of_ship = [*_BATTLE, *([leaves, *_ADVANCED] if more else [])]
    of_side = [*_BATTLE, leaves, *([*_ADVANCED, *_OF_SIDE] if more else [])]
    if war.special("battle_board"):
        of_side = [item(vb.Sequence), *of_side]
        battle = [item(vb.Surprise), *of_side] if side == war.active else of_side
        crews = {ship: list(of_ship) for f in war.own(side) for ship in f.ships}
        return {side.upper(): battle, **{f.id: battle for f in war.own(side)}, **crews}
    foes = pieces(OTHER[side])
    whole = [*offer(item(v.Signals, target=foes)), *(item(k) for k in (v.Pass, v.Stop, v.End))]
    groups = tuple(id_ for id_, g in sorted(war.groups.items()) if g.side == side)
    reinforce = offer(item(v.Reinforce, group=groups))
    ships = tuple(s for f in war.own(OTHER[side]) for s in f.ships)
    battle = offer(item(vb.Skirmish), item(vb.Hit, ship=ships), item(vb.Surprise), *of_side)
    evade = offer(item(v.Evade, forces=tuple(f.id for f in war.own(side))))
    items: Menu = {
        side.upper(): [
            *whole,
            *reinforce,
            *_REACTIONS,
            *evade,
            item(v.Keep),
            item(v.LapseBy),
            item(vb.Sequence),
            *battle,
        ]
    }
    hunts = offer(*(item(k, target=foes) for k in (v.Search, v.Engage, v.Strike)))
    scatter = [item(v.Disperse)] if any(war.convoy(f) for f in war.own(side)) else []
    acts = [*(item(k) for k in _ACTIONS), *scatter, *hunts, *_FORCE, *battle]
    for force in war.own(side):
        items[force.id] = acts
        items |= {ship: list(of_ship) for ship in force.ships}
    items |= dict.fromkeys(spares(war, side), acts)
    for base, owner in sorted(war.bases.items()):
        if owner == side:
            items[base] = offer(item(v.Strike, target=foes))
    for stealth in war.stealth_of(side):
        mines = stealth.kind == "mines"
        items[stealth.id] = offer(None if mines else item(v.Recon), item(v.Attack, target=foes))
    for id_, leader in sorted(war.leaders.items()):
        if leader.side == side and leader.ship in war.ships:
            power = [item(vb.Use, what=USES[leader.power])] if leader.power in USES else []
            items[id_] = offer(item(vb.Transfer), *power)
    return items


def spares(war: War, side: Side) -> list[str]:
    """The first Task Force pieces that are not in play."""
    if war.special("battle_board"):
        return []
    return [p for p in pieces(side) if p not in war.forces][:AHEAD]


def pieces(side: Side) -> tuple[str, ...]:
    """R024 The ids of a side's Task Forces, in play or not."""
    limits = rules().limits
    if side == GERMAN:
        return tuple(f"KG{n}" for n in range(1, limits.german + 1))
    return tuple(f"TF{n}" for n in range(1, limits.british + 1))


def form(war: War, side: Side) -> list[str]:
    """A set that is valid as it is: the Active side passes with its longest Trajectory, after
    whatever lines are added before or behind; the other has no lines to write now."""
    if war.special("battle_board"):
        return []
    if side != war.active:
        return ["[ the enemy has Initiative ]"]
    left = f"[ {REST} {' '.join(war.rest)} ]"
    return [*([left] if war.rest else []), f"{side.upper()}: finish pass;"]
