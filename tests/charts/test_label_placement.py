"""Names on a chart: whatever lies where, no two meet, and the same input gives the same places."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.charts.label_placement import Rect, Sheet, Spot, Want, box, place
from tests.counts import few

BOUNDS: Rect = (22, 86, 1162, 1421)
POINTS = st.tuples(st.integers(30, 1150), st.integers(95, 1410))
SIZES = st.tuples(st.integers(20, 150), st.sampled_from([14, 26, 38, 62]))


def wants(points: list[tuple[int, int]], sizes: list[tuple[int, int]]) -> list[Want]:
    pairs = zip(points, sizes, strict=True)
    return [Want(x, y, 24, 14, w, h) for (x, y), (w, h) in pairs]


def boxes(asked: list[Want], spots: list[Spot | None]) -> list[Rect]:
    return [box(want, spot) for want, spot in zip(asked, spots, strict=True) if spot]


def meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@settings(max_examples=few(25))
@given(st.lists(POINTS, min_size=40, max_size=40), st.lists(SIZES, min_size=40, max_size=40))
def test_forty_names_never_meet(
    points: list[tuple[int, int]], sizes: list[tuple[int, int]]
) -> None:
    asked, sheet = wants(points, sizes), Sheet(BOUNDS)
    markers = [(w.x - w.gx, w.y - w.gy, w.x + w.gx, w.y + w.gy) for w in asked]
    for marker in markers:
        sheet.block(marker)
    placed = boxes(asked, place(asked, sheet))
    assert len(placed) == 40
    assert not [pair for pair in combinations(placed, 2) if meet(*pair)]
    assert not [1 for rect in placed for marker in markers if meet(rect, marker)]
    left, top, right, bottom = BOUNDS
    assert all(a >= left and b >= top and c <= right and d <= bottom for a, b, c, d in placed)


def test_forty_names_of_one_point_find_room() -> None:
    asked = wants([(600, 700)] * 40, [(150, 62)] * 40)
    placed = boxes(asked, place(asked, Sheet(BOUNDS)))
    assert len(placed) == 40
    assert not [pair for pair in combinations(placed, 2) if meet(*pair)]


def test_the_same_names_get_the_same_places() -> None:
    asked = wants([(100 + 40 * i, 200 + 7 * i) for i in range(20)], [(90, 26)] * 20)
    assert place(asked, Sheet(BOUNDS)) == place(asked, Sheet(BOUNDS))


def test_a_lone_name_stands_below_its_thing_without_a_line() -> None:
    (spot,) = place([Want(500, 500, 24, 14, 80, 14)], Sheet(BOUNDS))
    assert spot == Spot(500, 521, False)


def test_a_name_goes_around_a_track() -> None:
    sheet = Sheet(BOUNDS)
    sheet.trace([(500.0, 500.0), (500.0, 900.0)])
    (spot,) = place([Want(500, 500, 24, 14, 80, 14)], sheet)
    assert spot is not None
    assert spot.y < 500


def test_a_name_that_could_be_taken_for_another_things_gets_a_line() -> None:
    ring = [(500 + dx * 70, 500 + dy * 50) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    asked = wants(ring, [(60, 14)] * 9)
    spots = place(asked, Sheet(BOUNDS))
    for want, spot in zip(asked, spots, strict=True):
        assert spot is not None
        gap = max(abs(spot.x - want.x) - 54, abs(spot.y - want.y) - 21)
        assert spot.leader or gap <= 12


def test_a_name_does_not_stand_where_it_looks_as_near_to_another_thing() -> None:
    """Two ships side by side, one a fifth of a pixel shorter: below, nobody sees whose it is."""
    hood, prince = Want(222, 184, 9, 13, 44, 26), Want(195, 184, 9, 12.8, 79, 26)
    spot, _ = place([hood, prince], Sheet((0, 0, 400, 400)))
    assert spot == Spot(253, 184, False)


def test_no_room_is_said() -> None:
    assert place([Want(50, 50, 5, 5, 500, 20)], Sheet((0, 0, 100, 100))) == [None]


def test_a_name_does_not_seem_to_be_that_of_a_dot_of_a_track() -> None:
    """Of two spots as far from the thing that without a dot is taken, though it is the worse."""
    want, sheet = Want(600, 700, 24, 14, 60, 26), Sheet(BOUNDS)
    sheet.block((560, 714, 640, 726))  # straight below
    (free,) = place([want], sheet)
    assert free and not free.leader
    rect = box(want, free)
    other = Sheet(BOUNDS)
    other.block((560, 714, 640, 726))
    other.bead([((rect[0] + rect[2]) / 2, rect[1] - 3 if rect[1] < 686 else rect[3] + 3)])
    (found,) = place([want], other)
    assert found and found != free


def test_a_dot_under_its_own_thing_moves_no_name() -> None:
    want, sheet = Want(600, 700, 24, 14, 60, 26), Sheet(BOUNDS)
    sheet.bead([(600, 700)])
    assert place([want], sheet) == place([want], Sheet(BOUNDS))
