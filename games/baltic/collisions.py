"""3.1 Running aground and collisions: two vessels that touch, and vessels that meet the ground."""

from __future__ import annotations

from collections.abc import Mapping

from games.baltic import damage, hulls
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.state import Vessel, War
from games.baltic.tables import CLASSES, collision, distances
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import InBattle
from pbem.kit.plane import Polygon
from pbem.model import Side, TableLike

FORCE, EVADE = "FORCE", "EVADE"
_KINDS: Mapping[str, type[v.Force] | type[v.Evade]] = {"force": v.Force, "evade": v.Evade}


class Ram(InBattle, frozen=True):
    """49 Two vessels touch: does this one force a collision, or evade?"""

    other: str = ""
    squadron: str = ""
    """Of the other."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By the first `force` or `evade` of the vessel, its squadron, its side; a `force` that
        names another enemy does not count."""
        for actor in self.actors:
            for command in book.commands(actor, _KINDS, facts):
                if isinstance(command.order, v.Evade):
                    return EVADE
                if command.order.contact in ("", self.other, self.squadron):
                    return FORCE
        return None


async def meet(table: TableLike, war: War, mover: Vessel, other: Vessel) -> bool:
    """49-57, 171 Two vessels touch; is there a collision?"""
    choices = await _choices(table, mover, other)
    if EVADE in choices and (mover if choices[0] == EVADE else other).aloft:
        choices = (EVADE, EVADE)  # 57
    forcing = "both" if choices == (FORCE, FORCE) else ""
    if choices in ((FORCE, EVADE), (EVADE, FORCE)):
        rammer, evader = (mover, other) if choices[0] == FORCE else (other, mover)
        label = f"ACTIVATION/COLLISION/{evader.id}/{rammer.id}"
        dice = damage.roll(table, label, collision().dice)
        needs = needed(rammer, evader)
        reason = f"{damage.why(dice)}, {needs} needed"
        if sum(die >= collision().success for die in dice) < needs:
            _tell(table, mover, other, rammer.id, False, reason)
            return False
        return _crash(table, war, mover, other, rammer, reason)
    if not forcing:
        _tell(table, mover, other, "", False, "")
        return False
    return _crash(table, war, mover, other, None, "")


def needed(rammer: Vessel, evader: Vessel) -> int:
    """52, 171 Successes needed of three dice; a wreck evades without skill."""
    needs = collision().needs(rammer.of.cls, evader.of.cls)
    return max(1, needs - 1) if evader.wreck else needs


async def _choices(table: TableLike, mover: Vessel, other: Vessel) -> tuple[str, str]:
    """171 Asked of both owners at once; wrecks evade."""
    asked: dict[Side, list[Ram]] = {}
    for one, enemy in ((mover, other), (other, mover)):
        if not one.wreck:
            names = tuple(dict.fromkeys((one.id, one.card, one.side.upper())))
            about = f"{one.id} and {enemy.id}"
            asked.setdefault(one.side, []).append(
                Ram(
                    about=about,
                    choices=(EVADE, FORCE),
                    default=EVADE,
                    actors=names,
                    other=enemy.id,
                    squadron=enemy.card,
                    rule="171",
                    pace="quick",
                )
            )
    given = await table.ask_each(asked)
    return (
        str(given[mover.side][0]) if not mover.wreck else EVADE,
        str(given[other.side][0]) if not other.wreck else EVADE,
    )


def _crash(
    table: TableLike, war: War, mover: Vessel, other: Vessel, rammer: Vessel | None, reason: str
) -> bool:
    """53-56, B28 Dice by the class that forces it, once for each vessel; tens of the one that
    evades count double. Both forcing: the bigger class counts."""
    classes = [mover.of.cls, other.of.cls] if rammer is None else [rammer.of.cls]
    row = max(classes, key=CLASSES.index)
    taken: dict[str, int] = {}
    for one in (mover, other):
        own = war.options.get("ram") == "own"
        dealt = (other if one is mover else mover).of.cls if own else row
        dice = damage.roll(table, f"ACTIVATION/CRASH/{one.id}/{one.id}", collision().damage[dealt])
        taken[one.id] = damage.successes(dice)
        evaded = rammer is not None and one is not rammer
        damage.note_tens(one, damage.tens(dice), 4 if evaded else 2)
        reason = f"{reason}; {one.name}: {damage.why(dice)}".removeprefix("; ")
    forced = rammer.id if rammer else "both"
    _tell(table, mover, other, forced, True, reason, taken[mover.id], taken[other.id])
    for one in (mover, other):
        damage.take(table, war, one, taken[one.id], dodges=True)
    return True


