"""R168-R186, R246, R247 What the icons of the action tables do, in the order of the rules.

Each function gets the action and applies one icon; it returns whether a Battle was fought.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from games.atlantic_chase import asks, battle, damage, solitaire
from games.atlantic_chase import events as ev
from games.atlantic_chase.evasive import give_evasive, spend_evasive
from games.atlantic_chase.state import Designated, TaskForce, War
from games.atlantic_chase.tables import SLOW, VERY_SLOW
from games.atlantic_chase.trajectories import make_contact, shorten, stand
from pbem.model import TableLike

Result = Callable[[TableLike, War, Designated], Awaitable[bool]]


async def apply(table: TableLike, war: War, deed: Designated, icons: Sequence[str]) -> bool:
    """Q1 The icons of a cell from left to right; returns whether a Battle was fought. A target that
    is gone takes no more (Q39); after a Battle nothing is left for Sighted to do (R247)."""
    fought = False
    for icon in icons:
        if deed.target in war.forces:
            fought |= await RESULTS[icon](table, war, deed)
    return fought


async def miss(table: TableLike, war: War, deed: Designated) -> bool:
    """R168 Nothing; what it means for Initiative is said where actions end."""
    return False


async def contact(table: TableLike, war: War, deed: Designated) -> bool:
    """R076 A Contact in the target hex."""
    make_contact(table, war.forces[deed.target], deed.at, "R076")
    return False


async def closing_in(table: TableLike, war: War, deed: Designated) -> bool:
    """R169 A Battle if the Active Task Force is faster, else a Contact."""
    if faster(war, deed):
        await battle.fight(table, war, deed, "battle")
        return True
    return await too_slow(table, war, deed, "R169")


async def skirmish(table: TableLike, war: War, deed: Designated) -> bool:
    """R170 If the Active Task Force is faster it may fight one round; else a Contact."""
    if not faster(war, deed):
        return await too_slow(table, war, deed, "R170")
    force = war.forces[deed.force]
    question = asks.FightOr(
        about=f"{deed.force} {deed.target}",
        rule="R170",
        actors=asks.of(force),
        choices=("FIGHT", "DECLINE"),
        default="FIGHT" if _guns(war, deed.force) > _guns(war, deed.target) else "DECLINE",
    )
    (said,) = await table.ask(war.active, [question], owed=[war.active])
    if said == "FIGHT":
        await battle.fight(table, war, deed, "skirmish")
        return True
    table.tell(table.sides, ev.SkirmishDeclined(rule="R170", force=deed.force, name=force.called))
    return await contact(table, war, deed)


async def too_slow(table: TableLike, war: War, deed: Designated, rule: str) -> bool:
    """R169, R170 Who is not faster makes do with a Contact."""
    told = ev.NotFaster(
        rule=rule,
        force=deed.force,
        target=deed.target,
        name=war.called(deed.force),
        target_name=war.called(deed.target),
    )
    table.tell(table.sides, told)
    return await contact(table, war, deed)


async def fight(table: TableLike, war: War, deed: Designated) -> bool:
    """R119 A Battle."""
    await battle.fight(table, war, deed, "battle")
    return True


async def surprise(table: TableLike, war: War, deed: Designated) -> bool:
    """R171, R172 A Battle; with a faster Active Task Force the enemy is surprised."""
    await battle.fight(table, war, deed, "surprise" if faster(war, deed) else "battle")
    return True


async def early_or_late(table: TableLike, war: War, deed: Designated) -> bool:
    """R173, R084, Q33, Q34 The segment of the target hex goes, and where that leaves a hole all of
    one side; else the target gets an Evasive marker. Its only segment becomes a Station."""
    force = war.forces[deed.target]
    if force.length <= 1:
        stand(table, war, force, deed.at, "R084")
        give_evasive(table, war, force, "R084")
        return False
    at = force.line.index(deed.at)
    ends = [p for p in (force.line[:at], force.line[at + 1 :]) if p]
    if len(ends) == 1:
        lose(table, war, force, ends[0], "R173")
        give_evasive(table, war, force, "R173")
        return False
    await _leave_one(table, war, deed, ends, "R173")
    return False


async def shadow(table: TableLike, war: War, deed: Designated) -> bool:
    """R175 Three segments in a row stay, that of the target hex among them; a line of three or less
    stays whole and gets an Evasive marker."""
    force = war.forces[deed.target]
    if force.length <= 3:
        give_evasive(table, war, force, "R175")
        return False
    at = force.line.index(deed.at)
    threes = [force.line[i : i + 3] for i in range(max(0, at - 2), at + 1)]
    await _leave_one(table, war, deed, [t for t in threes if len(t) == 3], "R175")
    return False


async def _leave_one(
    table: TableLike, war: War, deed: Designated, parts: list[list[str]], rule: str
) -> None:
    """R174, R176, R088, Q36 One of these parts stays: the Active side chooses, or the Idle side if
    it spends the target's Evasive marker."""
    force, side = war.forces[deed.target], war.active
    if force.evasive and len(parts) > 1:
        lost = force.length - max(len(part) for part in parts)
        spend = asks.ChooseInstead(
            about=deed.target,
            rule="R088",
            actors=asks.of(force),
            choices=(asks.SPEND, asks.KEEP),
            default=asks.SPEND if force.length >= 6 else asks.KEEP,
            lost=lost,
        )
        (said,) = await table.ask(force.side, [spend], owed=[force.side])
        if said == asks.SPEND or solitaire.imaginary(war, force.side):
            spend_evasive(table, force, "choose", "R088")
            side = force.side
    kept = parts[0]
    if len(parts) > 1:
        acting = war.forces.get(deed.force)
        who = force if side == force.side else acting
        own = {c for f in war.own(side) for c in f.hexes}
        usual = max(parts, key=lambda p: (len(own & set(p)), len(p) * (1 if who is force else -1)))
        question = asks.KeepLine(
            about=deed.target,
            rule=rule,
            actors=asks.of(who) if who else asks.whole(side),
            choices=tuple(" ".join(part) for part in parts),
            default=" ".join(usual),
        )
        (said,) = await table.ask(side, [question], owed=[side])
        kept = str(said).split()
    lose(table, war, force, kept, rule)


