"""The text of names on a chart: broken into lines, measured with the shipped fonts, and placed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from pbem.charts.label_placement import Sheet, Spot, Want, box, leader, place
from pbem.charts.svg_path import number, path
from pbem.model import Plain

FULL = 150
"""The width in pixels at which a name is broken."""
BOLD, PLAIN = ("sans-700", 11.0), ("sans-400", 10.0)
"""Font and size in pixels."""
LEADING = 12.0
"""Pixels from line to line."""


class Word(Struct, frozen=True):
    """A piece of a name."""

    text: str
    bold: bool = False
    id: str = ""
    """The unit or contact that it names; empty: neither."""


Text = list[list[Word]]
"""The words of each line."""


class Tag(Struct, frozen=True):
    """A name that is to be placed."""

    want: Want
    """Its size, and the thing that it names."""
    lines: Text
    ink: str
    """The name of its colour in a theme."""
    plate: bool = False
    """Whether it stands on a plate with an edge of its colour."""


def tag(x: float, y: float, gx: float, gy: float, lines: Text, ink: str) -> Tag:
    """A name for a thing with its middle at (x, y) that reaches gx and gy to each side."""
    wide = max(width(line) for line in lines) + 6
    return Tag(Want(x, y, gx + 2, gy + 2, wide, LEADING * len(lines) + 2), lines, ink)


def plate(x: float, y: float, gx: float, gy: float, line: list[Word], ink: str) -> Tag:
    """A name on a plate, of one line, for a thing as in `tag`."""
    wide = width(line) + 12
    return Tag(Want(x, y, gx + 2, gy + 2, wide, LEADING + 6), [line], ink, plate=True)


def fold(paragraphs: Iterable[list[Word]]) -> Text:
    """Break each paragraph into lines no wider than FULL, unless a single word is wider."""
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
    """Each word with the separator before it: nothing at the start of a line, a gap between a force
    and its first member, else a dot."""
    for i, word in enumerate(line):
        before = line[i - 1].bold and not word.bold if i else False
        yield ("" if not i else "  " if before else " · ", word)


def width(line: list[Word]) -> float:
    """The width of a line in pixels."""
    return sum(
        measure(gap, PLAIN) + measure(w.text, BOLD if w.bold else PLAIN) for gap, w in spaced(line)
    )


def measure(text: str, font: tuple[str, float], spacing: float = 0) -> float:
    """The width of a text in pixels. font: name and size. spacing: pixels after each character.

    Characters of unknown width count as wide ones.
    """
    table = metrics()[font[0]]
    units = sum(table[ord(c) - 32] if " " <= c <= "~" else WIDE.get(c, 700) for c in text)
    return units * font[1] / 1000 + spacing * len(text)


WIDE = {"·": 260, "°": 400}
"""Widths of characters that are not in the metrics, in thousandths of the font size."""


@cache
def metrics() -> dict[str, list[int]]:
    """Font -> the widths of the characters from space to `~`, in thousandths of the font size.

    Written by tools/build_fonts.py, so that measuring does not need to load a font.
    """
    from msgspec.json import decode

    from pbem.data import read

    return decode(read("templates", "fonts/metrics.json"), type=dict[str, list[int]])


def write(tags: list[Tag], sheet: Sheet) -> list[Plain]:
    """Place the names; returns what the template writes. Tests read `rect`, the box of a name."""
    spots = place((t.want for t in tags), sheet)
    return [_name(t, spot) for t, spot in zip(tags, spots, strict=True) if spot]


def _name(t: Tag, spot: Spot) -> Plain:
    """A placed name: aligned to its thing, so that the end near the thing does not move if a
    viewer without the fonts sets the text wider."""
    want = t.want
    left, top, right, bottom = box(want, spot)
    near = want.w / 2
    anchor = "start" if left > want.x - 2 else "end" if right < want.x + 2 else "middle"
    anchor = "middle" if abs(spot.x - want.x) < near / 2 else anchor
    pad, lift = (6, 1) if t.plate else (3, -2)
    x = {"start": left + pad, "end": right - pad, "middle": spot.x}[anchor]
    rows = [
        (
            number(top + LEADING * (i + 1) + lift),
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
        "plate": [number(v) for v in (left, top, want.w, want.h)] if t.plate else [],
        "leader": path(leader(want, box(want, spot))) if spot.leader else "",
    }


def slug(id_: str) -> str:
    """An id of the report as part of an XML name."""
    return "".join(c if c.isalnum() and c.isascii() else "_" for c in id_)
