"""5 Between turns: splash markers, repairs, fires, critical hits, drifting wrecks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.baltic import courses, damage, hulls
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.state import Critical, Vessel, War
from games.baltic.tables import SETTINGS, critical, figures, telegraph
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit import plane
from pbem.kit.doctrine import Doctrine
from pbem.model import Dice, Side, TableLike

REPAIRABLE = ("fire", "engine", "rudder", "weapon")
"""138 In the order in which crews see to them without orders."""
HARM = ("none", "marines", "bridge", "weapon", "rudder", "engine", "fire", "ammo")
"""152 From the least, by which a battleship without orders chooses."""
FIRST, SECOND = "FIRST", "SECOND"
Books = Mapping[Side, Book]
Knows = Mapping[Side, Facts]


def splash(war: War) -> None:
    """90 Markers go at the end of the turn."""
    for vessel in war.vessels.values():
        vessel.splash = 0


# Repairs


def repairs(table: TableLike, war: War, books: Books, facts: Knows) -> None:
    """138-140, 207 A die a hull box; each success, and three strategy points, repair one critical
    of an earlier turn."""
    for vessel in war.listed():
        if not vessel.acts or not _old(war, vessel):
            continue
        order = _order(vessel, books, facts)
        wishes = _wishes(order)
        for _ in range(_bought(war, vessel, order)):
            _mend(table, war, vessel, wishes, figures().boost)
        if _old(war, vessel):
            dice = damage.roll(table, f"BETWEEN/REPAIR/-/{vessel.id}", vessel.hull)
            for _ in range(damage.successes(dice)):
                _mend(table, war, vessel, wishes, 0, damage.why(dice))


def _old(war: War, vessel: Vessel) -> list[Critical]:
    """140 Criticals of earlier turns."""
    return [one for one in vessel.criticals if one.turn < war.turn]


def _order(vessel: Vessel, books: Books, facts: Knows) -> v.Repair | None:
    book = books[vessel.side]
    for actor in (vessel.id, vessel.side.upper()):
        if found := book.find(actor, v.Repair, facts[vessel.side]):
            return found
    return None


def _wishes(order: v.Repair | None) -> list[str]:
    named = [order.first, order.second, order.third, order.fourth] if order else []
    said = [word for word in named if word]
    return [*said, *(word for word in REPAIRABLE if word not in said)]


def _bought(war: War, vessel: Vessel, order: v.Repair | None) -> int:
    """139 Sure repairs: three points each, as many as the order and the pool allow."""
    points = min(order.spend, war.pools[vessel.side]) if order else 0
    times = min(points // figures().boost, len(_old(war, vessel)))
    war.pools[vessel.side] -= times * figures().boost
    return times


def _mend(
    table: TableLike, war: War, vessel: Vessel, wishes: list[str], spent: int, why: str = ""
) -> None:
    """212 One setting, one template, one weapon or one fire."""
    old = _old(war, vessel)
    if not old:
        return
    one = min(old, key=lambda c: wishes.index(c.effect))
    vessel.criticals.remove(one)
    what = f"weapon {one.weapon}" if one.effect == "weapon" else one.effect
    told = ev.Repaired(
        rule="139" if spent else "138", why=why, vessel=vessel.id, what=what, spent=spent
    )
    table.tell(table.sides, told)


def fires(table: TableLike, war: War) -> None:
    """151 Each fire aboard does one hit."""
    for vessel in war.listed():
        burning = vessel.hit_by("fire")
        if burning and vessel.acts:
            table.tell(table.sides, ev.Burned(rule="151", vessel=vessel.id, hits=burning))
            damage.take(table, war, vessel, burning, "151")


# Critical hits


class Suffer(Doctrine, frozen=True):
    """152 Which of two critical hits a battleship suffers."""

    results: tuple[str, str] = ("", "")
    """The effects of both."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By the words of `choose`, then the one that harms less."""
        order = self.said(book, facts, v.Choose)
        if order is None:
            return None
        words: list[str] = [word for word in (order.first, order.second, order.third) if word]
        return lesser(self.results, words)


def lesser(results: tuple[str, str], words: Sequence[str]) -> str:
    """Which of two results is suffered sooner; equal ones: the first."""

    def harm(text: str) -> list[int]:
        effects = text.split()
        liked = [words.index(e) if e in words else len(words) + HARM.index(e) for e in effects]
        return sorted(liked, reverse=True) if effects else [-1]

    return FIRST if harm(results[0]) <= harm(results[1]) else SECOND


async def criticals(table: TableLike, war: War) -> None:
    """141-152, 208-211 The tens of this turn take effect."""
    for vessel in war.listed():
        total, vessel.tenners = vessel.tenners // 2, 0
        if total and vessel.acts:
            result, effects = await _rolled(table, vessel, total)
            words = _effective(effects)
            told = ev.CriticalHit(
                rule="143", why=f"2d10 and {total}", vessel=vessel.id, total=result, effects=words
            )
            table.tell(table.sides, told)
            for effect in effects:
                _suffer(table, war, vessel, effect)


