"""Courses as a check that both languages can run: each row of a report is sailed in both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.baltic import courses
from games.baltic.courses import Sailing, Step
from orders.model import Order
from pbem.kit import plane
from pbem.kit.plane import Point, Pose


def check(order: Order, report: Mapping[str, Any]) -> list[Any]:
    return list(sailed(report))


def note(order: Order, report: Mapping[str, Any]) -> str:
    return ""


def sailed(report: Mapping[str, Any]) -> Iterator[Any]:
    """Of each row: length, end, the place after some mils, the helmsman's legs, the bearing
    of the target, the corners of a hull, and all in
    words."""
    for x, y, heading, engine, turns, lengths, target, rest in report["courses"]:
        pose = Pose(x, y, heading)
        how = Sailing(engine[0], engine[1], engine[2], engine[3], engine[4] == 1)
        steps = legs(turns, lengths)
        end = courses.end(pose, steps, how)
        part = courses.at(pose, steps, how, rest[0])
        goal: Point | None = (target[0], target[1]) if rest[3] else None
        found = courses.steer(pose, how, goal, target[2], rest[1], rest[2])
        yield [
            courses.total(steps, how.eighth),
            end.x,
            end.y,
            end.heading,
            part.x,
            part.y,
            part.heading,
        ]
        yield [[step.turn, step.length] for step in found]
        yield [plane.bearing((x, y), (target[0], target[1])), *corners(pose)]
        yield [courses.inches(end.x), courses.inches(-end.y), courses.degrees(end.heading)]


def corners(pose: Pose) -> list[int]:
    """Of a cruiser's hull."""
    found: list[int] = []
    for east, north in plane.corners(pose, 3000, 1000):
        found.append(east)
        found.append(north)
    return found


def legs(turns: list[int], lengths: list[int]) -> list[Step]:
    """Arc, straight, arc, straight ..."""
    found: list[Step] = []
    for turn, length in zip(turns, lengths, strict=True):
        found.append(Step(turn, 0))
        found.append(Step(0, length))
    return found
