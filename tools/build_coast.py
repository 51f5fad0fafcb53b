"""Writes templates/bismarck/coast.json: the real coast, fitted to the zones of the search board.

    python tools/build_coast.py            (needs npm and shapely; neither is used at run time)

Fetches `world-atlas` (Natural Earth 1:10m, public domain) with npm into a temporary folder, and
projects and clips it so that known ports lie in their zones. Places are in zones: x to the east, y
to the south, zone A0 at (0, 0). Paths have whole numbers, UNIT of them for a zone. Fields of the
file: `pbem.scene.Coast`.
"""

from __future__ import annotations

import cmath
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from shapely import segmentize, transform
from shapely.affinity import translate
from shapely.geometry import LineString, MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union
from shoals import shoal

ROOT = Path(__file__).parent.parent
PACKAGE = "world-atlas@2"
UNIT = 200
"""Units of the paths per zone: each is a quarter of a pixel on the chart of 50 pixels per zone."""
FINE = 0.007
"""How far the simplified coast may be from the true one, in zones: about 1 km."""
SPECK = 0.0008
"""Islands and lakes smaller than this many square zones are left out."""
EARTH = 6371.0
"""Radius of the earth in kilometres."""

CENTRE = (67.4, -16.8)
"""Centre of the projection: latitude and longitude."""
WINDOW = (-3.4, -0.85, 19.4, 25.85)
"""The part of the board that the chart shows: west, north, east, south, in zones."""
CLIP = box(-85, 22, 45, 86)
"""The longitudes and latitudes that can show."""

ANCHORS = {  # places by which the coast is fitted to the board: zone, latitude, longitude
    "Bergen": ("F20", 60.39, 5.32),
    "Trondheim": ("C19", 63.43, 10.40),
    "Brest": ("P23", 48.38, -4.49),
    "St Nazaire": ("Q25", 47.27, -2.20),
    "Scapa Flow": ("H18", 58.9, -3.05),
    "Clyde": ("J19", 55.95, -4.8),
    "Hvalfiord": ("D9", 64.37, -21.7),
    "Plymouth": ("O22", 50.37, -4.14),
    "Gibraltar": ("Z29", 36.14, -5.36),
    "Faeroes": ("F15", 62.0, -6.9),
    "Shetland": ("G18", 60.3, -1.3),
}
# ports and bases of the board: latitude, longitude
PLACES = {name: (lat, lon) for name, (_, lat, lon) in ANCHORS.items()} | {
    "Ferrol": (43.48, -8.23),
    "Eire": (54.46, -7.75),
    "Bordeaux": (44.83, -0.71),
}
HIDDEN = ("Faeroes", "Shetland")
"""Places that serve the fit but are not ports of the game."""
NAMES = {  # latitude, longitude, degrees of turn from east, size of letters, letter spacing
    "sea": {
        "NORTH  ATLANTIC  OCEAN": (42.2, -25.2, 0, 29, 7),
        "Norwegian Sea": (66.3, 1.0, 0, 21, 2),
        "Denmark Strait": (66.0, -29.5, -45, 15, 1.2),
        "North Sea": (56.6, 3.2, 0, 17, 1.5),
        "Bay of Biscay": (45.6, -4.9, 0, 15, 1),
        "Irminger Sea": (61.0, -37.0, 0, 16, 1.4),
    },
    "land": {
        "GREENLAND": (66.2, -40.5, -55, 18, 6),
        "ICELAND": (64.75, -18.6, 0, 12, 2.4),
        "ENGLAND": (52.5, -1.3, 0, 11, 1.6),
        "SCOTLAND": (56.9, -4.2, 0, 9, 1),
        "EIRE": (53.1, -7.8, 0, 11, 2),
        "NORWAY": (61.5, 8.6, -60, 14, 3),
        "FRANCE": (47.3, 0.4, 0, 14, 3),
        "SPAIN": (40.6, -4.4, 0, 18, 6),
        "PORTUGAL": (39.9, -8.05, 90, 9, 1.2),
    },
}
ROSE = (-1.55, 23.6)
"""The place of the compass rose, in zones."""

Point = tuple[float, float]


def stereographic(lat: float, lon: float) -> complex:
    """Stereographic projection of a place: kilometres east (real) and north (imaginary) of CENTRE.

    It keeps angles, so that a similarity can fit it to the board's hexes.
    """
    p, q = (math.radians(a) for a in CENTRE)
    f, d = math.radians(lat), math.radians(lon) - q
    k = 2 * EARTH / (1 + math.sin(p) * math.sin(f) + math.cos(p) * math.cos(f) * math.cos(d))
    north = math.cos(p) * math.sin(f) - math.sin(p) * math.cos(f) * math.cos(d)
    return complex(k * math.cos(f) * math.sin(d), k * north)


