"""What the Allies have been told of German ships: folded from events, read by their view.

The Germans need none of it: Allied ships lie open on the board.
"""

from __future__ import annotations

from msgspec import Struct


class Sighting(Struct):
    """A German ship as the Allies know it. area: where it was last placed; turn, segment: when.
    source: set-up, search, battle, raid, capture."""

    ship: str
    area: str
    turn: int
    segment: int = 0
    source: str = "set-up"


class Report(Struct):
    """Merchants taken in an area, by a raider that nobody saw."""

    area: str
    count: int
    turn: int


class Knowledge(Struct):
    """The Allies' memory. ships: by id; gone: ids known to be sunk, interned or home; moves: moves
    named since each ship was last placed; captures: newest last."""

    ships: dict[str, Sighting] = {}
    gone: list[str] = []
    moves: dict[str, int] = {}
    captures: list[Report] = []
