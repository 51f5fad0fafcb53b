"""Lattices of every kind, lines and ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.charts import middle
from pbem.kit.grids import AreaGraph, Lattice, distances, path, safest, walk

WOOD = Lattice("square")
KINGS = Lattice("square", corners=True)
WEST = Lattice("pointed", stagger="back")
EAST = Lattice("pointed", stagger="each")
ODD = Lattice("pointed", stagger="odd")
AXIAL = Lattice("pointed", first="column", stagger="each", digits=2)
FLAT = Lattice("flat", first="column", stagger="even", letters=False, digits=2)
FLAT_ODD = Lattice("flat", first="column", stagger="odd", letters=False, digits=2)
SLANTED = Lattice("flat", stagger="back")
LATTICES = (WOOD, KINGS, WEST, EAST, ODD, AXIAL, FLAT, FLAT_ODD, SLANTED)
NUMBERS = st.integers(10, 15)


@pytest.mark.parametrize(
    ("lattice", "cell", "near"),
    [
        (WOOD, "B2", "A2 B1 B3 C2"),
        (KINGS, "B2", "A1 A2 A3 B1 B3 C1 C2 C3"),
        (WEST, "K14", "J13 J14 K13 K15 L14 L15"),
        (EAST, "K14", "J14 J15 K13 K15 L13 L14"),
        (ODD, "B2", "A2 A3 B1 B3 C2 C3"),  # row B, the second, lies half a hex further east
        (ODD, "C2", "B1 B2 C1 C3 D1 D2"),
        (AXIAL, "I12", "H12 H13 I11 I13 J11 J12"),
        (FLAT, "2930", "2829 2830 2929 2931 3029 3030"),  # odd column of the 2nd Fleet
        (FLAT, "3030", "2930 2931 3029 3031 3130 3131"),
    ],
)
def test_neighbours_come_in_the_order_of_their_names(
    lattice: Lattice, cell: str, near: str
) -> None:
    assert " ".join(lattice.around(cell)) == near


@pytest.mark.parametrize("lattice", LATTICES)
@given(a=NUMBERS, b=NUMBERS, c=NUMBERS, d=NUMBERS)
def test_distance_is_the_number_of_steps(lattice: Lattice, a: int, b: int, c: int, d: int) -> None:
    start, end = lattice.name(a, b), lattice.name(c, d)
    assert lattice.parts(start) == (a, b)
    assert lattice.at(*lattice.place(start)) == (a, b)
    far = distances(lattice.around, start, end)
    assert lattice.distance(start, end) == lattice.distance(end, start) == far[end]
    assert all(start in lattice.around(near) for near in lattice.around(start))


@pytest.mark.parametrize("lattice", LATTICES)
def test_neighbours_stand_one_cell_apart_on_a_chart(lattice: Lattice) -> None:
    """A hex is 1 from side to side; so the middles of all six neighbours are 1 away."""
    for first in (11, 12):
        cell = lattice.name(first, 11)
        x, y = middle(lattice, cell)
        apart = {
            round((u - x) ** 2 + (v - y) ** 2, 9)
            for u, v in (middle(lattice, near) for near in lattice.around(cell))
        }
        assert apart == ({1, 2} if lattice.corners else {1})


@pytest.mark.parametrize("lattice", LATTICES)
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_rings_and_discs(lattice: Lattice, steps: int) -> None:
    centre = lattice.name(12, 12)
    counts = {
        WOOD: 2 * steps * (steps + 1) + 1,
        KINGS: (2 * steps + 1) ** 2,
    }
    disc = lattice.within(centre, steps)
    assert len(set(disc)) == counts.get(lattice, 3 * steps * (steps + 1) + 1)
    assert sorted(disc, key=lattice.parts) == [*disc]
    inner = lattice.within(centre, steps - 1) if steps else ()
    assert {*lattice.ring(centre, steps)} == {*disc} - {*inner}


@pytest.mark.parametrize("lattice", LATTICES)
@given(a=NUMBERS, b=NUMBERS, c=NUMBERS, d=NUMBERS)
def test_a_line_is_a_shortest_way(lattice: Lattice, a: int, b: int, c: int, d: int) -> None:
    start, end = lattice.name(a, b), lattice.name(c, d)
    way = lattice.line(start, end)
    assert len(way) == lattice.distance(start, end)
    assert way[-1:] == ((end,) if start != end else ())


def test_a_line_along_a_side_takes_the_cell_named_first() -> None:
    """2930 to 3131 runs along the side of 3030 and 3031 of the 2nd Fleet's map."""
    assert FLAT.line("2930", "3130") == ("3029", "3130")
    assert WEST.line("K14", "K17") == ("K15", "K16", "K17")


