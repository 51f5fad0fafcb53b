"""What charts of games share."""

from __future__ import annotations

import pytest
from msgspec import Struct

from pbem.kit import charts
from pbem.kit.grids import Lattice
from pbem.model import UnitView
from pbem.scene import Box

FLAT = Lattice("flat", first="column", stagger="even", letters=False, digits=2)
POINTED = Lattice("pointed", stagger="odd")
SQUARE = Lattice("square")
CORNERS = Lattice("square", corners=True)


class Points(Struct, frozen=True):
    name: str
    points: int


def inside(polygon: tuple[tuple[float, float], ...], point: tuple[float, float]) -> bool:
    """Is a point within a convex polygon whose corners run clockwise on the chart?"""
    x, y = point
    sides = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return all((c - a) * (y - b) - (d - b) * (x - a) >= 0 for (a, b), (c, d) in sides)


@pytest.mark.parametrize("lattice", [FLAT, POINTED, SQUARE, CORNERS])
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_ring_holds_all_cells_within_reach_and_no_other(lattice: Lattice, steps: int) -> None:
    centre = lattice.name(12, 12)
    edge = charts.ring(lattice, charts.middle(lattice, centre), steps)
    for cell in lattice.within(centre, steps + 2):
        near = lattice.distance(centre, cell) <= steps
        assert inside(edge, charts.middle(lattice, cell)) == near


def test_a_grid_has_the_shape_of_its_cells() -> None:
    grid = charts.grid(FLAT, ("0101", "0201"), faint=("0201",))
    assert (grid.shape, grid.faint) == ("flat", frozenset({"0201"}))
    (x, y), (u, v) = grid.cells["0101"], grid.cells["0201"]
    assert (u - x, v - y) == pytest.approx((3**0.5 / 2, 0.5))
    assert charts.grid(POINTED, ()).shape == "hex"
    assert charts.grid(SQUARE, ()).shape == "square"


def test_bricks_stand_in_rows_one_apart() -> None:
    assert charts.brick(POINTED, "B3") == (3.5, 1.0)
    assert charts.brick(Lattice("pointed", stagger="back"), "K14") == (9.0, 10.0)


@pytest.mark.parametrize(("age", "text"), [(0, "now"), (1, "1 turn ago"), (4, "4 turns ago")])
def test_age_in_words(age: int, text: str) -> None:
    assert charts.ago(age) == text
    assert charts.ago(0, "this turn") == "this turn"


def test_a_course_is_carried_on() -> None:
    assert charts.onward(((1.0, 1.0), (2.0, 3.0)), (4.0, 4.0)) == (6.0, 5.0)
    assert charts.onward((), (4.0, 4.0)) is None


def test_points_and_places() -> None:
    assert charts.points([Points("Fox", 2), Points("Hound", 0)]) == Box("Points", "Fox 2 · Hound 0")
    units = [UnitView(id=i, name=i, type="", place=p) for i, p in (("a", "B1"), ("b", "B1"))]
    assert charts.places(lambda cell: charts.middle(SQUARE, cell), units) == ((1.0, 1.0),)
