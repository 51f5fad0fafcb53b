"""9.28 The battle board as a picture, from the report: hulls, wakes, ranges, arcs, fire, hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, dist, radians, sin

from games.bismarck.battle.coordinates import heading, hex_of, name
from games.bismarck.battle_fire import apart, fire, hits, insets, marked_round
from games.bismarck.battle_places import (
    Window,
    around,
    bearing,
    ends,
    first_shown,
    hull_at,
    last_fired_at,
    middle,
    outline,
    owner,
    place,
    reach,
    way,
)
from games.bismarck.battle_report import BattleBoard, BoardShip, Spot
from games.bismarck.report import Report
from pbem.beside_map import Boxes, Move, Roster, Row
from pbem.kit.charts import LOW
from pbem.kit.hexes import Hex, distance
from pbem.scene import (
    Box,
    Contact,
    Grid,
    Key,
    Mark,
    Point,
    Region,
    Scene,
    Sector,
    Shape,
    Track,
    Unit,
)

WIDE, HIGH = 14.0, 7.5
"""Hexes that a board shows at least."""
WIDTH = 1140
"""Pixels of the map."""
WEIGHTS: dict[str, int] = {"BB": 4, "BC": 3, "CV": 1, "CA": 2}


def scenes(shown: Report) -> tuple[Scene, ...]:
    """A chart for every battle that the report shows."""
    return tuple(
        scene(shown, battle, f"battle-{n}") for n, battle in enumerate(shown.board.battles, 1)
    )


def scene(shown: Report, battle: BattleBoard, called: str) -> Scene:
    """The chart of one battle."""
    window = around(spots(battle), WIDE, HIGH)
    shooter = ranger(battle)
    told = marked_round(battle)
    board = grid(window)
    shown_ships = [s for s in battle.ships if not s.fate or s.at.round >= first_shown(battle)]
    return Scene(
        title=f"Battle in {battle.zone}",
        side=shown.side_name,
        when=f"Turn {shown.turn} of {shown.turns} · {shown.label}",
        name=called,
        caption=caption(battle),
        leads=True,
        flat=True,
        alt=alt(battle),
        window=window,
        grid=board,
        shapes=(*ranges(battle, shooter, board), *fire(battle, told)),
        earlier=tuple(earlier(battle)),
        tracks=tuple(track(battle, ship) for ship in battle.ships if len(ship.track) > 1),
        marks=(*rounds(battle), *hits(battle, told)),
        units=tuple(unit(battle, s) for s in shown_ships if s.own),
        contacts=tuple(contact(battle, s) for s in shown_ships if not s.own),
        boxes=facts(battle),
        inset_title="Who fired at whom, round by round",
        insets=tuple(insets(battle)),
        roster=roster(battle),
        legend=legend(battle, shooter),
        moves=tuple(moves(battle)),
        focus=tuple(middle(s.at.hex) for s in battle.ships),
        pitch=int(WIDTH / (window[2] - window[0])),
    )


def caption(battle: BattleBoard) -> str:
    """Which battle: what buttons say."""
    return f"battle {battle.number} in {battle.zone}"


def spots(battle: BattleBoard) -> list[Spot]:
    """Everywhere that a counter stood in the rounds that show, or that an own ship can reach."""
    first = first_shown(battle)
    found = [spot for ship in battle.ships for spot in ship.track if spot.round >= first]
    ahead = [
        Spot(battle.round, name(end.at), heading(end.facing))
        for ship in battle.ships
        for end in reach(battle, ship)
    ]
    return [*(found or [ship.at for ship in battle.ships]), *ahead]


def grid(window: Window) -> Grid:
    """The hexes that show; named are those along the left and the upper edge."""
    west, north, east, south = window
    cells: dict[str, Point] = {}
    for r in range(int(north / LOW) - 2, int(south / LOW) + 3):
        for q in range(int(west - r / 2) - 2, int(east - r / 2) + 3):
            x, y = q + r / 2, r * LOW
            if west - 0.9 < x < east + 0.9 and north - 0.9 < y < south + 0.9:
                cells[name(Hex(q, r))] = (x, y)
    edge = {c for c, (x, y) in cells.items() if _edge(x - west, y - north)}
    return Grid(cells, "hex", frozenset(cells) - edge)


def _edge(x: float, y: float) -> bool:
    return (0.35 <= x < 1.35 and y >= 0.4) or (0.4 <= y < 0.4 + LOW and x >= 0.35)


def _within(cell: str, hexes: int) -> list[str]:
    """The hexes within a distance."""
    at = hex_of(cell)
    span = range(-hexes, hexes + 1)
    every = (Hex(at.q + q, at.r + r) for q in span for r in span)
    return [name(h) for h in every if distance(at, h) <= hexes]


def deck(ship: BoardShip) -> str:
    """The turrets, or the flight deck."""
    return {"CV": "deckCV", "BB": "deckBB", "BC": "deckBB"}.get(ship.type, "deckCA")


def note(battle: BattleBoard, ship: BoardShip) -> str:
    """What stands below its name."""
    at = ship.at
    if ship.fate == "sunk":
        return f"sunk in round {max(at.round, last_fired_at(battle, ship))}"
    if ship.fate == "withdrew":
        return f"got away in round {at.round}"
    return f"{at.hex} {at.heading}" + (", withdrawing" if ship.withdrawing else "")


def unit(battle: BattleBoard, ship: BoardShip) -> Unit:
    """An own ship where it stands."""
    return Unit(
        id=ship.id,
        name=ship.name,
        symbol=deck(ship),
        pointer=False,
        at=place(battle, ship, ship.at),
        note=note(battle, ship),
        heading=bearing(ship.at),
        footprint=outline(ship),
        tone="neutral" if ship.fate == "sunk" else None,
    )


def contact(battle: BattleBoard, ship: BoardShip) -> Contact:
    """An enemy ship where it stands."""
    return Contact(
        id=ship.name.upper(),
        name=ship.name,
        label="",
        symbol=deck(ship),
        pointer=False,
        what="",
        note=note(battle, ship),
        age=0,
        at=place(battle, ship, ship.at),
        heading=bearing(ship.at),
        footprint=outline(ship),
        tone="neutral" if ship.fate == "sunk" else None,
    )


def track(battle: BattleBoard, ship: BoardShip) -> Track:
    """The way of a ship."""
    return Track(points=way(battle, ship, ship.track), owner=owner(ship), curved=True)


def earlier(battle: BattleBoard) -> Iterator[Shape]:
    """Pale hulls where the ships stood at the end of earlier rounds."""
    for ship in battle.ships:
        for spot in {spot.hex: spot for spot in ends(ship)}.values():
            if spot.hex != ship.at.hex and spot.round >= first_shown(battle):
                yield hull_at(battle, ship, spot, 0.34)


def rounds(battle: BattleBoard) -> Iterator[Mark]:
    """The number of each round beside the hull that it brought there."""
    taken = [mark.at for mark in hits(battle, marked_round(battle))]
    taken += [place(battle, ship, ship.at) for ship in battle.ships]
    for ship in battle.ships:
        known: set[str] = set()
        for spot in reversed(ends(ship)):
            old = 0 < spot.round < battle.round and spot.round >= first_shown(battle)
            if not old or spot.hex in known:
                known.add(spot.hex)
                continue
            known.add(spot.hex)
            at = next(
                (p for p in _beside(battle, ship, spot) if all(dist(p, t) > CLEAR for t in taken)),
                None,
            )
            if at:
                taken.append(at)
                yield Mark(at=at, label=str(spot.round), owner=owner(ship))


CLEAR = 0.33
"""Hexes between the middles of two markers at least."""


def _beside(battle: BattleBoard, ship: BoardShip, spot: Spot) -> Iterator[Point]:
    """Places around a hull for its number: to port and starboard, then off the quarters."""
    x, y = place(battle, ship, spot)
    for turn, far in ((-90, 0.34), (90, 0.34), (-140, 0.5), (140, 0.5), (-40, 0.5), (40, 0.5)):
        way = radians(bearing(spot) + turn)
        yield x + far * sin(way), y - far * cos(way)


def moves(battle: BattleBoard) -> Iterator[Move]:
    """9.52 The courses to all places that own ships can reach."""
    for ship in battle.ships:
        for end, course in reach(battle, ship).items():
            yield Move(
                unit=ship.id,
                cell=name(end.at),
                label=heading(end.facing),
                order=f"{ship.id}: course {course};",
            )


def ranger(battle: BattleBoard) -> BoardShip | None:
    """The ship whose ranges are drawn: the heaviest enemy that fights, or that fought."""
    enemies = [s for s in battle.ships if not s.own]
    fighting = [s for s in enemies if not s.fate] or enemies
    weigh = {s.name: sum(x.boxes - x.hit for x in s.sections) for s in fighting}
    return max(fighting, key=lambda s: (WEIGHTS.get(s.type, 2), weigh[s.name]), default=None)


def ranges(battle: BattleBoard, ship: BoardShip | None, board: Grid) -> Iterator[Shape]:
    """9.61, 9.63 The bow and stern arcs of a ship, and all hexes within its A and B range."""
    if ship is None or ship.fate == "sunk":
        return
    at, head = middle(ship.at.hex), bearing(ship.at)
    reach = battle.a_range if battle.night else battle.b_range
    for turn in (0, 180):
        yield Sector(
            owner=owner(ship),
            at=at,
            start=(head + turn - 30) % 360,
            end=(head + turn + 30) % 360,
            outer=reach + 0.5,
            fill=0.1,
            width=0,
        )
    yield _ring(ship, board, battle.a_range, "A", 1.5)
    if not battle.night:
        yield _ring(ship, board, battle.b_range, "B", 1.0)


def _ring(ship: BoardShip, board: Grid, hexes: int, called: str, width: float) -> Region:
    """The outline of all hexes within a range. Beyond the edge of the map it is closed unseen."""
    return Region(
        owner=owner(ship),
        cells=tuple(c for c in _within(ship.at.hex, hexes) if c in board.cells),
        label=f"{called} range of {ship.name}: {hexes} hexes",
        dashed=True,
        width=width,
        over=True,
    )


def facts(battle: BattleBoard) -> tuple[Box, ...]:
    """The facts of the head."""
    here = [(s, s.at) for s in battle.ships if not s.fate]
    near = apart(here) or apart([(s, s.at) for s in battle.ships])
    sunk = [s.name for s in battle.ships if s.fate == "sunk"]
    found = [
        Box("Rounds", str(battle.round)),
        Box("Range", near.removesuffix(" apart") or "none"),
        Box("Attacker", battle.attacker),
        Box("Edge", str(battle.edge)),
    ]
    if battle.night:
        found.append(Box("Light", "night"))
    if sunk:
        found.append(Box("Sunk", ", ".join(sunk), alarm=True))
    return tuple(found)


COLUMNS = {
    "Bow": ("bow",),
    "Stern": ("stern",),
    "Second.": ("port", "starboard"),
    "Midships": ("midships",),
}
"""The columns of boxes; those of the secondary guns stand together, port first."""


def roster(battle: BattleBoard) -> Roster:
    """9.711 The state of the ships: boxes by section, and evasion."""
    return Roster(
        title="State of the ships",
        columns=(*COLUMNS, "Evasion"),
        rows=tuple(
            Row(
                name=ship.name,
                owner=owner(ship),
                cells=(*(_boxes(ship, names) for names in COLUMNS.values()), evasion(ship)),
                struck=ship.fate == "sunk",
            )
            for ship in battle.ships
        ),
    )


def _boxes(ship: BoardShip, names: Sequence[str]) -> Boxes:
    found = [s for s in ship.sections if s.name in names]
    return Boxes(sum(s.boxes for s in found), sum(s.hit for s in found))


def evasion(ship: BoardShip) -> str:
    """Its evasion in words: `29`, `22 of 29`; of a slowed enemy `max 22`."""
    if ship.evasion == ship.printed:
        return str(ship.printed)
    return f"{ship.evasion} of {ship.printed}" if ship.own else f"max {ship.evasion}"


def legend(battle: BattleBoard, shooter: BoardShip | None) -> tuple[Key, ...]:
    """What the signs mean."""
    ships: list[tuple[str, str]] = [
        ("hull:own", "own ship"),
        ("hull:enemy", "enemy ship"),
        ("mark:own:2", "its place in that round"),
        ("lost", "box, box lost"),
    ]
    shots: list[tuple[str, str]] = [
        ("line:enemy", "fire, thicker: more shots"),
        ("dashed:enemy", "fire without a hit; ranges"),
        ("burst:3", "boxes lost in the round"),
    ]
    if shooter and shooter.fate != "sunk":
        shots.append(("fill:enemy", "bow and stern arcs"))
    return Key("Ships", tuple(ships)), Key("Fire", tuple(shots))


def alt(battle: BattleBoard) -> str:
    """The board in words, for screen readers."""
    lies = (f"{s.name} {s.fate or s.at.hex + ' ' + s.at.heading}" for s in battle.ships)
    return f"The battle board after round {battle.round}: {'; '.join(lies)}."
