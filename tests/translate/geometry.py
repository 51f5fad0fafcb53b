"""Checks that ask the kit's grids and plane, to be compared in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from orders.model import Order
from pbem.kit import plane
from pbem.kit.grids import AreaGraph, Lattice, distances, path
from pbem.kit.plane import Point, Pose

LATTICES = (
    Lattice("square"),
    Lattice("square", corners=True),
    Lattice("pointed", stagger="back"),
    Lattice("pointed", first="column", stagger="each", digits=2),
    Lattice("flat", first="column", stagger="even", letters=False, digits=2),
    Lattice("flat", first="column", stagger="odd", letters=False, digits=2),
)
GRAPH = AreaGraph({"1": ("2", "3"), "2": ("1",), "3": ("1",)}, {"canal": {"1": ("3",)}})


def check(order: Order, report: Mapping[str, Any]) -> list[Any]:
    return [list(cells(report)), list(GRAPH.near("1", ["canal"])), list(courses(report))]


def note(order: Order, report: Mapping[str, Any]) -> str:
    return ""


def cells(report: Mapping[str, Any]) -> Iterator[Any]:
    """Everything that the grids offer, for cells drawn at random."""
    for lattice in LATTICES:
        for first, second, to_first, to_second in report["cells"]:
            start, end = lattice.name(first, second), lattice.name(to_first, to_second)
            yield [start, list(lattice.around(start)), lattice.distance(start, end)]
            yield [list(lattice.line(start, end)), list(lattice.ring(start, 2))]
            yield [lattice.shaped(end), lattice.shaped("A0B"), list(lattice.span(start, end))]
            sea, rank = partial(open_sea, lattice), partial(number, lattice)
            way = path(sea, start, end, rank)
            yield None if way is None else list(way)
            yield [[cell, steps] for cell, steps in distances(sea, start).items()]


def number(lattice: Lattice, cell: str) -> tuple[int, int]:
    return lattice.parts(cell)


def open_sea(lattice: Lattice, cell: str) -> list[str]:
    near: list[str] = []
    for to in lattice.around(cell):
        first, second = lattice.parts(to)
        if 8 <= first <= 17 and 8 <= second <= 17 and (first + 2 * second) % 7 != 0:
            near.append(to)
    return near


def courses(report: Mapping[str, Any]) -> Iterator[Any]:
    """Everything that the plane offers, for places, angles and lengths drawn at random."""
    for x, y, heading, east, north, angle, length in report["poses"]:
        pose, target = Pose(x, y, heading), (east, north)
        signed = angle - 2880
        ended, turned = plane.ahead(pose, length), plane.turned(pose, signed, length)
        yield [[p.x, p.y, p.heading] for p in (ended, turned, plane.ahead(pose, -length))]
        yield [plane.sine(signed), plane.cosine(angle), plane.arc_length(signed, length)]
        direction = plane.bearing((x, y), target)
        yield [
            direction,
            plane.relative(direction, heading),
            plane.within(direction, heading, angle),
        ]
        one, other = plane.corners(pose, length, 1000), plane.corners(turned, 4000, length)
        yield [list(corner) for corner in (*one, *other)]
        yield [plane.overlap(one, other), plane.range_between(one, other)]
        yield [plane.range_to(target, one[0], other[0]), plane.root(plane.square((x, y), target))]
        yield [plane.inside(target, one), *crossings((x, y), target, one[0], other[0])]


def crossings(a: Point, b: Point, c: Point, d: Point) -> list[bool]:
    return [plane.touch(a, b, c, d), plane.cross(a, b, c, d), plane.touch(a, b, a, d)]
