"""The other side, or the other sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.model import Side


def others(sides: Sequence[Side], side: Side) -> tuple[Side, ...]:
    """All sides but one, in their order; works with two sides or more."""
    return tuple(other for other in sides if other != side)


def opposite(sides: Sequence[Side]) -> Mapping[Side, Side]:
    """Each of two sides to its enemy. Raises ValueError if there are not two."""
    if len(sides) != 2:
        raise ValueError(f"{', '.join(sides)}: only two sides are opposite; use others()")
    first, second = sides
    return {first: second, second: first}
