"""The chances of an analysis, as a replay shows them: a graph, turning points, luck and skill.

All of it is drawn when the page is made, so that it also shows where no script runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pbem.base.analysis_json import UNCLEAR, Analysis, Row, Turning
from pbem.charts.svg_path import number

WIDE, HIGH = 720.0, 230.0
LEFT, RIGHT, TOP, BOTTOM = 92.0, 14.0, 24.0, 30.0
"""The room around the lines, in pixels."""
TICKS = 8
"""Labels of windows below the graph, about."""
AXIS, BAR = 180.0, 90.0
"""Where bars begin, and the pixels of one of a hundred points, to either side."""


class Mark(Struct, frozen=True):
    """A turning point in the graph: a circle with its number, above or below the line."""

    number: int
    index: int
    x: str
    y: str
    at: str
    """The height of the line there."""


class Bar(Struct, frozen=True):
    """What luck or the orders of a side did, as a bar from the middle."""

    name: str
    side: int
    """The number of the side from 1; 0 for luck."""
    points: str
    """With its margin: `−66 ± 31`."""
    x: str
    width: str
    label: str
    """Where its number stands."""
    anchor: str


class Thought(Struct, frozen=True):
    """The chance as a side could think, from turn to turn."""

    name: str
    side: int
    """The number of the side from 1."""
    line: str


class Graph(Struct, frozen=True, kw_only=True):
    """What the template draws."""

    side: str
    """The name of the side whose chance it is."""
    line: str
    band: str
    """The 95 % intervals as the path of an area."""
    thought: tuple[Thought, ...]
    marks: tuple[Mark, ...]
    ticks: tuple[tuple[str, str], ...]
    """Place and words of the labels below."""
    levels: tuple[tuple[str, str], ...]
    """Height and words of the labels at the left."""
    turning: tuple[tuple[int, Turning, str, str, tuple[str, ...]], ...]
    """Frame, turning point, its change in points, what made it, and orders and dice below it."""
    bars: tuple[Bar, ...]
    start: str
    end: str
    playouts: str
    """How many from a window: `100 to 1,064`."""
    apart: int
    supposed: int
    """Games a turn from what a side could think."""
    widest: str
    """The widest interval, as `± 6`."""
    places: tuple[tuple[str, str, str], ...]
    """Of each frame: x and y of the line, and the chances in words. For the script."""
    left: float = LEFT
    right: float = WIDE - RIGHT
    wide: float = WIDE
    high: float = HIGH


def graph(found: Analysis, windows: Sequence[int]) -> Graph:
    """The graph of an analysis. windows: of the replay's frames, in order; the last is the end."""
    about = found.sides[0]
    rows = {row.window: row for row in found.rows}
    shown = [rows[w] for w in windows if w in rows]
    shared = 1 / len(found.sides)  # a draw
    end = 1.0 if found.result == about else 0.0 if found.result in found.sides else shared
    step = (WIDE - LEFT - RIGHT) / max(len(shown), 1)
    xs = [LEFT + i * step for i in range(len(shown) + 1)]
    values = [*(row.chance[about] for row in shown), end]
    index = {row.window: i for i, row in enumerate(shown)}
    return Graph(
        side=found.names[about],
        line=_path(xs, [_y(v) for v in values]),
        band=_band(xs, shown, about, end),
        thought=tuple(_thought(found, shown, xs, end)),
        marks=tuple(_mark(t, index[t.window] + 1, xs, values) for t in found.turning),
        ticks=_ticks(shown, xs),
        levels=tuple((number(_y(v)), f"{round(100 * v)}") for v in (1.0, 0.5, 0.0)),
        turning=tuple(
            (index[t.window] + 1, t, points(t.change), _made(found, t), tuple(_below(found, t)))
            for t in found.turning
        ),
        bars=tuple(_bars(found)),
        start=percent(found.start),
        end=percent(end),
        playouts=found.counts,
        apart=found.apart,
        supposed=found.thought,
        widest=f"{max((round(50 * (r.high[about] - r.low[about])) for r in shown), default=0)}",
        places=tuple(
            (number(x), number(_y(v)), said)
            for x, v, said in zip(xs, values, _said(found, shown, values), strict=True)
        ),
    )


