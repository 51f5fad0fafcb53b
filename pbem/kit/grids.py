"""Boards of cells: squares, hexes, areas; neighbours, distances, lines and ways between cells.

A `Lattice` computes with the names of its cells (`K14`, `2930`) and has no edge: which cells are
on the board, and where a unit may go, is the game's to say. The functions below find ways over any
board, by its own steps. Everything is exact (whole numbers) and always in the same order, and stays
within the Python that order checks may use on the order page.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Literal, TypeVar

from msgspec import Struct

Cell = TypeVar("Cell", bound=str)
"""The name of a cell: `str`, or a game's own type of it."""
Pair = tuple[int, int]
Rank = tuple[int, ...]
"""What decides between equally short ways: the lowest goes first."""

HEXES: tuple[Pair, ...] = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))
SQUARES: tuple[Pair, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))
CORNERS: tuple[Pair, ...] = (*SQUARES, (-1, -1), (1, -1), (-1, 1), (1, 1))
_STAGGER: Mapping[str, Pair] = {"odd": (1, 0), "even": (1, -1), "each": (0, 0), "back": (2, 0)}
_LETTER_A = 65


class Lattice(Struct, frozen=True, cache_hash=True):
    """How the cells of a board are named and how they touch.

    A name has two parts: a letter (A is 0) and a number, or two numbers of `digits` digits. For
    calculations each cell has a place (q, r). Of hexes it is axial: q counts along a row and r from
    row to row (pointed), or q from column to column and r along a column (flat).

    `Lattice("pointed", stagger="back")` is a board whose rows, A in the north, each lie half a hex
    further west: Bismarck's. `Lattice("flat", first="column", stagger="even", letters=False,
    digits=2)` has hexes `0101` to `4543`, even columns half a hex lower.
    """

    shape: Literal["square", "pointed", "flat"]
    """`pointed`: hexes with a corner at the top, in straight rows. `flat`: hexes with a flat top,
    in straight columns."""
    first: Literal["row", "column"] = "row"
    """What the first part of a name counts."""
    stagger: Literal["odd", "even", "each", "back"] = "odd"
    """Of hexes, which rows lie half a hex further east, or columns half a hex further south: the
    odd ones, the even ones, each against the one before; or `back`, each the other way."""
    corners: bool = False
    """Of squares: do they touch at their corners, too?"""
    letters: bool = True
    """Is the first part of a name a letter?"""
    digits: int = 0
    """Digits of each number; 0: as many as it needs."""

    def parts(self, name: str) -> Pair:
        """The two parts of a name as numbers. Raises ValueError for what is no name."""
        if self.letters:
            return ord(name[0]) - _LETTER_A, int(name[1:])
        return int(name[: self.digits]), int(name[self.digits :])

    def name(self, first: int, second: int) -> str:
        """The cell with these parts. Beyond the letters and digits of a board it has some name,
        which is not one of the board's."""
        head = chr(_LETTER_A + first) if self.letters else _padded(first, self.digits)
        return head + _padded(second, self.digits)

    def shaped(self, token: str) -> bool:
        """Is an upper-case token shaped like a name (`Grammar.place`)? Of a letter and a number of
        any length, numbers have one or two digits."""
        number = token[1:] if self.letters else token
        if not number.isdigit() or (self.letters and not "A" <= token[0] <= "Z"):
            return False
        if self.digits:
            return len(number) == (self.digits if self.letters else 2 * self.digits)
        return len(number) <= 2

    def place(self, name: str) -> Pair:
        """The cell's place (q, r)."""
        return _place(self, name)

    def at(self, q: int, r: int) -> Pair:
        """The parts of the name of the cell in a place."""
        slope, start = _STAGGER[self.stagger]
        row, column = r, q
        if self.shape == "pointed":
            column = q + (slope * r + start) // 2
        elif self.shape == "flat":
            row = r + (slope * q + start) // 2
        return (row, column) if self.first == "row" else (column, row)

    def around(self, name: str) -> tuple[str, ...]:
        """The neighbours of a cell in the order of their names, on the board or not."""
        first, second = self.parts(name)
        staggered = first if (self.first == "row") == (self.shape == "pointed") else second
        return tuple([self.name(first + a, second + b) for a, b in _touching(self, staggered % 2)])

    def distance(self, a: str, b: str) -> int:
        """Steps from one cell to another over an open board."""
        (q, r), (to_q, to_r) = self.place(a), self.place(b)
        across, down = to_q - q, to_r - r
        if self.shape != "square":
            return max(abs(across), abs(down), abs(across + down))
        return max(abs(across), abs(down)) if self.corners else abs(across) + abs(down)

    def within(self, name: str, steps: int) -> tuple[str, ...]:
        """All cells at most so many steps away, the cell itself included, in the order of their
        names, on the board or not."""
        q, r = self.place(name)
        square = range(-steps, steps + 1)
        near = sorted(self.at(q + x, r + y) for x in square for y in square)
        cells = [self.name(first, second) for first, second in near]
        return tuple(cell for cell in cells if self.distance(name, cell) <= steps)

    def ring(self, name: str, steps: int) -> tuple[str, ...]:
        """All cells exactly so many steps away, in the order of their names."""
        return tuple(c for c in self.within(name, steps) if self.distance(name, c) == steps)

    def span(self, first: str, last: str) -> tuple[str, ...]:
        """`F19-F21` (`Grammar.between`): the cells whose names begin alike, from the lower number
        to the higher; empty where the names do not begin alike, or the second number is lower."""
        (a, low), (b, high) = self.parts(first), self.parts(last)
        return tuple(self.name(a, n) for n in range(low, high + 1)) if a == b else ()

    def line(self, start: str, end: str) -> tuple[str, ...]:
        """The cells on the straight line between the middles of two cells, without the first. Where
        it runs along a side, the cell whose name comes first is taken."""
        cells = walk(
            partial(_around, self),
            start,
            end,
            lambda cell: self.distance(cell, end),
            lambda cell: (self.aside(start, end, cell), *self.parts(cell)),
        )
        return cells or ()

    def aside(self, start: str, end: str, cell: str) -> int:
        """How far a cell lies off the straight line from start to end: 0 on it; comparable between
        cells for one line."""
        (x0, y0), (x1, y1), (x, y) = self.plane(start), self.plane(end), self.plane(cell)
        return abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0))

    def plane(self, name: str) -> Pair:
        """The middle of a cell east and south, in units that differ between the two."""
        q, r = self.place(name)
        if self.shape == "square":
            return q, r
        return (2 * q + r, r) if self.shape == "pointed" else (q, 2 * r + q)


