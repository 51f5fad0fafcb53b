"""7.1, 7.3 Visibility and fog."""

from __future__ import annotations

import pytest

from games.bismarck import tables, visibility
from games.bismarck.events import VisibilitySet
from tests.bismarck.fake_table import FakeTable, begin

ERRATA, PRINTED = tables.weather({}), tables.weather({}, "printed")


@pytest.mark.parametrize(
    ("level", "roll", "becomes", "fog"),
    [
        (7, 7, 6, True),  # 7.16 as corrected: a 7 at level 7 counts as 6
        (4, 7, 4, False),  # 7.14 seven changes nothing
        (4, 2, 1, False),  # 7.15 five better, but the track ends
        (4, 12, 9, True),  # 7.14 five worse: X
        (8, 12, 9, True),  # 7.15, 7.16: 10, eleven is off the track
        (1, 7, 2, True),  # 7.16: 8
        (9, 7, 7, True),  # 7.16: 5
        (5, 11, 9, False),  # 7.31 an 11 brings no fog
    ],
)
def test_7_14_changes(level: int, roll: int, becomes: int, fog: bool) -> None:
    new = visibility.change(level, roll, ERRATA)
    assert (new.level, new.fog) == (becomes, fog)


def test_7_16_printed_signs_are_an_option() -> None:
    assert visibility.change(7, 7, PRINTED).roll == 8


def test_7_13_7_32_the_first_turn_rolls_nothing() -> None:
    war, table = begin(), FakeTable()
    visibility.phase(table, war)
    assert (war.level, war.fog, table.labels) == (4, True, [])
    assert [e.level for e in table.heard(VisibilitySet)] == ["4"]


def test_7_14_later_turns_roll_openly() -> None:
    war, table = begin(), FakeTable((3, 6))
    war.turn = 5
    visibility.phase(table, war)
    assert (war.level, war.fog) == (6, False)
    told = table.heard(VisibilitySet, side=table.sides[0])[0]
    assert (told.before, told.level, told.roll, told.modifier) == ("4", "6", 9, 0)
