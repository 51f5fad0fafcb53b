"""Labels of rolls, faces of dice, and the sources of dice that need no key.

Each roll is drawn from its label, not from a stream, and a label contains only what its audience
may see. Thus a hidden roll never changes a visible one. `pbem.dice.provable` is the source that
proves its rolls. Bytes: docs/formats.md, "Labels of dice" and "Dice".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol, get_args

from pbem.base.hashing import H, u32
from pbem.errors import Diverged, Usage
from pbem.model import Dice, DiceKind, Roll, Window

DICE: tuple[DiceKind, ...] = get_args(DiceKind)
STRICT: Final = "strict"
LINKED = frozenset({"fast", STRICT})
"""The kinds of dice that links decide. In `fast` games order headers hold the links; in `strict`
games players reveal them after the lock, unless they gave them ahead."""

Rolled = tuple[tuple[int, ...], str]
"""The values, and the proof in hex (empty for dice without proofs)."""

STEM = ("PHASE", "KIND", "LOCUS", "ROLLER")
"""The parts of a label that the rules choose."""
PART_MAX = 48
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_JOINERS = frozenset(" -._'")
_SPAN = 1 << 64


class Source(Protocol):
    """A source of dice."""

    @property
    def name(self) -> str:
        """The kind of dice as in `new --dice`: `fast`, `strict`, `hand` or `seeded`."""
        ...

    @property
    def flagged(self) -> bool:
        """Whether reports and audit must say that these dice prove nothing."""
        ...

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Roll the dice of one label in one window. The same label gives the same values again."""
        ...


def label(stem: str, ordinal: int, dice: Dice) -> str:
    """Make a label, `PHASE/KIND/LOCUS/ROLLER/ORDINAL/DICE`.

    stem: the first four parts, each 1 to 48 characters of A-Z, 0-9 and, inside, space - . _ '
    ordinal: counts from 1 for each audience. Raises ValueError for anything else.
    """
    parts = stem.split("/")
    if len(parts) != len(STEM):
        raise ValueError(f"a label begins with {'/'.join(STEM)}, not {stem!r}")
    for name, part in zip(STEM, parts, strict=True):
        if not _is_valid_part(part):
            raise ValueError(f"{name} of the label {stem!r} must be plain capitals and digits")
    if ordinal < 1:
        raise ValueError(f"the rolls of {stem!r} are counted from 1, not {ordinal}")
    if dice.count < 1 or dice.sides < 1 or dice.low < 0:
        raise ValueError(f"the dice of {stem!r} cannot be rolled: {dice}")
    return f"{stem}/{ordinal}/{dice}"


def parse_label(text: str) -> Dice:
    """Return the dice that a label names. Raises ValueError unless `label` could have made it."""
    stem, _, rest = text.rpartition("/")
    stem, _, ordinal = stem.rpartition("/")
    size, _, low = rest.partition("-FROM")
    count, _, sides = size.partition("D")
    dice = Dice(int(count), int(sides), int(low) if low else 1)
    if label(stem, int(ordinal), dice) != text:
        raise ValueError(f"this is not a valid label of a roll: {text!r}")
    return dice


def faces(beta: bytes, dice: Dice) -> tuple[int, ...]:
    """Return the faces that 32 random bytes decide; each value is equally likely."""
    return tuple(dice.low + _face(beta, j, dice.sides) for j in range(dice.count))


class Seeded:
    """Dice from a seed text, for demonstration, tests and simulations. They prove nothing."""

    name = "seeded"
    flagged = True

    def __init__(self, seed: str, g0: bytes) -> None:
        self._seed = seed.encode("utf-8")
        self._g0 = g0

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Roll the dice of a label, without a proof. Never fails."""
        beta = H("seeded", self._seed, self._g0, u32(window), label.encode("ascii"))
        return faces(beta, dice), ""


class Hand:
    """Physical dice whose values the moderator typed. They prove nothing.

    values: label to the value of each die.
    """

    name = "hand"
    flagged = True

    def __init__(self, values: Mapping[str, Sequence[int]]) -> None:
        self._values = values
        self._missing: dict[str, Dice] = {}
        self._stand_in = Seeded("", b"")

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Return the typed values; for missing ones others, so that the labels after them become
        known, too, until `require_all` refuses them. Raises Usage if they are impossible."""
        if label not in self._values:
            self._missing[label] = dice
            return self._stand_in.roll(window, label, dice)
        values = tuple(self._values[label])
        if len(values) != dice.count or not all(_possible(value, dice) for value in values):
            raise Usage(
                f'the dice of "{label}" cannot be {list(values)}',
                f"{dice.count} of {dice.low} to {dice.low + dice.sides - 1}",
            )
        return values, ""

    def require_all(self, window: Window) -> None:
        """Raise Usage if values were missing in a window, with the labels of all. Those after the
        first may be others, because what is rolled for the first may change what follows."""
        if not self._missing:
            return
        labels = ", ".join(f'"{label}"' for label in self._missing)
        lines = "; ".join(f'"{label}" = {_example(d)}' for label, d in self._missing.items())
        one = len(self._missing) == 1
        hint = f"roll {next(iter(self._missing.values()))} and add a line to the dice file: {lines}"
        many = f"roll them in this order and add lines to the dice file: {lines}; a roll may change"
        raise Usage(
            f"no dice for {labels} in window {window}",
            hint if one else f"{many} which labels follow it",
        )


class Recorded:
    """Dice as the ledger has them, to play a window again."""

    def __init__(self, rolls: Iterable[Roll], name: str, flagged: bool) -> None:
        self.name, self.flagged = name, flagged
        self._rolls = {(roll.window, roll.label): roll for roll in rolls}

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Return the recorded roll. Raises Diverged if there is none, or other dice were rolled."""
        roll = self._rolls.get((window, label))
        if roll is None:
            raise Diverged(f'window {window}: the record has no roll "{label}"')
        if len(roll.dice) != dice.count or not all(_possible(v, dice) for v in roll.dice):
            raise Diverged(f'window {window}: the record of "{label}" is not a roll of {dice}')
        return roll.dice, roll.proof


def _is_valid_part(part: str) -> bool:
    """Whether a part has only capitals, digits and, inside, single joiners. `-` stands for none."""
    if part == "-":
        return True
    if not part or len(part) > PART_MAX or part[0] in _JOINERS or part[-1] in _JOINERS:
        return False
    return "  " not in part and all(c in _LETTERS or c in _JOINERS for c in part)


def _face(beta: bytes, j: int, sides: int) -> int:
    """The face of die j (from 0), counted from 0.

    2^64 is not a multiple of most numbers of sides, so plain remainders would favour low faces.
    Values beyond the last whole multiple are drawn again, which makes all faces equally likely.
    """
    limit = _SPAN - _SPAN % sides
    counter = 0
    while (value := int.from_bytes(H("die", beta, u32(j), u32(counter))[:8], "big")) >= limit:
        counter += 1
    return value % sides


def _possible(value: int, dice: Dice) -> bool:
    """Whether a die can show this value. The dice file is TOML and may hold booleans, which
    Python counts as integers."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole and dice.low <= value < dice.low + dice.sides


def _example(dice: Dice) -> list[int]:
    """Values that these dice can show, for a hint."""
    return [dice.low + dice.sides - 1] * dice.count
