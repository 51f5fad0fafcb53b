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
    undone,
)
from games.bismarck import events_battle as ev
from games.bismarck.asks import NONE
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.facts import knows
from games.bismarck.shadow import Shadower
from games.bismarck.state import AirUnit, Ship, War
from games.bismarck.taskforce import Counter
from games.bismarck.verbs_battle import HighSpeed, Shadow
from orders.book import Book
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
    attempts = await _assign(table, war, books[BRITISH])
    if not attempts:
        return
    _evade(table, war, books, attempts)
    for attempt in attempts:
        _roll(table, war, attempt, two_zones=len(attempt.target.lead.path) >= 2)


async def _assign(table: TableLike, war: War, book: Book) -> list[Attempt]:
    """8.12, 8.13 One shadow for each ship or task force located last turn; no unit twice. Those for
    which he has named units choose first."""
    targets = shadow.targets(war)
    attempts = []
    for target in sorted(targets, key=lambda t: _claim(war, book, t)):
        unit = await _chosen(table, war, target, target.zone, asks.ShadowBy)
        if unit:
            _commit(war, unit, target)
            _split(table, war, target)
            attempts.append(Attempt(target, unit, target.zone))
    _unmet(table, war, book, targets, attempts)
    return sorted(attempts, key=lambda a: a.target.id)


def _claim(war: War, book: Book, target: Counter) -> int:
    """8.13 The unit is his choice: 0 where an order names units for this target, 1 where it names
    them for all, 2 where the best that is left shadows."""
    named = [o.contact for o in book.every(BRITISH.upper(), Shadow, knows(war, BRITISH)) if o.by]
    return 0 if {*_called(war, target)} & {*named} else 1 if "" in named else 2


async def _chosen(
    table: TableLike,
    war: War,
    target: Counter,
    zone: Zone,
    kind: type[asks.ShadowBy],
    rule: str = "8.13",
) -> Shadower | None:
    """8.13, 8.14 The free unit in the zone that is to shadow the target, None for none."""
    units = shadow.eligible(war, target.ships, zone, flown=kind is asks.FastShadowBy)
    (word,) = await table.ask(BRITISH, [_question(war, target, units, kind, rule)])
    return next((u for u in units if u.id == word), None)


def _unmet(
    table: TableLike,
    war: War,
    book: Book,
    targets: Sequence[Counter],
    attempts: Sequence[Attempt],
) -> None:
    """8.13, 8.14 The British hear why none of the units that they named shadows."""
    given = list(book.commands(BRITISH.upper(), {"shadow": Shadow}, knows(war, BRITISH)))
    for command in given:
        order, first = command.order, given[0]
        if not order.by or (command.fresh, command.standing) != (first.fresh, first.standing):
            continue
        aims = [t for t in targets if order.contact in ("", *_called(war, t))]
        made = [a for a in attempts if a.target.id in {t.id for t in aims}]
        if any(a.by.id in order.by for a in made):
            continue
        reasons = [shadow.unfit(war, u, t.ships, t.zone) for t in aims for u in order.by]
        forces = [a for a in made if order.contact and len(_called(war, a.target)) > 1]
        taken = [f"{a.by.name} shadows the task force of {order.contact} (8.13)" for a in forces]
        if why := undone.together(reasons) or undone.together(taken):
            undone.tell(table, BRITISH, order, why, "8.14")
        elif not aims and order.contact and not command.standing:
            why = f"{order.contact} was not located last turn by search or shadow (8.11)"
            undone.tell(table, BRITISH, order, why, "8.11")


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
        called=_called(war, target),
        choices=(*names, NONE),
        default=names[0] if names else NONE,
        source="orders",
        rule=rule,
        side=BRITISH.upper(),
    )


def _called(war: War, target: Counter) -> tuple[str, ...]:
    """8.11 The contacts of a counter's ships that were located last turn. That another, seen
    earlier, has joined them since is not for the British to know."""
    located = war.located_last[BRITISH]
    ids = (naming.contact_of(war, BRITISH, s) for s in target.ships if s.id in located)
    return tuple(filter(None, ids))


def _known(war: War, target: Counter) -> str:
    """What the British call a counter: the first of its ships that were located last turn, else
    the first that they have a contact of."""
    ids = (naming.contact_of(war, BRITISH, s) for s in target.ships)
    return next(filter(None, (*_called(war, target), *ids)), "")


def _commit(war: War, unit: Shadower, target: Counter) -> None:
    """8.13, 9.224 It searches nothing this turn, and while it holds may attack nothing else."""
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
        war.shadowing[attempt.by.id] = []  # it shadows nothing any more
        lost = ev.ShadowLost(rule="8.15", why=why, about=_known(war, target), by=attempt.by.name)
        table.tell([BRITISH], lost)
    heard = ev.Shadowed(rule="8.15", why=theirs, who=names, held=held, zone=zone if held else "")
    table.tell([GERMAN], heard)


# 8.2 High-speed shadow


async def high_speed(
    table: TableLike, war: War, passed: Sequence[tuple[Zone, Sequence[Ship]]], book: Book
) -> None:
    """8.21-8.24 Ships that went through a zone that the British called may be shadowed by what is
    there; units there with movement left may follow. What is shadowed already is not shadowed by a
    second unit (8.13). book: the British orders."""
    for zone, ships in passed:
        for target in _moved_on(war, ships):
            if any(ship.id in war.shadowed for ship in target.ships):
                continue
            await _attempt(table, war, zone, target, book)


def _moved_on(war: War, ships: Sequence[Ship]) -> list[Counter]:
    ids = {s.id for s in ships if s.afloat}
    return [c for c in taskforce.counters(war, GERMAN) if ids & {s.id for s in c.ships}]


async def _attempt(table: TableLike, war: War, zone: Zone, target: Counter, book: Book) -> None:
    unit = await _chosen(table, war, target, zone, asks.FastShadowBy, "8.21")
    order = book.find(BRITISH.upper(), HighSpeed, knows(war, BRITISH))
    if order and order.what == "on" and order.by and not (unit and unit.id in order.by):
        reasons = [shadow.unfit(war, u, target.ships, zone, flown=True) for u in order.by]
        if why := undone.together(reasons):
            undone.tell(table, BRITISH, order, why, "8.21")
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
    """8.23 Ships follow unless told otherwise, aircraft and carriers alone stay. Never mailed: it
    is an order."""
    ships = isinstance(unit, Counter)
    escorted = isinstance(unit, Counter) and any(s.type != "CV" for s in unit.ships)
    return asks.Follow(
        about=unit.name,
        choices=("YES", "NO"),
        default=yes_no(escorted),
        source="orders",
        rule="8.23",
        actors=(unit.id, BRITISH.upper()),
        air=not ships,
    )


def _can(war: War, counter: Counter) -> bool:
    """8.23, 8.24 Has a British counter a zone left to move, and ships that make normal moves? Those
    without a factor, which 8.24 and a second zone would cost, make emergency moves alone (5.24)."""
    engines = [taskforce.engine(war, ship) for ship in counter.ships]
    slow = any(map(movement.emergency, engines))
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