async def _rolled(table: TableLike, vessel: Vessel, tens: int) -> tuple[int, tuple[str, ...]]:
    """143, 152, 209, 211 One roll, or for a battleship two of which she suffers one."""
    first = _result(table, vessel, tens)
    if vessel.of.cls != "B" or vessel.of.trait == "carrier":
        return first
    second = _result(table, vessel, tens)
    results = (_effective(first[1]), _effective(second[1]))
    asked = Suffer(
        about=vessel.id,
        choices=(FIRST, SECOND),
        default=lesser(results, []),
        actors=(vessel.id, vessel.side.upper()),
        rule="152",
        results=results,
    )
    (answer,) = await table.ask(vessel.side, [asked])
    return first if answer == FIRST else second


def _effective(effects: tuple[str, ...]) -> str:
    return " ".join(effect for effect in effects if effect not in ("again",))


def _result(table: TableLike, vessel: Vessel, tens: int) -> tuple[int, tuple[str, ...]]:
    """143, 209 2d10 and the tens; at 23 and more a plain roll is added."""
    dice = damage.roll(table, f"BETWEEN/CRITICAL/-/{vessel.id}", 2)
    total = sum(dice) + tens
    effects = critical(total)
    if "again" in effects:
        extra = damage.roll(table, f"BETWEEN/CRITICAL AGAIN/-/{vessel.id}", 2)
        effects = (*effects, *critical(sum(extra)))
    return total, effects


def _suffer(table: TableLike, war: War, vessel: Vessel, effect: str) -> None:
    """145-151, 210 One effect; what is not there cannot be hit."""
    if effect == "marines":
        vessel.ram = max(0, vessel.ram - 1)
    elif effect == "bridge":
        (die,) = table.roll(f"BETWEEN/BRIDGE/-/{vessel.id}", Dice(1, 10), table.sides)
        war.pools[vessel.side] = max(0, war.pools[vessel.side] - die // 2)
    elif effect in ("weapon", "ammo"):
        _weapon(table, war, vessel, effect)
    elif effect == "engine":
        least = SETTINGS.index("stop")
        if len(telegraph(hulls.column(vessel.of))) - 1 - vessel.hit_by("engine") > least:
            vessel.criticals.append(Critical("engine", "", war.turn))
    elif effect in ("rudder", "fire"):
        vessel.criticals.append(Critical(effect, "", war.turn))


def _weapon(table: TableLike, war: War, vessel: Vessel, effect: str) -> None:
    """146, 148, B9 A die picks the weapon, counted round the sheet from the first that is left."""
    ids = [weapon.id for weapon in vessel.weapons]
    (die,) = table.roll(f"BETWEEN/WEAPON/-/{vessel.id}", Dice(1, 10), table.sides)
    picked = pick_weapon(ids, vessel.lost if effect == "weapon" else set(vessel.gone), die)
    if picked and effect == "weapon":
        vessel.criticals.append(Critical("weapon", picked, war.turn))
    elif picked:
        vessel.gone.append(picked)
        vessel.criticals = [c for c in vessel.criticals if c.weapon != picked]
    if effect == "ammo":
        damage.take(table, war, vessel, 1, "146")


def pick_weapon(ids: list[str], lost: set[str], die: int) -> str:
    """3 of 2.3 Index die - 1, counted round; one that is lost: the next that is not."""
    for step in range(len(ids)):
        found = ids[(die - 1 + step) % len(ids)]
        if found not in lost:
            return found
    return ""


# Wrecks


def drift(table: TableLike, war: War) -> None:
    """88, 161 Wrecks run on, a setting slower each turn, straight ahead at the least of it."""
    for vessel in war.listed():
        if not vessel.wreck or not vessel.here or vessel.of.flies:
            continue
        place = SETTINGS.index(vessel.coast)
        stop = SETTINGS.index("stop")
        if place <= stop:
            vessel.coast, vessel.moved = "stop", 0
            continue
        vessel.coast = SETTINGS[place - 1]
        low, _ = telegraph(hulls.column(vessel.of))[place - 1]
        vessel.moved = low
        if low:
            spot = plane.ahead(vessel.pose, low)
            if any(t.solid and hulls.on(hulls.hull(vessel, spot), t) for t in war.map):
                vessel.coast = "stop"
                continue
            vessel.put(spot)
            at = f"{courses.inches(vessel.x)} {courses.inches(vessel.y)}"
            table.tell(table.sides, ev.Drifted(rule="161", vessel=vessel.id, at=at))
            if hulls.off(spot):
                vessel.out = "edge"
