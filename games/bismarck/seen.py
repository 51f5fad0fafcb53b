"""What one order is judged by: the sender's report, typed as far as checks read it."""

from __future__ import annotations

from msgspec import convert

from games.bismarck import taskforce
from games.bismarck.report import OwnUnit
from games.bismarck.state import Engine
from pbem.kit import checks


class Seen(checks.Seen, frozen=True):
    """The report, as far as one order is judged by it."""

    def unit(self, actor: str) -> OwnUnit | None:
        """An own unit; None if there is none."""
        return self.own(actor, OwnUnit)

    def units(self) -> list[OwnUnit]:
        """All own units."""
        return [convert(row, OwnUnit) for row in self.report["units"]]

    def sky(self, name: str) -> str:
        """A fact of the turn that the report has: its `level`, and where it is `night`."""
        return str(self.report.get("board", {}).get(name, ""))

    @property
    def fog(self) -> bool:
        """Does fog close the fog zones this turn?"""
        return bool(self.report.get("board", {}).get("fog", False))

    def engines(self, unit: OwnUnit) -> list[Engine]:
        """The ships of a counter, as the movement rules read them; what it can tow is in tow."""
        ships = [self.unit(name) for name in unit.ships or (unit.id,)]
        raw = [
            Engine(
                name=s.name,
                type=s.type,
                top=s.top,
                evasion=s.evasion,
                fuel=s.factors,
                two=s.two,
                tied=s.tied,
            )
            for s in ships
            if s is not None and s.top is not None
        ]
        return taskforce.tow(raw)

    def escorts(self) -> tuple[str, ...]:
        """Ships that the side may mobilise now."""
        return self.listed(self.side.upper(), "mobilise", "ship")
