"""2.2, 5.17, 5.18, 6.12, 7.27, 10.21: the search board against independent readings of it."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bismarck import board, chance
from games.bismarck.board import BRITISH, GERMAN, Zone
from tests.counts import few

SEA = sorted(board.SEA, key=board.key)


def test_2_2_the_board_has_459_connected_zones() -> None:
    assert len(board.SEA) == 459
    reached, edge = set(), [Zone("K14")]
    while edge:
        reached.add(zone := edge.pop())
        edge += [z for z in board.around(zone) if z in board.SEA - reached]
    assert reached == board.SEA


def test_2_2_errata_zones_are_sea() -> None:
    assert {"F15", "E19", "D8", "G18", "L24", "J18"} <= board.SEA
    assert not board.SEA & board.LAND


def test_2_2_neighbours_are_six() -> None:
    assert set(board.around("K14")) == {"K13", "K15", "L14", "L15", "J13", "J14"}


def test_10_214_chance_columns_have_their_sizes() -> None:
    """By day, without fog, inside the patrol line: A 72, B 68, C 69 zones."""
    assert Counter(chance.column(z) for z in SEA if chance.column(z)) == {"A": 72, "B": 68, "C": 69}


@pytest.mark.parametrize(
    ("side", "start", "end", "zones"),
    [
        (GERMAN, "F20", "P23", 16),
        (GERMAN, "F20", "Q25", 18),
        (GERMAN, "F20", "B7", 13),
        (GERMAN, "F20", "H13", 9),
        (GERMAN, "F20", "K15", 10),
        (GERMAN, "F20", "C19", 4),
        (GERMAN, "B7", "P23", 17),
        (GERMAN, "I5", "P23", 18),
        (BRITISH, "H18", "I5", 14),
        (BRITISH, "J19", "I5", 14),
        (BRITISH, "Z29", "Q17", 12),
        (BRITISH, "K18", "Q17", 7),
        (BRITISH, "S7", "Q17", 12),
        (BRITISH, "T17", "Q17", 3),
        (BRITISH, "Z20", "Q17", 9),
        (BRITISH, "Z10", "Q17", 16),
    ],
)
def test_5_17_distances_by_sea(side: str, start: str, end: str, zones: int) -> None:
    assert board.sail_distance(side, Zone(start), Zone(end)) == zones


@pytest.mark.parametrize(
    ("a", "b", "open_"),
    [
        ("D9", "D8", True),
        ("D9", "E9", False),
        ("J19", "J18", True),
        ("J19", "K19", True),
        ("J19", "J20", False),
        ("J19", "I19", False),
        ("O22", "O21", True),
        ("O22", "P22", True),
        ("O22", "N21", False),
        ("O22", "P23", False),
        ("Z29", "Z28", True),
        ("H18", "I19", True),
    ],
)
def test_5_18_arrows_of_british_ports(a: str, b: str, open_: bool) -> None:
    lanes = {z: board.sea_steps(BRITISH, z) for z in board.SEA | board.LAND}
    assert (b in lanes[Zone(a)]) == open_
    assert (a in lanes[Zone(b)]) == open_


@pytest.mark.parametrize(
    ("a", "ways"),
    [
        ("C19", "B18 C18"),
        ("F20", "E19 F19 G20 G21"),
        ("P23", "P22 Q23 Q24"),
        ("Q25", "Q24 R25 R26"),
    ],
)
def test_5_18_arrows_of_german_ports(a: str, ways: str) -> None:
    assert set(board.sea_steps(GERMAN, Zone(a))) == set(ways.split())


def test_2_2_6_11_land_fills_the_frame_of_the_map() -> None:
    """Rows have 21 whole zones, and those between them half a zone more at both ends."""
    whole = {
        Zone(f"{chr(65 + row)}{column}")
        for row in range(26)
        for column in range(max(1, -(-row // 2) - 2), row // 2 + 19)
    }
    assert whole - board.SEA == board.LAND


def test_6_11_the_way_by_air_over_iberia_is_straight() -> None:
    assert board.fly_distance(BRITISH, Zone("Z29"), Zone("T25")) == 6
    assert board.fly_distance(GERMAN, Zone("S27"), Zone("U23")) == board.distance("S27", "U23")


def test_5_18_12_6_irish_sea_and_foreign_ports_are_closed_to_germans() -> None:
    german = {z for ways in (board.sea_steps(GERMAN, z) for z in board.SEA) for z in ways}
    assert not german & (board.IRISH_SEA | {"D9", "H18", "J19", "O22", "Z29", "T24"})
    british = {z for ways in (board.sea_steps(BRITISH, z) for z in board.SEA) for z in ways}
    assert british >= board.IRISH_SEA
    assert british >= {"C19", "F20", "P23", "Q25", "T24"}


def test_5_18_ruling_3_german_ships_may_enter_coast_zones() -> None:
    assert board.sail(GERMAN, Zone("G19"), Zone("G18")) == ("G18",)
    assert board.sail(GERMAN, Zone("L17"), Zone("M18")) == ("M18",)


def test_10_211_the_line_reaches_from_e_to_z_without_a_gap() -> None:
    assert board.PATROL_LINE[0][0] == "E"
    assert {z[0] for z in board.PATROL_LINE} == set("EFGHIJKLMNOPQRSTUVWXYZ")
    line = board.PATROL_LINE
    assert len(line) == 24
    assert all(board.distance(a, b) == 1 for a, b in itertools.pairwise(line))


def test_10_24_both_routes_start_at_britain() -> None:
    assert len(board.CONVOY_ROUTES) == 36
    assert set(board.CONVOY_ROUTES) <= board.SEA
    assert board.distance("K19", "J19") == 1


def test_7_27_7_32_coasts_and_fog() -> None:
    assert board.BERGEN in board.FOG
    assert {"F15", "G18", "D9", "L18"} <= set(board.COASTS[BRITISH])
    assert "P23" in board.COASTS[GERMAN]
    assert [board.coast_strength(night) for night in (False, True)] == [4, 3]


def test_6_12_bordeaux_and_eire_can_be_flown_to() -> None:
    assert board.fly_distance(GERMAN, Zone("S27"), Zone("R26")) == 1
    assert board.fly_distance(BRITISH, Zone("L19"), Zone("M18")) == 2


@settings(max_examples=few(60), deadline=None)
@given(st.sampled_from(SEA), st.sampled_from(SEA), st.sampled_from([BRITISH, GERMAN]))
def test_5_17_every_way_is_legal_and_no_longer_than_back(a: Zone, b: Zone, side: str) -> None:
    lanes = {z: board.sea_steps(side, z) for z in board.SEA | board.LAND}
    way = board.sail(side, a, b)
    if way is None:
        assert board.closed(b, side) or board.closed(a, side)
        return
    assert all(z in lanes[p] for p, z in zip((a, *way), way, strict=False))
    assert len(way) >= board.distance(a, b)
    back = board.sail(side, b, a)
    assert back is None or len(back) == len(way)


@settings(max_examples=few(60), deadline=None)
@given(st.sampled_from(SEA), st.sampled_from(SEA))
def test_6_12_german_air_never_flies_two_zones_of_britain_running(a: Zone, b: Zone) -> None:
    way = board.fly(GERMAN, a, b)
    if way:
        legs = zip((a, *way), way, strict=False)
        assert not any({p, z} <= board.GREAT_BRITAIN for p, z in legs)
