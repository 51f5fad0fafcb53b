"""What stands below the map of a chart: small pictures in rows, and a table of ships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pbem.beside_map import Boxes, Roster, Row
from pbem.charts import shapes, tracks
from pbem.charts.label_placement import Rect, Sheet
from pbem.charts.svg_path import mesh, number
from pbem.charts.text_metrics import measure
from pbem.charts.themes import WORDS, ink_of
from pbem.charts.viewport import Page
from pbem.model import Plain
from pbem.scene import Grid, Inset, Scene

GAP = 14.0
"""Pixels between two small pictures."""
IN_ROW, NARROW_ROW = 5, 2
"""Small pictures in a row of a chart, and of one for phones."""
FLAT = 0.68
"""Height of a small picture in widths of it."""
CLOSEST = 30.0
"""Pixels per cell of a small picture at most."""
LINE = 15
"""Pixels from line to line below a small picture."""
HEAD, ROW = 22, 24
"""Heights of a headline and of a row of the table, in pixels."""
TITLE, TEXT = ("sans-700", 13.0), ("sans-400", 12.5)
COLUMN = ("sans-700", 11.0)
"""Fonts of names in the table, of its words, and of its columns."""
SIZE, STEP, LEAST = 11.0, 13.0, 7.0
"""Size of a box, pixels from box to box, and from box to box at least."""


class Foot(Struct):
    """What the template draws, and how far down it reaches."""

    bottom: float
    insets: list[Plain] = []
    heads_of_foot: list[Plain] = []
    roster_rows: list[Plain] = []
    roster_top: float = 0


def foot(scene: Scene, left: float, right: float, top: float, narrow: bool) -> Foot:
    """The small pictures and the table between two edges, in pixels from the top down.

    narrow: on a chart for phones, with two pictures in a row, and the table in its full width.
    """
    made = Foot(top)
    if scene.insets:
        _head(made, left, scene.inset_title)
        for row in _rows(scene.insets, NARROW_ROW if narrow else IN_ROW):
            _row(scene, made, row, left, right, narrow)
    if scene.roster:
        wide = right if narrow else left + (right - left) * 0.62
        _roster(made, scene.roster, left, wide)
    return made


def _head(made: Foot, x: float, text: str) -> None:
    if text:
        made.heads_of_foot.append(
            {"x": number(x), "y": number(made.bottom + 12), "text": text, "large": True}
        )
    made.bottom += HEAD


def _rows(insets: Sequence[Inset], most: int) -> list[Sequence[Inset]]:
    return [insets[i : i + most] for i in range(0, len(insets), most)]


def _row(
    scene: Scene, made: Foot, row: Sequence[Inset], left: float, right: float, narrow: bool
) -> None:
    """A row of small pictures, each with its lines of text."""
    most = NARROW_ROW if narrow else IN_ROW
    wide = (right - left - GAP * (most - 1)) / most
    high = round(wide * FLAT)
    lines = 0
    for i, inset in enumerate(row):
        x = left + i * (wide + GAP)
        said = wrapped(inset.said, wide)
        lines = max(lines, len(said))
        box = (x, made.bottom, x + wide, made.bottom + high)
        font = ("sans-700" if inset.alarm else TEXT[0], TEXT[1])
        measured = [(line, number(measure(line, font))) for line in said]
        text = {"title": inset.title, "note": inset.note, "said": measured, "alarm": inset.alarm}
        text["base"] = round(made.bottom + high + LINE, 1)
        made.insets.append(picture(scene, inset, box) | text)
    made.bottom += high + LINE * (lines + 1) + 12


def picture(scene: Scene, inset: Inset, box: Rect) -> dict[str, Any]:
    """A small picture within a rectangle: what its window shows, enlarged to fill it."""
    left, top, right, bottom = box
    west, north, east, south = inset.window
    pitch = min((right - left) / (east - west), (bottom - top) / (south - north), CLOSEST)
    middle = (west + east) / 2, (north + south) / 2
    page = Page(
        middle[0] - (right - left) / 2 / pitch,
        middle[1] - (bottom - top) / 2 / pitch,
        pitch,
        left,
        top,
        box,
    )
    part = msgspec.structs.replace(
        scene,
        shapes=inset.shapes,
        tracks=inset.tracks,
        marks=inset.marks,
        earlier=(),
        units=(),
        contacts=(),
    )
    sheet = Sheet(box)
    return {
        "x": number(left),
        "y": number(top),
        "w": number(right - left),
        "h": number(bottom - top),
        "grid": mesh(_inside(scene.grid, page)),
        **shapes.shapes(part, page, sheet),
        **tracks.tracks(part, page, sheet),
    }


def _inside(grid: Grid, page: Page) -> list[list[tuple[float, float]]]:
    """The outlines of the cells that lie wholly within the picture."""
    left, top, right, bottom = page.frame
    found = ([page.px(at) for at in grid.outline(name)] for name in grid.cells)
    return [
        cell for cell in found if all(left <= x <= right and top <= y <= bottom for x, y in cell)
    ]


def wrapped(text: str, wide: float) -> list[str]:
    """A text in lines that are no wider than so many pixels, unless a single word is."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else ""
        if longer and measure(longer, ("sans-700", TEXT[1])) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _roster(made: Foot, roster: Roster, left: float, right: float) -> None:
    """The table: names, then a column for each kind of boxes or words."""
    starts, step = columns(roster, left, right)
    made.roster_top = made.bottom
    made.heads_of_foot.append(
        {"x": number(left), "y": number(made.bottom + 12), "text": roster.title, "large": True}
    )
    made.bottom += HEAD
    for x, name in zip(starts, roster.columns, strict=True):
        made.heads_of_foot.append(
            {
                "x": number(x),
                "y": number(made.bottom + 8),
                "text": name,
                "large": False,
                "wide": number(measure(name, COLUMN, 0.3)),
            }
        )
    made.bottom += HEAD - 8
    for row in roster.rows:
        made.bottom += ROW
        made.roster_rows.append(_line(row, left, right, starts, step, made.bottom - 8))
    made.bottom += 10


