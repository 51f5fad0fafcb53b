"""The bot in another manner: bolder or warier ships, submarines, bombers. For bots that search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, convert

from games.second_fleet.board import NATO, by_water
from games.second_fleet.bot import GAP, HOME, HUNTER, REAR, Bot
from games.second_fleet.planner import Planner
from games.second_fleet.report import Enemy, OwnUnit, Report
from games.second_fleet.tables import plan
from pbem.kit import bots
from pbem.model import Plain, Side

CHASE = 10
"""Hexes by water that a submarine goes after a ship."""


class Manner(Struct, frozen=True, forbid_unknown_fields=True):
    """A manner. `usual` leaves the choice to the bot."""

    name: str
    ships: Literal["usual", "forward", "half", "back"] = "usual"
    """Where ships without prey sail: to the front, half of them to the front, or to the rear."""
    hunts: Literal["usual", "yes", "no"] = "usual"
    """Do ships go after submarines?"""
    subs: Literal["usual", "slip", "chase"] = "usual"
    """slip: submarines go on their way and attack nobody; chase: they go after ships."""
    brave: Literal["usual", "yes", "no"] = "usual"
    """Do bombers meet patrols?"""
    before: float = 0.5
    """What it is thought to be worth before any playout: a share of games."""


PLAIN = Manner("as usual")


def lines(side: Side, report: Plain, luck: str, manner: Manner) -> bots.Lines:
    """The orders of a side, from its report alone."""
    seen = convert(report, Report, from_attributes=True)
    return Mannered(seen, bots.Luck(luck), side, manner).lines()


class Mannered(Bot):
    """One side in one window, in a manner."""

    def __init__(self, seen: Report, luck: bots.Luck, side: Side, manner: Manner) -> None:
        Planner.__init__(self, seen, luck, side)
        self.manner = manner

    def hunts(self, unit: OwnUnit) -> bool:
        """See Bot."""
        if self.manner.hunts == "usual":
            return super().hunts(unit)
        return self.manner.hunts == "yes" and unit.asw >= HUNTER

    def bravery(self, points: int) -> int:
        """See Bot."""
        return {"usual": super().bravery(points), "yes": 9, "no": 0}[self.manner.brave]

    def goal(self, unit: OwnUnit) -> str:
        """See Bot. A convoy keeps to its own."""
        where = self.manner.ships
        if where == "half":
            where = "forward" if self.luck.game.of(f"forward {unit.id}", 2) else "usual"
        if where == "usual" or self.cargo(unit):
            return super().goal(unit)
        gap = bool(plan(self.seen.scenario).goal)
        what = f"station {unit.id}"
        if gap and self.side == NATO:
            return self.luck.game.choice(what, GAP if where == "forward" else REAR)
        if gap or self.side == NATO or where == "forward":
            return super().goal(unit)
        return self.luck.game.choice(what, HOME)

    def nearest(self, unit: OwnUnit, found: Sequence[Enemy]) -> Enemy | None:
        """See Bot."""
        if unit.kind == "sub" and self.manner.subs == "slip":
            return None
        return super().nearest(unit, found)

    def lair(self, unit: OwnUnit) -> str:
        """See Bot."""
        if self.manner.subs == "chase":
            far = by_water(unit.place)
            prey = [c for c in self.ships if far.get(c.place, 99) <= CHASE]
            if prey:
                return min(prey, key=lambda c: (far[c.place], c.id)).place
        return super().lair(unit)
