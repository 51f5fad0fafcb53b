"""Exact geometry on a plane without cells, in whole numbers, the same in Python and in JavaScript.

Lengths are integers of any unit (mils, thousandths of an inch, in miniatures rules). Angles are
integers of 1/16 degree, 5,760 to a circle; headings and bearings count clockwise from north, x
grows to the east and y to the north. There are no floats, so the referee and every order page agree
on the last digit. On boards of up to 100,000 units a side no value exceeds 2**53, which JavaScript
can hold.

The module keeps to the part of Python that order pages can run (docs/formats.md, "Checks").
"""

from __future__ import annotations

from msgspec import Struct

from pbem.kit.sines import QUARTER

CIRCLE = 5760
"""Parts of a circle."""
DEGREE = 16
"""Parts of a degree."""
SCALE = 65536
"""Sines are given in this fraction."""

Point = tuple[int, int]
"""East and north of the origin."""
Polygon = tuple[Point, ...]
"""Corners in order, either way round; an edge leads from the last to the first."""


class Pose(Struct, frozen=True):
    """Where something is and which way it points."""

    x: int
    y: int
    heading: int
    """0 to 5759."""


def sine(angle: int) -> int:
    """65,536 times the sine of an angle, which may lie outside the circle."""
    part = angle % CIRCLE
    half = part % 2880
    value = QUARTER[half] if half <= 1440 else QUARTER[2880 - half]
    return value if part < 2880 else -value


def cosine(angle: int) -> int:
    """65,536 times the cosine of an angle."""
    return sine(angle + 1440)


def scaled(length: int, fraction: int) -> int:
    """`length` times `fraction` / 65,536, to the nearest integer, halves upward."""
    return (length * fraction + 32768) // SCALE


def ahead(pose: Pose, length: int) -> Pose:
    """Straight on by `length`; below zero: astern."""
    east = scaled(length, sine(pose.heading))
    north = scaled(length, cosine(pose.heading))
    return Pose(pose.x + east, pose.y + north, pose.heading)


def turned(pose: Pose, angle: int, radius: int) -> Pose:
    """Along an arc of that radius; angle above zero to starboard, below zero to port."""
    old, new = pose.heading, pose.heading + angle
    side = 1 if angle >= 0 else -1
    east = scaled(radius, cosine(old) - cosine(new))
    north = scaled(radius, sine(old) - sine(new))
    return Pose(pose.x + side * east, pose.y - side * north, new % CIRCLE)


def arc_length(angle: int, eighth: int) -> int:
    """The length of an arc, rounded up; eighth: the length of 45 degrees of it."""
    return (abs(angle) * eighth + 719) // 720


def square(a: Point, b: Point) -> int:
    """The square of the distance between two points: compare it with the square of a range."""
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])


