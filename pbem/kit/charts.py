"""What the charts of games share: middles of cells, notes of age, courses, rings, the focus.

A game's `scene(report)` builds a `pbem.scene.Scene` with these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, Protocol

from pbem.kit.grids import Lattice
from pbem.scene import Box, Grid, Point

LOW = 3**0.5 / 2
"""From one row of hexes to the next, in widths of a hex; of flat ones from column to column."""
SHAPES: Mapping[str, Literal["square", "hex", "flat"]] = {
    "square": "square",
    "pointed": "hex",
    "flat": "flat",
}
"""What a scene calls the cells of a lattice."""


class Scored(Protocol):
    """A side's points in a report."""

    @property
    def name(self) -> str:
        """The side's printed name."""

    @property
    def points(self) -> int:
        """Its points so far."""


class Somewhere(Protocol):
    """A unit or a contact in a report."""

    @property
    def place(self) -> str:
        """Its cell."""


# Cells


def middle(lattice: Lattice, cell: str) -> Point:
    """The middle of a cell in the units of a scene. The place (0, 0) of the lattice is the origin,
    and neighbours are 1 apart."""
    q, r = lattice.place(cell)
    if lattice.shape == "square":
        return float(q), float(r)
    return (q + r / 2, r * LOW) if lattice.shape == "pointed" else (q * LOW, r + q / 2)


def brick(lattice: Lattice, cell: str) -> Point:
    """The middle of a cell of pointed hexes drawn as squares, each row shifted as its hexes lie."""
    q, r = lattice.place(cell)
    return q + r / 2, float(r)


def grid(lattice: Lattice, cells: Iterable[str], faint: Iterable[str] = ()) -> Grid:
    """The cells of a board as hexes or squares. faint: those that are drawn without their name."""
    middles = {cell: middle(lattice, cell) for cell in cells}
    return Grid(middles, SHAPES[lattice.shape], frozenset(faint))


# Contacts


def ago(age: int, now: str = "now") -> str:
    """How old a sighting is: `now`, `1 turn ago`, `3 turns ago`."""
    return now if not age else f"{age} turn{'' if age == 1 else 's'} ago"


def onward(trail: tuple[Point, ...], here: Point) -> Point | None:
    """The last known course, carried on as far again; None without a trail."""
    if not trail:
        return None
    (x, y), (u, v) = trail[-1], here
    return 2 * u - x, 2 * v - y


def ring(lattice: Lattice, here: Point, steps: int, low: float = LOW) -> tuple[Point, ...]:
    """The edge of all cells within so many steps, clockwise, around the middle of one.

    low: from row to row of hexes in widths of a hex; 1 for bricks.
    """
    x, y = here
    n, half = steps + 0.5, steps / 2 + 0.5
    if lattice.shape == "square" and lattice.corners:
        return ((x - n, y - n), (x + n, y - n), (x + n, y + n), (x - n, y + n))
    if lattice.shape == "square":
        return ((x, y - n), (x + n, y), (x, y + n), (x - n, y))
    high = n * low
    if lattice.shape == "flat":
        return tuple((x + v, y + u) for u, v in reversed(_hexagon(half, n, high)))
    return tuple((x + u, y + v) for u, v in _hexagon(half, n, high))


def _hexagon(half: float, n: float, high: float) -> tuple[Point, ...]:
    return ((-half, -high), (half, -high), (n, 0), (half, high), (-half, high), (-n, 0))


# Head and detail


def points(scores: Iterable[Scored]) -> Box:
    """The fact in the head that says each side's points."""
    return Box("Points", " · ".join(f"{score.name} {score.points}" for score in scores))


def places(at: Callable[[str], Point], items: Iterable[Somewhere]) -> tuple[Point, ...]:
    """Where units and contacts are, each place once, in their order: the focus of the detail."""
    return tuple(dict.fromkeys(at(item.place) for item in items))
