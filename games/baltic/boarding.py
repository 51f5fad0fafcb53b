"""3.4 Boarding actions."""

from __future__ import annotations

from games.baltic import courses, damage, hulls, sight
from games.baltic import events as ev
from games.baltic.state import Reason, Vessel, War
from games.baltic.tables import distances
from pbem.model import TableLike


def barred(war: War, vessel: Vessel, target: Vessel) -> Reason | None:
    """102, 194 Why she cannot board a target; None if she can."""
    if reason := _unfit(war, vessel):
        return reason
    if not target.here or target.side == vessel.side or target.wreck:
        return Reason("194", f"{target.id} cannot be boarded")
    mils = hulls.between(vessel, target)
    if mils > distances().boarding:
        return Reason("194", f"{target.id} is {courses.inches(mils)} inches away, over 5")
    if not sight.clear(war, vessel, target):
        return Reason("194", f"there is no line of sight to {target.id}")
    return None


def _unfit(war: War, vessel: Vessel) -> Reason | None:
    """62, 194 Why she can send nobody; None if she can."""
    if not vessel.of.capital or vessel.crippled or war.down(vessel) or vessel.wreck:
        return Reason("194", "only a sound ship of the line on the surface sends troopers")
    if not vessel.may_fire:
        return Reason("62", "she ran aground in this activation")
    return None if vessel.ram else Reason("102", "she has no troopers left")


def board(table: TableLike, war: War, vessel: Vessel, target: Vessel, troopers: int) -> None:
    """102 A die a trooper; hits remove troopers of the target, then count as natural tens. Unrated
    vessels have no troopers: each hit is damage (194)."""
    sent = min(troopers, vessel.ram)
    if sent < troopers:
        what = f"of the {troopers} troopers ordered she has {sent} left, and sends those"
        table.tell([vessel.side], ev.Unable(rule="102", actor=vessel.id, what=what))
    vessel.ram -= sent
    dice = damage.roll(table, f"ACTIVATION/BOARDING/{target.id}/{vessel.id}", sent)
    hits = damage.successes(dice)
    told = ev.Boarded(
        rule="102",
        why=damage.why(dice),
        vessel=vessel.id,
        target=target.id,
        troopers=sent,
        hits=hits,
    )
    table.tell(table.sides, told)
    if not target.of.capital:
        damage.take(table, war, target, hits)
        return
    removed = min(hits, target.ram)
    target.ram -= removed
    damage.note_tens(target, hits - removed, 2)
