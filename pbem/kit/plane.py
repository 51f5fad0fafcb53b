"""A sea without cells: points, headings and shapes in whole numbers, exact and the same everywhere.

Lengths are in a small unit that a game chooses (a thousandth of an inch); x grows to the east, y to
the north, and both stay below 100,000 or so, so that no product grows beyond 2^53 on the order
page. Angles are in sixteenths of a degree, clockwise: 0 is north, `TURN` a full circle. No function
uses a number with decimals.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[int, int]
"""East and north of the origin."""
Shape = Sequence[Point]
"""The corners of a polygon in order; convex where a function says so."""

DEGREE, QUARTER, HALF, TURN = 16, 1440, 2880, 5760
ONE = 65536
"""What sines and cosines are multiplied by."""


def _quarter() -> tuple[int, ...]:
    """Sines of 0 to 90 degrees times ONE, rounded: by adding angles in 120 binary digits."""
    bits = 120
    half_pi = _half_pi(bits)
    return tuple(
        (_taylor(half_pi * angle // QUARTER, bits) * ONE + (1 << (bits - 1))) >> bits
        for angle in range(QUARTER + 1)
    )


def _half_pi(bits: int) -> int:
    """Half of pi times 2^bits, by Machin's formula: pi/4 = 4 arctan(1/5) - arctan(1/239)."""
    return 2 * (4 * _arctan(5, bits + 16) - _arctan(239, bits + 16)) >> 16


