"""What checks of orders judge by: a side's report, and the public board.

The order page runs these functions as JavaScript (docs/formats.md, "Checks").
"""

from __future__ import annotations

from functools import cache

from games.second_fleet.advanced_tables import deep_chart
from games.second_fleet.board import BASES, HEXES, LATTICE, WATER
from games.second_fleet.board import CLOSED as SHUT
from games.second_fleet.report import OwnUnit
from pbem.kit import checks


class Seen(checks.Seen, frozen=True):
    """A report, with the rows that checks need."""

    @property
    def unit(self) -> OwnUnit | None:
        """The unit that gets the order; None also for reinforcements that have no place yet."""
        unit = self.own(self.actor, OwnUnit)
        return None if unit is None or unit.kind == "wait" else unit

    def place_of(self, contact: str) -> str:
        """Where a contact is; empty if it is none of the report."""
        for row in self.report["contacts"]:
            if row["id"] == contact:
                return str(row["place"])
        return ""

    def kind_of(self, contact: str) -> str:
        """What a contact is, `TF` or `SUB`; empty if it is none of the report."""
        for row in self.report["contacts"]:
            if row["id"] == contact:
                return str(row["kind"])
        return ""


@cache
def rows() -> list[str]:
    """The terrain of each row of hexes, a letter a column."""
    columns, lines = range(1, 46), range(1, 44)
    return ["".join(HEXES.get(f"{c:02d}{r:02d}", " ") for c in columns) for r in lines]


def wet(hex_: str) -> bool:
    """Does a hex hold water?"""
    column, row = LATTICE.parts(hex_)
    if row < 1 or row > len(rows()) or column < 1 or column > len(rows()[0]):
        return False
    return rows()[row - 1][column - 1] in WATER


@cache
def closed() -> list[str]:
    """Hexsides that are all land, as `1729-1730`."""
    return sorted(f"{a}-{b}" for a, b in SHUT)


@cache
def coasts() -> list[str]:
    """Coastal hexes."""
    return [h for h, letter in HEXES.items() if letter in "Fc"]


@cache
def bases() -> list[str]:
    """Hexes with a base."""
    return sorted(BASES)


@cache
def airfields() -> list[str]:
    """Hexes in which aircraft may land."""
    return sorted(h for h, base in BASES.items() if base.field)


@cache
def least_deep() -> int:
    """198 Hexes a turn of a submarine that may go deep."""
    return deep_chart().least_ma


def touches(a: str, b: str) -> bool:
    """Is there a way by sea from one hex to the next?"""
    if not wet(b) or b not in LATTICE.around(a):
        return False
    return f"{min(a, b)}-{max(a, b)}" not in closed()
