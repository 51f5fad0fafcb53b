"""What the order page judges by: the public board and tables, for templates/bismarck/checks.js."""

from __future__ import annotations

from collections.abc import Mapping

from games.bismarck import board, calendar, tables


def public_tables(house: Mapping[str, str]) -> Mapping[str, object]:
    """Board, calendar, and the two tables that judge orders; all zones are the grammar's.

    entry: note 13, the ships whose owner chooses their turn, and the first that he may choose.
    house: the moderator's own tables.
    """
    bonus = tables.breakout(house)
    return {
        "land": sorted(board.LAND),
        "ports": [
            {"name": p.name, "side": p.side, "zone": p.zone, "arrows": sorted(p.arrows)}
            for p in board.PORTS.values()
        ],
        "irish_sea": sorted(board.IRISH_SEA),
        "great_britain": sorted(board.GREAT_BRITAIN),
        "first": calendar.FIRST,
        "last": calendar.LAST,
        "breakout": {"free": bonus.free, "cost": bonus.cost},
        "entry": {i: e.turn for i, e in tables.release(house).entry.items() if e.chosen},
    }
