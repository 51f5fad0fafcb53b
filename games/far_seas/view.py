"""What a side's reports may show. Secrecy lives here: where a German is, only Germans see.

Allied ships lie open on the board, so the Germans see them where they are; of the Germans the
Allies see what they were told (`knowledge`). Nothing here but `truth` looks further.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, UnsetType

from games.far_seas import board, calendar, menu, running, victory
from games.far_seas.board import BRITISH, GERMAN, SIDES
from games.far_seas.knowledge import Sighting
from games.far_seas.movement import density
from games.far_seas.report import Enemy, Missing, Ocean, OwnShip
from games.far_seas.state import GRADES, Ship, War
from pbem.kit.points import Fact, totals
from pbem.kit.views import filler
from pbem.model import Side, View

NAMES = {GERMAN: "German", BRITISH: "Allied"}


def view(war: War, side: Side) -> View:
    """All that `side` may see now."""
    contacts = allies(war) if side == GERMAN else germans(war)
    return View(
        turn=war.turn,
        label=calendar.label(war.turn),
        units=[ship_view(war, s) for s in war.fleet(side)],
        lost=lost(war, side),
        contacts=contacts,
        menu=menu.menu(war, side),
        board=ocean(war, side),
        news=news(war),
        form=menu.form(war, side),
    )


def lost(war: War, side: Side) -> dict[str, str]:
    """Own ships that are out of the game, each with what became of it and when."""
    gone = (s for s in war.ships.values() if s.side == side and s.gone)
    return {s.id: f"{_GONE[s.gone]} in turn {s.out}" for s in gone}


_GONE = {
    "sunk": "was sunk",
    "interned": "gave herself up",
    "retired": "retired from the war",
    "home": "reached home",
}
_OWN = filler(
    OwnShip,
    {
        Ship: "id name type place=area nation gun capacity damage points start leader duty post "
        "moved surprised trapped"
    },
)


def ship_view(war: War, ship: Ship) -> OwnShip:
    """An own ship."""
    bound = war.bound.get(ship.id)
    return _OWN(
        ship,
        speed=GRADES[ship.speed],
        notes=tuple(notes(ship)),
        bound=bound.to if bound else UNSET,
        fought=worn(ship, ship.fought),
        slowed=slow(war, ship, ship.damage),
        errand=errand(war, ship),
        wake=tuple(area for area, _ in left(ship)) or UNSET,
    )


def worn(ship: Ship, fought: int) -> int | UnsetType:
    """K3 Combats that take from a ship's fire: those of Germans, no battle cruiser."""
    return fought if fought and ship.side == GERMAN and ship.type != "BC" else UNSET


def slow(war: War, ship: Ship, damage: int) -> str | UnsetType:
    """K10 The grade to which damage, as it is known, has slowed a ship."""
    if ship.side != GERMAN or 2 * damage < ship.capacity:
        return UNSET
    return GRADES[running.slowed(ship.speed, war.options)]


def left(ship: Ship) -> Iterable[tuple[str, int]]:
    """The areas where earlier turns found a ship and how many turns ago, up to the last that
    differs from where it is now."""
    way = [(area, age) for age, area in enumerate(reversed(ship.wake))][::-1]
    while way and way[-1][0] == ship.area:
        way.pop()
    return way


def errand(war: War, ship: Ship) -> str | UnsetType:
    """M4, E3, G9, found b: what a ship is about to do in this segment, unset without anything.
    Until she sails it is her course; then, while ships meet, why she has come where she is."""
    if sails := war.bound.get(ship.id):
        there = f"bound for {sails.to}" if sails.to != ship.area else f"stays in {sails.to}"
        post = war.ships[sails.post].name if sails.how == "join" else sails.post.title()
        return f"{there}{_ERRANDS[sails.how].format(post)}"
    if ship.raids and ship.raids not in war.raided:
        return _ERRANDS["raid"].format(ship.raids.title()).strip()
    return _ERRANDS[_QUITS[ship.quits]].strip() if ship.quits else UNSET


