"""What a bot plans from: a report, its luck, and what of the report it looks at again and again."""

from __future__ import annotations

from msgspec import Struct

from games.second_fleet import advanced_verbs as av
from games.second_fleet import check_sea, check_storm
from games.second_fleet.report import OwnUnit, Report
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
        """What the bot orders: its wishes without those that the checks of mail would refuse."""
        for actor, order in self.wishes():
            if not self._vain(actor, order):
                yield actor, order

    def _vain(self, actor: str, order: Struct | str) -> bool:
        """6.2/5-6, 6.5/6 Does a storm forbid it, or does a ship hold all of its stores?"""
        if isinstance(order, av.Replenish):
            ship = self.unit(order.unit)
            if ship is not None and any(check_sea.full(ship, one.what) for one in order.boxes):
                return True
        board = self.seen.board
        if board.weather != "storm" or isinstance(order, str):
            return False
        unit = self.unit(actor)
        return unit is not None and bool(check_storm.forbidden(board.weather_zones, unit, order))

    def unit(self, name: str) -> OwnUnit | None:
        """An own unit, by its id."""
        return next((unit for unit in self.seen.units if unit.id == name), None)

    def wishes(self) -> bots.Lines:
        """What the bot would order in any weather."""
        raise NotImplementedError
