"""Charts of text reports: a lattice as lines of text, each row shifted as its cells lie.

A `Sheet` says where each cell stands; a game gives the bare board once, and for each report the
marks that are drawn over it. A cell is `pitch` characters wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pbem.kit.grids import Lattice

Cells = tuple[tuple[str, ...], ...]


class Sheet(Struct, frozen=True):
    """Where the cells of a board stand in lines of text. Make it with `sheet`."""

    pitch: int
    rows: Cells
    """The names of each row, west to east without a gap, from north to south."""
    heads: tuple[str, ...]
    """What each line begins with: the row's letter, and the blanks before its first cell."""
    places: Mapping[str, tuple[int, int]]
    """By cell: its row in `rows`, and its place there."""

    def blank(self, bare: Mapping[str, str]) -> Cells:
        """The bare board as padded text. bare: by cell, what is printed there."""
        return tuple(tuple(self.padded(bare[cell]) for cell in row) for row in self.rows)

    def draw(self, blank: Cells, marks: Iterable[tuple[str, str]]) -> list[str]:
        """The lines of the chart. marks: cell and text, later ones over earlier ones; where one
        fills its cell, a number of the bare board beside it becomes a dot."""
        lines = [list(row) for row in blank]
        for cell, mark in marks:
            row, place = self.places[cell]
            line = lines[row]
            line[place] = self.padded(mark)
            if (
                len(mark) == self.pitch
                and place + 1 < len(line)
                and line[place + 1].strip().isdigit()
            ):
                line[place + 1] = self.padded(".")
        pairs = zip(self.heads, lines, strict=True)
        return [f"{head}{''.join(line)}".rstrip() for head, line in pairs]

    def padded(self, mark: str) -> str:
        """A cell's characters."""
        return f"{mark:<{self.pitch}}"[: self.pitch]


def sheet(lattice: Lattice, cells: Iterable[str], pitch: int) -> Sheet:
    """The sheet of a board whose names begin with the letter of the row.

    Gaps within a row are filled with the cells that the lattice has there.
    """
    numbers: dict[int, list[int]] = {}
    for cell in cells:
        row, number = lattice.parts(cell)
        numbers.setdefault(row, []).append(number)
    rows = tuple(
        tuple(lattice.name(row, n) for n in range(min(numbers[row]), max(numbers[row]) + 1))
        for row in sorted(numbers)
    )
    starts = [_column(lattice, row[0], pitch) for row in rows]
    left = min(starts)
    return Sheet(
        pitch,
        rows,
        tuple(f"{row[0][0]} {' ' * (at - left)}" for row, at in zip(rows, starts, strict=True)),
        {cell: (i, j) for i, row in enumerate(rows) for j, cell in enumerate(row)},
    )


def _column(lattice: Lattice, cell: str, pitch: int) -> int:
    """Characters from the board's origin; half a character is rounded up."""
    x, _ = lattice.plane(cell)
    return -(-pitch * x // 2) if lattice.shape == "pointed" else pitch * x


def filled(said: Sequence[str], width: int) -> list[str]:
    """Short texts as lines of at most that many characters, three blanks between two."""
    lines = [said[0]]
    for text in said[1:]:
        if len(lines[-1]) + 3 + len(text) > width:
            lines.append(text)
        else:
            lines[-1] += "   " + text
    return lines