def zone_point(zone: str) -> complex:
    """2.2 The middle of a zone, with north as the imaginary axis: each row is shifted by half a
    zone from the row before."""
    row = ord(zone[0]) - 65
    return complex(int(zone[1:]) - row / 2, -row)


class Fit:
    """The similarity from kilometres to zones that fits ANCHORS best (least squares).

    turn: the complex factor; shift: where CENTRE is, in zones; km: kilometres of a zone; worst:
    the largest error of an anchor, in zones.
    """

    def __init__(self) -> None:
        pairs = [(stereographic(lat, lon), zone_point(z)) for z, lat, lon in ANCHORS.values()]
        mean_p = sum(p for p, _ in pairs) / len(pairs)
        mean_w = sum(w for _, w in pairs) / len(pairs)
        spread = sum(abs(p - mean_p) ** 2 for p, _ in pairs)
        self.turn = sum((w - mean_w) * (p - mean_p).conjugate() for p, w in pairs) / spread
        self.shift = mean_w - self.turn * mean_p
        self.km = 1 / abs(self.turn)
        self.worst = max(abs(self.turn * p + self.shift - w) for p, w in pairs)

    def xy(self, lat: float, lon: float) -> Point:
        """A place in zones east and south of zone A0."""
        w = self.turn * stereographic(lat, lon) + self.shift
        return w.real, -w.imag

    def lonlat(self, lon: Any, lat: Any) -> Any:
        """The same for shapely's `transform`, which passes all points of a ring at once."""
        found = [self.xy(b, a) for a, b in zip(lon, lat, strict=True)]
        return [x for x, _ in found], [y for _, y in found]

    def north(self, lat: float, lon: float) -> float:
        """The direction of north at a place, in degrees clockwise from up."""
        (x, y), (u, v) = self.xy(lat - 0.1, lon), self.xy(lat + 0.1, lon)
        return math.degrees(cmath.phase(complex(y - v, u - x)))


def fetch(folder: Path) -> dict[str, Any]:
    """The atlas (TopoJSON), fetched with npm into `folder`."""
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", PACKAGE]
    subprocess.run(command, cwd=folder, check=True)
    atlas = folder / "node_modules/world-atlas/land-10m.json"
    found: dict[str, Any] = json.loads(atlas.read_bytes())
    return found


def rings(topology: dict[str, Any]) -> Iterator[list[list[Point]]]:
    """Every polygon of a TopoJSON land object, as rings of (longitude, latitude); the first ring is
    the outer one."""
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        line = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append((x * sx + tx, y * sy + ty))
        arcs.append(line)
    for shape in topology["objects"]["land"]["geometries"]:
        for polygon in shape["arcs"]:
            yield [_joined(arcs, ring) for ring in polygon]


def _joined(arcs: Sequence[list[Point]], ring: Iterable[int]) -> list[Point]:
    """A ring from its arcs; in TopoJSON ~i means arc i backwards."""
    line: list[Point] = []
    for i in ring:
        arc = arcs[i] if i >= 0 else arcs[~i][::-1]
        line += arc[1:] if line else arc
    return unwrapped(line)


def unwrapped(ring: list[Point]) -> list[Point]:
    """A ring whose longitudes run on at 180 degrees instead of jumping by 360.

    With the jump, a false sliver of land would cross the map.
    """
    out: list[Point] = []
    off = 0.0
    for i, (x, y) in enumerate(ring):
        if i and abs(x - ring[i - 1][0]) > 180:
            off += 360 if x < ring[i - 1][0] else -360
        out.append((x + off, y))
    return out


def land(topology: dict[str, Any], fit: Fit) -> BaseGeometry:
    """The land within WINDOW, in zones, simplified."""
    west, north, east, south = WINDOW
    frame = box(west - 0.4, north - 0.4, east + 0.4, south + 0.4)
    parts = []
    for outer, *holes in rings(topology):
        if abs(outer[0][0] - outer[-1][0]) > 1:
            continue  # it surrounds a pole, which the map does not show
        whole = Polygon(outer, holes).buffer(0)
        for turn in (0, 360, -360):  # unwrapping may have moved it by a whole turn
            shape = translate(whole, turn).intersection(CLIP)
            if not shape.is_empty:
                flat = transform(segmentize(shape, 0.25), fit.lonlat, interleaved=False)
                parts.append(flat.buffer(0))
    return unary_union(parts).intersection(frame).simplify(FINE).buffer(0)


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """The polygons of a shape that are large enough, from north to south."""
    found = list(shape.geoms) if isinstance(shape, MultiPolygon) else [shape]
    kept = [p for p in found if isinstance(p, Polygon) and p.area >= SPECK]
    return sorted(kept, key=lambda p: (p.bounds[1], p.bounds[0]))


