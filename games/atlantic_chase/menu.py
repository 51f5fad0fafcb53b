"""Who may be given which verb. Lines of a programme are judged when their turn comes, so the menu
offers what a piece can ever do, not what it can do first.
"""

from __future__ import annotations

from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.state import War
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Menu = dict[str, list[MenuItem]]

_REACTIONS = [item(k) for k in (v.Seize, v.Evade, v.Spend, v.Slip, v.Support)]
_FORCE = [item(k) for k in (v.Spend, v.Support, v.Slip, v.Keep, v.LapseBy)]
_BATTLE = [item(k) for k in (vb.Target, vb.Torpedo, vb.Stance, vb.Smoke, vb.Exit)]
_ACTIONS = [
    item(k)
    for k in (
        *(v.Course, v.Search, v.Engage, v.Strike, v.Complete, v.Pass, v.Split, v.Merge),
        *(v.Port, v.LeavePort, v.Disperse),
    )
]


def menu(war: War, side: Side) -> Menu:
    """Every actor of a side with its verbs; the side's own name stands for orders to all of it."""
    whole = [item(k) for k in (v.Signals, v.Pass, v.Stop, v.End)]
    groups = tuple(id_ for id_, g in sorted(war.groups.items()) if g.side == side)
    reinforce = offer(item(v.Reinforce, group=groups))
    battle = [item(vb.Skirmish), item(vb.Hit), *_BATTLE]
    items: Menu = {side.upper(): [*whole, *reinforce, *_REACTIONS, item(v.Keep), *battle]}
    for force in war.own(side):
        items[force.id] = [*_ACTIONS, *_FORCE, *battle]
        for ship in force.ships:
            items[ship] = list(_BATTLE)
    for base, owner in sorted(war.bases.items()):
        if owner == side:
            items[base] = offer(item(v.Strike))
    for stealth in war.stealth_of(side):
        mines = stealth.kind == "mines"
        items[stealth.id] = offer(None if mines else item(v.Recon), item(v.Attack))
    for id_, leader in sorted(war.leaders.items()):
        if leader.side == side and leader.ship:
            items[id_] = offer(item(vb.Use))
    return items


def form(war: War, side: Side) -> list[str]:
    """A set that is valid as it is: the Active side passes with its longest Trajectory."""
    return [f"{side.upper()}: pass;"] if side == war.active else []
