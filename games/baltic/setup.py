"""1 Preparation: the fleets of a scenario, and where they begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.baltic import berths, collisions, courses, hulls, markers, movement, planning
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.berths import Berth
from games.baltic.state import Card, Marker, Vessel, War
from games.baltic.tables import (
    SOLIDS,
    Force,
    Name,
    Setting,
    ShipSheet,
    figures,
    names,
    plan,
    sheets,
    size,
)
from orders.book import Book, Facts
from pbem.kit import plane
from pbem.kit.doctrine import plays_asked
from pbem.kit.plane import Pose
from pbem.model import Side, TableLike

_TYPES = {"F": markers.FIGHTER, "B": markers.BOMBER, "T": markers.TORPEDO}
BANDS = ("B", "C", "D")
"""19 The order in which classes are set up."""


def begin(scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> War:
    """The state before the set-up: every card in its default place. Raises ValueError."""
    if house:
        raise ValueError(f"{', '.join(sorted(house))}: the tables of Baltic cannot be replaced")
    table = plan(scenario)
    war = War(
        turn=0,
        scenario=scenario,
        vessels={},
        cards={},
        order=[],
        pools={Side(force.side): force.pool for force in table.forces},
        sides=[Side(force.side) for force in table.forces],
        options=dict(options),
        stage="buy" if table.purse else _first_stage(options),
    )
    for force in table.forces:
        _raise(war, force, force.units)
    war.places, war.deployed = list(war.sides), []
    return war


def _first_stage(options: Mapping[str, str]) -> str:
    return "bid" if plays_asked(options) else "deploy"


def _raise(war: War, force: Force, units: Sequence[str]) -> None:
    """13, 105 A side's cards, and its aeroplanes, in their default places."""
    for unit in units:
        _muster(war, force, names()[unit])
    for marker in force.planes:
        _marker(war, Side(force.side), marker, force.base)
    for unit in units:
        carrier = war.cards[unit]
        if carrier.of.squadrons and not force.planes:
            for marker in _stock(carrier, figures().stock):
                _marker(war, carrier.side, marker, unit)
    _line_up(war, force, units)


def _marker(war: War, side: Side, name: str, base: str) -> None:
    """103 A squadron of six, on deck or beyond its edge."""
    kind, at = _TYPES[name[1]], "deck" if base in war.vessels else "edge"
    planes, boxes = figures().planes, markers.BOXES[kind]
    war.markers[name] = Marker(name, side, kind, planes, boxes, at, base)


def _stock(carrier: Card, counts: Sequence[int]) -> list[str]:
    """105 The names of so many fighters, bombers and torpedo bombers: KF1, KF2, KB1 ..."""
    letter = carrier.side[0].upper()
    kinds = zip("FBT", counts, strict=True)
    return [f"{letter}{kind}{number + 1}" for kind, count in kinds for number in range(count)]


def _muster(war: War, force: Force, name: Name) -> None:
    """13 A card and its vessels, numbered where there are several."""
    sheet, side = sheets()[name.sheet], Side(force.side)
    many = sheet.vessels > 1
    members = [f"{name.id}{i + 1}" if many else name.id for i in range(sheet.vessels)]
    setting: Setting = "full" if sheet.trait == "aerial" else "half"
    war.order.append(name.id)
    war.cards[name.id] = Card(name.id, name.name, side, sheet.id, members, setting)
    for number, vessel in enumerate(members, 1):
        title = f"{name.name} {number}" if many else name.name
        war.vessels[vessel] = Vessel(
            vessel, title, side, sheet.id, name.id, 0, 0, 0, sheet.hull, sheet.ram, moved=1
        )


def _line_up(war: War, force: Force, units: Sequence[str]) -> None:
    """Default places: battleships in the middle of the area, destroyers on the wings, bows towards
    the middle of the table; one that is taken or aground: the nearest free one."""
    for unit, wished in _slots(war, force, units):
        card = war.cards[unit]
        station(war, card, nearest_free(war, card, wished))


