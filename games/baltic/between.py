"""5 Between turns: splash markers, repairs, fires, critical hits, drifting wrecks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.baltic import courses, damage, hulls, movement
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.state import CURRENTS, Critical, Vessel, War
from games.baltic.tables import SETTINGS, critical, figures, telegraph
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit import plane
from pbem.kit.doctrine import Doctrine
from pbem.kit.plane import Pose
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


async def repairs(table: TableLike, war: War, books: Books, facts: Knows) -> None:
    """138-140, 207 A die a hull box; each success, and three strategy points, repair one critical
    of an earlier turn."""
    for vessel in war.listed():
        if not vessel.acts or not _old(war, vessel):
            continue
        for _ in range(await _bought(table, war, vessel, books[vessel.side], facts[vessel.side])):
            await _mend(table, war, vessel, figures().boost)
        if _old(war, vessel):
            dice = damage.roll(table, f"BETWEEN/REPAIR/-/{vessel.id}", vessel.hull)
            for _ in range(damage.successes(dice) + _tricks(war, vessel)):
                await _mend(table, war, vessel, 0, damage.why(dice))


def _old(war: War, vessel: Vessel) -> list[Critical]:
    """140 Criticals of earlier turns."""
    return [one for one in vessel.criticals if one.turn < war.turn]


def _tricks(war: War, vessel: Vessel) -> int:
    """B22 With the option, the Varelser make good one critical more."""
    return int(vessel.of.side == "finland" and war.options.get("varelser") == "on")


class Boost(Doctrine, frozen=True):
    """139 How many strategy points a ship's repairs may cost: three for each. choices: what buys
    whole repairs, as other numbers would buy no more."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `repair ... spend`."""
        order = self.said(book, facts, v.Repair)
        return str(min(order.spend, int(self.choices[-1]))) if order else None


async def _bought(table: TableLike, war: War, vessel: Vessel, book: Book, facts: Facts) -> int:
    """139 Sure repairs: as many as the owner pays for. Orders of this turn for which the pool does
    not suffice any more are told him."""
    boost, pool = figures().boost, war.pools[vessel.side]
    most = min(pool // boost, len(_old(war, vessel))) * boost
    for actor in (vessel.id, vessel.side.upper()):
        given = next(book.commands(actor, {"repair": v.Repair}, facts), None)
        if given is None:
            continue
        if not given.standing and pool < min(given.order.spend, len(_old(war, vessel)) * boost):
            what = f"a sure repair costs {boost} points, and the pool holds {pool}"
            table.tell([vessel.side], ev.Unable(rule="139", actor=vessel.id, what=what))
        break
    if not most:
        return 0
    asked = Boost(
        about=vessel.id,
        choices=tuple(str(points) for points in range(0, most + 1, boost)),
        default="0",
        actors=(vessel.id, vessel.side.upper()),
        rule="139",
    )
    (answer,) = await table.ask(vessel.side, [asked])
    times = int(str(answer)) // boost
    war.pools[vessel.side] -= times * boost
    return times


class Mend(Doctrine, frozen=True):
    """138 Which critical hit is repaired."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The first of the words of `repair` that she suffers from."""
        order = self.said(book, facts, v.Repair)
        words = [order.first, order.second, order.third, order.fourth] if order else []
        suffers = {choice.split()[0].lower(): choice for choice in reversed(self.choices)}
        return next((suffers[word] for word in words if word in suffers), None)


async def _mend(table: TableLike, war: War, vessel: Vessel, spent: int, why: str = "") -> None:
    """212 One setting, one template, one weapon or one fire."""
    old = sorted(_old(war, vessel), key=lambda one: REPAIRABLE.index(one.effect))
    if not old:
        return
    choices = tuple(dict.fromkeys(_words(one) for one in old))
    answer: Value = choices[0]
    if len(choices) > 1:
        asked = Mend(
            about=vessel.id,
            choices=choices,
            default=choices[0],
            actors=(vessel.id, vessel.side.upper()),
            rule="138",
        )
        (answer,) = await table.ask(vessel.side, [asked])
    one = next(one for one in old if _words(one) == answer)
    vessel.criticals.remove(one)
    what = f"weapon {one.weapon}" if one.effect == "weapon" else one.effect
    told = ev.Repaired(
        rule="139" if spent else "138", why=why, vessel=vessel.id, what=what, spent=spent
    )
    table.tell(table.sides, told)


def _words(one: Critical) -> str:
    """`WEAPON A`."""
    return f"{one.effect} {one.weapon}".strip().upper()


def fires(table: TableLike, war: War) -> None:
    """151 Each fire aboard does one hit."""
    for vessel in war.listed():
        burning = vessel.hit_by("fire")
        if burning and vessel.acts:
            table.tell(table.sides, ev.Burned(rule="151", vessel=vessel.id, hits=burning))
            damage.take(table, war, vessel, burning)


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
    elif effect == "fire" or (effect == "rudder" and movement.sailing(war, vessel, "half").eighth):
        vessel.criticals.append(Critical(effect, "", war.turn))


def _weapon(table: TableLike, war: War, vessel: Vessel, effect: str) -> None:
    """146, 148, B9 A die picks the weapon, counted round the sheet from the first that is left."""
    ids = [weapon.id for weapon in vessel.weapons]
    (die,) = table.roll(f"BETWEEN/WEAPON/-/{vessel.id}", Dice(1, 10), table.sides)
    picked = pick_weapon(ids, vessel.lost, die)
    if picked and effect == "weapon":
        vessel.criticals.append(Critical("weapon", picked, war.turn))
    elif picked:
        vessel.gone.append(picked)
    if effect == "ammo":
        damage.take(table, war, vessel, 1)


def pick_weapon(ids: list[str], lost: set[str], die: int) -> str:
    """3 of 2.3 Index die - 1, counted round; one that is lost: the next that is not."""
    for step in range(len(ids)):
        found = ids[(die - 1 + step) % len(ids)]
        if found not in lost:
            return found
    return ""


# Wrecks


def drift(table: TableLike, war: War) -> None:
    """88, 161 Wrecks run on, a setting slower each turn, straight ahead at the least of it; at rest
    they lie still, or drift with the current. Those that are aground, or have come down on land
    (B47), stay where they are."""
    for vessel in war.listed():
        if not vessel.wreck or not vessel.here:
            continue
        place = SETTINGS.index(vessel.coast) - 1
        vessel.moved = 0
        if vessel.aground or (vessel.of.flies and movement.ashore(war, vessel)):
            vessel.coast = "stop"
            continue
        if place < SETTINGS.index("stop"):
            vessel.coast = "stop"
            east, north = CURRENTS.get(war.options.get("current", ""), (0, 0))
            mils = figures().current
            way = Pose(vessel.x + mils * east, vessel.y + mils * north, vessel.heading)
        else:
            vessel.coast = SETTINGS[place]
            low, _ = telegraph(hulls.column(vessel.of))[place]
            way = plane.ahead(vessel.pose, low)
        if way != vessel.pose:
            _carried(table, war, vessel, way)


def _carried(table: TableLike, war: War, vessel: Vessel, way: Pose) -> None:
    """A wreck goes there, or until something solid or another hull stops it (173)."""
    gone = movement.drifted(table, war, vessel, way)
    if vessel.aground:
        vessel.coast = "stop"
    elif vessel.coast != "stop":
        vessel.moved = gone
    at = f"{courses.inches(vessel.x)} {courses.inches(vessel.y)}"
    table.tell(table.sides, ev.Drifted(rule="161", vessel=vessel.id, at=at))
    if hulls.off(vessel.pose):
        movement.leave(table, war, vessel)
