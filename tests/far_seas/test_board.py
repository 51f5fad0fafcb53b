"""M1, M2, M5, G1: the public board keeps what the digests say of it."""

from __future__ import annotations

import pytest

from games.far_seas import board
from games.far_seas.board import AREAS, BRITISH, GERMAN, SEA, SIDES, STATIONS
from games.far_seas.verbs import GRAMMAR
from orders.vocabulary import alike


def test_there_are_32_areas_and_three_boxes() -> None:
    assert [int(a) for a in SEA] == list(range(1, 33))
    assert sorted(set(AREAS) - set(SEA)) == ["ENG", "GER", "MED"]


def test_the_oceans_are_the_lists_of_the_counts() -> None:
    """AC: the Atlantic is 1-16 and 32, the Pacific 17-31."""
    assert sorted(map(int, board.ATLANTIC)) == [*range(1, 17), 32]
    assert sorted(map(int, board.PACIFIC)) == list(range(17, 32))


@pytest.mark.parametrize("area", AREAS)
def test_ways_lead_back(area: str) -> None:
    """M5: adjacency is symmetric, canals on both sides."""
    assert area not in AREAS[area].ways
    for way in AREAS[area].ways:
        back = AREAS[way]
        assert area in back.ways
        assert (way in AREAS[area].canal) == (area in back.canal)
        assert (way in AREAS[area].suez) == (area in back.suez)


@pytest.mark.parametrize("side", SIDES)
def test_all_areas_are_connected(side: str) -> None:
    for area in SEA:
        assert set(SEA) <= set(board.distances(area, BRITISH if side == "british" else GERMAN))


def test_the_canal_makes_the_world_smaller() -> None:
    """G1: diameter 9 without it, 7 with it."""
    without = max(board.distances(a, GERMAN)[b] for a in SEA for b in SEA)
    with_it = max(board.distances(a, GERMAN, canal=True)[b] for a in SEA for b in SEA)
    assert (without, with_it) == (9, 7)


@pytest.mark.parametrize(
    ("origin", "to", "moves"), [("25", "19", 3), ("25", "13", 5), ("2", "11", 4)]
)
def test_ways_of_history(origin: str, to: str, moves: int) -> None:
    assert board.distances(origin, GERMAN)[to] == moves


def test_merchants_and_stations() -> None:
    """M1, M2: 65 merchants, 38 stations of 1 to 3 points."""
    assert sum(AREAS[a].density for a in SEA) == 65
    assert all(0 <= AREAS[a].density <= 4 for a in SEA)
    assert len(STATIONS) == 38
    assert {board.points(s) for s in STATIONS} == {1, 2, 3}


def test_areas_of_internment_are_those_of_the_list() -> None:
    assert [a for a in SEA if AREAS[a].ports] == ["5", "6", "7", "9", "11", "19", "20", "24"]


def test_boxes_are_closed_to_germans() -> None:
    assert "ENG" not in board.neighbours("1", GERMAN) and "ENG" in board.neighbours("1", BRITISH)
    assert "MED" not in board.neighbours("30", GERMAN) and "MED" in board.neighbours("30", BRITISH)
    assert board.neighbours("MED", GERMAN) == ("16",)
    assert all("GER" not in board.neighbours("2", side) for side in SIDES)


def test_the_canal_is_declared_by_germans_alone() -> None:
    assert "20" not in board.neighbours("7", GERMAN)
    assert "20" in board.neighbours("7", GERMAN, canal=True)
    assert "7" in board.neighbours("20", BRITISH)


def test_names_of_places_fold_apart() -> None:
    assert not alike([*GRAMMAR.aliases, *GRAMMAR.places])
    assert GRAMMAR.aliases["BAY OF BENGAL"] == "29"
    assert GRAMMAR.aliases["CAPE HORN PACIFIC"] == "17" and "CAPE HORN" not in GRAMMAR.aliases