@lru_cache(maxsize=8192)
def _place(lattice: Lattice, name: str) -> Pair:
    return _axial(lattice, *lattice.parts(name))


@lru_cache(maxsize=64)
def _touching(lattice: Lattice, odd: int) -> tuple[Pair, ...]:
    """What to add to the parts of a cell's name for its neighbours, in the order of their names.
    odd: 1 for a cell in an odd row or column, of those that are staggered; else 0."""
    q, r = _axial(lattice, odd, odd)  # any cell of that kind
    steps = HEXES if lattice.shape != "square" else CORNERS if lattice.corners else SQUARES
    near = sorted(lattice.at(q + x, r + y) for x, y in steps)
    return tuple((first - odd, second - odd) for first, second in near)


def _axial(lattice: Lattice, first: int, second: int) -> Pair:
    """The place (q, r) of the cell whose name has these parts."""
    row, column = (first, second) if lattice.first == "row" else (second, first)
    if lattice.shape == "square":
        return column, row
    slope, start = _STAGGER[lattice.stagger]
    if lattice.shape == "pointed":
        return column - (slope * row + start) // 2, row
    return column, row - (slope * column + start) // 2


def _around(lattice: Lattice, cell: str) -> tuple[str, ...]:
    """Methods themselves cannot be passed on by what order checks ask."""
    return lattice.around(cell)


def _padded(number: int, digits: int) -> str:
    text = str(number)
    return text if len(text) >= digits else "0000"[: digits - len(text)] + text


