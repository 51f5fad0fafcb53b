"""Writes templates/far_seas/coast.json: the world's coast, and the 32 areas of Far Seas on it.

    python tools/build_world.py     (needs npm and shapely; neither is used at run time)

Miller's projection, from 100 degrees west eastwards once around the world and a little further, so
that both coasts of America show and no area is cut. One cell is ten degrees of longitude; x grows
to the east, y to the south. Areas that touch only at a corner are adjacent, as in the board's
table. The areas are in tools/world.toml. Fields of the file: `pbem.scene.Coast`.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from build_coast import Point, path, rings
from shapely import segmentize, transform
from shapely.affinity import translate
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union
from shoals import shoal

ROOT = Path(__file__).parent.parent
PACKAGE, FILE = "world-atlas@2", "land-50m.json"
UNIT = 200
"""Units of the paths per cell."""
FINE = 0.012
"""How far the simplified coast may be from the true one, in cells: an eighth of a degree."""
SPECK = 0.0045
"""Islands smaller than this many square cells are left out, unless they lie at a place in KEPT."""
KEPT = ((-57, -51.7), (-59.5, -51.8), (147, -42), (178, -18), (167, -22), (-155.5, 19.6))
"""Longitude and latitude of small islands that the game needs."""
WEST, NORTH, EAST, SOUTH = -100.0, 66.0, 293.0, -58.0
"""The edges of the map, in degrees."""
TEN = math.radians(10)
"""Ten degrees, the width of a cell."""


def miller(lat: float) -> float:
    """The distance of a latitude from the equator in Miller's projection, in cells."""
    return 1.25 * math.log(math.tan(math.pi / 4 + 0.4 * math.radians(lat))) / TEN


def xy(lon: float, lat: float) -> Point:
    """A place in cells east and south of the map's north-western corner."""
    return (lon - WEST) / 10, miller(NORTH) - miller(lat)


WINDOW = (0.0, 0.0, *xy(EAST, SOUTH))
MAP = tomllib.loads((ROOT / "tools/world.toml").read_text("utf-8"))
AREAS, MIDDLES, STATIONS, NAMES = (MAP[key] for key in ("areas", "middles", "stations", "names"))
ROSE = (-87, -46)
"""Longitude and latitude of the compass rose."""


def fetch(folder: Path) -> dict[str, Any]:
    """The atlas (TopoJSON), fetched with npm into `folder`."""
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", PACKAGE]
    subprocess.run(command, cwd=folder, check=True)
    found: dict[str, Any] = json.loads((folder / "node_modules/world-atlas" / FILE).read_bytes())
    return found


def land(topology: dict[str, Any]) -> BaseGeometry:
    """The land on the map, in cells, simplified; twice where the map repeats America."""
    clip = box(WEST - 2, SOUTH - 2, EAST + 2, NORTH + 3)
    parts = []
    for outer, *holes in rings(topology):
        if abs(outer[0][0] - outer[-1][0]) > 1:
            continue  # it surrounds a pole, which the map does not show
        whole = Polygon(outer, holes).buffer(0)
        for turn in (-360, 0, 360):
            shape = translate(whole, turn).intersection(clip)
            if not shape.is_empty:
                parts.append(transform(segmentize(shape, 2), _flat, interleaved=False).buffer(0))
    return unary_union(parts).simplify(FINE).buffer(0)


def _flat(lon: Iterable[float], lat: Iterable[float]) -> Any:
    """`xy` for shapely's `transform`, which passes all points of a ring at once."""
    found = [xy(a, b) for a, b in zip(lon, lat, strict=True)]
    return [x for x, _ in found], [y for _, y in found]


def coast(shape: BaseGeometry) -> str:
    """All land as one path, with inland seas as holes."""
    kept = [box(x - 0.25, y - 0.25, x + 0.25, y + 0.25) for x, y in (xy(*at) for at in KEPT)]
    parts = list(shape.geoms) if isinstance(shape, MultiPolygon) else [shape]
    found = []
    for p in sorted(parts, key=lambda p: (p.bounds[1], p.bounds[0])):
        if not isinstance(p, Polygon):
            continue
        if p.area >= SPECK or any(p.intersects(place) for place in kept):
            found.append(path(list(p.exterior.coords), close=True))
            found += [
                path(list(h.coords), close=True) for h in p.interiors if Polygon(h).area > 4 * SPECK
            ]
    return "".join(found)


def graticule() -> tuple[str, list[list[Any]]]:
    """Every thirtieth parallel and meridian as a path, and their labels where they meet the western
    and southern edges: [text, edge, place along the edge]."""
    paths, names = [], []
    for lat in range(-30, 61, 30):
        (x, y), (u, _) = xy(WEST, lat), xy(EAST, lat)
        paths.append(path([(x, y), (u, y)]))
        side = "N" if lat > 0 else "S" if lat else ""
        names.append([f"{abs(lat)}°{side}", "west", round(y, 2)])
    for lon in range(-90, 281, 30):
        (x, y), (_, v) = xy(lon, NORTH), xy(lon, SOUTH)
        paths.append(path([(x, y), (x, v)]))
        turned = (lon + 180) % 360 - 180
        side = "W" if turned < 0 else "E" if turned % 180 else ""
        names.append([f"{abs(turned)}°{side}", "south", round(x, 2)])
    return "".join(paths), names


def named(kind: str) -> list[list[Any]]:
    """The names of `kind` (`sea` or `land`), with the fields of `pbem.scene.Name`."""
    placed = [(text, xy(lon, lat), rest) for text, (lon, lat, *rest) in NAMES[kind].items()]
    return [[text, round(x, 2), round(y, 2), *rest] for text, (x, y), rest in placed]


def rounded(points: Iterable[tuple[float, float]]) -> list[list[float]]:
    """Longitudes and latitudes as places in cells, rounded."""
    return [[round(x, 2), round(y, 2)] for x, y in (xy(lon, lat) for lon, lat in points)]


def straight(corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of an area, cut off at the edges of the map."""
    shape = Polygon(corners).intersection(box(WEST, SOUTH - 0.4, EAST, NORTH + 1))
    return list(shape.exterior.coords)[:-1] if isinstance(shape, Polygon) else list(corners)


def world(topology: dict[str, Any]) -> dict[str, Any]:
    """The content of coast.json."""
    grid, degrees = graticule()
    places = dict(zip(STATIONS, rounded(STATIONS.values()), strict=True))
    middles = dict(zip(MIDDLES, rounded(MIDDLES.values()), strict=True))
    return {
        "source": "Natural Earth 1:50m land (public domain), tools/build_world.py",
        "projection": "Miller's projection; both ends show America",
        "unit": UNIT,
        "km": 1113.2,
        "window": [round(v, 2) for v in WINDOW],
        "rose": [*(round(v, 2) for v in xy(*ROSE)), 0],
        "places": places | middles,
        "sea": named("sea"),
        "lands": named("land"),
        "graticule": grid,
        "degrees": degrees,
        "land": (shore := coast(land(topology))),
        "areas": {name: rounded(straight(corners)) for name, corners in AREAS.items()},
        "shoal": shoal({"land": shore, "unit": UNIT}),
    }


def main() -> None:
    """Write coast.json."""
    with tempfile.TemporaryDirectory() as folder:
        topology = fetch(Path(folder))
    target = ROOT / "templates/far_seas/coast.json"
    text = json.dumps(world(topology), ensure_ascii=False, separators=(",", ":"))
    target.write_text(text + "\n", "utf-8")
    print(f"{target}: {len(text.encode())} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
