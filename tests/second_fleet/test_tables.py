"""The counters and charts: counts, vectors worked by hand, and what must hold of the map."""

from __future__ import annotations

import pytest

from games.second_fleet import board, results, tables
from games.second_fleet.board import BASES, CLOSED, HEXES, SOSUS, ZONE_OF, by_water, distance


def test_the_map_is_whole() -> None:
    assert len(HEXES) == len(ZONE_OF) == 1257
    assert len(by_water("2930")) == sum(board.wet(h) for h in HEXES) == 1164
    assert (len(SOSUS), len(BASES), len(CLOSED)) == (17, 39, 15)
    assert sum(base.side == board.NATO for base in BASES.values()) == 28
    assert all(a in board.around(b) for a, b in CLOSED)


def test_zones_touch_as_on_the_display() -> None:
    pairs = {
        frozenset((ZONE_OF[a], ZONE_OF[b]))
        for a in HEXES
        for b in board.around(a)
        if ZONE_OF[a] != ZONE_OF[b]
    }
    listed = {frozenset((a, b)) for a, near in board.BESIDE.items() for b in near}
    assert pairs == listed
    assert len(pairs) == 13


@pytest.mark.parametrize(
    ("start", "end", "far", "water"),
    [
        ("3311", "3412", 2, 4),
        ("3736", "3834", 2, 12),
        ("1830", "1928", 3, 5),
        ("3605", "3412", 8, 11),
        ("3805", "3311", 8, 9),
        ("3721", "3926", 6, 6),
    ],
)
def test_ways_by_water(start: str, end: str, far: int, water: int) -> None:
    assert (distance(start, end), by_water(start)[end]) == (far, water)


def test_distances() -> None:
    pairs = (("2930", "3432"), ("3805", "1831"), ("3736", "3705"))
    assert [distance(a, b) for a, b in pairs] == [5, 36, 31]


def test_counters() -> None:
    assert len(tables.ships()) == 241
    assert len(tables.aircraft()) == 98
    kursk, lnsky = tables.ships()["KURSK"], tables.ships()["LNSKY"]
    assert (kursk.front.ssm, kursk.range, kursk.back.ssm) == (12, 6, 8)
    assert (lnsky.front.torpedo, lnsky.back.torpedo, lnsky.front.defence) == (22, 11, 7)
    assert tables.aircraft()["USF18H"].back.bomb == 30
    assert tables.aircraft()["UKNIMG"].steps == 1


@pytest.mark.parametrize(
    ("total", "die", "result"),
    [
        (2, 4, 1), (5, 0, 0), (5, 4, 1), (14, 1, 1), (20, 7, 4), (60, 5, 6), (90, 12, 11),
        (89, 12, 10), (90, -7, 1), (90, -8, 1), (22, 9, 6), (44, 3, 4), (18, 6, 4), (0, 12, 0),
    ],
)  # fmt: skip
def test_combat_results(total: int, die: int, result: int) -> None:
    assert results.entry(die, total) == result


@pytest.mark.parametrize(
    ("total", "die", "result"),
    [
        (16, 6, 4), (20, 8, 5), (30, 11, 8), (12, -3, 0), (45, 5, 5), (25, 9, 6), (36, 9, 7),
        (58, 8, 8), (21, -1, 1),
    ],
)  # fmt: skip
def test_defence(total: int, die: int, result: int) -> None:
    assert results.defence(die, total) == result


@pytest.mark.parametrize(
    ("total", "away", "aew", "ew", "value"),
    [
        (19, 3, "USE2", False, 10),
        (19, 3, "", False, 5),
        (14, 4, "UKSKG", False, 2),
        (19, 3, "USE2", True, 9),
        (19, 1, "", False, 19),
        (19, 4, "USE2", False, 5),
        (1, 4, "", False, 1),
    ],
)
def test_patrols_at_a_distance(total: int, away: int, aew: str, ew: bool, value: int) -> None:
    assert results.cap_value(total, away, aew, ew) == value


def test_air_combat() -> None:
    assert results.air_fight(4, 19, 14, cap=True) == results.air_result("0/0r")
    assert results.air_fight(6, 20, 9, cap=False) == results.air_result("0/1r")
    assert results.bounce(8) == results.air_result("0/2r")
    assert results.bounce(0) == results.air_result("0/0")
    assert not results.bounce(1).defender_back
    assert results.ratio_column(1, 99, cap=True) == 0
    assert results.ratio_column(1, 0, cap=False) == 7


@pytest.mark.parametrize(
    ("result", "defence", "damaged", "outcome"),
    [
        (1, 3, False, "none"),
        (2, 3, False, "damaged"),
        (3, 3, False, "destroyed"),
        (3, 7, False, "none"),
        (4, 7, False, "damaged"),
        (4, 7, True, "destroyed"),
    ],
)
def test_damage(result: int, defence: int, damaged: bool, outcome: str) -> None:
    assert results.outcome(result, defence, damaged) == outcome


def test_bases_and_bombers() -> None:
    assert [results.base_damage(r) for r in (4, 5, 6, 7, 9, 10, 11)] == [0, 1, 1, 2, 2, 3, 3]
    assert [results.bombers_hurt(r) for r in (4, 5, 8, 9)] == [0, 1, 1, 2]


def test_darkness() -> None:
    assert [results.dark(turn, 3, "NS") for turn in (1, 2, 3)] == [False, False, True]
    assert [results.dark(turn, 2, "NS") for turn in (1, 2, 3)] == [False, True, True]
    assert [results.dark(1, 1, zone) for zone in ("NS", "BI")] == [True, False]
    assert not results.dark(3, 4, "NS")


def test_strategic_reach() -> None:
    assert [tables.reach(ma) for ma in (25, 26, 50, 51, 70, 71)] == [0, 1, 1, 2, 2, 3]
    assert board.zones_from("LS")["BS"] == 3


def test_coasts() -> None:
    assert board.shore("3412") == "NO"
    assert board.shore("3733") == "UK"
    assert board.shore("2106") == "SJ"
    assert board.shore("2930") == "DK"
    assert board.shore("3605") == "SO"
