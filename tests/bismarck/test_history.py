"""The real track of the Bismarck, 22 to 27 May 1941, as orders turn by turn."""

from __future__ import annotations

import pytest

from games.bismarck import calendar, movement
from games.bismarck.check import CHECKS
from games.bismarck.events import OrderFailed, ShipMoved
from games.bismarck.state import GERMAN
from tests.bismarck.fake_table import FakeTable, begin, books, read, report

TRACK = {
    4: "E19 D18 C17 B16",
    5: "A15",
    6: "A14",
    7: "A13",
    8: "A12 A11",
    9: "A10",
    10: "B10 B9",
    11: "B8",
    12: "B7",
    13: "C7 C6",
    14: "D6",
    15: "D5 E5",
    16: "F5",
    17: "G5",
    18: "H5",
    20: "I5",
    21: "J6",
    22: "K7 K8",
    23: "L9",
    24: "M10",
    25: "N11",
    26: "N12",
    27: "O13",
    28: "P14",
    29: "P15 Q16",
    30: "Q17",
}


def test_the_real_track_is_legal_and_takes_seven_factors() -> None:
    """5.1, 5.2, 5.28: every order stands, every zone is reached, exactly 7 fuel are spent."""
    war = begin()
    bismarck = war.ships["BISMARCK"]
    for turn in range(calendar.FIRST, calendar.LAST + 1):
        assert war.turn == turn
        text = f"BISMARCK: move {TRACK[turn]};" if turn in TRACK else "BISMARCK: hold;"
        (order,) = read(war, GERMAN, text).orders
        assert CHECKS.check(order, report(war, GERMAN)) is None
        table = FakeTable()
        movement.ship_phase(table, war, books(war, german=text))
        assert not table.heard(OrderFailed)
        wanted = tuple(TRACK.get(turn, "").split())
        assert bismarck.path == wanted
        war.next_turn()
    assert bismarck.tank is not None and bismarck.fuel is not None
    assert bismarck.tank - bismarck.fuel == 7
    assert bismarck.zone == "Q17"


def test_the_same_track_as_one_order_takes_the_same_zones() -> None:
    """An order longer than one turn is carried on: all the zones, at full speed, no faster."""
    war = begin()
    track = " ".join(TRACK.values())
    table = FakeTable()
    movement.ship_phase(table, war, books(war, german=f"BISMARCK: move {track};"))
    for _ in range(8):
        war.next_turn()
        movement.ship_phase(table, war, books(war))
    sailed = [z for e in table.heard(ShipMoved) if e.who == "Bismarck" for z in e.path]
    assert sailed == track.split()[: len(sailed)]
    assert len(sailed) == 5 + 1 + 2 + 1 + 2 + 1 + 2 + 1 + 2


@pytest.mark.parametrize("extra", ["B14", "A12"])
def test_a_sixth_zone_waits_for_the_next_turn(extra: str) -> None:
    """5.28: five zones are the most; the rest is left for later, and 2 factors are spent."""
    war = begin()
    table = FakeTable()
    movement.ship_phase(table, war, books(war, german=f"BISMARCK: move {extra};"))
    bismarck = war.ships["BISMARCK"]
    assert (len(bismarck.path), bismarck.spent) == (5, 2)
    assert bismarck.plan and bismarck.plan.rest[-1] == extra