def _arctan(inverse: int, bits: int) -> int:
    power = total = (1 << bits) // inverse
    divisor, sign = 1, 1
    while power:
        power //= inverse * inverse
        divisor, sign = divisor + 2, -sign
        total += sign * (power // divisor)
    return total


def _taylor(angle: int, bits: int) -> int:
    term = total = angle
    square, n = angle * angle >> bits, 1
    while term:
        term = -(term * square >> bits) // ((n + 1) * (n + 2))
        total, n = total + term, n + 2
        if abs(term) <= 1:
            break
    return total


SINES = _quarter()


# Directions


def sine(angle: int) -> int:
    """The sine of any angle, times 65,536, rounded."""
    turn = angle % TURN
    if turn >= HALF:
        return -sine(turn - HALF)
    return SINES[turn] if turn <= QUARTER else SINES[HALF - turn]


def cosine(angle: int) -> int:
    """The cosine of any angle, times 65,536, rounded."""
    return sine(angle + QUARTER)


def share(length: int, ratio: int) -> int:
    """A length times a sine or cosine, rounded to the nearest whole number, halves up."""
    return (length * ratio + ONE // 2) // ONE


def ahead(at: Point, heading: int, length: int) -> Point:
    """The point so far ahead; a negative length is astern."""
    return at[0] + share(length, sine(heading)), at[1] + share(length, cosine(heading))


def arc(at: Point, heading: int, angle: int, radius: int) -> tuple[Point, int]:
    """Where a turn along a circle ends, and the heading there. angle: positive to starboard,
    negative to port."""
    side = 1 if angle >= 0 else -1
    after = heading + angle
    east = share(radius, side * (cosine(heading) - cosine(after)))
    north = share(radius, side * (sine(after) - sine(heading)))
    return (at[0] + east, at[1] + north), after % TURN


def bearing(start: Point, end: Point) -> int:
    """The direction from one point to another, 0 to TURN - 1: the nearest, of two equally near the
    lower. Between one and the same point it is 0."""
    x, y = end[0] - start[0], end[1] - start[1]
    if not x and not y:
        return 0
    low = (0 if y > 0 else QUARTER) if x >= 0 else (HALF if y < 0 else HALF + QUARTER)
    if x >= 0 and y == 0:
        low = QUARTER if x else 0
    high = low + QUARTER
    while high - low > 1:
        half = (low + high) // 2
        if _left(half, x, y) <= 0:
            low = half
        else:
            high = half
    near = sorted((abs(_left(angle, x, y)), angle % TURN) for angle in (low, high))
    return near[0][1]


def _left(angle: int, x: int, y: int) -> int:
    """Over zero where a direction lies clockwise of a vector; zero along it."""
    return sine(angle) * y - cosine(angle) * x


def relative(angle: int, heading: int) -> int:
    """A bearing as seen from a heading: -HALF to HALF - 1, negative to port."""
    return (angle - heading + HALF) % TURN - HALF


# Distances


def isqrt(square: int) -> int:
    """The whole part of the square root of a number that is not below zero."""
    root = square
    nearer = (root + 1) // 2
    while nearer < root:
        root = nearer
        nearer = (root + square // root) // 2
    return root


def squared(a: Point, b: Point) -> int:
    """The square of the distance between two points: to compare with the square of a range."""
    return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1])


def apart(a: Point, b: Point) -> int:
    """The distance between two points, its fraction dropped."""
    return isqrt(squared(a, b))


def beside(point: Point, start: Point, end: Point) -> int:
    """The distance of a point from a stretch of a line, its fraction dropped."""
    x, y = end[0] - start[0], end[1] - start[1]
    along = (point[0] - start[0]) * x + (point[1] - start[1]) * y
    length = x * x + y * y
    if along <= 0:
        return apart(point, start)
    if along >= length:
        return apart(point, end)
    off = abs(turn(start, end, point))
    far = 256 * off // isqrt(ONE * length) + 1  # not below the distance, and close to it
    while far and not _reaches(far, off, length):
        far -= 1
    return far


def _reaches(far: int, off: int, length: int) -> bool:
    """Is far * far * length at most off * off? Without products beyond 2^53."""
    return far * length <= off // far * off + off % far * off // far


def turn(a: Point, b: Point, c: Point) -> int:
    """Over zero where c lies to the left of the way from a to b, below zero to the right; its size
    is twice the area of the triangle."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# Shapes


def footprint(at: Point, heading: int, length: int, beam: int) -> tuple[Point, ...]:
    """The corners of a vessel around its middle: bow starboard, stern starboard, stern port, bow
    port. length, beam: even numbers."""
    east, north = share(length // 2, sine(heading)), share(length // 2, cosine(heading))
    right, down = share(beam // 2, cosine(heading)), share(beam // 2, -sine(heading))
    x, y = at
    return (
        (x + east + right, y + north + down),
        (x - east + right, y - north + down),
        (x - east - right, y - north - down),
        (x + east - right, y + north - down),
    )


def edges(shape: Shape) -> list[tuple[Point, Point]]:
    """The sides of a polygon."""
    return [(shape[i - 1], shape[i]) for i in range(len(shape))]


def holds(shape: Shape, point: Point) -> bool:
    """Is a point inside a polygon of any form, or on its edge?"""
    inside = False
    for a, b in edges(shape):
        side = turn(a, b, point)
        if side == 0 and _between(a, b, point):
            return True
        if (a[1] > point[1]) != (b[1] > point[1]) and (side > 0) == (b[1] > a[1]):
            inside = not inside
    return inside


def _between(a: Point, b: Point, point: Point) -> bool:
    """Is a point of the line through a and b between them?"""
    across = min(a[0], b[0]) <= point[0] <= max(a[0], b[0])
    return across and min(a[1], b[1]) <= point[1] <= max(a[1], b[1])


def touch(one: Shape, other: Shape) -> bool:
    """Do two convex polygons overlap or touch? A point is a polygon with one corner."""
    return not any(_parted(a, b, one, other) for a, b in (*edges(one), *edges(other)))


def _parted(a: Point, b: Point, one: Shape, other: Shape) -> bool:
    """Does the line across a side lie wholly between the two?"""
    mine = [turn(a, b, point) for point in one]
    yours = [turn(a, b, point) for point in other]
    return max(mine) < min(yours) or max(yours) < min(mine)


def cuts(a: Point, b: Point, shape: Shape) -> bool:
    """Does the straight line from a to b cross a side of a polygon? Touching a corner is no cut."""
    return any(_crosses(a, b, c, d) for c, d in edges(shape))


def _crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    one, other = turn(a, b, c), turn(a, b, d)
    this, that = turn(c, d, a), turn(c, d, b)
    parted = (one < 0 < other) or (other < 0 < one)
    return parted and ((this < 0 < that) or (that < 0 < this))


def gap(one: Shape, other: Shape) -> int:
    """The least distance between two convex polygons, its fraction dropped; 0 where they touch."""
    if touch(one, other):
        return 0
    there = [beside(point, a, b) for point in one for a, b in edges(other)]
    back = [beside(point, a, b) for point in other for a, b in edges(one)]
    return min(there + back)
