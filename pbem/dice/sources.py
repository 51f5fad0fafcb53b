"""The dice behind one interface: labels, faces, and the sources that need no key.

A roll has a label made only of what its audience may see, so that hidden rolls never shift
visible ones. `pbem.dice.provable` is the source that proves its rolls. Bytes: docs/formats.md,
"Dice".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol, get_args

from pbem.base.hashing import H, u32
from pbem.errors import Diverged, Usage
from pbem.model import Dice, DiceKind, Roll, Window

DICE: tuple[DiceKind, ...] = get_args(DiceKind)
STRICT: Final = "strict"

Rolled = tuple[tuple[int, ...], str]
"""The values, and the proof in hex (empty for a source that gives none)."""

STEM = ("PHASE", "KIND", "LOCUS", "ROLLER")
PART_MAX = 48
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_JOINERS = frozenset(" -._'")
_SPAN = 1 << 64


class Source(Protocol):
    """Where dice come from. name: as in `new --dice`; flagged: reports and audit must say that
    these dice prove nothing."""

    @property
    def name(self) -> str:
        """`fast`, `strict`, `hand`, `seeded`."""
        ...

    @property
    def flagged(self) -> bool:
        """Whether every report has to say so."""
        ...

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """The dice of one label in one window; asked twice, the same twice."""
        ...


def label(stem: str, ordinal: int, dice: Dice) -> str:
    """`PHASE/KIND/LOCUS/ROLLER/ORDINAL/DICE`.

    stem: the first four, each 1 to 48 characters of A-Z, 0-9 and, inside, space - . _ '
    ordinal: from 1, counted per audience. Raises ValueError for anything else.
    """
    parts = stem.split("/")
    if len(parts) != len(STEM):
        raise ValueError(f"a roll is labelled {'/'.join(STEM)}, not {stem!r}")
    for name, part in zip(STEM, parts, strict=True):
        if not _sound(part):
            raise ValueError(f"{name} of the label {stem!r} has to be plain capitals and digits")
    if ordinal < 1:
        raise ValueError(f"the rolls of {stem!r} are counted from 1, not {ordinal}")
    if dice.count < 1 or dice.sides < 1 or dice.low < 0:
        raise ValueError(f"no dice to roll for {stem!r}: {dice}")
    return f"{stem}/{ordinal}/{dice}"


def parse_label(text: str) -> Dice:
    """The dice that a whole label names. Raises ValueError unless `label` could have made it."""
    stem, _, rest = text.rpartition("/")
    stem, _, ordinal = stem.rpartition("/")
    size, _, low = rest.partition("-FROM")
    count, _, sides = size.partition("D")
    dice = Dice(int(count), int(sides), int(low) if low else 1)
    if label(stem, int(ordinal), dice) != text:
        raise ValueError(f"this is no label of a roll: {text!r}")
    return dice


def faces(beta: bytes, dice: Dice) -> tuple[int, ...]:
    """The dice that 32 random bytes decide, each value as likely as any other."""
    return tuple(dice.low + _face(beta, j, dice.sides) for j in range(dice.count))


class Seeded:
    """Dice of a seed text: the same game again, for tests, demo and simulation. Flagged."""

    name = "seeded"
    flagged = True

    def __init__(self, seed: str, g0: bytes) -> None:
        self._seed = seed.encode("utf-8")
        self._g0 = g0

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Never fails; the proof is empty."""
        beta = H("seeded", self._seed, self._g0, u32(window), label.encode("ascii"))
        return faces(beta, dice), ""


class Hand:
    """Physical dice that the moderator typed, by label. Flagged."""

    name = "hand"
    flagged = True

    def __init__(self, values: Mapping[str, Sequence[int]]) -> None:
        self._values = values

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Raises Usage, naming the label, when it was not typed or cannot be these dice."""
        if label not in self._values:
            raise Usage(
                f'no dice for "{label}" in window {window}',
                f'roll {dice} and add a line to the dice file: "{label}" = {_example(dice)}',
            )
        values = tuple(self._values[label])
        if len(values) != dice.count or not all(_possible(value, dice) for value in values):
            raise Usage(
                f'the dice of "{label}" cannot be {list(values)}',
                f"{dice.count} of {dice.low} to {dice.low + dice.sides - 1}",
            )
        return values, ""


class Recorded:
    """Dice as the ledger has them, for replays."""

    def __init__(self, rolls: Iterable[Roll], name: str, flagged: bool) -> None:
        self.name, self.flagged = name, flagged
        self._rolls = {(roll.window, roll.label): roll for roll in rolls}

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Raises Diverged when the record has no such roll, or other dice under this label."""
        roll = self._rolls.get((window, label))
        if roll is None:
            raise Diverged(f'window {window}: the record has no roll "{label}"')
        if len(roll.dice) != dice.count or not all(_possible(v, dice) for v in roll.dice):
            raise Diverged(f'window {window}: the record of "{label}" is no roll of {dice}')
        return roll.dice, roll.proof


def _sound(part: str) -> bool:
    """Capitals and digits, joined by joiners, no two spaces together; `-` is no place or nobody."""
    if part == "-":
        return True
    if not part or len(part) > PART_MAX or part[0] in _JOINERS or part[-1] in _JOINERS:
        return False
    return "  " not in part and all(c in _LETTERS or c in _JOINERS for c in part)


def _face(beta: bytes, j: int, sides: int) -> int:
    """Die j counted from 0: uniform, because the last short stretch of 2^64 is thrown again."""
    limit = _SPAN - _SPAN % sides
    counter = 0
    while (value := int.from_bytes(H("die", beta, u32(j), u32(counter))[:8], "big")) >= limit:
        counter += 1
    return value % sides


def _possible(value: int, dice: Dice) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and dice.low <= value < dice.low + dice.sides


def _example(dice: Dice) -> list[int]:
    return [dice.low + dice.sides - 1] * dice.count
