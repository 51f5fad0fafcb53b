"""A number of each side from window to window, as a small chart in steps."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.charts.svg_path import number
from pbem.charts.themes import LIGHT
from pbem.story.plot import Figure, Moment

WIDE, HIGH = 420.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 8.0, 30.0, 26.0
"""The room around the lines, in pixels."""


class Curve(Struct, frozen=True):
    """One line of a chart."""

    name: str
    last: str
    """Its last value."""
    ink: str
    """The name of its colour."""
    dashed: bool
    d: str
    """The line as an SVG path."""


class Curves(Struct, frozen=True):
    """A chart, in pixels."""

    title: str
    curves: tuple[Curve, ...]
    marks: tuple[tuple[str, int], ...]
    """Where each turning point is, and its number."""
    lines: tuple[tuple[str, str], ...]
    """Each horizontal line: its height, and the value there."""
    wide: float = WIDE
    high: float = HIGH
    said: str = ""
    """The chart in a sentence for screen readers."""


def curves(figure: Figure, moments: Sequence[Moment], inks: Sequence[str]) -> Curves:
    """The chart of a figure. inks: the names of the colours of its lines."""
    windows = len(figure.values[0])
    low = min(0.0, *(min(line) for line in figure.values))
    most = max(1.0, *(max(line) for line in figure.values))
    step = (WIDE - LEFT - RIGHT) / max(windows - 1, 1)

    def x(index: int) -> float:
        return LEFT + index * step

    def y(value: float) -> float:
        return HIGH - BOTTOM - (value - low) / (most - low) * (HIGH - TOP - BOTTOM)

    drawn = tuple(
        Curve(
            name,
            _value(values[-1]),
            ink,
            i > 0,
            _steps([x(k) for k in range(windows)], [y(v) for v in values]),
        )
        for i, (name, values, ink) in enumerate(
            zip(figure.names, figure.values, inks, strict=False)
        )
    )
    said = ", ".join(f"{c.name} {c.last}" for c in drawn)
    return Curves(
        title=figure.title,
        curves=drawn,
        marks=tuple((number(x(m.index)), m.number) for m in moments),
        lines=tuple((number(y(v)), _value(v)) for v in (low, (low + most) / 2, most)),
        said=f"{figure.title} from window to window; at the end {said}.",
    )


def _steps(xs: Sequence[float], ys: Sequence[float]) -> str:
    """A path that goes to each value in a step."""
    start = f"M{number(xs[0])} {number(ys[0])}"
    return start + "".join(f"H{number(x)}V{number(y)}" for x, y in zip(xs[1:], ys[1:], strict=True))


def _value(value: float) -> str:
    """A number without needless digits."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


NAMED = {name: f"var(--{name})" for name in LIGHT}
"""The colours of a chart inside a page."""