def _made(found: Analysis, one: Turning) -> str:
    """What made a turning point, as far as luck was told apart."""
    if not found.apart:
        return ""
    told = ", ".join(f"{points(part)} by {what}" for part, what in one.parts(found.names))
    return told or UNCLEAR


def _below(found: Analysis, one: Turning) -> Iterator[str]:
    """The orders and dice of a turning point."""
    for side in one.orders:
        yield f"{found.names[side]}: {one.ordered(side)}"
    if one.dice:
        yield f"dice: {'; '.join(one.dice)}"


def _thought(
    found: Analysis, rows: Sequence[Row], xs: Sequence[float], end: float
) -> Iterator[Thought]:
    for number_, side in enumerate(found.sides, 1):
        at = [
            (x, row.thought[side]) for x, row in zip(xs, rows, strict=False) if side in row.thought
        ]
        if at:
            at.append((xs[-1], end))
            line = _path([x for x, _ in at], [_y(part) for _, part in at])
            yield Thought(found.names[side], number_, line)


def _said(found: Analysis, rows: Sequence[Row], values: Sequence[float]) -> Iterator[str]:
    """The chance of each frame in words, and what sides could think of it in the turn."""
    last: dict[str, float] = {}
    for value, row in zip(values, rows, strict=False):
        last.update(row.thought)
        thought = "".join(f", {found.names[s]} thought {percent(p)}" for s, p in last.items())
        yield percent(value) + thought
    yield percent(values[-1])


def _y(part: float) -> float:
    return TOP + (1 - part) * (HIGH - TOP - BOTTOM)


def _path(xs: Sequence[float], ys: Sequence[float]) -> str:
    points = [f"{number(x)} {number(y)}" for x, y in zip(xs, ys, strict=True)]
    return "M" + "L".join(points)


def _band(xs: Sequence[float], rows: Sequence[Row], about: str, end: float) -> str:
    above = [_y(row.high[about]) for row in rows] + [_y(end)]
    below = [_y(row.low[about]) for row in rows] + [_y(end)]
    back = _path(xs[::-1], below[::-1]).replace("M", "L", 1)
    return f"{_path(xs, above)}{back}Z"


def _mark(one: Turning, at: int, xs: Sequence[float], values: Sequence[float]) -> Mark:
    """At the window that follows, above the line after a rise and below it after a fall."""
    y = _y(values[at])
    away = y - 17 if one.change > 0 else y + 17
    inside = min(max(away, 11), HIGH - BOTTOM - 11)
    return Mark(one.number, at, number(xs[at]), number(inside), number(y))


def _ticks(rows: Sequence[Row], xs: Sequence[float]) -> tuple[tuple[str, str], ...]:
    every = max(1, round(len(rows) / TICKS))
    return tuple((number(xs[i]), str(row.window)) for i, row in enumerate(rows) if i % every == 0)


def _bars(found: Analysis) -> list[Bar]:
    made = [_bar("The dice", 0, found.luck, found.luck_margin)]
    made += [
        _bar(f"Orders: {found.names[s]}", i, found.skill[s], found.skill_margin.get(s, 0))
        for i, s in enumerate(found.sides, 1)
    ]
    return made


def _bar(name: str, side: int, part: float, margin: float) -> Bar:
    long = min(abs(part), 1.0) * BAR
    x = AXIS if part >= 0 else AXIS - long
    label = x + long + 6 if part >= 0 else x - 6
    anchor = "start" if part >= 0 else "end"
    said = f"{points(part)} ± {round(100 * margin)}"
    return Bar(name, side, said, number(x), number(long), number(label), anchor)


def percent(part: float) -> str:
    """A chance in words: `18 %`."""
    return f"{round(100 * part)} %"


def points(part: float) -> str:
    """A change in points of a hundred, with its sign; a nought has none."""
    whole = round(100 * part)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "0"
