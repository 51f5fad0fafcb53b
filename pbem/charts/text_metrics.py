"""Names on a chart: folded into lines, measured by the shipped fonts, put where there is room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from pbem.charts.label_placement import Sheet, Spot, Want, box, leader, place
from pbem.charts.svg_path import number, path
from pbem.model import Plain

FULL = 150
"""A name's text is folded at this width."""
BOLD, PLAIN = ("sans-700", 11.0), ("sans-400", 10.0)
LEADING = 12.0


class Word(Struct, frozen=True):
    """A piece of a name; id: of the unit or contact that it stands for, empty for none."""

    text: str
    bold: bool = False
    id: str = ""


Text = list[list[Word]]


class Tag(Struct, frozen=True):
    """A name that wants a place: its words by line, its thing and the colour's key."""

    want: Want
    lines: Text
    ink: str


def tag(x: float, y: float, gx: float, gy: float, lines: Text, ink: str) -> Tag:
    """A name for a thing that reaches gx and gy from (x, y)."""
    wide = max(width(line) for line in lines) + 6
    return Tag(Want(x, y, gx + 2, gy + 2, wide, LEADING * len(lines) + 2), lines, ink)


def fold(paragraphs: Iterable[list[Word]]) -> Text:
    """Words into lines no wider than FULL; every word keeps the dot that parts it."""
    lines: Text = []
    for words in paragraphs:
        line: list[Word] = []
        for word in words:
            if line and width([*line, word]) > FULL:
                lines.append(line)
                line = []
            line.append(word)
        lines.append(line)
    return lines


def spaced(line: list[Word]) -> Iterator[tuple[str, Word]]:
    """Each word with what stands before it: nothing, a gap after a force, or a dot."""
    for i, word in enumerate(line):
        before = line[i - 1].bold and not word.bold if i else False
        yield ("" if not i else "  " if before else " · ", word)


def width(line: list[Word]) -> float:
    """Pixels of a line of words."""
    return sum(
        measure(gap, PLAIN) + measure(w.text, BOLD if w.bold else PLAIN) for gap, w in spaced(line)
    )


def measure(text: str, font: tuple[str, float], spacing: float = 0) -> float:
    """Pixels of a text; a sign without a known width counts as a wide one."""
    table = metrics()[font[0]]
    units = sum(table[ord(c) - 32] if " " <= c <= "~" else WIDE.get(c, 700) for c in text)
    return units * font[1] / 1000 + spacing * len(text)


WIDE = {"·": 260, "°": 400}


@cache
def metrics() -> dict[str, list[int]]:
    """Widths of the shipped fonts (tools/build_fonts.py)."""
    from msgspec.json import decode

    from pbem.data import read

    return decode(read("templates", "fonts/metrics.json"), type=dict[str, list[int]])


def write(tags: list[Tag], sheet: Sheet) -> list[Plain]:
    """The names with their places; the tests read `rect`."""
    spots = place((t.want for t in tags), sheet)
    return [_name(t, spot) for t, spot in zip(tags, spots, strict=True) if spot]


def _name(t: Tag, spot: Spot) -> Plain:
    want = t.want
    left, top, right, bottom = box(want, spot)
    near = want.w / 2
    anchor = "start" if left > want.x - 2 else "end" if right < want.x + 2 else "middle"
    anchor = "middle" if abs(spot.x - want.x) < near / 2 else anchor
    x = {"start": left + 3, "end": right - 3, "middle": spot.x}[anchor]
    rows = [
        (
            number(top + LEADING * (i + 1) - 2),
            number(width(line)),
            [(gap, w.text, w.bold, slug(w.id)) for gap, w in spaced(line)],
        )
        for i, line in enumerate(t.lines)
    ]
    return {
        "rect": (left, top, right, bottom),
        "x": number(x),
        "anchor": anchor,
        "rows": rows,
        "ink": t.ink,
        "leader": path(leader(want, box(want, spot))) if spot.leader else "",
    }


def slug(id_: str) -> str:
    """An id of the report as an XML name."""
    return "".join(c if c.isalnum() and c.isascii() else "_" for c in id_)