def _tell(
    table: TableLike,
    mover: Vessel,
    other: Vessel,
    forcing: str,
    collided: bool,
    reason: str,
    hits: int = 0,
    taken: int = 0,
) -> None:
    told = ev.CollisionTried(
        rule="52" if forcing else "50",
        why=reason,
        vessel=mover.id,
        other=other.id,
        forcing=forcing,
        collided=collided,
        hits=hits,
        taken=taken,
        splash=damage.dodged(mover, hits),
        spray=damage.dodged(other, taken),
    )
    table.tell(table.sides, told)


def run_onto(table: TableLike, war: War, vessel: Vessel, what: str) -> None:
    """65, B23 Onto land, a reef or a rig: dice of her own row, and tens doubled."""
    label = f"ACTIVATION/ROCKS/{what.upper()}/{vessel.id}"
    dice = damage.roll(table, label, collision().damage[vessel.of.cls])
    hits = damage.successes(dice)
    damage.note_tens(vessel, damage.tens(dice), 4)
    told = ev.RanOnto(
        rule="65",
        why=damage.why(dice),
        vessel=vessel.id,
        what=what,
        hits=hits,
        splash=damage.dodged(vessel, hits),
    )
    table.tell(table.sides, told)
    damage.take(table, war, vessel, hits, dodges=True)
    if vessel.wreck:
        vessel.coast = "stop"  # she has halted


def draught(war: War, vessel: Vessel) -> int:
    """46, 168 0 for destroyers, 1 for cruisers, 2 for battleships; one more with the hull down."""
    return CLASSES.index(vessel.of.cls) + (1 if war.down(vessel) else 0)


def hindering(war: War, vessel: Vessel) -> list[tuple[str, bool]]:
    """14-17, 58-61, 154, 156, 168 Depths that can hold her: (kind, at once or by a test)."""
    if vessel.aloft or vessel.of.trait == "skimmer":
        return []
    deep = draught(war, vessel)
    found = {1: [("shallow", False)], 2: [("shallow", True), ("coastal", False)]}
    return found.get(deep, [("shallow", True), ("coastal", True)] if deep > 2 else [])


def shoal(war: War, vessel: Vessel) -> str:
    """58, 60 A depth that can hold her and into which she has just come; empty: none."""
    shape = hulls.hull(vessel)
    for kind, _ in hindering(war, vessel):
        if kind not in vessel.tested and _in_depth(war, shape, kind):
            return kind
    return ""


def until_test(war: War, vessel: Vessel) -> int:
    """174 Mils to the next test in a depth that she is in; at most those from test to test. One
    that has become too shallow for her (46), or that she turns back into (60), holds her at
    once."""
    every, astern = distances().ground_test, war.cards[vessel.card].setting == "reverse"
    found = [
        1 if at_once and not astern else every - vessel.tested[kind]
        for kind, at_once in hindering(war, vessel)
        if kind in vessel.tested
    ]
    return min((mils for mils in found if mils > 0), default=every)


def _in_depth(war: War, shape: Polygon, kind: str) -> bool:
    return bool(hulls.touched(shape, (t for t in war.map if t.kind == kind)))


def ground(table: TableLike, war: War, vessel: Vessel, mils: int, astern: bool) -> bool:
    """58-64, 174, 175 She has come `mils` further: does she run aground here?

    Backing off the shoal that she struck she tests like one that is inside it, every 5 inches; one
    that struck its edge is clear of it long before."""
    shape = hulls.hull(vessel)
    for kind, at_once in hindering(war, vessel):
        if not _in_depth(war, shape, kind):
            vessel.tested.pop(kind, None)
            continue
        first = kind not in vessel.tested
        vessel.tested[kind] = 0 if first else vessel.tested[kind] + mils
        if at_once and (first or not astern):
            told = ev.GroundTested(rule="60", vessel=vessel.id, depth=kind, aground=True)
            table.tell(table.sides, told)
        elif not first and vessel.tested[kind] < distances().ground_test:
            continue
        elif _afloat(table, vessel, kind):
            vessel.tested[kind] = 0
            continue
        vessel.tested[kind], vessel.aground, vessel.may_fire = 0, kind, False
        if vessel.acts:
            war.cards[vessel.card].setting = "stop"
        return True
    return False


def _afloat(table: TableLike, vessel: Vessel, kind: str) -> bool:
    """58 A die of 7 and more keeps her afloat."""
    phase = "BETWEEN" if vessel.wreck else "ACTIVATION"  # 161 wrecks run on between turns
    dice = damage.roll(table, f"{phase}/GROUND/{kind.upper()}/{vessel.id}", 1)
    safe = damage.successes(dice) > 0
    told = ev.GroundTested(
        rule="58",
        why=f"rolled {dice[0]}, afloat on 7+",
        vessel=vessel.id,
        depth=kind,
        aground=not safe,
    )
    table.tell(table.sides, told)
    return safe
