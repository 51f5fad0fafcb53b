"""4.3 Shadow determination and 4.6 high-speed shadow, as phases of the turn (rules: `shadow`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from games.bismarck import (
    air,
    asks,
    calendar,
    contacts,
    movement,
    naming,
    shadow,
    taskforce,
)
from games.bismarck import events_battle as ev
from games.bismarck.asks import NONE
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.facts import knows
from games.bismarck.shadow import Shadower
from games.bismarck.state import AirUnit, Ship, War
from games.bismarck.taskforce import Counter
from orders.book import Book
from orders.model import Value
from pbem.kit.doctrine import YES, yes_no
from pbem.model import D6, Side, TableLike


class Attempt(Struct):
    """One shadow: the German counter, who shadows it, and the zone in which it begins."""

    target: Counter
    by: Shadower
    zone: Zone


# 4.3 Shadow determination


async def determination(table: TableLike, war: War, books: Mapping[Side, Book]) -> None:
    """8.11-8.18 Shadows are chosen, shadowed ships move, dice are rolled, what is held is
    revealed; British orders to intercept react to it."""
    attempts = await _assign(table, war)
    if not attempts:
        return
    _evade(table, war, books, attempts)
    for attempt in attempts:
        _roll(table, war, attempt, two_zones=len(attempt.target.lead.path) >= 2)


async def _assign(table: TableLike, war: War) -> list[Attempt]:
    """8.12, 8.13 One shadow for each ship or task force located last turn; no unit twice."""
    able = [(t, shadow.eligible(war, t.ships, t.zone)) for t in shadow.targets(war)]
    asked = [_question(war, t, units, asks.ShadowBy, "8.13") for t, units in able]
    said = await table.ask(BRITISH, asked) if asked else []
    attempts = []
    for (target, units), word in zip(able, said, strict=True):
        unit = _chosen(war, units, word)
        if unit:
            _commit(war, unit, target)
            _split(table, war, target)
            attempts.append(Attempt(target, unit, target.zone))
    return attempts


def _question(
    war: War,
    target: Counter,
    units: Sequence[Shadower],
    kind: type[asks.ShadowBy],
    rule: str,
) -> asks.ShadowBy:
    """8.13, 8.21 Who shadows. Never mailed: it is an order (9.2, ruling 57)."""
    about = _known(war, target)
    names = tuple(u.id for u in units)
    return kind(
        about=about,
        choices=(*names, NONE),
        default=names[0] if names else NONE,
        source="orders",
        rule=rule,
        side=BRITISH.upper(),
    )


def _known(war: War, target: Counter) -> str:
    """What the British call the first ship of a counter that they have a contact of."""
    return next(filter(None, (naming.contact_of(war, BRITISH, s) for s in target.ships)), "")


def _chosen(war: War, units: Sequence[Shadower], word: Value) -> Shadower | None:
    """The unit named, or the best still free when another target has it by now; None for none."""
    free = [u for u in units if u.id not in war.shadowing]
    if word == NONE or not free:
        return None
    return next((u for u in free if u.id == word), free[0])


def _commit(war: War, unit: Shadower, target: Counter) -> None:
    """8.13, 9.224 It searches nothing this turn, and may attack nothing else."""
    war.shadowing[unit.id] = [s.id for s in target.ships]


def _split(table: TableLike, war: War, target: Counter) -> None:
    """8.16 A task force that has broken up: the types that left."""
    gone = shadow.left_force(war, target)
    if gone:
        about = _known(war, target)
        types = tuple(sorted(contacts.general(s) for s in gone))
        table.tell([BRITISH], ev.ForceSplit(rule="8.16", about=about, types=types))


def _evade(
    table: TableLike, war: War, books: Mapping[Side, Book], attempts: Iterable[Attempt]
) -> None:
    """8.11, 8.15 The shadowed move before anybody else, by orders: those with `if shadowed` too."""
    moving = [a.target for a in attempts]
    war.hunted = [s.id for t in moving for s in t.ships]
    facts = knows(war, GERMAN)
    for target in moving:
        given = list(books[GERMAN].commands(target.id, movement.ORDERS, facts))
        movement.obey(table, war, target, given)
        war.moved += [s.id for s in target.ships]


def _roll(table: TableLike, war: War, attempt: Attempt, two_zones: bool) -> bool:
    """8.15-8.18 The die, told with what was added to it; a held contact is revealed."""
    chart = shadow.chart(war.house)
    night = calendar.night(war.turn, attempt.zone)
    plus = chart.modifier(war.level, two_zones)
    label = f"SHADOW/HOLD/{attempt.zone}/GERMAN"
    if two_zones:
        about = _known(war, attempt.target)
        table.tell([BRITISH], ev.MovedTwoZones(rule="8.18", about=about))
    (die,) = table.roll(label, D6, table.sides)
    held = shadow.holds(chart, attempt.by.class_, night, die, plus)
    upto = chart.holds_upto(attempt.by.class_, night)
    why = f"rolled {die}{f' {plus:+d}' if plus else ''}, holds on {_upto(upto)}"
    _tell(table, war, attempt, held, why, f"rolled {die}")
    return held


def _upto(highest: int) -> str:
    return "1" if highest == 1 else f"1-{highest}"


def _tell(table: TableLike, war: War, attempt: Attempt, held: bool, why: str, theirs: str) -> None:
    """8.15 The British learn the new zone; the German not who shadows, so not what it needed."""
    target, zone = attempt.target, attempt.target.zone
    names = tuple(s.name for s in target.ships)
    if held:
        for ship in target.ships:
            war.locate(BRITISH, ship.id)
            war.shadowed.append(ship.id)
            war.discover(ship.id)
        seen = contacts.sightings(war, BRITISH, target.ships)
        ours = ev.ShadowHeld(rule="8.15", why=why, zone=zone, seen=seen, by=attempt.by.name)
        table.tell([BRITISH], ours)
    else:
        lost = ev.ShadowLost(rule="8.15", why=why, about=_known(war, target), by=attempt.by.name)
        table.tell([BRITISH], lost)
    heard = ev.Shadowed(rule="8.15", why=theirs, who=names, held=held, zone=zone if held else "")
    table.tell([GERMAN], heard)


# 8.2 High-speed shadow


async def high_speed(
    table: TableLike, war: War, passed: Sequence[tuple[Zone, Sequence[Ship]]]
) -> None:
    """8.21-8.24 After the British calls: ships that went through a searched zone may be shadowed
    by what is there; units there with movement left may follow. What is shadowed already is not
    shadowed by a second unit (8.13)."""
    for zone, ships in passed:
        for target in _moved_on(war, ships):
            if any(ship.id in war.shadowed for ship in target.ships):
                continue
            units = shadow.eligible(war, target.ships, zone, flown=True)
            await _attempt(table, war, zone, target, units)


def _moved_on(war: War, ships: Sequence[Ship]) -> list[Counter]:
    ids = {s.id for s in ships if s.afloat}
    return [c for c in taskforce.counters(war, GERMAN) if ids & {s.id for s in c.ships}]


async def _attempt(
    table: TableLike, war: War, zone: Zone, target: Counter, units: Sequence[Shadower]
) -> None:
    asked = _question(war, target, units, asks.FastShadowBy, "8.21")
    (word,) = await table.ask(BRITISH, [asked])
    unit = _chosen(war, units, word)
    if unit is None:
        return
    _commit(war, unit, target)
    if _roll(table, war, Attempt(target, unit, zone), two_zones=True):  # 8.22
        await _follow(table, war, zone, target.zone)


async def _follow(table: TableLike, war: War, zone: Zone, to: Zone) -> None:
    """8.23, 8.24 Units of the searched zone that can still move one zone may do so."""
    ships = [c for c in taskforce.counters(war, BRITISH) if c.zone == zone and _can(war, c)]
    wing = [u for u in war.airborne(BRITISH) if u.zone == zone and _can_fly(war, u, to)]
    units: list[Counter | AirUnit] = [*ships, *wing]
    said = await table.ask(BRITISH, [_follow_question(unit) for unit in units])
    went = []
    for unit, word in zip(units, said, strict=True):
        if word == YES:
            _go(table, war, unit, to)
            went.append(unit.name)
    if went:
        table.tell([BRITISH], ev.Followed(rule="8.23", who=tuple(sorted(went)), zone=to))


def _follow_question(unit: Counter | AirUnit) -> asks.Follow:
    """8.23 Ships follow unless told otherwise, aircraft stay. Never mailed: it is an order."""
    ships = isinstance(unit, Counter)
    return asks.Follow(
        about=unit.name,
        choices=("YES", "NO"),
        default=yes_no(ships),
        source="orders",
        rule="8.23",
        actors=(unit.id, BRITISH.upper()),
        air=not ships,
    )


def _can(war: War, counter: Counter) -> bool:
    """8.23, 8.24 Has a British counter a zone left to move, and ships that make normal moves? Those
    without a factor, which 8.24 and a second zone would cost, make emergency moves alone (5.24)."""
    engines = [taskforce.engine(war, ship) for ship in counter.ships]
    slow = any(e.evasion < 16 or e.fuel == 0 for e in engines)  # 5.24, 9.729
    moved = len(counter.lead.path)
    mended = moved > 0 and any(ship.mended == war.turn for ship in counter.ships)  # 9.728
    return not slow and not mended and movement.allowance(engines, war.turn) > moved


def _can_fly(war: War, unit: AirUnit, to: Zone) -> bool:
    """8.23, 6.21 Has an air unit speed left, and can it come home from there?"""
    # a carrier's ships have moved; next turn aircraft fly first
    moored = replace(air.wings(war, unit), afloat=False)
    home = air.home_by(moored, to, unit.up, unit.used + 1, unit.mode)
    return unit.used < unit.face.speed and home


def _go(table: TableLike, war: War, unit: Counter | AirUnit, to: Zone) -> None:
    unit.plan = None  # its way began elsewhere
    if isinstance(unit, AirUnit):
        unit.zone, unit.used, unit.path = to, unit.used + 1, (*unit.path, to)
        return
    from_patrol = unit.mode == "patrol"
    movement.set_mode(table, unit, "move")
    movement.advance(table, war, unit, (to,), rule="8.24" if from_patrol else "8.23")
    for ship in unit.ships:  # 8.24: a factor to leave patrol, which may be the move's own (5.25)
        if from_patrol and ship.fuel and not ship.spent:
            ship.fuel, ship.spent = ship.fuel - 1, ship.spent + 1
