"""The chart of a report: the whole board, from report.json alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

from msgspec import convert

from games.second_fleet import air_routes, zone_charts
from games.second_fleet.board import (
    BASES,
    CLOSED,
    HEXES,
    LATTICE,
    NATO,
    PACK,
    SIDES,
    SOSUS,
    ZONE_OF,
    around,
)
from games.second_fleet.report import Enemy, OwnUnit, Report
from pbem.kit import charts
from pbem.scene import (
    Box,
    Circle,
    Contact,
    Edges,
    Grid,
    Key,
    Line,
    Mark,
    Point,
    Port,
    Region,
    Scene,
    Shape,
    Unit,
    coast,
)

PITCH = 30
SYMBOLS = {
    "CV": "CV", "BB": "BB", "CG": "CA", "CL": "CL", "DD": "DD", "FF": "DD", "PC": "DD", "AA": "AO",
    "CR": "MV", "CS": "AO", "AM": "AO", "ST": "AO", "TK": "AO", "SN": "SS", "SS": "SS", "SB": "SS",
}  # fmt: skip
RANKS = {"CV": 9, "BB": 8, "CG": 7, "AA": 6, "CL": 5, "DD": 4, "FF": 3, "CR": 2}
LEVELS = ("", "L", "S")
NARROW = 6
"""Characters that fit on a counter."""


def scenes(report: Mapping[str, object]) -> tuple[Scene, ...]:
    """The charts of a report (decoded report.json): all of the board, and each zone in which own
    ships or contacts are. Pure."""
    shown = convert(report, Report)
    told = convert(report.get("events", ()), tuple[air_routes.Told, ...])
    whole = drawn(shown, told)
    return (whole, *(zone_charts.cut(whole, zone) for zone in zone_charts.zones(shown)))


def drawn(shown: Report, told: Sequence[air_routes.Told] = ()) -> Scene:
    """The chart of a typed report. told: its events."""
    view = coast("second_fleet")
    home = shown.side if shown.side in SIDES else NATO
    return Scene(
        title=shown.title or "2nd Fleet",
        side=shown.side_name,
        when=f"turn {shown.turn} of {shown.turns} · {shown.label}",
        window=view.window,
        grid=grid(),
        coast=view,
        ports=tuple(ports(shown, home)),
        lines=sosus(),
        shapes=(*shapes(), *clouds(shown), *rings(shown)),
        tracks=tuple(air_routes.routes(told, shown.units, at)),
        marks=(*airfields(shown, home), *flags(shown.units), *mines(shown)),
        units=tuple(own(shown.units)),
        contacts=tuple(map(contact, shown.contacts)),
        boxes=boxes(shown),
        deadline=shown.deadline,
        legend=LEGEND,
        notes=(
            "One hex = 46 nautical miles, eight hours a turn",
            view.projection,
            "Coast: Natural Earth 1:10m, public domain",
        ),
        focus=focus(shown),
        pitch=PITCH,
    )


# The board


@cache
def at(hex_: str) -> Point:
    """The middle of a hex; 1 from top to bottom."""
    x, y = charts.middle(LATTICE, hex_)
    return x, y - 0.5


@cache
def grid() -> Grid:
    """All hexes, without numbers on land."""
    land = frozenset(h for h, letter in HEXES.items() if letter in "LROWG")
    return Grid({h: at(h) for h in HEXES}, "flat", land)


@cache
def shapes() -> tuple[Shape, ...]:
    """Ice, borders of zones, closed hexsides."""
    pack = tuple(h for h, letter in HEXES.items() if letter == PACK)
    drift = tuple(h for h, letter in HEXES.items() if letter in "dN")
    borders = tuple((a, b) for a in HEXES for b in around(a) if a < b and ZONE_OF[a] != ZONE_OF[b])
    return (
        Region(owner="board", tone="fog", cells=drift, fill=0.1, width=0),
        Region(owner="board", tone="fog", cells=pack, fill=0.3, width=0, hatched=True),
        Edges(owner="board", tone="zone", between=borders, width=1.4),
        Edges(owner="board", tone="closed", between=CLOSED, width=2.4, over=True),
    )


@cache
def sosus() -> tuple[Line, ...]:
    """The line on the sea floor, in its two arms."""
    arms = SOSUS[:5], SOSUS[5:]
    return tuple(Line("SOSUS", tuple(map(at, arm)), "beads") for arm in arms)


def ports(shown: Report, home: str) -> Iterator[Port]:
    """219 Ports and landing strips, by who holds them, and the names of airfields."""
    for base in BASES.values():
        owner: Literal["own", "enemy"] = "own" if _holder(shown, base.hex) == home else "enemy"
        name, anchor = base.name.partition("/")[0], base.kind != "AF"
        yield Port(name, at(base.hex), owner, small=True, anchor=anchor)


def airfields(shown: Report, home: str) -> Iterator[Mark]:
    """219 Airfields; damage as a word for screen readers."""
    hurt = {row.hex: row.air for row in shown.board.hurt if row.air}
    for base in BASES.values():
        if base.kind == "AF":
            owner: Literal["own", "enemy"] = "own" if _holder(shown, base.hex) == home else "enemy"
            said = f"airfield {base.name}" + (
                f", damage {hurt[base.hex]}" if base.hex in hurt else ""
            )
            yield Mark(at=at(base.hex), symbol="jet", owner=owner, said=said)


def _holder(shown: Report, hex_: str) -> str:
    side = BASES[hex_].side
    return _other(side) if hex_ in shown.board.lost else side


def _other(side: str) -> str:
    return SIDES[1] if side == SIDES[0] else SIDES[0]


def rings(shown: Report) -> Iterator[Shape]:
    """67 The range of own patrols, and of those of the enemy that are known."""
    for place in dict.fromkeys(shown.board.threats):
        yield Circle(at=at(place), radius=4.5, dashed=True, owner="enemy")
    for patrol in shown.board.patrols:
        yield Circle(at=at(patrol.place), radius=patrol.range + 0.5, dashed=True, label="CAP")


# Units


def own(units: Iterable[OwnUnit]) -> Iterator[Unit]:
    """Groups with their highest type, single ships, submarines; aircraft at their bases."""
    rows = list(units)
    models = {u.id: u.model for u in rows}
    for unit in rows:
        if unit.kind == "wait":
            continue
        if unit.kind == "air":
            yield Unit(id=unit.id, name=unit.id, symbol="plane", at=at(unit.place), role="based")
            continue
        first = unit.model
        if unit.kind == "group":
            kinds = [models.get(name, "") for name in unit.ships]
            first = max(kinds, key=lambda kind: RANKS.get(kind, 0), default="")
        yield Unit(
            id=unit.id,
            name=unit.name,
            symbol=SYMBOLS.get(first, "DD"),
            at=at(unit.place),
            role="member" if unit.group else "counter",
            force=unit.group,
            caption=caption(unit),
            rank=RANKS.get(first, 0) + 20 * (unit.kind == "group"),
            track=tuple(at(h) for h in unit.wake if h != unit.place),
        )


def caption(unit: OwnUnit) -> str:
    """What a counter has room for: the name of a group, if it is short, or its marker."""
    if unit.kind != "group":
        return unit.model
    short = len(unit.id) <= NARROW
    return unit.id if short else {"task force": "TF", "task group": "TG"}.get(unit.type, "")


def mines(shown: Report) -> Iterator[Mark]:
    """6.16/10 Minefields that are known."""
    for field in shown.board.mines:
        said = f"{field.markers} mine markers in {field.hex}"
        yield Mark(at=at(field.hex), label=f"M{field.markers}", said=said, beside=True)


def clouds(shown: Report) -> Iterator[Shape]:
    """6.2 Zones with a squall or a storm."""
    zones = shown.board.weather_zones
    if zones:
        cells = tuple(h for h, zone in ZONE_OF.items() if zone in zones)
        fill = 0.25 if shown.board.weather == "storm" else 0.12
        yield Region(owner="neutral", tone="fog", cells=cells, fill=fill, width=0)


def flags(units: Iterable[OwnUnit]) -> Iterator[Mark]:
    """6.16/6 The enemy's markers on own ships."""
    told: dict[str, int] = {}
    for unit in units:
        if unit.kind != "air" and unit.level:
            told[unit.place] = max(told.get(unit.place, 0), unit.level)
    for hex_, level in sorted(told.items()):
        said = f"the enemy has you in {hex_}"
        yield Mark(at=at(hex_), label=LEVELS[level], owner="enemy", said=said, beside=True)


