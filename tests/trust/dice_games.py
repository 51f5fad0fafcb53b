"""Games for attacks on dice, and what `pbem audit` and verify.py say about them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from games.toy.game import SYSTEM
from pbem.dice import provable
from pbem.dice.chains import DiceChains
from pbem.model import Dice
from tests.luck import dice_key, pinned
from tests.proving import Proven
from tests.referee import Referee, key_of
from tests.trust.corpus import Body, verify

SIDES = ("fox", "hunter")
D6 = Dice(1, 6)
LABEL = "SNAP/TWIG/WOOD/FOX/1/1D6"
SWUM = 'text = "it swam"\n[[edit]]\ndo = "put"\nanimal = "FOX"\nzone = "C3"\n'
IDLE = 'text = "as it was"\n[[edit]]\ndo = "set"\nfield = "heard"\nvalue = 0\n'


def said(referee: Referee) -> tuple[list[str], list[str]]:
    """The notes of `pbem audit` and of verify.py. Asserts that neither has a finding."""
    audited = referee.audit()
    assert not audited.findings, audited.findings
    notes, found = verify.check_all([str(referee.folder)])
    assert not found, found
    return audited.flags, notes


def named(referee: Referee, words: str) -> bool:
    """Whether a note contains these words. Asserts that both checkers agree and have no finding."""
    answers = {any(words in note for note in notes) for notes in said(referee)}
    assert len(answers) == 1, said(referee)
    return answers.pop()


def last(referee: Referee) -> Body:
    """The body of the last `closed` record."""
    found: Body = msgspec.to_builtins(referee.register.closed[-1])
    return found


def sends(referee: Proven, *sides: str) -> None:
    """Send the orders that the forms of these sides suggest."""
    for side in sides:
        outcome = referee.sends(side, referee.suggested(side))
        assert outcome.good, outcome.text


def link(referee: Proven, side: str, window: int) -> str:
    """The hex link of a side's first dice chain for a window."""
    return DiceChains(key_of(side)).links(referee.name, side, 0)[window].hex()


def die(g0: bytes, window: int, seed: bytes, label: str = LABEL) -> int:
    """The die for a label; the moderator can compute it as soon as the seed is known."""
    source = provable.Provable(dice_key(), g0, {window: seed})  # type: ignore[dict-item]
    return source.roll(window, label, D6)[0][0]  # type: ignore[arg-type]


def proven_unopened(home: Path, patch: pytest.MonkeyPatch, *sides: str) -> Proven:
    """Create a game and enlist these sides (both without arguments), without opening it."""
    from pbem.admin.setup import Choices, create

    pinned(patch, "unopened")
    referee = Proven(home, SYSTEM)
    create(home, SYSTEM, "g1", Choices())
    for side in sides or SIDES:
        referee.enlist(side, key_of(side))
    return referee
