"""22 Deep mode (an option): 197-206, 275-276."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.second_fleet import advanced_events as ev
from games.second_fleet import advanced_verbs as av
from games.second_fleet import ice, orders_of
from games.second_fleet import verbs as v
from games.second_fleet.advanced_tables import deep_chart
from games.second_fleet.board import COAST, HEXES, NATO, SOVIET
from games.second_fleet.orders_of import Books
from games.second_fleet.state import Vessel, War
from pbem.kit.checks import Refused
from pbem.model import TableLike

KINDS: Mapping[str, type[Struct]] = {"deep": av.Deep, "surface": av.Surface}


def phase(table: TableLike, war: War, books: Books) -> None:
    """197, 200, 275 The Soviets first, then NATO; neither sees what the other does."""
    if not war.on("deep"):
        return
    for side in (SOVIET, NATO):
        facts = v.GRAMMAR.knows(war, side)
        for actor in orders_of.programme(books[side], KINDS, facts):
            order = orders_of.orders(books[side], actor, KINDS, facts)[0]
            try:
                orders_of.require_entered(war, side, actor)
                for ship in orders_of.ships_of(war, side, actor):
                    _mode(table, war, ship, isinstance(order, av.Deep))
            except Refused as no:
                table.tell([side], orders_of.unlanded(actor, no, order))


def _mode(table: TableLike, war: War, ship: Vessel, down: bool) -> None:
    """Raises Refused."""
    if down:
        require(war, ship)
    if ship.deep != down:
        ship.deep = down
        table.tell([ship.side], ev.ModeChanged(rule="197", ship=ship.id, deep=down))


def require(war: War, ship: Vessel) -> None:
    """198-199 May she go deep: a submarine of two hexes a turn, away from coast and pack ice?
    Raises Refused."""
    if not ship.sub or ship.now.ma < deep_chart().least_ma:
        raise Refused("too-slow", "198", f"{ship.id} cannot go deep")
    if not water(war, ship.hex):
        raise Refused("shallow", "199", f"nobody goes deep in {ship.hex}")


def water(war: War, hex_: str) -> bool:
    """199, 202 Is it neither coastal nor pack ice?"""
    return HEXES[hex_] not in COAST and not ice.packed(war, hex_)
