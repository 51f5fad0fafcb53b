"""Writes templates/far_seas/coast.json: the world's coast and the 32 areas of Far Seas over it.

    python tools/build_world.py     (needs npm and shapely; neither is used at run time)

Miller's projection from 100 degrees west to the east once round and a little more, so that both
coasts of America show and no area is cut. One cell is ten degrees of longitude; x grows to the
east, y to the south. Areas that touch at a corner are adjacent, as the board's table says.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
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
FINE = 0.012
"""Cells by which the simplified coast may leave the true one: an eighth of a degree."""
SPECK = 0.0045
"""Islands smaller than this many square cells are left out, unless KEPT names their place."""
KEPT = ((-57, -51.7), (-59.5, -51.8), (147, -42), (178, -18), (167, -22), (-155.5, 19.6))
WEST, NORTH, EAST, SOUTH = -100.0, 66.0, 293.0, -58.0
TEN = math.radians(10)


def miller(lat: float) -> float:
    """Miller's northing of a latitude in cells."""
    return 1.25 * math.log(math.tan(math.pi / 4 + 0.4 * math.radians(lat))) / TEN


def xy(lon: float, lat: float) -> Point:
    """Cells east and south of the picture's corner."""
    return (lon - WEST) / 10, miller(NORTH) - miller(lat)


