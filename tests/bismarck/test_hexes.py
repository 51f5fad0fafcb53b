"""2.3, 9.28, 9.5, 9.63: the battle board's geometry and the moves on it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bismarck.battle import determination, movement
from games.bismarck.battle.charts import charts
from games.bismarck.battle.movement import Place
from games.bismarck.state import BRITISH, GERMAN
from games.bismarck.vessels import Vessel
from pbem.kit.hexes import (
    CENTRE,
    FACINGS,
    STEPS,
    Facing,
    Hex,
    distance,
    edge,
    neighbours,
    sector,
    turned,
)
from tests.counts import few

HEX = st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9))
FACING = st.sampled_from(FACINGS)
E = Facing(0)


def test_six_neighbours_stand_at_distance_one() -> None:
    assert len(set(neighbours(CENTRE))) == 6
    assert {distance(CENTRE, h) for h in neighbours(CENTRE)} == {1}


def test_a_turn_of_six_sides_is_none() -> None:
    assert [turned(E, n) for n in range(7)] == [0, 1, 2, 3, 4, 5, 0]
    assert turned(E, -1) == 5


@pytest.mark.parametrize(
    ("other", "wanted"),
    [
        (Hex(3, 0), "bow"),
        (Hex(-3, 0), "stern"),
        (Hex(0, 3), "starboard"),
        (Hex(0, -3), "port"),
        (Hex(1, 1), "starboard"),  # exactly 30 degrees: on the beam (ruling)
        (Hex(2, -1), "port"),  # exactly 30 degrees to port
        (Hex(-1, -1), "port"),  # exactly 150 degrees
        (Hex(-2, 1), "starboard"),
        (Hex(2, 1), "bow"),  # 19 degrees
        (Hex(1, 2), "starboard"),  # 41 degrees
        (Hex(-3, 1), "stern"),
    ],
)
def test_9_63_sectors_from_a_bow_that_points_east(other: Hex, wanted: str) -> None:
    assert sector(CENTRE, E, other) == wanted


def test_9_55_a_ship_has_no_bearing_to_its_own_hex() -> None:
    with pytest.raises(ValueError, match="own hex"):
        sector(CENTRE, E, CENTRE)


def spin(at: Hex, times: int) -> Hex:
    """`at` turned about the centre by 60 degrees to starboard, `times` over."""
    for _ in range(times):
        at = Hex(-at.r, at.q + at.r)
    return at


@settings(deadline=None, max_examples=few(80))
@given(HEX.filter(lambda h: h != CENTRE), FACING)
def test_sectors_turn_with_the_ship(other: Hex, facing: Facing) -> None:
    assert sector(CENTRE, facing, spin(other, facing)) == sector(CENTRE, E, other)


@settings(deadline=None, max_examples=few(80))
@given(HEX.filter(lambda h: h != CENTRE), FACING)
def test_the_opposite_bow_swaps_sectors(other: Hex, facing: Facing) -> None:
    swap = {"bow": "stern", "stern": "bow", "port": "starboard", "starboard": "port"}
    there = sector(CENTRE, facing, other)
    assert sector(CENTRE, turned(facing, 3), other) == swap[there]


@settings(deadline=None, max_examples=few(80))
@given(HEX, HEX, HEX)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert (distance(a, b) == 0) == (a == b)


# 9.28 Set-up


@pytest.mark.parametrize("side", range(6))
def test_9_28_every_edge_is_at_b_range_of_the_centre(side: int) -> None:
    line = edge(side, charts({}).radius)
    assert len(set(line)) == 7
    assert {distance(CENTRE, h) for h in line} == {6}
    assert all(distance(a, b) == 1 for a, b in pairwise(line))


def test_9_28_the_edges_share_their_corners_only() -> None:
    lines = [set(edge(side, 6)) for side in range(6)]
    assert len(set().union(*lines)) == 36
    assert all(len(lines[i] & lines[(i + 1) % 6]) == 1 for i in range(6))


def test_9_281_two_to_a_hex_and_the_rest_around() -> None:
    placed = determination.defenders_berths([0] * 5)
    assert placed[:2] == [CENTRE, CENTRE]
    assert max(map(placed.count, placed)) == 2
    assert {distance(CENTRE, h) for h in placed[2:]} == {1}
    line = determination.attackers_berths(4, 6, [0] * 5)
    assert set(line) <= set(edge(4, 6))
    assert max(map(line.count, line)) == 2


def test_9_281_9_42_who_comes_by_an_edge_takes_the_hex_named_if_it_is_clear() -> None:
    line = edge(0, 6)
    middle = line[3]
    for wish in range(1, 8):
        assert determination.edge_berths(line, line, [wish]) == [line[wish - 1]]
    assert determination.edge_berths(line, line, [8]) == [middle]
    assert determination.edge_berths(line, line[1:], [1]) == [middle]
    assert determination.edge_berths(line, line[:1], [1, 2]) == [line[0], line[0]]


@pytest.mark.parametrize("side", range(6))
def test_9_282_both_lines_begin_broadside_on(side: int) -> None:
    heading = determination.common_heading((), side)
    (middle,) = determination.attackers_berths(side, 6, [0])
    assert sector(CENTRE, heading, middle) in ("port", "starboard")
    assert sector(middle, heading, CENTRE) in ("port", "starboard")


# 9.5 Movement


def reach(evasion: int) -> set[tuple[int, int]]:
    """Hexes gone and hex sides turned, at most, among the places a lone ship may end in."""
    start = Place(CENTRE, E)
    places = movement.places(start, evasion, (), charts({}))
    return {(distance(CENTRE, p.at), min(p.facing, 6 - p.facing)) for p in places}


@pytest.mark.parametrize(
    ("evasion", "pairs"),
    [
        (0, ((0, 0),)),
        (1, ((0, 1),)),
        (3, ((0, 1),)),
        (4, ((1, 1),)),
        (10, ((1, 1),)),
        (11, ((0, 2), (1, 1))),
        (17, ((0, 2), (1, 1))),
        (18, ((0, 2), (1, 1), (2, 0))),
        (24, ((0, 2), (1, 1), (2, 0))),
        (25, ((0, 3), (1, 2), (2, 1))),
        (29, ((0, 3), (1, 2), (2, 1))),
        (30, ((1, 3), (2, 2), (3, 0))),
        (33, ((1, 3), (2, 2), (3, 0))),
    ],
)
def test_9_51_every_column_of_the_movement_chart(
    evasion: int, pairs: tuple[tuple[int, int], ...]
) -> None:
    assert charts({}).options(evasion) == pairs


def test_9_53_evasion_28_goes_two_and_turns_one_or_one_and_two_or_none_and_three() -> None:
    got = reach(28)
    assert {(2, 0), (2, 1), (1, 2), (0, 3)} <= got
    assert (2, 2) not in got
    assert (1, 3) not in got


def test_9_54_a_ship_may_stay_as_it_is() -> None:
    for evasion in range(34):
        start = Place(CENTRE, E)
        assert movement.places(start, evasion, (), charts({}))[0] == start


def test_9_55_the_way_is_barred_by_an_enemy() -> None:
    start = Place(CENTRE, E)
    ends = {p.at for p in movement.places(start, 20, {Hex(1, 0)}, charts({}))}
    assert Hex(1, 0) not in ends
    assert Hex(2, 0) not in ends


def test_9_57_only_ahead() -> None:
    start = Place(CENTRE, E)
    assert {p.at for p in movement.places(start, 5, (), charts({}))} == {
        CENTRE,
        *(STEPS[f] for f in (0, 1, 5)),
    }


@settings(deadline=None, max_examples=few(60))
@given(st.integers(0, 33), FACING, st.sets(HEX, max_size=4))
def test_no_move_ends_among_enemies_or_beyond_the_chart(
    evasion: int, facing: Facing, enemies: set[Hex]
) -> None:
    start = Place(CENTRE, facing)
    far = max(h for h, _ in charts({}).options(evasion))
    for place in movement.places(start, evasion, enemies - {CENTRE}, charts({})):
        assert place.at not in enemies - {CENTRE}
        assert distance(CENTRE, place.at) <= far


def test_9_31_slow_ships_first_and_attackers_at_equal_evasion() -> None:
    vessels = [
        Vessel("HOOD", BRITISH, attacker=True),
        Vessel("BISMARCK", GERMAN),
        Vessel("RODNEY", BRITISH, attacker=True),
        Vessel("PRINZ EUGEN", GERMAN),
    ]
    evasion = {"HOOD": 29, "BISMARCK": 29, "RODNEY": 21, "PRINZ EUGEN": 32}
    order = movement.sequence(vessels, lambda v: evasion[v.ship])
    assert [v.ship for v in order] == ["RODNEY", "HOOD", "BISMARCK", "PRINZ EUGEN"]


def test_9_95_the_bonus_move_goes_ahead_and_may_turn_once_after() -> None:
    start = Place(CENTRE, E)
    ends = movement.bonus_places(start, 29, (), charts({}))
    assert {p.at for p in ends} == {Hex(1, 0)}
    assert {p.facing for p in ends} == {0, 1, 5}
    assert movement.bonus_places(start, 3, (), charts({})) == []  # ruling 18
    assert movement.bonus_places(start, 29, {Hex(1, 0)}, charts({})) == []