def contact(seen: Enemy) -> Contact:
    """A marker of the enemy: hollow at Local, half at Strategic, full with names."""
    trail = tuple(at(place) for place, _ in seen.trail if place != seen.place)
    return Contact(
        id=seen.id,
        label=seen.id[2:],
        what=seen.type,
        note=remarks(seen) if not seen.age else charts.ago(seen.age),
        age=seen.age,
        at=at(seen.place),
        trail=trail,
        level=3 if seen.names else max(1, seen.level),
        submerged=seen.kind == "SUB",
    )


def remarks(seen: Enemy) -> str:
    """What the report says of a contact; where it names who is damaged without their number."""
    found = seen.remarks.split("; ")
    return "; ".join(one for one in found if not seen.names or one != f"{seen.hurt} damaged")


def boxes(shown: Report) -> tuple[Box, ...]:
    """Light, initiative, points."""
    facts = [Box(f.name, f.value) for f in shown.board.facts if f.name != "Month"]
    return (*facts, charts.points(shown.board.points))


def focus(shown: Report) -> tuple[Point, ...]:
    """What the detail shows: contacts that are held, then groups."""
    seen = sorted(shown.contacts, key=lambda c: c.age)
    groups = [u for u in shown.units if u.kind == "group"]
    rest = [u for u in shown.units if u.kind in ("ship", "sub") and not u.group]
    return charts.places(at, [*(c for c in seen if c.age < 3), *groups, *rest])


LEGEND = (
    Key(
        "Contacts by level",
        (
            ("level:1", "Local: marker and types"),
            ("level:2", "Strategic: numbers and damage too"),
            ("level:3", "engaged: names"),
            ("sub:1", "a submarine"),
            ("trail", "where it was before"),
        ),
    ),
    Key(
        "Own forces",
        (
            ("counter:CV", "group, ship"),
            ("counter:SS", "submarine"),
            ("mark:enemy:L", "the enemy has her"),
            ("dashed:own", "range of a patrol, a flight"),
            ("track", "track, one dot a turn"),
        ),
    ),
    Key(
        "Board",
        (
            ("line:zone", "border of a zone"),
            ("beads", "SOSUS"),
            ("line:closed", "closed side"),
            ("hatch:fog", "pack ice"),
            ("ports:all", "own, enemy, neutral port"),
            ("mark:own:jet", "airfield"),
        ),
    ),
)
