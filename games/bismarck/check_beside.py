"""Orders of one set of which the first alone would be carried out."""

from __future__ import annotations

from collections.abc import Sequence

from games.bismarck.seen import Seen
from games.bismarck.verbs_battle import Course, Shadow
from pbem.kit.checks import Other, contrary


def shadows(seen: Seen, order: Shadow, others: Sequence[Other]) -> None:
    """8.13 Of orders for one contact, or for all of them, a second counts only where the units that
    the first names cannot: to name others is one order's work."""
    for other in others:
        first = other.given
        if not isinstance(first, Shadow) or first == order or first.contact != order.contact:
            continue
        if order.by or not first.by:
            hint = "one order may name several units, the first choice first"
            raise contrary(seen, other, "8.13", hint)


def courses(seen: Seen, order: Course, others: Sequence[Other]) -> None:
    """9.52 One course for one ship and round."""
    for other in others:
        first = other.given
        if not isinstance(first, Course) or first == order or other.actor != seen.actor:
            continue
        if first.round == order.round:
            raise contrary(seen, other, "9.52")
