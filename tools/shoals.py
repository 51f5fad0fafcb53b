"""The shallows of a board: a coarse outline of its land, for the wide soft lines along the coast.

    python tools/shoals.py      (writes `shoal` again in every templates/*/coast.json)

Drawing three wide lines along the fine coast took a third of the time of a chart, and small rocks
do not show in wide lines. Needs only the standard library. tools/build_coast.py and build_world.py
call it too.
"""

from __future__ import annotations

import json
import re
from math import hypot
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LEAVE = 0.05
"""How far the outline may be from the coast, in cells: two or three pixels."""
STEP = re.compile(r"([Ml]?)(-?\d+)[ ]?(-?\d+)|z")
"""A point of a path: `M` with its place, or a step from the point before; or the end of a ring."""

Point = tuple[int, int]


def shoal(coast: dict[str, Any]) -> str:
    """The coarse outline of the `land` of a coast.json, as a path in the same units."""
    leave = LEAVE * coast["unit"]
    return "".join(written(thinned(ring, leave)) for ring in rings(coast["land"]))


def rings(land: str) -> list[list[Point]]:
    """The closed rings of a path, each as its points. The path has `M` and relative `l` only."""
    found: list[list[Point]] = []
    x = y = 0
    for step in STEP.finditer(land):
        if step[0] == "z":
            continue
        a, b = int(step[2]), int(step[3])
        x, y = (a, b) if step[1] == "M" else (x + a, y + b)
        if step[1] == "M":
            found.append([])
        found[-1].append((x, y))
    return found


def thinned(ring: list[Point], leave: float) -> list[Point]:
    """A ring with fewer corners, nowhere farther than `leave` from the old one (Douglas-Peucker).

    An island smaller than that becomes a line between its two most distant points.
    """
    first = ring[0]
    far = max(range(len(ring)), key=lambda i: hypot(ring[i][0] - first[0], ring[i][1] - first[1]))
    there, back = ring[: far + 1], [*ring[far:], first]
    return [*_line(there, leave)[:-1], *_line(back, leave)[:-1]]


def _line(line: list[Point], leave: float) -> list[Point]:
    """An open line with fewer points; both ends stay."""
    if len(line) < 3:
        return line
    (x, y), (u, v) = line[0], line[-1]
    long = hypot(u - x, v - y)
    away = [
        abs((v - y) * (a - x) - (u - x) * (b - y)) / long if long else hypot(a - x, b - y)
        for a, b in line
    ]
    worst = max(range(len(line)), key=away.__getitem__)
    if away[worst] <= leave:
        return [line[0], line[-1]]
    return [*_line(line[: worst + 1], leave)[:-1], *_line(line[worst:], leave)]


def written(ring: list[Point]) -> str:
    """A ring as a path, as short as possible: no space before a minus sign."""
    (x, y), *rest = ring
    out = f"M{x} {y}"
    for i, (u, v) in enumerate(rest):
        out += f"{'' if i else 'l'}{u - x}{'' if v < y else ' '}{v - y}"
        out += " " if i + 1 < len(rest) and rest[i + 1][0] >= u else ""
        x, y = u, v
    return out + "z"


def main() -> None:
    """Write the outlines into the committed files, which keep their own layout of JSON."""
    for path in sorted((ROOT / "templates").glob("*/coast.json")):
        text = path.read_text("utf-8")
        coast = json.loads(text)
        coast["shoal"] = shoal(coast)
        lines = 0 if text.startswith("{\n") else None
        parts = None if lines == 0 else (",", ":")
        new = json.dumps(coast, ensure_ascii=False, indent=lines, separators=parts)
        path.write_text(new + "\n", "utf-8")


if __name__ == "__main__":
    main()