def path(points: Sequence[Point], close: bool = False) -> str:
    """SVG path data in whole units, relative after the first point."""
    steps = [(round(x * UNIT), round(y * UNIT)) for x, y in points]
    steps = [p for i, p in enumerate(steps) if not i or p != steps[i - 1]]
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(steps)]
    if close:
        moves = moves[:-1]
    data = f"M{steps[0][0]} {steps[0][1]}l" + " ".join(f"{x} {y}" for x, y in moves)
    return data.replace(" -", "-") + ("z" if close else "")


def coast(shape: BaseGeometry) -> str:
    """All land as one path, with lakes as holes."""
    found = []
    for p in polygons(shape):
        found.append(path(list(p.exterior.coords), close=True))
        found += [path(list(h.coords), close=True) for h in p.interiors if Polygon(h).area > SPECK]
    return "".join(found)


def graticule(fit: Fit) -> tuple[str, list[list[Any]]]:
    """Every fifth parallel and tenth meridian as a path, and their labels where they meet the
    western and southern edges: [text, edge, place along the edge]."""
    west, _, _, south = WINDOW
    frame = box(*WINDOW)
    paths, names = [], []
    for lat in range(25, 85, 5):
        line = LineString([fit.xy(lat, lon) for lon in range(-90, 41)]).intersection(frame)
        paths += [path(part) for part in lines(line)]
        y = crossing(lines(line), 0, west)
        if y is not None:
            names.append([f"{lat}°N", "west", y])
    for lon in range(-80, 41, 10):
        line = LineString([fit.xy(lat, lon) for lat in range(20, 85)]).intersection(frame)
        paths += [path(part) for part in lines(line)]
        x = crossing(lines(line), 1, south)
        if x is not None:
            side = "W" if lon < 0 else "E" if lon else ""
            names.append([f"{abs(lon)}°{side}", "south", x])
    return "".join(paths), names


def lines(shape: BaseGeometry) -> list[list[Point]]:
    """The parts of a line that was cut off at the frame."""
    parts = getattr(shape, "geoms", [shape])
    return [simple(list(p.coords)) for p in parts if isinstance(p, LineString) and not p.is_empty]


def simple(points: list[Point]) -> list[Point]:
    """A line with fewer points that looks the same."""
    return list(LineString(points).simplify(0.004).coords)


def crossing(parts: list[list[Point]], axis: int, at: float) -> float | None:
    """Where a line ends at the edge whose coordinate `axis` (0: x, 1: y) is `at`; None if it does
    not."""
    for part in parts:
        for point in (part[0], part[-1]):
            if abs(point[axis] - at) < 1e-6:
                return round(point[1 - axis], 2)
    return None


def names(fit: Fit, kind: str) -> list[list[Any]]:
    """The names of `kind` (`sea` or `land`), with the fields of `pbem.scene.Name`.

    They run from west to east at their place, plus a turn of their own.
    """
    found: list[list[Any]] = []
    for text, (lat, lon, more, size, spacing) in NAMES[kind].items():
        x, y = fit.xy(lat, lon)
        turn = fit.north(lat, lon) + more
        found.append([text, round(x, 2), round(y, 2), round(turn), size, spacing])
    return found


def places(fit: Fit) -> dict[str, list[float]]:
    """Port or base -> its place in zones."""
    found = {n: fit.xy(*at) for n, at in PLACES.items() if n not in HIDDEN}
    return {n: [round(x, 3), round(y, 3)] for n, (x, y) in found.items()}


def bismarck(topology: dict[str, Any]) -> dict[str, Any]:
    """The content of coast.json; prints how well the fit is."""
    fit = Fit()
    grid, labels = graticule(fit)
    print(f"{fit.km:.1f} km a zone, worst anchor {fit.worst:.2f} zones off", file=sys.stderr)
    rose = min(
        ((fit.xy(lat, lon), lat, lon) for lat in range(25, 50) for lon in range(-60, 0)),
        key=lambda at: math.dist(at[0], ROSE),
    )
    return {
        "source": "Natural Earth 1:10m land (public domain), tools/build_coast.py",
        "projection": f"Stereographic, centred {CENTRE[0]}°N {-CENTRE[1]}°W",
        "unit": UNIT,
        "km": round(fit.km, 1),
        "window": WINDOW,
        "rose": [*ROSE, round(fit.north(rose[1], rose[2]), 1)],
        "places": places(fit),
        "sea": names(fit, "sea"),
        "lands": names(fit, "land"),
        "graticule": grid,
        "degrees": labels,
        "land": (shore := coast(land(topology, fit))),
        "shoal": shoal({"land": shore, "unit": UNIT}),
    }


def main() -> None:
    """Write coast.json."""
    with tempfile.TemporaryDirectory() as folder:
        topology = fetch(Path(folder))
    target = ROOT / "templates/bismarck/coast.json"
    text = json.dumps(bismarck(topology), ensure_ascii=False, indent=0) + "\n"
    target.write_text(text, "utf-8")
    print(f"{target}: {len(text.encode())} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
