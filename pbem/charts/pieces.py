"""The pieces of a chart's SVG: what is printed on the map, which hardly changes, and what does.

`templates/base/chart.svg.j2` puts what is printed on the map between comments, so that a picture of
it can be kept and only the rest has to be drawn for the next chart.
"""

from __future__ import annotations

import re

from msgspec import Struct

_PIECE = re.compile(r"<!--board ([^>]*)-->(.*?)<!--/board-->", re.S)
_MOVED = re.compile(r'\A<g class="board" transform="translate\(([-\d.]+) ([-\d.]+)\)">')
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="(\d+)" height="(\d+)"')
_PAPER = re.compile(r'\A\s*<rect width="[\d.]+" height="[\d.]+" fill="(#[0-9a-f]{6})"/>')
_USED = re.compile(r'(?:url\(#|href="#)([-\w]+)')
_DEFINED = re.compile(
    r'<(?:path|use) id="([-\w]+)"[^>]*/>|<(g|marker|pattern|radialGradient) id="([-\w]+)".*?</\2>',
    re.S,
)


class Board(Struct, frozen=True):
    """A piece that is printed on the map."""

    frame: tuple[float, float, float, float]
    """Where it shows on the chart: left, top, right, bottom, in units of the SVG."""
    origin: tuple[float, float]
    """Where the corner of the board lies on the chart."""
    content: str
    """Its elements, in coordinates of the board, with what they need of `<defs>`."""


class Pieces(Struct, frozen=True):
    """A chart's SVG, taken apart."""

    size: tuple[int, int]
    """Width and height of the picture, in pixels."""
    zoom: float
    """Pixels of the picture to a unit."""
    paper: str
    """The colour below everything, as `#rrggbb`; empty: none."""
    parts: tuple[Board | str, ...]
    """From the lowest to the topmost: a piece of the board, or a whole SVG of other elements."""


def pieces(svg: str) -> Pieces:
    """Take a chart's SVG apart. An SVG without such comments is one part."""
    size = _SIZE.search(svg)
    if size is None:
        return Pieces((0, 0), 1, "", (svg,))
    wide, high, shown = float(size[1]), float(size[2]), int(size[3])
    start = svg.index("</defs>") + len("</defs>")
    head, body = svg[:start], svg[start : svg.rindex("</svg>")]
    paper = _PAPER.match(body)
    if paper and _PIECE.search(body):
        body = body[paper.end() :]
    parts: list[Board | str] = []
    at = 0
    for found in _PIECE.finditer(body):
        parts += _drawn(head, body[at : found.start()])
        board = _board(head, found[1], found[2])
        last = parts[-1] if parts else ""
        if isinstance(last, Board) and last.frame == board.frame:
            parts.pop()
            board = Board(board.frame, board.origin, last.content + board.content)
        parts.append(board)
        at = found.end()
    parts += _drawn(head, body[at:])
    last = parts[-1]
    if isinstance(last, Board) and last.frame[2:] == (wide, high):
        # nothing else is drawn where the legend stands, so the rest has no need of that place
        less = last.frame[1]
        pixels = f'width="{shown}" height="{round(less * shown / wide)}"'
        head = _SIZE.sub(f'viewBox="0 0 {wide:g} {less:g}" {pixels}', head, count=1)
        parts = [p if isinstance(p, Board) else head + p[start:] for p in parts]
    return Pieces(
        (shown, int(size[4])), shown / wide, paper[1] if paper and at else "", tuple(parts)
    )


def _drawn(head: str, body: str) -> list[str]:
    """Elements as a whole SVG; none if there are none."""
    return [f"{head}{body}</svg>"] if "<" in body else []


def _board(head: str, frame: str, body: str) -> Board:
    left, top, wide, high = map(float, frame.split())
    moved = _MOVED.match(body)
    origin = (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)
    content = body[moved.end() : body.rindex("</g>")] if moved else body
    return Board((left, top, left + wide, top + high), origin, f"{_needed(head, content)}{content}")


def _needed(head: str, content: str) -> str:
    """Of the definitions in `head` those that the content uses, and those that they use."""
    known = {
        m[1] or m[3]: m[0] for m in _DEFINED.finditer(head, head.index("<defs>") + len("<defs>"))
    }
    wanted: dict[str, None] = {}
    more = [content]
    while more:
        for name in _USED.findall(more.pop()):
            if name in known and name not in wanted:
                wanted[name] = None
                more.append(known[name])
    return f"<defs>{''.join(known[name] for name in known if name in wanted)}</defs>"
