"""The analysis of a finished game, as `pbem analyse` writes it and replays draw it.

All chances and changes are parts of 1. Changes are about the first side: what it loses, the others
win. Format: docs/formats.md, "Analysis".
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

Believed: TypeAlias = Mapping[str, Mapping[int, Mapping[str, float]]]
"""Side -> window -> cell -> the chance, from what the side had been told when the window opened,
that an enemy was there whom it looked for."""

PART = 0.03
"""How much dice or the orders of a side must have given to a turning point to count."""
ORDERS = 6
"""The most lines of orders of a side that are told of a turning point."""
UNCLEAR = "dice and orders are not told apart"
"""What is said of a turning point where it is not certain of either that it counted."""
FILE = "analysis.json"
"""Its name in the folder of a game."""


class Row(Struct, frozen=True, kw_only=True):
    """One window."""

    window: int
    turn: int
    label: str
    playouts: int
    chance: dict[str, float]
    """Side -> its chance when the window opened; a draw is shared."""
    low: dict[str, float]
    """Side -> the lower end of its 95 % interval."""
    high: dict[str, float]
    change: float
    """How the chance of the first side moved by this window."""
    luck: float
    skill: dict[str, float]
    """Side -> what its orders gave to the chance of the first side."""
    luck_margin: float = 0
    """Half the 95 % interval of luck."""
    skill_margin: dict[str, float] = {}
    """Side -> that of its skill."""
    thought: dict[str, float] = {}
    """Side -> the chance of the first side, as far as that side could know; empty within a turn."""


def adding_up(parts: Sequence[float], total: int) -> list[int]:
    """Parts in whole points of a hundred that add up to a total of points: where rounding each by
    itself misses it, those that were rounded most are rounded the other way."""
    whole = [round(100 * part) for part in parts]
    step = 1 if sum(whole) > total else -1
    most = sorted(range(len(parts)), key=lambda n: step * (100 * parts[n] - whole[n]))
    for n in most[: abs(sum(whole) - total)]:
        whole[n] -= step
    return whole


class Turning(Struct, frozen=True):
    """A window in which the game turned."""

    number: int
    window: int
    label: str
    change: float
    luck: float
    told: str
    """What happened, in a sentence; empty where nothing did that a story would tell."""
    skill: dict[str, float] = {}
    """Side -> what its orders gave to the chance of the first side."""
    luck_margin: float = 0
    """Half the 95 % interval of luck."""
    skill_margin: dict[str, float] = {}
    """Side -> that of its skill."""
    orders: dict[str, list[str]] = {}
    """Side -> its orders that its bot would seldom have given; of sides that counted, or if nothing
    did, of all."""
    dice: list[str] = []
    """What was rolled, or how much; empty if the dice did not count, and orders did."""

    @property
    def counted(self) -> list[str]:
        """The sides whose orders moved the chance, as far as is certain."""
        return [
            side
            for side, part in self.skill.items()
            if abs(part) >= max(PART, self.skill_margin.get(side, 0))
        ]

    @property
    def by_luck(self) -> bool:
        """Whether the dice moved the chance, as far as is certain."""
        return abs(self.luck) >= max(PART, self.luck_margin)

    @property
    def unclear(self) -> bool:
        """Whether it is not certain of dice or any orders that they moved the chance."""
        return not (self.by_luck or self.counted)

    def ordered(self, side: str) -> str:
        """The orders of a side in a line, no more than one can take in."""
        lines = self.orders[side]
        more = [f"and {len(lines) - ORDERS} more"] if len(lines) > ORDERS else []
        return "; ".join([*lines[:ORDERS], *more])

    def parts(self, names: Mapping[str, str]) -> list[tuple[float, str]]:
        """What dice and the orders of each side that counted gave to the change."""
        dice = [(self.luck, "the dice")] if self.by_luck else []
        return dice + [(self.skill[s], f"the orders of {names[s]}") for s in self.counted]


class Analysis(Struct, kw_only=True):
    """All of it, as analysis.json has it."""

    format: str = "pbem-analysis/1"
    game: str
    system: str
    head: str
    """The hash of the game's last record."""
    sides: list[str]
    names: dict[str, str]
    result: str
    seed: str
    within: float = 0
    """How far intervals were to reach to either side."""
    playouts: int
    """The most from a window; a row has its own."""
    apart: int
    thought: int = 0
    """Playouts of what each side could think, in each turn."""
    start: float
    """The chance of the first side before the first window."""
    rows: list[Row]
    turning: list[Turning]
    luck: float
    """What all dice gave to the chance of the first side."""
    skill: dict[str, float]
    """Side -> what all its orders gave to the chance of the first side."""
    luck_margin: float = 0
    """Half the 95 % interval of luck."""
    skill_margin: dict[str, float] = {}
    """Side -> that of its skill."""
    believed: Believed = {}
    """Sides that looked for nobody are missing."""

    @property
    def end(self) -> float:
        """The chance of the first side after the last window, which is the result."""
        if self.result in self.sides:
            return float(self.result == self.sides[0])
        return 1 / len(self.sides)  # a draw is shared

    @property
    def whole_parts(self) -> list[int]:
        """Points of the dice and of each side's orders, which lead from the start to the end as
        these are shown."""
        parts = [self.luck, *(self.skill[side] for side in self.sides)]
        return adding_up(parts, round(100 * self.end) - round(100 * self.start))

    @property
    def counts(self) -> str:
        """How many playouts windows have: `100 to 1,064`."""
        counts = [row.playouts for row in self.rows]
        least, most = f"{min(counts, default=0):,}", f"{max(counts, default=0):,}"
        return least if least == most else f"{least} to {most}"