def columns(roster: Roster, left: float, right: float) -> tuple[list[float], float]:
    """Where the columns begin, and the pixels from box to box: as wide as there is room for."""
    names = max(measure(row.name, TITLE) for row in roster.rows) + 12
    step = STEP
    while True:
        wide = [
            max(measure(head, COLUMN) + 4, *(_width(row.cells[i], step) for row in roster.rows))
            for i, head in enumerate(roster.columns)
        ]
        gap = (right - left - names - sum(wide)) / max(len(wide), 1)
        if gap >= 5 or step <= LEAST:
            break
        step -= 0.5
    gap = max(3.0, min(gap, 34.0))
    starts, x = [], left + names
    for one in wide:
        starts.append(round(x, 1))
        x += one + gap
    return starts, step


def _width(cell: str | Boxes, step: float) -> float:
    return cell.count * step if isinstance(cell, Boxes) else measure(cell, TEXT)


def _line(
    row: Row, left: float, right: float, starts: Sequence[float], step: float, y: float
) -> Plain:
    ink = ink_of(row.owner, None)
    size = min(SIZE, step - 2)
    cells: list[Plain] = []
    end = left
    for x, cell in zip(starts, row.cells, strict=True):
        end = x + _width(cell, step)
        if isinstance(cell, Boxes) and cell.count:
            kept = cell.count - cell.lost
            boxes = [(round(x + i * step, 1), i >= kept) for i in range(cell.count)]
            cells.append({"boxes": boxes, "y": y - 4.5 - size / 2, "size": size})
        else:
            text = "-" if isinstance(cell, Boxes) else cell
            wide = number(measure(text, TEXT))
            cells.append({"boxes": [], "x": number(x), "text": text, "wide": wide})
    return {
        "x": left,
        "y": y,
        "to": number(min(end + 2, right)),
        "name": row.name,
        "wide": number(measure(row.name, TITLE)),
        "ink": WORDS.get(ink, ink),
        "fill": ink,
        "cells": cells,
        "struck": row.struck,
    }
