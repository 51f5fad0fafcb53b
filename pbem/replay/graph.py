"""The chances of an analysis, as a replay shows them: a graph, turning points, luck and skill.

All of it is drawn when the page is made, so that it also shows where no script runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pbem.base.analysis_json import UNCLEAR, Analysis, Row, Turning
from pbem.charts.svg_path import number
from pbem.text.layout import within

WIDE, HIGH = 720.0, 320.0
LEFT, RIGHT, TOP, BOTTOM = 92.0, 22.0, 44.0, 36.0
"""The room around the lines, in pixels."""
TICKS = 8
"""Labels of windows below the graph, about."""
ROUND, AWAY = 17.0, 26.0
"""The radius of a mark, whose number is to be read on a phone, and how far from the line it is."""
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
    places: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Of each frame: x and y of the line, and in words its chance, what each side of `thought`
    could think, and how the chance had moved. For the script; the first are also on the page."""
    mark: float = ROUND
    left: float = LEFT
    right: float = WIDE - RIGHT
    wide: float = WIDE
    high: float = HIGH


def graph(found: Analysis, windows: Sequence[int]) -> Graph:
    """The graph of an analysis. windows: of the replay's frames, in order; the last is the end."""
    about = found.sides[0]
    rows = {row.window: row for row in found.rows}
    shown = [rows[w] for w in windows if w in rows]
    end = found.end
    step = (WIDE - LEFT - RIGHT) / max(len(shown), 1)
    xs = [LEFT + i * step for i in range(len(shown) + 1)]
    values = [*(row.chance[about] for row in shown), end]
    index = {row.window: i for i, row in enumerate(shown)}
    return Graph(
        side=within(found.names[about]),
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
    return _parts(found, one) or UNCLEAR


def _parts(found: Analysis, one: Turning) -> str:
    """What dice and orders gave to it for certain; empty where that is nothing."""
    names = {side: within(name) for side, name in found.names.items()}
    return ", ".join(f"{points(part)} by {what}" for part, what in one.parts(names))


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
            yield Thought(within(found.names[side]), number_, line)


def _said(
    found: Analysis, rows: Sequence[Row], values: Sequence[float]
) -> Iterator[tuple[str, ...]]:
    """Of each frame its chance, what sides could think in its turn, and how the chance moved."""
    thinking = [side for side in found.sides if any(side in row.thought for row in rows)]
    last: dict[str, float] = {}
    moved = "at the start"
    for value, then, row in zip(values, values[1:], rows, strict=False):
        last.update(row.thought)
        thought = (percent(last[side]) if side in last else "" for side in thinking)
        yield percent(value), *thought, moved
        moved = _moved(found, row, round(100 * then) - round(100 * value))
    yield percent(values[-1]), *("" for _ in thinking), moved


def _moved(found: Analysis, row: Row, change: int) -> str:
    """How a window moved the chance: `−60 points since the window before: −12 by the dice`.

    change: in points, as the chances before and after it are shown."""
    if not change:
        return "unchanged since the window before"
    said = f"{signed(change)} points since the window before"
    about = found.sides[0]
    if abs(row.change) < row.high[about] - row.low[about]:
        return f"{said}, which may be chance"
    one = Turning(
        0,
        row.window,
        row.label,
        row.change,
        row.luck,
        "",
        skill=row.skill,
        luck_margin=row.luck_margin,
        skill_margin=row.skill_margin,
    )
    made = _parts(found, one) if found.apart else ""
    return f"{said}: {made}" if made else said


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
    away = y - AWAY if one.change > 0 else y + AWAY
    inside = min(max(away, ROUND), HIGH - BOTTOM - ROUND)
    return Mark(one.number, at, number(xs[at]), number(inside), number(y))


def _ticks(rows: Sequence[Row], xs: Sequence[float]) -> tuple[tuple[str, str], ...]:
    every = max(1, round(len(rows) / TICKS))
    return tuple((number(xs[i]), str(row.window)) for i, row in enumerate(rows) if i % every == 0)


def _bars(found: Analysis) -> list[Bar]:
    names = ["The dice", *(f"Orders: {found.names[side]}" for side in found.sides)]
    margins = [found.luck_margin, *(found.skill_margin.get(side, 0) for side in found.sides)]
    parts = zip(names, found.whole_parts, margins, strict=True)
    return [_bar(name, i, part, margin) for i, (name, part, margin) in enumerate(parts)]


def _bar(name: str, side: int, part: int, margin: float) -> Bar:
    """part: in points."""
    long = min(abs(part), 100) / 100 * BAR
    x = AXIS if part >= 0 else AXIS - long
    label = x + long + 6 if part >= 0 else x - 6
    anchor = "start" if part >= 0 else "end"
    said = f"{signed(part)} ± {round(100 * margin)}"
    return Bar(name, side, said, number(x), number(long), number(label), anchor)


def percent(part: float) -> str:
    """A chance in words: `18 %`."""
    return f"{round(100 * part)} %"


def points(part: float) -> str:
    """A change in points of a hundred, with its sign; a nought has none."""
    return signed(round(100 * part))


def signed(whole: int) -> str:
    """Points with their sign; a nought has none."""
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "0"
