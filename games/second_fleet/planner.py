"""What a bot plans from: a report, its luck, and what of the report it looks at again and again."""

from __future__ import annotations

from msgspec import Struct

from games.second_fleet import check_storm
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

    def lines(self) -> bots.Lines:
        """What the bot orders: all that it wishes, but for what a storm forbids (6.2/5-6)."""
        for actor, order in self.wishes():
            if not self._stormbound(actor, order):
                yield actor, order

    def _stormbound(self, actor: str, order: Struct | str) -> bool:
        board, unit = self.seen.board, next((u for u in self.seen.units if u.id == actor), None)
        if board.weather != "storm" or unit is None or isinstance(order, str):
            return False
        return check_storm.forbidden(board.weather_zones, unit, order) is not None

    def wishes(self) -> bots.Lines:
        """What the bot would order in any weather."""
        raise NotImplementedError