def _slots(war: War, force: Force, units: Sequence[str]) -> list[tuple[str, Pose]]:
    """The wished places: a line along the longer side of the area."""
    table, margin = size(), 3000
    wide = force.x[1] - force.x[0] > force.y[1] - force.y[0]
    line, across = (force.x, force.y) if wide else (force.y, force.x)
    middle, breadth = (across[0] + across[1]) // 2, table.height if wide else table.width
    near = middle < breadth // 2
    heading = (0 if near else 2880) if wide else (1440 if near else 4320)
    low, high = max(line[0], margin), min(line[1], (table.width if wide else table.height) - margin)
    gaps = max(1, len(units) - 1)
    slots = [high - (high - low) * number // gaps for number in range(len(units))]
    slots.sort(key=lambda at: (abs(2 * at - low - high), at))
    ranked = sorted(units, key=lambda unit: BANDS.index(war.cards[unit].of.cls))
    return [
        (unit, Pose(at, middle, heading) if wide else Pose(middle, at, heading))
        for unit, at in zip(ranked, slots, strict=True)
    ]


def nearest_free(war: War, card: Card, wished: Pose) -> Pose:
    """The free place nearest to a wished one, in whole inches east and half inches north of the
    corner of the area; turned only if there is none with the wished heading, and then as little as
    may be."""
    if not barred(war, card, wished):
        return wished
    force, there = _force(war, card.side), (wished.x, wished.y)
    spots = [
        (east, north)
        for east in range(force.x[0], force.x[1] + 1, 1000)
        for north in range(force.y[0], force.y[1] + 1, 500)
    ]
    spots.sort(key=lambda spot: (plane.square(spot, there), spot))
    poses = (Pose(*spot, heading) for heading in _headings(wished.heading) for spot in spots)
    return next(pose for pose in poses if not barred(war, card, pose))


def _headings(wished: int) -> list[int]:
    """A heading, and others from it: by eighths of a turn, then along the sides of the table."""
    eighths = range(courses.QUARTER_TURN // 2, plane.CIRCLE // 2 + 1, courses.QUARTER_TURN // 2)
    turned = [(wished + way * turn) % plane.CIRCLE for turn in eighths for way in (1, -1)]
    return [wished, *turned, *range(0, plane.CIRCLE, courses.QUARTER_TURN)]


def _force(war: War, side: Side) -> Force:
    return next(force for force in plan(war.scenario).forces if force.side == side)


def barred(war: War, card: Card, pose: Pose) -> str:
    """215 Why a card cannot be set up there; empty if it can."""
    force = _force(war, card.side)
    zone = (force.x[0], force.y[0], force.x[1], force.y[1])
    others = [
        Berth(other.id, other.x, other.y, hulls.hull(other))
        for other in war.listed()
        if other.card in war.deployed and other.card != card.id
    ]
    return berths.barred(_berths(card, pose), zone, war.map, shuns(war, card), others)


def _berths(card: Card, pose: Pose) -> list[Berth]:
    return berths.berths(card.members, pose, hulls.footprint_of(card.of))


def shuns(war: War, card: Card) -> tuple[str, ...]:
    """215 The kinds of terrain that a card keeps clear of; what reaches into the air holds all."""
    depths = [depth for depth, _ in collisions.hindering(war, war.vessels[card.members[0]])]
    return (*(() if card.of.flies else SOLIDS), *depths)


def station(war: War, card: Card, pose: Pose) -> None:
    """Put a card's vessels there."""
    for spot in _berths(card, pose):
        war.vessels[spot.id].put(Pose(spot.x, spot.y, pose.heading))
    if card.id not in war.deployed:
        war.deployed.append(card.id)
    movement.cohere(war, card)


async def phase(table: TableLike, war: War, knows: Mapping[Side, Facts]) -> War:
    """19, 20, 157, 215 Turn 0: fleets are bought where a scenario says so; then, plotted, each side
    mails all its places at once; asked, sides set up a ship or squadron in turn, class after class,
    in the order of their bids."""
    if war.stage == "buy":
        books = await table.orders()
        for side in war.sides:
            buy(table, war, side, books[side], knows[side])
        war.stage = _first_stage(table.options)
    war.deployed = []
    if war.stage == "bid":
        await table.orders()
        bids = await table.ask_each(planning.stakes(war, war.sides, least=0))
        war.stage = "place"
        await planning.places(table, war, bids, least=0)
        war.stage = "deploy"
        for war.band in BANDS:
            await _in_turn(table, war, knows)
        war.band = ""
    else:
        books = await table.orders()
        for band in BANDS:
            for side in war.sides:
                place(table, war, books[side], knows[side], side, _to_place(war, side, band))
    war.turn = 1
    war.stage = "all" if table.options.get("windows", "phases") == "turn" else "planning"
    return war


async def _in_turn(table: TableLike, war: War, knows: Mapping[Side, Facts]) -> None:
    """157 The cards of a class, one at a time; who has none left is passed over."""
    while any(_to_place(war, side, war.band) for side in war.places):
        for side in war.places:
            if cards := _to_place(war, side, war.band):
                books = await table.orders(owed=(side,))
                written = [c.actor for c in books[side].script({"deploy": v.Deploy}, knows[side])]
                first = [card for name in written for card in cards if card.id == name]
                place(table, war, books[side], knows[side], side, [*first, *cards][:1])


def _to_place(war: War, side: Side, band: str) -> list[Card]:
    """157 A side's cards of a class that are still to be set up."""
    cards = (war.cards[name] for name in war.order if name not in war.deployed)
    return [card for card in cards if card.side == side and card.of.cls == band]


def buy(table: TableLike, war: War, side: Side, book: Book, facts: Facts) -> None:
    """2.6 A fleet for the points of the scenario, in place of the usual one."""
    order = book.find(side.upper(), v.Buy, facts)
    if order and affordable(war, side, order.ships):
        equip(war, side, order.ships)
    fleet = " ".join(name for name in war.order if war.cards[name].side == side)
    table.tell(table.sides, ev.FleetBought(rule="2.6", side=side, cards=fleet))


def equip(war: War, side: Side, ships: Sequence[str]) -> None:
    """2.6 Give a side these ships and squadrons in place of those that it has."""
    for name in [name for name in war.order if war.cards[name].side == side]:
        for vessel in war.cards[name].members:
            del war.vessels[vessel]
        del war.cards[name]
        war.order.remove(name)
    war.markers = {m.id: m for m in war.markers.values() if m.side != side}
    war.deployed = [name for name in war.deployed if name in war.cards]
    _raise(war, _force(war, side), ships)


def affordable(war: War, side: Side, ships: Sequence[str]) -> bool:
    """2.6 Can a side buy these? `check.affordable` has told why not."""
    scenario, known = plan(war.scenario), market(side)
    if len(set(ships)) < len(ships) or not set(ships) <= set(known):
        return False
    cost = sum(known[name].points for name in ships)
    capital = any(known[name].capital for name in ships)
    return cost <= scenario.purse and len(ships) >= scenario.least and capital


def market(side: str) -> dict[str, ShipSheet]:
    """What a side can buy, by name."""
    known = {name.id: sheets()[name.sheet] for name in names().values()}
    return {name: sheet for name, sheet in known.items() if sheet.side == side}


def place(
    table: TableLike, war: War, book: Book, facts: Facts, side: Side, cards: Sequence[Card]
) -> None:
    """Set up a side's cards: first those whose order can be carried out, in the order of the list;
    then the others as near as there is room to where they were ordered, or would stand without
    orders."""
    wished = {card.id: _wished(book, facts, card) for card in cards}
    late = [card for card in cards if not _ordered(table, war, card, wished[card.id])]
    for card in cards:
        if card in late:
            lead = war.vessels[card.members[0]]
            station(war, card, nearest_free(war, card, wished[card.id] or lead.pose))
        stocked(war, card, book, facts)
        lead = war.vessels[card.members[0]]
        at = f"{courses.inches(lead.x)} {courses.inches(lead.y)}"
        heading = courses.degrees(lead.heading)
        table.tell(table.sides, ev.Placed(rule="215", card=card.id, at=at, heading=heading))


def _wished(book: Book, facts: Facts, card: Card) -> Pose | None:
    """Where an order wants a card."""
    order = book.find(card.id, v.Deploy, facts)
    if not order:
        return None
    x, y = order.at.thousandths
    return Pose(x, y, courses.units(order.heading))


def _ordered(table: TableLike, war: War, card: Card, wished: Pose | None) -> bool:
    """215 Has an order put the card on the table?"""
    if wished is None:
        return False
    if reason := barred(war, card, wished):
        table.tell([card.side], ev.Unable(rule="215", actor=card.id, what=reason))
        return False
    station(war, card, wished)
    return True


def stocked(war: War, card: Card, book: Book, facts: Facts) -> None:
    """105 A carrier's squadrons, as her captain chooses them before the game."""
    order = book.find(card.id, v.Stock, facts) if card.of.squadrons else None
    if order and order.fighters + order.bombers + order.torpedo <= war.carries(card):
        war.markers = {m.id: m for m in war.markers.values() if m.base != card.id}
        for name in _stock(card, (order.fighters, order.bombers, order.torpedo)):
            _marker(war, card.side, name, card.id)
