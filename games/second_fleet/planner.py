"""What a bot plans from: a report, its luck, and what of the report it looks at again and again."""

from __future__ import annotations

from games.second_fleet.report import Report
from games.second_fleet.tables import plan
from pbem.kit import bots
from pbem.model import Side


class Planner:
    """One side in one window."""

    def __init__(self, seen: Report, luck: bots.Luck, side: Side) -> None:
        self.seen, self.luck, self.side = seen, luck, side
        self.air = [u for u in seen.units if u.kind == "air" and not u.away]
        self.held = [c for c in seen.contacts if c.level]
        self.ships = [c for c in self.held if c.kind != "SUB"]
        self.subs = [c for c in self.held if c.kind == "SUB"]
        self.busy: set[str] = set()
        self.campaign = plan(seen.scenario).roster
