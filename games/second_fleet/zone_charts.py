"""A chart for each strategic zone in which something of interest lies: the overview, cut out and
enlarged. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from games.second_fleet.board import ZONE_NAMES, ZONE_OF, Zone
from games.second_fleet.report import Report
from pbem.scene import Coast, Edges, Key, Point, Region, Scene, Shape

PITCH = 62
"""Pixels of a hex on a chart of a zone."""
HEAD = ("Light", "Initiative", "Weather")
"""Boxes for which the head of a chart of a zone has room beside its title."""
LEGEND = (
    Key(
        "Contacts",
        (
            ("level:1", "Local"),
            ("level:2", "Strategic"),
            ("level:3", "engaged: names"),
            ("sub:1", "a submarine"),
            ("trail", "where it was"),
        ),
    ),
    Key(
        "Own forces",
        (
            ("counter:CV", "group, ship"),
            ("counter:SS", "submarine"),
            ("mark:enemy:L", "enemy has her"),
            ("dashed:own", "patrol, flight"),
            ("track", "track by turns"),
        ),
    ),
    Key(
        "Board",
        (
            ("line:zone", "zone border"),
            ("beads", "SOSUS"),
            ("line:closed", "closed side"),
            ("hatch:fog", "pack ice"),
            ("ports:all", "ports"),
            ("mark:own:jet", "airfield"),
        ),
    ),
)
"""That of the overview in the few words for which the narrowest zone has room."""
NOTES = ("One hex = 46 nautical miles", "Coast: Natural Earth 1:10m")
Window = tuple[float, float, float, float]


def zones(shown: Report) -> tuple[Zone, ...]:
    """The zones with own ships or contacts in sight, in the order of the rules."""
    places = {u.place for u in shown.units if u.kind != "air"}
    places |= {c.place for c in shown.contacts if not c.age}
    held = {ZONE_OF[place] for place in places if place in ZONE_OF}
    return tuple(zone for zone in ZONE_NAMES if zone in held)


def cut(whole: Scene, zone: Zone) -> Scene:
    """The part of the overview that shows a zone, with a hex around it."""
    window = _window(zone, tuple(whole.grid.cells.items()))
    cells = {h: p for h, p in whole.grid.cells.items() if _inside(p, window)}
    assert whole.coast is not None
    return replace(
        whole,
        name=zone.lower(),
        part=True,
        caption=ZONE_NAMES[zone],
        window=window,
        grid=replace(whole.grid, cells=cells, faint=whole.grid.faint & cells.keys()),
        coast=_coast(whole.coast, window),
        ports=tuple(p for p in whole.ports if _inside(p.at, window)),
        lines=tuple(x for x in whole.lines if any(_inside(p, window) for p in x.points)),
        shapes=tuple(_shapes(whole.shapes, cells, window)),
        marks=tuple(m for m in whole.marks if _inside(m.at, window)),
        tracks=tuple(t for t in whole.tracks if _crosses(t.points, window)),
        units=tuple(u for u in whole.units if u.at and _inside(u.at, window)),
        contacts=tuple(c for c in whole.contacts if c.at and _inside(c.at, window)),
        boxes=tuple(box for box in whole.boxes if box.name in HEAD),
        legend=LEGEND,
        notes=NOTES,
        focus=(),
        pitch=PITCH,
    )


@cache
def _window(zone: Zone, cells: tuple[tuple[str, Point], ...]) -> Window:
    """West, north, east and south of a zone's hexes, and one more."""
    spots = [at for hex_, at in cells if ZONE_OF[hex_] == zone]
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return min(xs) - 1.2, min(ys) - 1.2, max(xs) + 1.2, max(ys) + 1.2


def _inside(at: Point, window: Window) -> bool:
    west, north, east, south = window
    return west + 0.4 <= at[0] <= east - 0.4 and north + 0.4 <= at[1] <= south - 0.4


def _crosses(points: tuple[Point, ...], window: Window) -> bool:
    """Does a way of straight lines come into view?"""
    legs = pairwise(points)
    return any(
        _inside((x + (to_x - x) * part / 20, y + (to_y - y) * part / 20), window)
        for (x, y), (to_x, to_y) in legs
        for part in range(21)
    )


def _coast(coast: Coast, window: Window) -> Coast:
    """The coast without names that lie outside."""
    return replace(
        coast,
        window=window,
        sea=[name for name in coast.sea if _inside((name.x, name.y), window)],
        lands=[name for name in coast.lands if _inside((name.x, name.y), window)],
        degrees=[],
    )


def _shapes(shapes: tuple[Shape, ...], cells: dict[str, Point], window: Window) -> Iterator[Shape]:
    """Shapes on hexes that are shown."""
    for shape in shapes:
        if isinstance(shape, Region):
            if inside := tuple(c for c in shape.cells if c in cells):
                yield replace(shape, cells=inside)
        elif isinstance(shape, Edges):
            if pairs := tuple((a, b) for a, b in shape.between if a in cells and b in cells):
                yield replace(shape, between=pairs)
        elif _inside(shape.at, window):  # type: ignore[attr-defined]
            yield shape
