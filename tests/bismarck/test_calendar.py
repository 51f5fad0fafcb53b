"""11 The time record."""

from __future__ import annotations

import pytest

from games.bismarck import calendar

HOURS = ["1200", "1600", "2000", "2400", "0400", "0800"]


def test_11_23_31_turns_from_1200_may_22_to_1200_may_27() -> None:
    turns = range(calendar.FIRST, calendar.LAST + 1)
    assert len(turns) == 31
    assert [calendar.clock(t) for t in turns] == [HOURS[i % 6] for i in range(31)]
    days = [22] * 3 + [d for d in (23, 24, 25, 26) for _ in range(6)] + [27] * 4
    assert [calendar.day(t) for t in turns] == days
    assert calendar.label(4) == "1200 May 22"
    assert calendar.label(34) == "1200 May 27"
    assert [t for t in turns if calendar.last(t)] == [34]
    assert [t for t in turns if calendar.first(t)] == [4]


def test_5_24_c_turns_are_every_second_turn() -> None:
    hours = {calendar.clock(t) for t in range(4, 35) if calendar.c_turn(t)}
    assert hours == {"0400", "1200", "2000"}


@pytest.mark.parametrize(
    ("turn", "zone", "dark"),
    [
        (6, "K14", False),
        (6, "L14", True),
        (7, "A10", True),
        (7, "Z20", True),
        (8, "Z20", False),
        (30, "Q17", True),
        (4, "Z20", False),
    ],
)
def test_11_11_night(turn: int, zone: str, dark: bool) -> None:
    assert calendar.night(turn, zone) is dark


def test_11_11_no_other_turn_is_night() -> None:
    dark = {calendar.clock(t) for t in range(4, 35) if calendar.night(t, "Z20")}
    assert dark == {"2000", "2400"}


def test_7_12_levels_are_1_to_8_and_x() -> None:
    assert [calendar.level_name(n) for n in range(1, 10)] == [*"12345678", "X"]
