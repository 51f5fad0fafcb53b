"""2.1 and 2.7: how a vessel sails a list of legs, and the legs that the helmsman finds himself.

Lengths are mils, angles sixteenths of a degree. The order page runs this module too
(docs/formats.md, "Checks").
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from games.baltic.tables import SETTINGS, TEMPLATES, telegraph, template
from pbem.kit import plane
from pbem.kit.plane import CIRCLE, Point, Pose

HALF_DEGREE = 8
MOST_TURN = 2880
"""4 of 2.1 A turn of one leg is at most half a circle."""
QUARTER_TURN = 1440
MOST_ASTERN = 720
"""165 In Reverse the arcs of a move add up to at most this."""


class Step(Struct, frozen=True):
    """A leg: an arc, if `turn` is not 0 (starboard above it), else `length` straight on."""

    turn: int
    length: int


class Sailing(Struct, frozen=True):
    """What a vessel can do at her setting."""

    low: int
    high: int
    eighth: int
    """The length of an arc of 45 degrees; 0: her rudder allows no turns."""
    radius: int
    astern: bool


def sailing(column: str, setting: str, base: str, wider: int, jammed: int) -> Sailing:
    """39-43, 150 What a setting allows.

    column: of the telegraph; base: the sheet's template; wider: templates larger for other reasons
    than Flank; jammed: rudder hits, after which turns beyond the largest template end.
    """
    spans = telegraph(column)
    place = SETTINGS.index(setting)
    low, high = spans[place] if place < len(spans) else (0, 0)
    index = TEMPLATES.index(base) + wider + jammed + (1 if setting == "flank" else 0)
    stiff = index >= len(TEMPLATES) and jammed > 0
    eighth, radius = template(TEMPLATES[min(index, len(TEMPLATES) - 1)])
    return Sailing(low, high, 0 if stiff else eighth, 0 if stiff else radius, setting == "reverse")


def leg(way: str, by: str) -> Step:
    """A leg as it is written: `ahead` so many inches, `starboard` or `port` so many degrees."""
    if way == "ahead":
        return Step(0, mils(by))
    angle = units(by)
    return Step(angle if way == "starboard" else -angle, 0)


def cost(step: Step, eighth: int) -> int:
    """4 of 2.1 The mils that a leg takes."""
    return plane.arc_length(step.turn, eighth) if step.turn else step.length


def total(steps: Sequence[Step], eighth: int) -> int:
    """The mils of a whole move."""
    found = 0
    for step in steps:
        found += cost(step, eighth)
    return found


def after(pose: Pose, step: Step, how: Sailing) -> Pose:
    """Where a whole leg ends; astern it leads backwards and swings the bow the same way (165)."""
    side = -1 if how.astern else 1
    if step.turn:
        return plane.turned(pose, step.turn, side * how.radius)
    return plane.ahead(pose, side * step.length)


def at(pose: Pose, steps: Sequence[Step], how: Sailing, mils: int) -> Pose:
    """Where a vessel is after so many mils of a move; at its end, exactly the sum of its legs."""
    left = mils
    for step in steps:
        length = cost(step, how.eighth)
        if left >= length:
            left -= length
            pose = after(pose, step, how)
        elif step.turn:
            angle = left * 720 // how.eighth
            part = Step(angle if step.turn > 0 else -angle, 0)
            return after(pose, part, how) if angle else pose
        else:
            return after(pose, Step(0, left), how)
    return pose


def end(pose: Pose, steps: Sequence[Step], how: Sailing) -> Pose:
    """Where a move ends."""
    for step in steps:
        pose = after(pose, step, how)
    return pose


def mils(inches: str) -> int:
    """`2.5` as 2500: a number as orders write it, in thousandths."""
    parts = inches.split(".")
    if len(parts) < 2:
        return int(parts[0]) * 1000
    return int(parts[0]) * 1000 + int((parts[1] + "000")[:3])


def units(degrees: str) -> int:
    """`22.5` degrees as 360 sixteenths."""
    return mils(degrees) * plane.DEGREE // 1000


def way_length(start: Point, way: Sequence[Point]) -> int:
    """The mils from point to point."""
    found, here = 0, start
    for there in way:
        found += plane.root(plane.square(here, there))
        here = there
    return found


def inches(length: int) -> str:
    """15 of 2.1 Mils with two decimals of an inch, to the nearest: 11826 as `11.83`."""
    sign = "-" if length < 0 else ""
    hundredths = (abs(length) + 5) // 10
    rest = hundredths % 100
    return f"{sign}{hundredths // 100}.{rest // 10}{rest % 10}"


def degrees(angle: int) -> str:
    """15 of 2.1 An angle in half degrees, to the nearest: 364 as `23`, 360 as `22.5`."""
    halves = (angle + 4) // HALF_DEGREE % (CIRCLE // HALF_DEGREE)
    return f"{halves // 2}.5" if halves % 2 else f"{halves // 2}"


def goal(pose: Pose, target: Point | None, bearing: int) -> int:
    """1 of 2.7 The wished bearing, seen from the bow; 180 degrees counts as starboard (3)."""
    wished = bearing if target is None else plane.bearing((pose.x, pose.y), target)
    return plane.relative(wished, pose.heading)


def steer(
    pose: Pose, how: Sailing, target: Point | None, bearing: int, keep: int, budget: int
) -> list[Step]:
    """2.7 The legs of the autopilot: one arc towards the goal, then straight on.

    target: a point, or None for a bearing. keep: mils from the point at which to stop. budget: the
    most mils of the move.
    """
    most = max(how.low, min(how.high, budget))
    turn = _arc(pose, how, target, bearing, most)
    found: list[Step] = []
    used = 0
    if turn:
        found.append(Step(turn, 0))
        used = plane.arc_length(turn, how.eighth)
        pose = after(pose, found[0], how)
    straight = most - used
    if target is not None:
        way = plane.root(plane.square((pose.x, pose.y), target)) - keep
        if how.astern and abs(goal(pose, target, bearing)) < QUARTER_TURN:
            way = 0  # astern she would only draw away from it
        straight = min(straight, max(way, how.low - used, 0))
    if straight > 0:
        found.append(Step(0, straight))
    return found


def _arc(pose: Pose, how: Sailing, target: Point | None, bearing: int, budget: int) -> int:
    """4 of 2.7 The angle to turn by, above 0 to starboard."""
    start = goal(pose, target, bearing)
    if abs(start) <= 4 or how.eighth == 0 or how.astern:
        return 0
    side = 1 if start > 0 else -1
    best = 0
    for angle in range(HALF_DEGREE, MOST_TURN + 1, HALF_DEGREE):
        if plane.arc_length(angle, how.eighth) > budget:
            break
        best = angle
        new = plane.turned(pose, side * angle, how.radius)
        if abs(goal(new, target, bearing)) <= 4:
            break
    return side * best
