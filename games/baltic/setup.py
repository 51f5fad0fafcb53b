"""Preparation: the fleets of a scenario, and where they begin."""

from __future__ import annotations

from collections.abc import Mapping

from games.baltic import collisions, courses, hulls, markers, movement, planning
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.state import Card, Marker, Vessel, War
from games.baltic.tables import Force, Name, Setting, names, plan, sheets, size
from orders.book import Book, Facts
from pbem.kit import plane
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
    )
    for force in table.forces:
        for unit in force.units:
            _muster(war, force, names()[unit])
    for force in table.forces:
        for marker in force.planes:
            kind = _TYPES[marker[1]]
            at = "deck" if force.base in war.vessels else "edge"
            war.markers[marker] = Marker(
                marker, Side(force.side), kind, 6, markers.BOXES[kind], at, force.base
            )
        _line_up(war, force)
    war.places = list(war.sides)
    return war


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


def _line_up(war: War, force: Force) -> None:
    """Default places: battleships in the middle of the area, destroyers on the wings, bows towards
    the enemy; one that is taken or aground: the nearest free one."""
    x = (force.x[0] + force.x[1]) // 2
    heading = 1440 if x < size().width // 2 else 4320
    low, high = max(force.y[0], 3000), min(force.y[1], size().height - 3000)
    gaps = max(1, len(force.units) - 1)
    slots = [high - (high - low) * number // gaps for number in range(len(force.units))]
    slots.sort(key=lambda y: (abs(2 * y - low - high), y))
    ranked = sorted(force.units, key=lambda unit: BANDS.index(war.cards[unit].of.cls))
    for unit, y in zip(ranked, slots, strict=True):
        wished = (x, y)
        spots = [
            Pose(east, north, heading)
            for east in range(force.x[0], force.x[1] + 1, 1000)
            for north in range(force.y[0], force.y[1] + 1, 500)
        ]
        spots.sort(key=lambda pose: (plane.square((pose.x, pose.y), wished), pose.x, pose.y))
        card = war.cards[unit]
        station(war, card, next(pose for pose in spots if not barred(war, card, pose)))


def ranks(war: War, card: Card, pose: Pose) -> list[Pose]:
    """215 The places of a card's vessels: squadron members abreast of their flagship, an inch and
    more apart, within 4 inches of her."""
    _, beam = hulls.footprint_of(card.of)
    gap = beam + 900
    found = []
    for number in range(len(card.members)):
        side = 1440 if number % 2 else -1440
        way = (pose.heading + side) % plane.CIRCLE
        spot = plane.ahead(Pose(pose.x, pose.y, way), gap * ((number + 1) // 2))
        found.append(Pose(spot.x, spot.y, pose.heading))
    return found


def barred(war: War, card: Card, pose: Pose) -> str:
    """215 Why a card cannot be set up there; empty if it can."""
    force = next(f for f in plan(war.scenario).forces if f.side == card.side)
    for name, spot in zip(card.members, ranks(war, card, pose), strict=True):
        vessel = war.vessels[name]
        shape = hulls.hull(vessel, spot)
        inside = force.x[0] <= spot.x <= force.x[1] and force.y[0] <= spot.y <= force.y[1]
        if not inside or hulls.off(spot):
            return "that is outside your area of deployment"
        for terrain in war.map:
            bars = hulls.solid_for(vessel, terrain) or _grounds(war, vessel, terrain.kind)
            if bars and hulls.on(shape, terrain):
                where = f"on {terrain.name}" if terrain.solid else f"in {terrain.kind} water"
                return f"{name} would be {where}"
        for other in war.listed():
            placed = other.card in war.deployed and other.id not in card.members
            if placed and hulls.touching(vessel, other, spot):
                return f"{name} would touch {other.id}"
    return ""


def _grounds(war: War, vessel: Vessel, kind: str) -> bool:
    return any(depth == kind for depth, _ in collisions.hindering(war, vessel))


def station(war: War, card: Card, pose: Pose) -> None:
    """Put a card's vessels there."""
    for name, spot in zip(card.members, ranks(war, card, pose), strict=True):
        war.vessels[name].put(spot)
    if card.id not in war.deployed:
        war.deployed.append(card.id)
    movement.cohere(war, card)


async def phase(table: TableLike, war: War, knows: Mapping[Side, Facts]) -> War:
    """19, 20, 157, 215 Turn 0: plotted, each side mails all its places at once; asked, classes come
    one after the other, sides in the order of their bids."""
    if table.options.get("play") == "asked":
        books = await table.orders()
        bids = await table.ask_each(planning.stakes(war))
        await planning.places(table, war, bids)
        for band in BANDS:
            for side in list(war.places):
                if any(c.side == side and c.of.cls == band for c in war.cards.values()):
                    if band != BANDS[0] or side != war.places[0]:
                        books = await table.orders(owed=(side,))
                    place(table, war, books[side], knows[side], side, band)
    else:
        books = await table.orders()
        for band in BANDS:
            for side in war.sides:
                place(table, war, books[side], knows[side], side, band)
    war.turn = 1
    war.stage = "all" if table.options.get("windows", "phases") == "turn" else "planning"
    return war


def place(table: TableLike, war: War, book: Book, facts: Facts, side: Side, band: str) -> None:
    """A side's cards of a class, as ordered, or where they stand by default."""
    for name in war.order:
        card = war.cards[name]
        if card.side != side or card.of.cls != band:
            continue
        order = book.find(card.id, v.Deploy, facts)
        if order:
            x, y = order.at.thousandths
            pose = Pose(x, y, courses.units(order.heading))
            war.deployed.remove(card.id)
            reason = barred(war, card, pose)
            if reason:
                table.tell([side], ev.Unable(rule="215", actor=card.id, what=reason))
                war.deployed.append(card.id)
            else:
                station(war, card, pose)
        lead = war.vessels[card.members[0]]
        at = f"{courses.inches(lead.x)} {courses.inches(lead.y)}"
        heading = courses.degrees(lead.heading)
        table.tell(table.sides, ev.Placed(rule="215", card=card.id, at=at, heading=heading))
