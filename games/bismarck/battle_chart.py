"""9.28 The battle board as a picture, from the report: hulls, wakes, ranges, arcs, fire, hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, dist, radians, sin

from games.bismarck.battle.coordinates import facing_of, hex_of, name
from games.bismarck.battle_report import BattleBoard, BoardShip, Salvo, Spot
from games.bismarck.report import Report
from games.bismarck.verbs import GRAMMAR
from pbem.kit.charts import LOW
from pbem.kit.hexes import Hex, distance
from pbem.scene import (
    Box,
    Boxes,
    Contact,
    Grid,
    Inset,
    Key,
    Mark,
    Move,
    Owner,
    Point,
    Polygon,
    Polyline,
    Region,
    Roster,
    Row,
    Scene,
    Sector,
    Shape,
    Track,
    Unit,
    hull,
    placed,
)

Window = tuple[float, float, float, float]
"""West, north, east, south, in hexes."""
HULLS = {"BB": (0.84, 0.19), "BC": (0.86, 0.17), "CV": (0.84, 0.21), "CA": (0.68, 0.13)}
"""Length and beam by type, in hexes: larger than life, or nothing would be seen."""
SMALL = (0.6, 0.12)
WIDE, HIGH = 14.0, 7.5
"""Hexes that a board shows at least."""
WIDTH = 1140
"""Pixels of the map."""
MARGIN = 1.3
SQUAREST = 1.15
"""Width of a board in heights of it, at least."""
MOST_ROUNDS = 10
"""Small boards at most: the last rounds."""
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
    """Which battle, and how far it is."""
    when = f"round {battle.round}" if battle.round else "set-up"
    return f"battle {battle.number} in {battle.zone}, {when}" + (", over" if battle.over else "")


# Places


def middle(cell: str) -> Point:
    """The middle of a hex in widths of one."""
    at = hex_of(cell)
    return at.q + at.r / 2, at.r * LOW


def bearing(spot: Spot) -> float:
    """The heading in degrees: facing 0 is east."""
    return 90.0 + 60 * facing_of(spot.heading)


LAST, WHOLE = 5, 7
"""Rounds that the board of a long battle shows, and that of the longest which is shown whole."""


def first_shown(battle: BattleBoard) -> int:
    """The round with which the board begins: the set-up, or of a long battle one of its last."""
    return 0 if battle.round <= WHOLE else battle.round - LAST


def spots(battle: BattleBoard) -> list[Spot]:
    """Everywhere that a counter stood in the rounds that show."""
    first = first_shown(battle)
    found = [spot for ship in battle.ships for spot in ship.track if spot.round >= first]
    return found or [ship.at for ship in battle.ships]


def around(found: Sequence[Spot], wide: float, high: float) -> Window:
    """The window around places, at least so many hexes wide and high."""
    xs, ys = zip(*(middle(s.hex) for s in found), strict=True)
    tall = max(ys) - min(ys) + 2 * MARGIN
    more_x = max(MARGIN, (max(wide, tall * SQUAREST) - max(xs) + min(xs)) / 2)
    more_y = max(MARGIN, (high - max(ys) + min(ys)) / 2)
    return (
        round(min(xs) - more_x, 2),
        round(min(ys) - more_y, 2),
        round(max(xs) + more_x, 2),
        round(max(ys) + more_y, 2),
    )


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


def place(battle: BattleBoard, ship: BoardShip, spot: Spot) -> Point:
    """Where a hull is drawn: ships that share a hex in a round lie abreast."""
    there = [(s.name, o) for s in battle.ships for o in s.track if _meets(o, spot)]
    names = list(dict.fromkeys(called for called, _ in there))
    x, y = middle(spot.hex)
    if ship.name not in names or len(names) < 2:
        return x, y
    off = (names.index(ship.name) - (len(names) - 1) / 2) * 0.34
    turn = radians(bearing(there[0][1]))
    return x + off * cos(turn), y + off * sin(turn)


def _meets(one: Spot, other: Spot) -> bool:
    return (one.round, one.hex) == (other.round, other.hex)


# Ships


def outline(ship: BoardShip) -> tuple[Point, ...]:
    """The hull of a ship by its class."""
    return hull(*HULLS.get(ship.type, SMALL))


def deck(ship: BoardShip) -> str:
    """The turrets, or the flight deck."""
    return {"CV": "deckCV", "BB": "deckBB", "BC": "deckBB"}.get(ship.type, "deckCA")


def owner(ship: BoardShip) -> Owner:
    """Whose it is."""
    return "own" if ship.own else "enemy"


def note(battle: BattleBoard, ship: BoardShip) -> str:
    """What stands below its name."""
    at = ship.at
    if ship.fate == "sunk":
        return f"sunk in round {max(at.round, last_fired_at(battle, ship))}"
    if ship.fate == "withdrew":
        return f"got away in round {at.round}"
    return f"{at.hex} {at.heading}" + (", withdrawing" if ship.withdrawing else "")


def last_fired_at(battle: BattleBoard, ship: BoardShip) -> int:
    """The last round in which she was fired at, 0 for none."""
    return max((s.round for s in battle.fire if s.target == ship.name), default=0)


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
    return Track(points=_way(battle, ship, ship.track), owner=owner(ship), curved=True)


def _way(battle: BattleBoard, ship: BoardShip, along: Sequence[Spot]) -> tuple[Point, ...]:
    points = [place(battle, ship, spot) for spot in along]
    return tuple(p for i, p in enumerate(points) if not i or p != points[i - 1])


def earlier(battle: BattleBoard) -> Iterator[Shape]:
    """Pale hulls where the ships stood at the end of earlier rounds."""
    for ship in battle.ships:
        for spot in {spot.hex: spot for spot in ends(ship)}.values():
            if spot.hex != ship.at.hex and spot.round >= first_shown(battle):
                yield _hull(battle, ship, spot, 0.34)


def ends(ship: BoardShip) -> list[Spot]:
    """Where the ship stood at the end of each round."""
    return list({spot.round: spot for spot in ship.track}.values())


def _hull(battle: BattleBoard, ship: BoardShip, spot: Spot, fill: float) -> Polygon:
    at = place(battle, ship, spot)
    return Polygon(
        owner=owner(ship),
        points=placed(outline(ship)[::2], at, bearing(spot)),
        fill=fill,
        width=0.8,
        over=True,
    )


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
    """9.52 The courses to all places that own ships can reach; none where no order says them."""
    if not any(verb.name == "course" for verb in GRAMMAR.verbs):
        return
    for ship in battle.ships:
        for place in ship.places:
            order = f"{ship.id}: course {place.course};"
            yield Move(unit=ship.id, cell=place.hex, label=place.heading, order=order)


# Ranges and fire


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


def marked_round(battle: BattleBoard) -> int:
    """The round whose fire the board shows: the last with fire, of a battle that is over the one
    with most hits."""
    score: dict[int, int] = {}
    for shot in [s for s in battle.fire if s.round >= first_shown(battle)]:
        score[shot.round] = score.get(shot.round, 0) + (shot.boxes if battle.over else 0)
    return max(score, key=lambda n: (score[n], n), default=0)


def stood(battle: BattleBoard, called: str, round_: int) -> tuple[BoardShip, Spot]:
    """A ship, and where it stood when the fire of a round fell: before a move that it made to get
    away at its end (9.95)."""
    ship = next(s for s in battle.ships if s.name == called)
    then = [s for s in ship.track if s.round == round_] or [
        s for s in ship.track if s.round < round_
    ][-1:]
    return ship, (then or [ship.track[0]])[0]


def fire(battle: BattleBoard, round_: int) -> Iterator[Polyline]:
    """The fire of a round: curved lines, thicker for more shots, dashed without a hit."""
    for shot in battle.fire:
        if shot.round == round_:
            yield _line(battle, shot)


def _line(battle: BattleBoard, shot: Salvo, scale: float = 1.0) -> Polyline:
    ship, start = stood(battle, shot.ship, shot.round)
    target, end = stood(battle, shot.target, shot.round)
    (x, y), (u, v) = place(battle, ship, start), place(battle, target, end)
    long = max(((u - x) ** 2 + (v - y) ** 2) ** 0.5, 0.01)
    back = min(0.36 / long, 0.3)  # the line ends at the hull's side, clear of the middle
    bend = 0.09
    start_, end_ = back / 2, 1 - back
    shares = [start_ + (end_ - start_) * i / 6 for i in range(7)]
    return Polyline(
        owner=owner(ship),
        points=tuple(
            (
                x + (u - x) * t + 4 * bend * t * (1 - t) * (v - y),
                y + (v - y) * t - 4 * bend * t * (1 - t) * (u - x),
            )
            for t in shares
        ),
        round=True,
        over=True,
        dashed=not shot.boxes,
        width=round(scale * (1.2 + 0.4 * shot.shots), 1),
    )


def hits(battle: BattleBoard, round_: int) -> Iterator[Mark]:
    """A star at every ship that was hit in a round, with the boxes it lost."""
    for ship in battle.ships:
        struck = [s for s in battle.fire if (s.target, s.round) == (ship.name, round_) and s.boxes]
        if struck:
            _, spot = stood(battle, ship.name, round_)
            x, y = place(battle, ship, spot)
            turn, (u, v) = radians(bearing(spot)), middle(spot.hex)
            out = -0.32 if (x - u) * cos(turn) + (y - v) * sin(turn) < 0 else 0.32
            boxes = sum(s.boxes for s in struck)
            yield Mark(
                at=(x + out * cos(turn), y + out * sin(turn)),
                label=str(boxes),
                owner=owner(ship),
                burst=True,
                said=f"{ship.name} lost {boxes} boxes in round {round_}",
            )


# The small boards


def insets(battle: BattleBoard) -> Iterator[Inset]:
    """A small board for each round; the round of the large one is marked."""
    marked = marked_round(battle)
    first = max(1, battle.round - MOST_ROUNDS + 1)
    for number in range(first, battle.round + 1):
        ships = [s for s in battle.ships if s.track[0].round <= number and _there(s, number)]
        here = [stood(battle, s.name, number) for s in ships]
        if not here:
            continue
        yield Inset(
            title=f"Round {number}",
            note=apart(here),
            said=story(battle, number),
            alarm=number == marked,
            window=around([*(spot for _, spot in here), *_starts(ships, number)], 5.2, 3.6),
            shapes=(
                *(_hull(battle, ship, spot, 1.0) for ship, spot in here),
                *(_line(battle, s, 0.7) for s in battle.fire if s.round == number),
            ),
            tracks=tuple(_steps(battle, ships, number)),
            marks=tuple(hits(battle, number)),
        )


def _starts(ships: Iterable[BoardShip], number: int) -> Iterator[Spot]:
    """Where the ships stood when a round began."""
    for ship in ships:
        yield from [s for s in ship.track if s.round < number][-1:]


def _there(ship: BoardShip, number: int) -> bool:
    return not (ship.fate in ("sunk", "withdrew") and ship.at.round < number)


def _steps(battle: BattleBoard, ships: Iterable[BoardShip], number: int) -> Iterator[Track]:
    """The way of each ship in one round."""
    for ship in ships:
        before = [s for s in ship.track if s.round < number][-1:]
        now = [s for s in ship.track if s.round == number][:1]
        way = _way(battle, ship, [*before, *now])
        if len(way) > 1:
            yield Track(points=way, owner=owner(ship))


def apart(here: Sequence[tuple[BoardShip, Spot]]) -> str:
    """How far the nearest enemies were from each other."""
    gaps = [
        distance(hex_of(a.hex), hex_of(b.hex))
        for one, a in here
        for other, b in here
        if one.own and not other.own
    ]
    return f"{min(gaps)} hex{'' if min(gaps) == 1 else 'es'} apart" if gaps else ""


def story(battle: BattleBoard, number: int) -> str:
    """What happened in a round, in a few words."""
    hurt: dict[str, int] = {}
    for shot in battle.fire:
        if shot.round == number and shot.boxes:
            hurt[shot.target] = hurt.get(shot.target, 0) + shot.boxes
    sunk = [s.name for s in battle.ships if s.fate == "sunk" and last_fired_at(battle, s) == number]
    said = [f"{n} sunk" for n in sunk]
    said += [f"{n} loses {k}" for n, k in hurt.items() if n not in sunk]
    if said:
        return ", ".join(said)
    fired = any(s.round == number for s in battle.fire)
    return "no hit" if fired else "no fire"


# Head and foot


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