WINDOW = (0.0, 0.0, *xy(EAST, SOUTH))
P = (-40, 30)
"""Where areas 4, 6, 7 and 16 meet."""
AREAS: dict[str, list[tuple[float, float]]] = {  # corners, longitude and latitude
    "1": [(-20, 58), (-4, 58.6), (-5, 50), (-1, 49.6), (-4, 48), (-20, 48)],
    "2": [(-45, 72), (-45, 58), (-20, 58), (-4, 58.6), (8, 58), (30, 60), (30, 72)],
    "3": [(-20, 48), (-4, 48), (0, 46), (0, 43), (-9, 42), (-9, 40), (-20, 40)],
    "4": [(-45, 58), (-20, 58), (-20, 48), (-20, 40), P, (-52, 40)],
    "5": [(-82, 50), (-62, 62), (-45, 58), (-52, 40), (-76, 36), (-82, 40)],
    "6": [(-82, 36), (-76, 36), (-52, 40), P, (-60, 24), (-75, 22), (-84, 22.5), (-90, 21),
          (-99, 19), (-99, 31), (-85, 32)],
    "7": [P, (-60, 24), (-75, 22), (-84, 22.5), (-90, 21), (-90, 15), (-79, 8), (-60, 8),
          (-52, 4), (-38, 14)],
    "8": [(-38, 14), (-22, 9), (-20, 0), (-20, -6), (-28, -10), (-36, -8), (-44, -2), (-52, 4)],
    "9": [P, (-10, 30), (-12, 22), (-14, 10.5), (-22, 9), (-38, 14)],
    "10": [(-22, 9), (-14, 10.5), (-5, 6), (6, 7), (11, 3), (14, -12), (0, -12), (-20, -6),
           (-20, 0)],
    "11": [(-36, -8), (-28, -10), (-22, -28), (-42, -40), (-66, -40), (-60, -30), (-45, -20)],
    "12": [(-20, -6), (0, -12), (0, -28), (-22, -28), (-28, -10)],
    "13": [(-66, -40), (-42, -40), (-45, -52), (-69, -53)],
    "14": [(0, -12), (14, -12), (20, -28), (29, -31), (30, -33), (30, -62), (0, -62), (0, -28)],
    "15": [(-22, -28), (0, -28), (0, -62), (-42, -62), (-45, -52), (-42, -40)],
    "16": [P, (-20, 40), (-9, 40), (-5.5, 38), (-5.5, 33), (-10, 30)],
    "17": [(270, -42), (288, -42), (291, -53), (290, -62), (262, -62)],
    "18": [(232, 2), (262, 2), (265, -20), (270, -42), (262, -62), (222, -62), (222, -35),
           (225, -8)],
    "19": [(281, 7.5), (262, 2), (265, -20), (270, -42), (288, -42), (292, -20), (284, -5)],
    "20": [(190, 66), (215, 64), (236, 52), (242, 34), (262, 17), (275, 9), (281, 7.5), (262, 2),
           (232, 2), (200, 18), (190, 40)],
    "21": [(150, 45), (165, 62), (190, 66), (190, 40), (200, 18), (232, 2), (225, -8), (190, -5),
           (170, -4), (150, 2), (136, 0), (138, 8), (132, 22), (148, 25)],
    "22": [(190, -5), (225, -8), (222, -35), (222, -62), (185, -62), (183, -22)],
    "23": [(150, 2), (170, -4), (190, -5), (183, -22), (153, -26), (145, -18), (141, -9),
           (136, 0)],
    "24": [(121, 22), (132, 22), (138, 8), (136, 0), (141, -9), (131, -12), (106, -6.5),
           (106, -2), (110, 2), (117, 7), (119, 16)],
    "25": [(112, 40), (116, 23.5), (121, 22), (132, 22), (148, 25), (150, 45), (142, 55),
           (130, 46)],
    "26": [(103, 22), (116, 23.5), (121, 22), (119, 16), (117, 7), (110, 2), (106, -2),
           (106, -6.5), (95, 5.5), (98, 10), (100, 15)],
    "27": [(153, -26), (183, -22), (185, -62), (140, -62), (140, -38), (147, -36)],
    "28": [(95, 5.5), (106, -6.5), (131, -12), (122, -22), (117, -34), (135, -33), (140, -38),
           (140, -62), (76, -62), (76, -6), (95, -6)],
    "29": [(77.3, 8.5), (80, 16), (88, 23), (95, 20), (98, 10), (95, 5.5), (95, -6), (76, -6),
           (70, 2)],
    "30": [(32, 31), (37, 15), (43, 11), (51, 11), (46, 3), (70, 2), (77.3, 8.5), (74, 22),
           (58, 27), (46, 31)],
    "31": [(30, -33), (29, -31), (35, -20), (39, -8), (42, 0), (46, 3), (70, 2), (76, -6),
           (76, -62), (30, -62)],
    "32": [(-69, -53), (-45, -52), (-42, -62), (-72, -62)],
    "ENG": [(-4, 58.6), (8, 58), (9, 54), (4, 51), (-4, 48), (-1, 49.6), (-5, 50)],
    "MED": [(-5.5, 38), (3, 44), (14, 46), (28, 42), (37, 37), (32, 31), (10, 31), (-5.5, 33)],
}  # fmt: skip
MIDDLES = {  # where an area's counters stand
    "1": (-10, 54.5), "2": (-10, 63), "3": (-17, 43.5), "4": (-35, 46), "5": (-60, 44.5),
    "6": (-65, 31), "7": (-67, 13.5), "8": (-33, 2), "9": (-25, 21), "10": (-3, -1),
    "11": (-38, -28), "12": (-12, -18), "13": (-54, -46), "14": (12, -38), "15": (-20, -45),
    "16": (-20, 34.5), "17": (280, -50), "18": (245, -25), "19": (276, -12), "20": (222, 33),
    "21": (180, 14), "22": (204, -20), "23": (166, -13), "24": (127, 9), "25": (137, 32),
    "26": (111, 15), "27": (163, -38), "28": (98, -25), "29": (86, 5), "30": (62, 13),
    "31": (55, -20), "32": (-52, -55), "ENG": (2, 55.5), "MED": (19, 35.5),
}  # fmt: skip
STATIONS = {
    "Halifax": (-63.6, 44.6), "St Johns": (-52.7, 47.6), "Bermuda": (-64.8, 32.3),
    "Kingston": (-76.8, 18), "Barbados": (-59.5, 13.1), "Trinidad": (-61, 10.6),
    "Freetown": (-13.2, 8.5), "Lagos": (3.4, 6.4), "St Helena": (-5.7, -15.9),
    "Ascension": (-14.4, -7.9), "Port Stanley": (-57.9, -51.7), "Simonstown": (18.4, -34.2),
    "Gibraltar": (-5.4, 36.1), "Esquimalt": (236.6, 48.4), "Fanning Island": (200.7, 3.9),
    "Ocean Island": (169.5, -0.9), "Papeete": (210.4, -17.5), "Suva": (178.4, -18.1),
    "Port Moresby": (147.2, -9.5), "Labuan": (115.2, 5.3), "Weihaiwei": (122.1, 37.5),
    "Hong Kong": (114.2, 22.3), "Singapore": (103.8, 1.3), "Penang": (100.3, 5.4),
    "Sydney": (151.2, -33.9), "Auckland": (174.8, -36.8), "Fremantle": (115.7, -32.1),
    "Cocos": (96.8, -12.2), "Colombo": (79.8, 6.9), "Madras": (80.3, 13.1),
    "Calcutta": (88.3, 22), "Rangoon": (96.2, 16.6), "Aden": (45, 12.8), "Bombay": (72.8, 18.9),
    "Zanzibar": (39.2, -6.2), "Mombasa": (39.7, -4), "Durban": (31, -29.9),
    "Mauritius": (57.5, -20.2),
}  # fmt: skip
NAMES = {  # longitude, latitude, turn, size, letter spacing
    "sea": {
        "NORTH ATLANTIC": (-35, 55.5, 0, 12, 1.5),
        "SOUTH ATLANTIC": (-20, -53, 0, 14, 2.5),
        "INDIAN OCEAN": (88, -48, 0, 15, 3),
        "NORTH PACIFIC": (177, 48, 0, 15, 3),
        "SOUTH PACIFIC": (243, -50, 0, 15, 3),
    },
    "land": {
        "AFRICA": (21, 8, 0, 15, 4),
        "ASIA": (90, 48, 0, 17, 7),
        "AUSTRALIA": (134, -25, 0, 12, 2),
        "SOUTH AMERICA": (-56, -10, 0, 11, 1),
        "NORTH AMERICA": (262, 54, 0, 12, 2),
    },
}
ROSE = (-87, -46)


