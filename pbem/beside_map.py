"""What a chart has besides its map: a table of record sheets below it, and orders behind taps."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Move(Struct, frozen=True, kw_only=True):
    """A place that an own unit can reach, which the order page offers when its cell is tapped."""

    unit: str
    """The id of the unit."""
    cell: str
    label: str
    """What the button says: `SE`, of a ship that would point there."""
    order: str
    """The order that goes there, with its actor: `HOOD: course ahead 1;`."""


class Boxes(Struct, frozen=True):
    """The boxes of a record sheet, of which some are crossed out."""

    count: int
    lost: int = 0


class Row(Struct, frozen=True, kw_only=True):
    """One line of a `Roster`."""

    name: str
    owner: Literal["board", "own", "enemy", "neutral"] = "own"
    cells: tuple[str | Boxes, ...]
    """One for each column."""
    struck: bool = False
    """Cross the line out: a ship that was lost."""


class Roster(Struct, frozen=True, kw_only=True):
    """A table below the map: the state of ships, with the boxes of their record sheets."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