@pytest.mark.parametrize(
    ("first", "last", "cells"),
    [("F19", "F21", "F19 F20 F21"), ("F19", "F19", "F19"), ("F21", "F19", ""), ("F1", "G2", "")],
)
def test_a_range_of_cells(first: str, last: str, cells: str) -> None:
    assert " ".join(WEST.span(first, last)) == cells


@pytest.mark.parametrize(
    ("lattice", "good", "bad"),
    [
        (WEST, "A1 K14 Z99", "K A123 11 1A K1A AA1 -A1"),
        (AXIAL, "A01 P12", "A1 A123 0101"),
        (FLAT, "0101 4543", "101 01011 A101 010A"),
    ],
)
def test_the_shape_of_a_name(lattice: Lattice, good: str, bad: str) -> None:
    assert [lattice.shaped(token) for token in good.split()] == [True] * len(good.split())
    assert [lattice.shaped(token) for token in bad.split()] == [False] * len(bad.split())


def test_names_of_numbers_are_padded() -> None:
    assert FLAT.name(3, 7) == "0307"
    assert AXIAL.name(0, 7) == "A07"
    assert WEST.name(0, 7) == "A7"


def test_ways_that_some_may_not_use() -> None:
    graph = AreaGraph({"1": ("2", "3"), "2": ("1",), "3": ("1",)}, {"canal": {"1": ("3",)}})
    assert graph.near("1") == ("2", "3")
    assert graph.near("1", ["canal"]) == ("2",)
    assert graph.near("2", ["canal"]) == ("1",)
    with pytest.raises(KeyError):
        graph.near("1", ["suez"])


WALL = {"B2", "B3", "B4"}


def near(cell: str) -> Iterable[str]:
    return (c for c in WOOD.around(cell) if c[0] in "ABCD" and c[1:] in "12345" and c not in WALL)


def name_first(cell: str) -> Sequence[int]:
    return WOOD.parts(cell)


def test_a_path_goes_round_what_a_walk_meets() -> None:
    assert walk(near, "A3", "C3", lambda c: WOOD.distance(c, "C3"), WOOD.parts) is None
    assert path(near, "A3", "C3", WOOD.parts) == ("A2", "A1", "B1", "C1", "C2", "C3")
    assert path(near, "A3", "A3", WOOD.parts) == ()
    assert path(near, "A3", "B3", WOOD.parts) is None


def test_the_safest_way_looks_farther_than_a_step() -> None:
    far = lambda c: WOOD.distance(c, "C3")  # noqa: E731
    open_ = WOOD.around
    assert walk(open_, "A1", "C3", far, WOOD.parts) == ("A2", "A3", "B3", "C3")
    cost = {"A3": 1, "B2": 1}
    one = lambda c: (cost.get(c, 0), *WOOD.parts(c))  # noqa: E731
    assert walk(open_, "A1", "C3", far, one) == ("A2", "A3", "B3", "C3")
    safe = safest(open_, "A1", "C3", far, lambda c: cost.get(c, 0), WOOD.parts)
    assert safe == ("B1", "C1", "C2", "C3")
    assert safest(open_, "A1", "C3", far, lambda _: 0, WOOD.parts) == ("A2", "A3", "B3", "C3")
    assert safest(near, "A3", "C3", far, lambda _: 0, WOOD.parts) is None
    assert safest(open_, "C3", "C3", far, lambda _: 0, WOOD.parts) == ()


def test_distances_are_found_nearest_first_and_no_further_than_asked() -> None:
    found = distances(near, "A1")
    assert [*found.values()] == sorted(found.values())
    assert len(found) == 20 - len(WALL)
    assert "D5" not in distances(near, "A1", until="A2")