def fetch(folder: Path) -> dict[str, Any]:
    """The atlas, by the ordinary npm client."""
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", PACKAGE]
    subprocess.run(command, cwd=folder, check=True)
    found: dict[str, Any] = json.loads((folder / "node_modules/world-atlas" / FILE).read_bytes())
    return found


def land(topology: dict[str, Any]) -> BaseGeometry:
    """The land within WINDOW, in cells, simplified; it stands twice where the picture repeats."""
    clip = box(WEST - 2, SOUTH - 2, EAST + 2, NORTH + 3)
    parts = []
    for outer, *holes in rings(topology):
        if abs(outer[0][0] - outer[-1][0]) > 1:
            continue  # encloses a pole
        whole = Polygon(outer, holes).buffer(0)
        for turn in (-360, 0, 360):
            shape = translate(whole, turn).intersection(clip)
            if not shape.is_empty:
                parts.append(transform(segmentize(shape, 2), _flat, interleaved=False).buffer(0))
    return unary_union(parts).simplify(FINE).buffer(0)


def _flat(lon: Iterable[float], lat: Iterable[float]) -> Any:
    found = [xy(a, b) for a, b in zip(lon, lat, strict=True)]
    return [x for x, _ in found], [y for _, y in found]


def coast(shape: BaseGeometry) -> str:
    """All land as one path, inland seas as holes."""
    kept = [box(x - 0.25, y - 0.25, x + 0.25, y + 0.25) for x, y in (xy(*at) for at in KEPT)]
    parts = list(shape.geoms) if isinstance(shape, MultiPolygon) else [shape]
    found = []
    for p in sorted(parts, key=lambda p: (p.bounds[1], p.bounds[0])):
        if not isinstance(p, Polygon):
            continue
        if p.area >= SPECK or any(p.intersects(place) for place in kept):
            found.append(path(list(p.exterior.coords), close=True))
            found += [path(list(h.coords), close=True) for h in p.interiors
                      if Polygon(h).area > 4 * SPECK]  # fmt: skip
    return "".join(found)


def graticule() -> tuple[str, list[list[Any]]]:
    """Every thirtieth degree, and its name where it meets the frame."""
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
    """Text, place, turn, size and letter spacing of the names of `kind`."""
    placed = [(text, xy(lon, lat), rest) for text, (lon, lat, *rest) in NAMES[kind].items()]
    return [[text, round(x, 2), round(y, 2), *rest] for text, (x, y), rest in placed]


def rounded(points: Iterable[tuple[float, float]]) -> list[list[float]]:
    """Places in cells."""
    return [[round(x, 2), round(y, 2)] for x, y in (xy(lon, lat) for lon, lat in points)]


def straight(corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of an area, cut off where the picture ends."""
    shape = Polygon(corners).intersection(box(WEST, SOUTH - 0.4, EAST, NORTH + 1))
    return list(shape.exterior.coords)[:-1] if isinstance(shape, Polygon) else list(corners)


def world(topology: dict[str, Any]) -> dict[str, Any]:
    """The whole file."""
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
    """Write the one file."""
    with tempfile.TemporaryDirectory() as folder:
        topology = fetch(Path(folder))
    target = ROOT / "templates/far_seas/coast.json"
    text = json.dumps(world(topology), ensure_ascii=False, separators=(",", ":"))
    target.write_text(text + "\n", "utf-8")
    print(f"{target}: {len(text.encode())} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
