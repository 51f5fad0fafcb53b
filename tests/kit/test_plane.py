"""Exact geometry: against floating point, and on its own terms."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit import plane
from pbem.kit.plane import DEGREE, HALF, ONE, QUARTER, SINES, TURN, Point

NUMBERS = st.integers(-70_000, 70_000)
POINTS = st.tuples(NUMBERS, NUMBERS)
ANGLES = st.integers(0, TURN - 1)
SQUARE = ((0, 0), (1000, 0), (1000, 1000), (0, 1000))


def test_every_sine_is_rounded_to_the_nearest() -> None:
    assert tuple(round(ONE * math.sin(math.pi * a / HALF)) for a in range(QUARTER + 1)) == SINES


@given(st.integers(-2 * TURN, 2 * TURN))
def test_sines_and_cosines_of_all_quarters(angle: int) -> None:
    radians = math.radians(angle / DEGREE)
    assert plane.sine(angle) == round(ONE * math.sin(radians))
    assert plane.cosine(angle) == round(ONE * math.cos(radians))


@pytest.mark.parametrize(
    ("heading", "end"),
    [(0, (0, 1000)), (QUARTER, (1000, 0)), (HALF, (0, -1000)), (45 * DEGREE, (707, 707))],
)
def test_ahead(heading: int, end: Point) -> None:
    assert plane.ahead((0, 0), heading, 1000) == end
    back = plane.ahead(end, heading, -1000)
    assert plane.squared(back, (0, 0)) <= 2


@pytest.mark.parametrize(
    ("angle", "end", "heading"),
    [(QUARTER, (500, 500), QUARTER), (-QUARTER, (-500, 500), 3 * QUARTER), (HALF, (1000, 0), HALF)],
)
def test_a_turn_along_a_circle(angle: int, end: Point, heading: int) -> None:
    assert plane.arc((0, 0), 0, angle, 500) == (end, heading)


@given(POINTS, POINTS)
def test_a_bearing_is_the_nearest_of_all(start: Point, end: Point) -> None:
    if start == end:
        assert plane.bearing(start, end) == 0
        return
    x, y = end[0] - start[0], end[1] - start[1]

    def off(angle: int) -> tuple[int, int]:
        return abs(plane.sine(angle) * y - plane.cosine(angle) * x), angle

    ahead = [u for u in range(TURN) if plane.sine(u) * x + plane.cosine(u) * y > 0]
    assert plane.bearing(start, end) == min(ahead, key=off)


@given(ANGLES, ANGLES)
def test_a_relative_bearing_leads_back(angle: int, heading: int) -> None:
    seen = plane.relative(angle, heading)
    assert -HALF <= seen < HALF
    assert (heading + seen) % TURN == angle


@given(st.integers(0, 2**53))
def test_roots(square: int) -> None:
    assert plane.isqrt(square) == math.isqrt(square)


@given(POINTS, POINTS, POINTS)
def test_the_distance_from_a_line(point: Point, start: Point, end: Point) -> None:
    """Compared as fractions, so that nothing is rounded."""
    x, y = end[0] - start[0], end[1] - start[1]
    along = (point[0] - start[0]) * x + (point[1] - start[1]) * y
    length = x * x + y * y
    far = plane.beside(point, start, end)
    if 0 < along < length:
        off = plane.turn(start, end, point) ** 2
        assert far * far * length <= off < (far + 1) ** 2 * length
    else:
        assert far == min(plane.apart(point, start), plane.apart(point, end))


@given(POINTS, ANGLES)
def test_a_footprint_has_its_size(at: Point, heading: int) -> None:
    corners = plane.footprint(at, heading, 4000, 1400)
    sizes = [plane.apart(a, b) for a, b in plane.edges(corners)]
    assert sizes == pytest.approx([1400, 4000, 1400, 4000], abs=3)
    assert plane.holds(corners, at)
    bow = plane.ahead(at, heading, 2000)
    assert (
        plane.squared(
            bow, ((corners[0][0] + corners[3][0]) // 2, (corners[0][1] + corners[3][1]) // 2)
        )
        <= 8
    )


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((500, 500), True),
        ((0, 500), True),
        ((1000, 1000), True),
        ((1001, 500), False),
        ((-1, 0), False),
        ((500, 1001), False),
        ((2000, 0), False),
    ],
)
def test_a_point_inside(point: Point, inside: bool) -> None:
    assert plane.holds(SQUARE, point) is inside
    assert plane.holds(SQUARE[::-1], point) is inside
    assert plane.touch(SQUARE, (point,)) is inside


def test_a_bay_is_outside() -> None:
    bay = ((0, 0), (9, 0), (9, 9), (5, 2), (0, 9))
    assert not plane.holds(bay, (5, 5))
    assert plane.holds(bay, (1, 5))


@pytest.mark.parametrize(
    ("by", "touches", "gap"),
    [
        ((1000, 0), True, 0),
        ((1001, 0), False, 1),
        ((1300, 1400), False, 500),
        ((500, 500), True, 0),
    ],
)
def test_shapes_that_touch(by: Point, touches: bool, gap: int) -> None:
    moved = tuple((x + by[0], y + by[1]) for x, y in SQUARE)
    assert plane.touch(SQUARE, moved) is plane.touch(moved, SQUARE) is touches
    assert plane.gap(SQUARE, moved) == plane.gap(moved, SQUARE) == gap


@pytest.mark.parametrize(
    ("start", "end", "cut"),
    [
        ((-5, 500), (1005, 500), True),
        ((-500, 500), (500, -500), False),
        ((-5, -5), (1005, -5), False),
        ((500, 500), (500, 2000), True),
        ((0, -10), (0, 2000), False),
    ],
)
def test_a_line_of_sight(start: Point, end: Point, cut: bool) -> None:
    assert plane.cuts(start, end, SQUARE) is cut