_ERRANDS = {
    "move": "",
    "cruise": "",
    "join": " with {}",
    "raid": " to raid {}",
    "river": " to hide in the Rufiji",
    "stay": ", hidden in the Rufiji",
    "intern": " to give herself up",
    "return": " to try to get home",
}
_QUITS = {"intern": "intern", "home": "return"}
"""The errand of a ship that `quits`."""


def notes(ship: Ship) -> Iterable[str]:
    """What a ship does and its damage, in words."""
    if ship.duty:
        yield f"{ship.duty} {ship.post}".strip()
    if ship.leader:
        yield f"with {ship.leader}"
    if ship.damage:
        yield f"damage {ship.damage} of {ship.capacity}"
    if ship.moved:
        yield "has moved"


_OPEN = filler(
    Enemy,
    {
        Ship: "id type place=area name nation gun capacity damage points leader duty post moved",
    },
)


def allies(war: War) -> list[Enemy]:
    """Allied ships as all see them."""
    return [
        _OPEN(
            ship,
            age=0,
            speed=GRADES[ship.speed],
            source="open",
            trail=tuple(left(ship)) or UNSET,
        )
        for ship in war.fleet(BRITISH)
    ]


_PLACED = filler(
    Enemy,
    {
        Ship: "id type name nation gun capacity points",  # printed figures alone
        Sighting: "place=area source moves damage",
    },
)


def germans(war: War) -> list[Enemy]:
    """Germans as the Allies know them: ratings are printed, places are what they were told.
    Whether a ship has moved this turn is told by its name (M4)."""
    return [_known(war, s) for _, s in sorted(war.known.ships.items())]


def _known(war: War, seen: Sighting) -> Enemy:
    ship = war.ships[seen.ship]
    return _PLACED(
        ship,
        seen,
        age=war.turn - seen.turn,
        speed=GRADES[ship.speed],
        moved=seen.named == war.turn,
        trail=tuple((area, war.turn - then) for area, then in seen.trail) or UNSET,
        surprised=seen.surprised or UNSET,
        fought=worn(ship, seen.fought),
        slowed=slow(war, ship, seen.damage),
    )


def ocean(war: War, side: Side) -> Ocean:
    """Merchants, stations, points, and what the Allies miss."""
    areas = [a for a in board.SEA if not war.areas or a in war.areas]
    known = war.known.missing if side == BRITISH else []
    return Ocean(
        turns=war.last,
        last=war.last,
        segment=war.segment,
        facts=facts(war),
        points=totals(war.scores, NAMES),
        merchants={a: density(war, a) for a in areas if board.AREAS[a].density},
        raided=tuple(sorted(war.raided)),
        areas=war.areas,
        options=dict(war.options),
        missing=[Missing(m.area, m.count, war.turn - m.turn) for m in known],
        landings=dict(sorted(victory.due(war).items())) if side == BRITISH else {},
    )


def facts(war: War) -> list[Fact]:
    """What both know of the segment that is to be ordered."""
    left = len([s for s in war.known.ships.values() if s.named != war.turn])
    found = [Fact("Segment", str(war.segment))]
    if war.segment > 1:
        found += [Fact("Germans not named this turn", str(left))]
    return found


def news(war: War) -> str:
    """The report in a few words, for the subject of its mail."""
    return f"{war.total(GERMAN)} points to {war.total(BRITISH)}"


def watched(war: War) -> View:
    """What all see: Allied ships, merchants, stations and points. Where a German is, his enemy may
    have been told, and he need not know it."""
    return View(turn=war.turn, label="", units=(), contacts=allies(war), board=ocean(war, GERMAN))


def truth(war: War) -> View:
    """Both sides, for the referee alone."""
    return View(
        turn=war.turn,
        label=calendar.label(war.turn),
        units=[ship_view(war, s) for side in SIDES for s in war.fleet(side)],
        board=ocean(war, BRITISH),
        news=news(war),
    )
