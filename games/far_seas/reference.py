"""What lies open before the game begins, as text: ships, areas, stations, the Damage Table.

`pbem rules far_seas` prints it, and docs/far_seas.md repeats it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.far_seas import board, setup
from games.far_seas.board import GERMAN, SIDES
from games.far_seas.gunnery import FIGURES
from games.far_seas.state import GRADES

_TITLES = {side: "German ships" if side == GERMAN else "Allied ships" for side in SIDES}


def text() -> str:
    """All tables, each below its title, on 72 columns."""
    return "\n\n".join(_tables())


def _tables() -> Iterator[str]:
    for side, title in _TITLES.items():
        ships = [_ship(row) for row in setup.rows() if row.side == side]
        heads = ["Ship", "Flag", "Class", "Capacity", "Roll", "VP", "Begins"]
        yield _table(f"{title}   class: type, gun range, speed; * by option alone", heads, ships)
    areas = [board.AREAS[id_] for id_ in board.SEA]
    ways = [[board.name(a.id), str(a.density), _ways(a)] for a in areas]
    title = "Areas   neighbours: c through the Panama Canal, s through Suez"
    yield _table(title, ["Area", "Trade", "Next to"], ways)
    held = [[a.id, ", ".join(f"{s} {n}" for s, n in a.stations.items())] for a in areas]
    yield _table("Stations and their points", ["Area", ""], [row for row in held if row[1]])
    ports = [[a.id, a.ports] for a in areas if a.ports]
    yield _table("Neutral ports, where liners may be interned", ["Area", ""], ports)
    damage = FIGURES.value("damage")
    rows = [[guns, *map(str, damage[guns])] for guns in "HABC"]
    title = "Damage Table   die with modifiers; H: battle cruisers and battleships"
    yield _table(title, ["Guns", *"0123456", "7+"], rows)


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell, below a title."""
    lines = [heads, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    said = [
        "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines
    ]
    return "\n".join([title, "", *said])


def _ways(area: board.Area) -> str:
    return " ".join(w + "c" * (w in area.canal) + "s" * (w in area.suez) for w in area.ways)


def _ship(row: setup.Row) -> list[str]:
    start = row.start + (f", turn {row.enters}" if row.enters > 1 else "")
    figures = f"{row.type} {row.gun} {GRADES[row.speed]}"
    name = row.name + "*" * row.optional
    return [name, row.nation, figures, str(row.capacity), str(row.roll), str(row.points), start]
