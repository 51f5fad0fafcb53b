"""10.2 The chance table and where its columns lie."""

from __future__ import annotations

from collections import Counter

import pytest

from games.bismarck import board, chance
from tests.bismarck.casebook import judge
from tests.bismarck.fake_table import begin


def test_the_columns_hold_as_many_zones_as_on_the_printed_board() -> None:
    """10.211, 10.214: 72 zones in A, 68 in B, 69 in C, the rest outside."""
    counts = Counter(chance.column(zone) for zone in board.SEA)
    assert counts == {"A": 72, "B": 68, "C": 69, "": 250}


@pytest.mark.parametrize(
    ("zone", "column"),
    [("K9", "A"), ("K8", ""), ("I11", "A"), ("I12", "B"), ("D15", ""), ("E18", "C"), ("F20", "B")],
)
def test_columns(zone: str, column: str) -> None:
    assert chance.column(zone) == column


def test_every_roll_of_two_dice_has_an_entry() -> None:
    """10.2"""
    table = chance.entries(begin())
    assert sorted(table) == list(range(2, 13))
    assert [table[n].kind for n in (2, 3, 9, 10, 12)] == [
        "HUFF-DUFF",
        "GENERAL SEARCH",
        "GENERAL SEARCH",
        "CONVOY",
        "CONVOY",
    ]


def test_c_is_never_less_dangerous_than_a() -> None:
    """10.214"""
    general = [e for e in chance.entries(begin()).values() if e.kind == "GENERAL SEARCH"]
    assert all(list(e.numbers) == sorted(e.numbers) for e in general)


@pytest.mark.parametrize(
    ("zone", "away"), [("H5", 0), ("G4", 1), ("F4", 2), ("J16", 0), ("V10", 8)]
)
def test_distance_from_the_convoy_routes(zone: str, away: int) -> None:
    """10.24"""
    assert chance.from_route(zone) == away


@pytest.mark.parametrize(
    ("needs", "zone", "patrol", "found"),
    [
        ("route", "H5", False, True),
        ("route", "G4", True, False),
        ("patrol", "H5", True, True),
        ("patrol", "F4", True, True),
        ("patrol", "F4", False, False),
        ("near", "G4", False, True),
        ("near", "H5", True, False),
        ("near", "F4", True, False),
    ],
)
def test_what_a_convoy_asks_for(needs: str, zone: str, patrol: bool, found: bool) -> None:
    """10.232, 10.24"""
    assert chance.finds_convoy(chance.Entry("CONVOY", needs=needs), zone, patrol) is found


@pytest.mark.parametrize(("level", "found"), [(3, True), (4, False), (9, False)])
def test_general_search_needs_the_level(level: int, found: bool) -> None:
    """10.212, 7.17"""
    entry = chance.Entry("GENERAL SEARCH", (3, 5, 9))
    assert chance.general_search(entry, "M13", level) is found
    assert not chance.general_search(entry, "K18", 9)


REACHES = {3: "356", 4: "245", 5: "012", 6: "234", 7: "012", 8: "123", 9: "123"}
"""10.21 By the total of two dice, the worst visibility at which columns A, B, C find a ship."""


@pytest.mark.parametrize("zone", ["M13", "J14", "K16"])
@pytest.mark.parametrize("total", REACHES)
def test_10_212_a_column_reaches_its_number_and_no_further(total: int, zone: str) -> None:
    number = int(REACHES[total]["MJK".index(zone[0])])
    for level in (number, number + 1):
        told = {"kind": "GeneralSearch", "ship": "Bismarck"}
        found = {"to": ["british"], **told} if level == number else {"never": ["british"], **told}
        if level:
            case = {"level": level, "place": {"BISMARCK": zone}, "told": [found]}
            judge({**case, "dice": {"CHANCE/TABLE/-/BISMARCK": [total // 2, total - total // 2]}})
