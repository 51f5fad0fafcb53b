"""Writes templates/far_seas/world.j2: the world of Far Seas in characters, for text reports.

    python tools/world_text.py      (after tools/build_world.py; needs only the file that it wrote)

Land is `#`. Each area has four characters where its counters are on the chart; a report fills them
with the area's number and marks of the units there.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from shoals import rings

ROOT = Path(__file__).parent.parent
WIDE, HIGH, ROOM = 72, 21, 4
"""Columns of the map, its rows, and the characters of an area."""
HEAD = """{# The world of Far Seas in characters, by tools/world_text.py. mark: area to its four. #}
{% macro world(mark) %}
"""

Point = tuple[float, float]


def land(coast: dict[str, Any]) -> list[str]:
    """The rows of the map: a character is land if the middle of its part of the map is land."""
    shores = [
        [(x / coast["unit"], y / coast["unit"]) for x, y in ring] for ring in rings(coast["land"])
    ]
    _, _, east, south = coast["window"]
    return [
        "".join(
            "#"
            if inside(shores, ((column + 0.5) * east / WIDE, (row + 0.5) * south / HIGH))
            else " "
            for column in range(WIDE)
        )
        for row in range(HIGH)
    ]


def inside(shores: list[list[Point]], at: Point) -> bool:
    """Whether a point is on land: a line from it to the east crosses the shores an odd number of
    times. So a lake in an island is not land."""
    x, y = at
    crossed = 0
    for ring in shores:
        for (a, b), (c, d) in pairwise([*ring, ring[0]]):
            crossed += (b > y) != (d > y) and x < a + (y - b) * (c - a) / (d - b)
    return crossed % 2 == 1


def spots(coast: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Area -> row and first column; an area that would overlap another moves up or down."""
    _, _, east, south = coast["window"]
    found: dict[str, tuple[int, int]] = {}
    for area in (a for a in coast["areas"] if a.isdigit()):
        x, y = coast["places"][area]
        column = min(max(round(x / east * WIDE) - ROOM // 2, 0), WIDE - ROOM)
        row = min(int(y / south * HIGH), HIGH - 1)
        rows = sorted(range(HIGH), key=lambda r: (abs(r - row), r))
        found[area] = next((r, column) for r in rows if _free(found, r, column))
    return found


def _free(found: dict[str, tuple[int, int]], row: int, column: int) -> bool:
    return all(r != row or abs(c - column) >= ROOM for r, c in found.values())


def text(coast: dict[str, Any]) -> str:
    """The template: a macro `world(mark)`, where mark is area -> its four characters."""
    rows = land(coast)
    for area, (row, column) in sorted(spots(coast).items(), key=lambda s: -s[1][1]):
        line = rows[row]
        rows[row] = f'{line[:column]}{{{{ mark["{area}"] }}}}{line[column + ROOM :]}'
    return HEAD + "\n".join(row.rstrip() for row in rows) + "\n{% endmacro %}\n"


def main() -> None:
    """Write the template."""
    folder = ROOT / "templates" / "far_seas"
    coast = json.loads((folder / "coast.json").read_text("utf-8"))
    (folder / "world.j2").write_text(text(coast), "utf-8")


if __name__ == "__main__":
    main()
