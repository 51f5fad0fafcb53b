"""12 Points, the ceiling of 12.13, and the end."""

from __future__ import annotations

import pytest

from games.bismarck import calendar, victory
from games.bismarck.state import Convoy, Score, War
from pbem.model import Side
from tests.bismarck.casebook import position
from tests.bismarck.fake_table import FakeTable, begin


def score(war: War, side: str, points: int) -> None:
    war.scores.append(Score(side=Side(side), points=points, rule="12", what="test", turn=10))


@pytest.mark.parametrize(
    ("turn", "points"), [(6, 14), (7, 12), (12, 12), (13, 10), (19, 8), (25, 6), (31, 4), (34, 4)]
)
def test_port_points_go_by_the_day(turn: int, points: int) -> None:
    """12.33"""
    assert victory.port_points(begin(), turn) == points


def test_convoy_points_grow() -> None:
    """12.44"""
    assert victory.convoys(begin()) == [6, 6, 8, 10, 12]


def test_the_ceiling_counts_ships_and_convoys() -> None:
    """12.13: the Bismarck hit and back in port on May 22, and sunk there; the Prinz Eugen hit in
    port, 2, and sunk, 10; 4 without a convoy."""
    war = begin()
    assert victory.british_ceiling(war) == (14 + 6 + 30) + 12 + 4
    war.convoys.append(Convoy(10, 23, war.ships["BISMARCK"].zone, ("Bismarck",), 6))
    score(war, "british", 2)
    assert victory.british_ceiling(war) == (14 + 6 + 30) + 12 + 2
    war.turn = 34
    assert victory.british_ceiling(war) == (4 + 6 + 30) + 12 + 2


def test_the_ceiling_counts_a_port_from_the_next_turn_on() -> None:
    """12.13: by the end of 2000 of May 24 she can come to port on the 25th at the earliest."""
    war = begin()
    war.turn = 17
    assert victory.british_ceiling(war) == (10 + 6 + 30) + 12 + 4
    war.turn = 18
    assert calendar.day(18) == 24
    assert victory.british_ceiling(war) == (8 + 6 + 30) + 12 + 4


def test_the_ceiling_counts_no_german_aircraft() -> None:
    """6.21, 12.35: its field does not move, and nobody may fly it past its endurance."""
    war = begin()
    before = victory.british_ceiling(war)
    war.air["BORD1"].zone = war.ships["BISMARCK"].zone
    assert victory.british_ceiling(war) == before
    war.air["BORD1"].lost = True
    assert victory.british_ceiling(war) == before


@pytest.mark.parametrize(("points", "ends"), [(64, False), (65, True)])
def test_more_than_the_british_can_reach_ends_the_game(points: int, ends: bool) -> None:
    """12.13"""
    war = position({"place": {"BISMARCK": "V10", "PRINZ EUGEN": "V11"}})
    score(war, "german", points)
    assert (victory.ending(war) is not None) is ends


def test_the_higher_total_wins() -> None:
    """12.2"""
    war = position({"turn": 34, "place": {"BISMARCK": "V10"}})
    score(war, "british", 1)
    over = victory.finish(FakeTable(), war, "12.14", "time")
    assert over.result == "british"
    assert "British 5 points, German 4 points" in over.why