def root(value: int) -> int:
    """The square root, rounded down, by Newton's method. value: not below zero."""
    if value < 2:
        return value
    guess = value
    for power in (256, 4096, 65536, 1048576):  # any start will do that is not below the root
        if value < power * power:
            guess = power
            break
    better = (guess + value // guess) // 2
    while better < guess:
        guess = better
        better = (guess + value // guess) // 2
    return guess


def bearing(origin: Point, target: Point) -> int:
    """The bearing of `target` from `origin`, 0 to 5759; of two as near the lower.

    It is the direction whose cross product with the way there is least. The same point: 0.
    """
    east, north = target[0] - origin[0], target[1] - origin[1]
    if east == 0 and north == 0:
        return 0
    first = _octant(east, north)
    low, high = first, first + 720
    while high - low > 1:  # the cross product grows with the angle within an octant
        middle = (low + high) // 2
        if _cross(middle, east, north) >= 0:
            low = middle
        else:
            high = middle
    near = low if abs(_cross(low, east, north)) <= abs(_cross(high, east, north)) else high
    return near % CIRCLE


def _octant(east: int, north: int) -> int:
    """The first direction of the octant in which a way lies: 0, 720 ... 5040."""
    if east >= 0 and north > 0:
        return 0 if east < north else 720
    if east > 0:
        return 1440 if east > -north else 2160
    if north < 0:
        return 2880 if -east < -north else 3600
    return 4320 if -east > north else 5040


def _cross(angle: int, east: int, north: int) -> int:
    """Above zero while the way lies clockwise of the direction."""
    return east * cosine(angle) - north * sine(angle)


def relative(direction: int, heading: int) -> int:
    """A bearing as seen from the bow: -2880 (excluded: it is 2880) to 2880, starboard above 0."""
    part = (direction - heading) % CIRCLE
    return part if part <= 2880 else part - CIRCLE


def within(direction: int, start: int, end: int) -> bool:
    """Does a direction lie in the sector from `start` clockwise to `end`, both included?"""
    return (direction - start) % CIRCLE <= (end - start) % CIRCLE


def corners(pose: Pose, length: int, beam: int) -> Polygon:
    """The corners of a hull around its middle: bow starboard, bow port, stern port, stern
    starboard."""
    fore = ahead(Pose(0, 0, pose.heading), length // 2)
    side = ahead(Pose(0, 0, pose.heading + 1440), beam // 2)
    return (
        (pose.x + fore.x + side.x, pose.y + fore.y + side.y),
        (pose.x + fore.x - side.x, pose.y + fore.y - side.y),
        (pose.x - fore.x - side.x, pose.y - fore.y - side.y),
        (pose.x - fore.x + side.x, pose.y - fore.y + side.y),
    )


def turn_of(a: Point, b: Point, c: Point) -> int:
    """Above zero: the way a, b, c turns to port; zero: it is straight."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def touch(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Do the segments ab and cd have a point in common? A touch counts."""
    first, second = turn_of(a, b, c), turn_of(a, b, d)
    third, fourth = turn_of(c, d, a), turn_of(c, d, b)
    if _opposed(first, second) and _opposed(third, fourth):
        return True
    return (
        (first == 0 and _between(a, b, c))
        or (second == 0 and _between(a, b, d))
        or (third == 0 and _between(c, d, a))
        or (fourth == 0 and _between(c, d, b))
    )


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Do the segments ab and cd cross? Touching with an end, or running along, is no crossing."""
    return _opposed(turn_of(a, b, c), turn_of(a, b, d)) and _opposed(
        turn_of(c, d, a), turn_of(c, d, b)
    )


def _opposed(one: int, other: int) -> bool:
    return (one > 0 and other < 0) or (one < 0 and other > 0)


def _between(a: Point, b: Point, point: Point) -> bool:
    """Is a point of the line ab on the segment ab?"""
    return min(a[0], b[0]) <= point[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= point[1] <= max(
        a[1], b[1]
    )


def inside(point: Point, polygon: Polygon) -> bool:
    """Is a point in a polygon of any form, or on its edge?"""
    odd = False
    last = polygon[len(polygon) - 1]
    for corner in polygon:
        side = turn_of(last, corner, point)
        if side == 0 and _between(last, corner, point):
            return True
        upward = corner[1] > last[1]
        passes = (corner[1] > point[1]) != (last[1] > point[1])
        if passes and (side > 0) == upward:
            odd = not odd
        last = corner
    return odd


def overlap(one: Polygon, other: Polygon) -> bool:
    """Do two polygons have a point in common? A touch counts."""
    if inside(one[0], other) or inside(other[0], one):
        return True
    last = one[len(one) - 1]
    for corner in one:
        east, north = corner[0] - last[0], corner[1] - last[1]
        before = other[len(other) - 1]
        was = turn_of(last, corner, before)
        for point in other:  # most of its edges lie on one side of the line: no need to ask them
            side = east * (point[1] - last[1]) - north * (point[0] - last[0])
            apart = (was > 0 and side > 0) or (was < 0 and side < 0)
            if not apart and touch(last, corner, before, point):
                return True
            before, was = point, side
        last = corner
    return False


def range_to(point: Point, a: Point, b: Point) -> int:
    """The distance from a point to the segment ab, rounded down."""
    along = square(a, b)
    if along == 0:
        return root(square(point, a))
    dot = (point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])
    if dot <= 0:
        return root(square(point, a))
    if dot >= along:
        return root(square(point, b))
    return _height(abs(turn_of(a, b, point)), along)


def _height(area: int, along: int) -> int:
    """`area` / root(`along`), rounded down: the greatest h with h * h * along <= area * area."""
    base = root(along)
    low, high = area // (base + 1), area // base + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _reaches(middle, area, along):
            low = middle
        else:
            high = middle
    return low


def _reaches(height: int, area: int, along: int) -> bool:
    """Is height * height * along <= area * area?

    The squares would exceed 2**53. So with area = whole * height + rest, `along` is compared with
    (whole + rest / height) squared, term by term.
    """
    whole, rest = area // height, area % height
    left = along - whole * whole
    return left <= 0 or left * height - 2 * whole * rest <= rest * rest // height


def range_between(one: Polygon, other: Polygon) -> int:
    """The least distance between two polygons, rounded down; 0 if they touch."""
    if overlap(one, other):
        return 0
    best = range_to(one[0], other[len(other) - 1], other[0])
    for first, second in ((one, other), (other, one)):
        last = second[len(second) - 1]
        for corner in second:
            for point in first:
                if _nearer(point, last, corner, best):
                    best = range_to(point, last, corner)
            last = corner
    return best


def _nearer(point: Point, a: Point, b: Point, best: int) -> bool:
    """Is the distance from a point to the segment ab less than `best`? Quick, without roots."""
    dot = (point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])
    if dot <= 0:
        return square(point, a) < best * best
    along = square(a, b)
    if dot >= along:
        return square(point, b) < best * best
    return best > 0 and not _reaches(best, abs(turn_of(a, b, point)), along)
