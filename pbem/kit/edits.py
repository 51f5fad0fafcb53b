"""What the edits of a ruling have in common: units by the names that a moderator writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from orders.fold import fold
from pbem.model import Unfit

Unit = TypeVar("Unit")


def id_of(name: str) -> str:
    """A printed name as orders have it: `Königsberg` is KONIGSBERG."""
    return fold(name)[0].upper()


def named(units: Mapping[str, Unit], name: str, key: str = "ship", what: str = "ship") -> Unit:
    """The unit of that name, printed or as in orders. units: by id.

    Raises Unfit, which lists all names. key: the field of the edit that holds the name.
    """
    id_ = id_of(name)
    if id_ not in units:
        raise Unfit(f"there is no {what} {name!r}", key, f"{what}s: {', '.join(units)}")
    return units[id_]
