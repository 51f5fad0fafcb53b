"""What checks of orders judge by: a side's report.

The order page runs these functions as JavaScript (docs/formats.md, "Checks").
"""

from __future__ import annotations

from msgspec import convert

from games.baltic.report import Board, Enemy, OwnVessel
from pbem.kit import checks


class Seen(checks.Seen, frozen=True):
    """A report, with the rows that checks need."""

    @property
    def ship(self) -> OwnVessel | None:
        """The vessel, squadron or marker that gets the order."""
        return self.own(self.actor, OwnVessel)

    @property
    def board(self) -> Board:
        """What lies open, and the own pool."""
        return convert(self.report["board"], Board)

    def enemy(self, name: str) -> Enemy | None:
        """A contact of the report."""
        for row in self.report["contacts"]:
            if row["id"] == name:
                return convert(row, Enemy)
        return None