class AreaGraph(Struct, frozen=True):
    """A board of areas that are joined by ways.

    `AreaGraph({"1": ("2", "3")}, {"canal": {"1": ("3",)}})`: the way from 1 to 3 is a canal.
    """

    ways: Mapping[str, tuple[str, ...]]
    """By area: where a unit gets from it in one move, in the order of the board."""
    marks: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    """By mark: those of the ways that have it, and that some may not use."""

    def near(self, area: str, shut: Sequence[str] = ()) -> tuple[str, ...]:
        """Where a unit gets in one move that may not use ways with the marks `shut`. Raises
        KeyError for what is no area or mark."""
        closed = [way for mark in shut for way in self.marks[mark].get(area, ())]
        return tuple(way for way in self.ways[area] if way not in closed)


def distances(
    near: Callable[[Cell], Iterable[Cell]], origin: Cell, until: Cell | None = None
) -> dict[Cell, int]:
    """Steps from `origin` to each cell that can be reached, nearest first.

    near: where a unit may go from a cell in one step, in a fixed order. until: look no further than
    necessary to know this cell's distance.
    """
    found = {origin: 0}
    edge = deque([origin])
    while edge and (until is None or until not in found):
        at = edge.popleft()
        for to in near(at):
            if to not in found:
                found[to] = found[at] + 1
                edge.append(to)
    return found


def walk(
    near: Callable[[Cell], Iterable[Cell]],
    start: Cell,
    end: Cell,
    far: Callable[[Cell], int],
    rank: Callable[[Cell], Rank],
) -> tuple[Cell, ...] | None:
    """The way from start to end, without its start, by steps that each lead one nearer.

    far: the distance of a cell to the end. rank: which of several such steps is taken, the lowest.
    None where no step leads nearer: an obstacle lies between, unless `far` knows the way round it.
    """
    way: list[Cell] = []
    at, left = start, far(start)
    while at != end:
        left -= 1
        nearer = [cell for cell in near(at) if far(cell) == left]
        if not nearer:
            return None
        at = nearer[0] if len(nearer) == 1 else min(nearer, key=rank)
        way.append(at)
    return tuple(way)


def safest(
    near: Callable[[Cell], Iterable[Cell]],
    start: Cell,
    end: Cell,
    far: Callable[[Cell], int],
    cost: Callable[[Cell], int],
    rank: Callable[[Cell], Rank],
) -> tuple[Cell, ...] | None:
    """The way of `walk` whose cells cost least in all; of several such ways the one whose first
    differing step has the lowest rank.

    cost: of entering a cell, 0 or more. None where there is no such way.
    """
    nearer: dict[Cell, list[Cell]] = {}
    rows = [[start]]
    for left in range(far(start) - 1, -1, -1):
        row: dict[Cell, None] = {}
        for at in rows[-1]:
            nearer[at] = [cell for cell in near(at) if far(cell) == left]
            row |= dict.fromkeys(nearer[at])
        rows.append(list(row))
    into = {end: cost(end)}
    """What it costs to enter a cell and to go on from there to the end."""
    for row_ in reversed(rows[:-1]):
        for at in row_:
            onward = [into[cell] for cell in nearer[at] if cell in into]
            if onward:
                into[at] = cost(at) + min(onward)
    if start not in into:
        return None
    at, way = start, list[Cell]()
    while at != end:
        on = [cell for cell in nearer[at] if cell in into]
        least = min(into[cell] for cell in on)
        at = min((cell for cell in on if into[cell] == least), key=rank)
        way.append(at)
    return tuple(way)


def path(
    near: Callable[[Cell], Iterable[Cell]],
    start: Cell,
    end: Cell,
    rank: Callable[[Cell], Rank],
) -> tuple[Cell, ...] | None:
    """The shortest way from start to end, without its start; None where there is none.

    near: as for `distances`; every step can be taken both ways. rank: which of several equally
    short ways is taken, the lowest at each step.
    """
    found = distances(near, end, start)
    return (
        walk(near, start, end, lambda cell: found.get(cell, -1), rank) if start in found else None
    )