def lose(table: TableLike, war: War, force: TaskForce, kept: Sequence[str], rule: str) -> None:
    """The segments that are not kept go, with their markers."""
    gone = shorten(force, kept)
    told = ev.SegmentsLost(
        rule=rule, force=force.id, gone=tuple(gone), left=force.length, name=force.called
    )
    table.tell(table.sides, told)


async def sighted(table: TableLike, war: War, deed: Designated) -> bool:
    """R177 The target is a Station in the target hex."""
    stand(table, war, war.forces[deed.target], deed.at, "R177")
    return False


async def lose_contact(table: TableLike, war: War, deed: Designated) -> bool:
    """R185, R080 The target's Contact and Intel in the target hex go."""
    force = war.forces[deed.target]
    contact, intel = deed.at in force.contact, deed.at in force.intel
    if contact or intel:
        force.contact = [c for c in force.contact if c != deed.at]
        force.intel = [c for c in force.intel if c != deed.at]
        told = ev.ContactLost(
            rule="R185",
            force=force.id,
            at=deed.at,
            contact=contact,
            intel=intel,
            name=force.called,
        )
        table.tell(table.sides, told)
    return False


async def hit(table: TableLike, war: War, deed: Designated) -> bool:
    """R181 One Hit."""
    await damage.on_map(table, war, deed, "R181", most=None)
    return False


async def hit_slow(table: TableLike, war: War, deed: Designated) -> bool:
    """R184 One Hit on a slow or very slow ship of a slow or very slow Task Force."""
    await damage.on_map(table, war, deed, "R184", most=SLOW)
    return False


async def hit_very_slow(table: TableLike, war: War, deed: Designated) -> bool:
    """R183 One Hit on a very slow ship of a very slow Task Force."""
    await damage.on_map(table, war, deed, "R183", most=VERY_SLOW)
    return False


async def damaged(table: TableLike, war: War, deed: Designated) -> bool:
    """R178 A ship is turned over, or sunk."""
    await damage.on_map(table, war, deed, "R178", most=None, whole=True)
    return False


RESULTS: dict[str, Result] = {
    "M": miss,
    "C": contact,
    "CL": closing_in,
    "K": skirmish,
    "B": fight,
    "SU": surprise,
    "E": early_or_late,
    "H": shadow,
    "G": sighted,
    "L": lose_contact,
    "h": hit,
    "hS": hit_slow,
    "hV": hit_very_slow,
    "D": damaged,
}


def faster(war: War, deed: Designated) -> bool:
    """R169, Q29 Is the slowest ship of the Active Task Force faster than the target's slowest?"""
    return war.speed(war.forces[deed.force]) > war.speed(war.forces[deed.target])


def _guns(war: War, id_: str) -> int:
    """C14 Gunnery values at the range at which a Skirmish begins."""
    return sum(max(0, s.face.far or 0) for s in war.crew(war.forces[id_]))
