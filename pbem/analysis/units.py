"""Units of work of an analysis: one playout from each of some windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Self

import msgspec
from msgspec import Struct

from orders.model import OrderSet
from pbem.analysis.moments import Moment
from pbem.analysis.retrace import Before, Traced, played
from pbem.bots.playouts import Playout
from pbem.dice.sources import Seeded
from pbem.engine.position import Position
from pbem.model import Side, System

STRETCH = 16
"""Windows of a unit. Playouts of one number come together soon after they begin, if ever, so that
hardly anything is played twice because windows are in other units."""

Load = Callable[[str, str], System]
"""Finds a system by name and edition, in any process."""
Choice = tuple[Side, ...]
"""The sides whose own orders hold in the first window of a playout."""


class Played(Struct, frozen=True):
    """The game that is analysed: what every playout needs besides the moment."""

    system: str
    edition: str
    scenario: str
    sides: tuple[Side, ...]
    options: Mapping[str, str]
    seed: str


class Unit(Struct, frozen=True):
    """A unit of work: the playouts of one number."""

    number: int
    windows: tuple[int, ...]
    """From which they begin, in order."""
    apart: bool
    """Also with each choice of sides' own orders, from windows in which orders were due?"""

    @property
    def key(self) -> str:
        """The unit as text: `17 1-12,18 apart`."""
        return f"{self.number} {_ranges(self.windows)} {'apart' if self.apart else '-'}"

    @classmethod
    def of(cls, key: str) -> Self:
        """The unit of that key."""
        number, windows, apart = key.split()
        return cls(int(number), tuple(_of_ranges(windows)), apart == "apart")


def _ranges(windows: Sequence[int]) -> str:
    runs = groupby(enumerate(windows), lambda at: at[1] - at[0])
    found = [[window for _, window in run] for _, run in runs]
    return ",".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in found)


def _of_ranges(text: str) -> Iterator[int]:
    for run in text.split(","):
        first, _, last = run.partition("-")
        yield from range(int(first), int(last or first) + 1)


def units(number: int, windows: Sequence[int], apart: bool) -> Iterator[Unit]:
    """The units of all playouts of that number from these windows."""
    for first in range(0, len(windows), STRETCH):
        yield Unit(number, tuple(windows[first : first + STRETCH]), apart)


def choices(sides: Sequence[Side]) -> list[Choice]:
    """Whose own orders hold: nobody's, those of each alone where there are two sides, and all."""
    alone = [(side,) for side in sides] if len(sides) == 2 else []
    return [(), *alone, tuple(sides)]


def of_moment(moment: Moment, sides: Sequence[Side], apart: bool) -> list[Choice]:
    """The choices of a unit in that window."""
    return choices(sides) if apart and not moment.until else [()]


def worked(
    load: Load, played: Played, moments: Mapping[int, Moment], key: str
) -> dict[str, list[str]]:
    """Window -> the result of each choice (`of_moment`), of the unit with that key.

    moments: by their windows.
    """
    unit, system = Unit.of(key), load(played.system, played.edition)
    return {str(w): found for w, found in results(system, played, moments, unit).items()}


def results(
    system: System, about: Played, moments: Mapping[int, Moment], unit: Unit
) -> dict[int, list[str]]:
    """The results of a unit's playouts.

    A playout has the same dice and luck as others of its number. So what is compared differs by
    what happened and by the orders, and less by chance; and much is played once only (`retrace`),
    most if later windows come first.
    """
    before: Before = {}
    found: dict[int, list[str]] = {}
    for window in reversed(unit.windows):
        moment = moments[window]
        found[window] = [
            result(system, about, moment, unit.number, choice, before)
            for choice in of_moment(moment, about.sides, unit.apart)
        ]
    return found


def result(
    system: System,
    about: Played,
    moment: Moment,
    number: int,
    choice: Choice,
    before: Before,
) -> str:
    """The result of one playout. before: see `retrace.played`."""
    game, drive = begun(system, about, moment, number)
    fixed = {side: moment.orders.get(side, OrderSet()) for side in choice}
    return played(game, drive, fixed, before)


def begun(system: System, about: Played, moment: Moment, number: int) -> tuple[Playout, Traced]:
    """The playout of that number from that window, of which nothing was played, and its drive."""
    position = msgspec.json.decode(moment.position, type=Position)
    luck = f"{about.seed} {number}"
    drive = Traced.resume(system, about.sides, about.options, position)
    dice = Seeded(luck, b"")
    return Playout(system, about.scenario, drive, dice, luck, moment.told, moment.until), drive
