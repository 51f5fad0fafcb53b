"""Tables of a replay: strings, units and places are stored once and referred to by number."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from pbem.scene import Point

Entry = TypeVar("Entry", bound=Hashable)
Thing = tuple[object, ...]
"""A shape, track, marker or name on a chart, as the page draws it: see `pbem.replay.things`."""


class Shared(Generic[Entry]):
    """A table without repeats: call it with an entry to get the entry's number."""

    def __init__(self) -> None:
        self.known: dict[Entry, int] = {}

    def __call__(self, entry: Entry) -> int:
        """The number of an entry, which is added to the table if it is new."""
        return self.known.setdefault(entry, len(self.known))

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.known)


class Tables:
    """The tables that all windows and charts of a replay share."""

    def __init__(self) -> None:
        self.text: Shared[str] = Shared()
        self.units: Shared[tuple[int | str, ...]] = Shared()
        self.points: Shared[Point] = Shared()
        self.lists: Shared[tuple[int, ...]] = Shared()
        self.things: Shared[Thing] = Shared()
        self.rich = False
        """Whether anything needs the scripts for hulls, headings and levels."""

    def symbols(self) -> set[str]:
        """The symbols of all units and markers so far."""
        marked = {str(thing[7]) for thing in self.things if thing[0] == "mark"}
        return {str(unit[5]) for unit in self.units} | marked
