"""The plane: sines to 40 digits, worked examples of a miniatures rule book, properties."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.kit import plane
from pbem.kit.plane import CIRCLE, Point, Pose
from pbem.kit.sines import QUARTER

PI = Decimal("3.14159265358979323846264338327950288419716939937510")
SIDE = 100_000
COORDINATES = st.integers(0, SIDE)
POINTS = st.tuples(COORDINATES, COORDINATES)
ANGLES = st.integers(0, CIRCLE - 1)
SMALL, MEDIUM, LARGE = 2546, 3820, 5093
"""Radius of a turn; 45 degrees of it are 2,000, 3,000 and 4,000."""
BIGGEST = 2**53


def exact_sine(part: int) -> Decimal:
    """By its series."""
    x = 2 * PI * part / CIRCLE
    term, total, n = x, x, 1
    while abs(term) > Decimal("1e-38"):
        term *= -x * x / ((2 * n) * (2 * n + 1))
        total += term
        n += 1
    return total


def test_every_sine_is_exact() -> None:
    with localcontext() as context:
        context.prec = 45
        wanted = [int((65536 * exact_sine(part)).to_integral_value()) for part in range(1441)]
    assert list(QUARTER) == wanted


@given(st.integers(-3 * CIRCLE, 3 * CIRCLE))
def test_sines_of_any_angle_follow_from_the_quarter(angle: int) -> None:
    assert plane.sine(angle) == plane.sine(angle + CIRCLE) == -plane.sine(-angle)
    assert plane.sine(2880 - angle) == plane.sine(angle)
    assert abs(plane.sine(angle) ** 2 + plane.cosine(angle) ** 2 - 65536**2) < 65536 * 2


@pytest.mark.parametrize(
    ("start", "angle", "radius", "end"),
    [
        ((0, 0, 0), 720, SMALL, (746, 1800, 720)),
        ((0, 0, 0), -720, SMALL, (-746, 1800, 5040)),
        ((0, 0, 0), 1440, MEDIUM, (3820, 3820, 1440)),
        ((0, 0, 1440), 720, MEDIUM, (2701, -1119, 2160)),
        ((40000, 24000, 2880), -480, LARGE, (40682, 21454, 2400)),
    ],
)
def test_arcs(
    start: tuple[int, int, int], angle: int, radius: int, end: tuple[int, int, int]
) -> None:
    assert plane.turned(Pose(*start), angle, radius) == Pose(*end)


def test_a_course_of_three_legs() -> None:
    """Ahead 2, starboard 45 degrees, ahead 1, in thousandths."""
    pose = plane.turned(plane.ahead(Pose(10000, 10000, 0), 2000), 720, MEDIUM)
    assert plane.ahead(pose, 1000) == Pose(11826, 15408, 720)
    assert plane.ahead(Pose(0, 0, 720), -2000) == Pose(-1414, -1414, 720)


def test_the_length_of_a_turn_is_rounded_up() -> None:
    turns = [(720, 2000), (360, 2000), (8, 3000), (504, 4000), (721, 3000), (-480, 4000)]
    assert [plane.arc_length(*turn) for turn in turns] == [2000, 1000, 34, 2800, 3005, 2667]


@pytest.mark.parametrize(
    ("way", "wanted"),
    [
        ((0, 1), 0),
        ((1000, 1000), 720),
        ((3000, 4000), 590),
        ((-1000, 0), 4320),
        ((-1, -1000), 2881),
        ((5000, -12000), 2518),
        ((0, 0), 0),
    ],
)
def test_bearings(way: Point, wanted: int) -> None:
    assert plane.bearing((0, 0), way) == wanted


@given(POINTS, POINTS)
def test_a_bearing_is_the_direction_with_the_least_cross_product(a: Point, b: Point) -> None:
    assume(a != b)
    east, north = b[0] - a[0], b[1] - a[1]

    def off(angle: int) -> int:
        return abs(east * plane.cosine(angle) - north * plane.sine(angle))

    found = plane.bearing(a, b)
    assert east * plane.sine(found) + north * plane.cosine(found) > 0
    assert all(off(found) <= off(found + step) for step in range(-720, 721))
    assert off(found) < off(found - 1)


def test_corners_of_a_hull_in_the_order_of_its_sides() -> None:
    assert plane.corners(Pose(20000, 20000, 720), 3000, 1000) == (
        (21415, 20707),
        (20707, 21415),
        (18585, 19293),
        (19293, 18585),
    )


@given(ANGLES, ANGLES)
def test_a_relative_bearing_turns_back_into_the_bearing(direction: int, heading: int) -> None:
    found = plane.relative(direction, heading)
    assert -2880 < found <= 2880
    assert (heading + found) % CIRCLE == direction


def test_arcs_of_fire_include_both_their_limits() -> None:
    assert [plane.within(b, 5040, 720) for b in (5039, 5040, 0, 720, 721)] == [
        *(False, True, True, True, False)
    ]


@given(st.integers(0, BIGGEST))
def test_roots(value: int) -> None:
    assert plane.root(value) == isqrt(value)


@given(POINTS, POINTS, POINTS)
def test_the_range_to_a_segment_is_exact(point: Point, a: Point, b: Point) -> None:
    assert plane.range_to(point, a, b) == exact_range(point, a, b)


@given(st.tuples(COORDINATES, COORDINATES), POINTS, st.integers(-3, 3), st.integers(-3, 3))
def test_the_range_to_a_short_segment_is_exact(point: Point, a: Point, x: int, y: int) -> None:
    assert plane.range_to(point, a, (a[0] + x, a[1] + y)) == exact_range(
        point, a, (a[0] + x, a[1] + y)
    )


def exact_range(point: Point, a: Point, b: Point) -> int:
    """By fractions."""
    along = plane.square(a, b)
    dot = (point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])
    part = min(max(Fraction(dot, along), Fraction(0)), Fraction(1)) if along else Fraction(0)
    x, y = (Fraction(a[i]) + part * (b[i] - a[i]) - point[i] for i in (0, 1))
    return isqrt(int(x * x + y * y))


SQUARE = ((0, 0), (10, 0), (10, 10), (0, 10))


def moved(x: int, y: int) -> plane.Polygon:
    return tuple((a + x, b + y) for a, b in SQUARE)


@pytest.mark.parametrize(
    ("x", "y", "gap"),
    [(5, 5, 0), (10, 0, 0), (10, 10, 0), (11, 0, 1), (13, 14, 5), (2, 2, 0), (0, 30, 20)],
)
def test_polygons_touch_or_have_a_gap(x: int, y: int, gap: int) -> None:
    assert plane.overlap(SQUARE, moved(x, y)) == plane.overlap(moved(x, y), SQUARE) == (gap == 0)
    assert plane.range_between(SQUARE, moved(x, y)) == gap


def test_a_polygon_inside_another_overlaps_it() -> None:
    inner = ((4, 4), (6, 4), (5, 6))
    assert plane.overlap(SQUARE, inner)
    assert plane.overlap(inner, SQUARE)


SMALL_POINTS = st.tuples(st.integers(0, 8), st.integers(0, 8))
"""So near each other that edges run along and through corners."""
CORNERS = st.lists(SMALL_POINTS, min_size=3, max_size=7)


@given(CORNERS, CORNERS)
def test_polygons_of_any_form_overlap_where_edges_touch_or_one_lies_in_the_other(
    some: list[Point], others: list[Point]
) -> None:
    one, other = tuple(some), tuple(others)
    ours, theirs = (list(zip(p, (*p[1:], p[0]), strict=True)) for p in (one, other))
    touch = any(plane.touch(*a, *b) for a in ours for b in theirs)
    within = plane.inside(one[0], other) or plane.inside(other[0], one)
    assert plane.overlap(one, other) == (touch or within)


def test_touching_a_corner_is_a_touch_and_no_crossing() -> None:
    ends = (0, 5), (5, 10)
    assert plane.touch(*ends, (0, 10), (5, 5)) and plane.cross(*ends, (0, 10), (5, 5))
    assert plane.touch(*ends, (5, 10), (9, 9)) and not plane.cross(*ends, (5, 10), (9, 9))
    assert plane.touch(*ends, (1, 6), (2, 7)) and not plane.cross(*ends, (1, 6), (2, 7))
    assert not plane.touch(*ends, (6, 11), (9, 14))


HOLLOW = ((0, 0), (10, 0), (10, 10), (5, 3), (0, 10))
"""With a notch in its north side."""


@pytest.mark.parametrize(
    ("point", "wanted"),
    [
        *(((5, 2), True), ((5, 3), True), ((5, 4), False), ((1, 5), True), ((10, 10), True)),
        *(((-1, 0), False), ((11, 0), False), ((5, 10), False), ((0, 4), True)),
    ],
)
def test_points_of_a_hollow_polygon(point: Point, wanted: bool) -> None:
    assert plane.inside(point, HOLLOW) == wanted
    assert plane.inside(point, HOLLOW[::-1]) == wanted
