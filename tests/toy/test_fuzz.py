"""Whole games of random legal and illegal orders: always a receipt, never a fault, always whole.

A game that fails prints its seed: `replay(seed)` plays it again.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.toy.game import SYSTEM
from pbem.base.report_menu import lengthened
from pbem.bots.random_orders import Writer
from tests.conftest import Clock
from tests.referee import Referee

TEXT = (
    "FOX HOUND BEAR move go pounce fly if then else and or not none turn twig over under is at "
    "least most final absent resign also Q1 Q2 1 9 12345 A1 Z9"
)
WORDS = [*TEXT.split(), *'@:;,-"().>\u00c4\u2019']


def legal(referee: Referee, side: str, random: Random) -> str:
    """Orders from the side's own menu."""
    report = lengthened(referee.report(side))
    return "\n".join(Writer(report, SYSTEM.grammar, random).lines(0.7))


def nonsense(random: Random) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(1, 30)))


def lines_of(referee: Referee, side: str, random: Random) -> str:
    parts = []
    if random.random() < 0.8:
        parts.append(legal(referee, side, random))
    if random.random() < 0.4:
        parts.append(nonsense(random))
    random.shuffle(parts)
    return "\n".join(parts)


def replay(home: Path, seed: int) -> Referee:
    """The whole game of that seed."""
    random = Random(seed)
    referee = Referee.toy(home, play=random.choice(["asked", "plotted"]), seed=str(seed))
    undone = False
    while not referee.register.over:
        for side in ("fox", "hunter"):
            for _ in range(random.randint(0, 2)):
                send(referee, side, lines_of(referee, side, random))
        referee.run(force=True)
        if not undone and random.random() < 0.1:
            undone = True
            referee.undo(reopen=random.random() < 0.5)
    return referee


def send(referee: Referee, side: str, lines: str) -> None:
    try:
        text = referee.orders(side, lines)
    except ValueError:  # it has no canonical form: sent unsigned then
        text = referee.block(side, lines)
    for outcome in referee.receive(text):
        assert outcome.text.isascii()
        assert max(map(len, outcome.text.splitlines())) <= 72
        assert "Traceback" not in outcome.text


def test_random_games_end_whole(tmp_path: Path, clock: Clock, nightly: bool) -> None:
    for seed in range(200 if nightly else 4):
        referee = replay(tmp_path / str(seed), seed)
        found = referee.audit()
        assert found.whole, f"seed {seed}: {found.findings}"
        assert len(referee.closed_turns()) <= 8


@pytest.mark.parametrize("seed", [3])
def test_a_game_is_the_same_again(seed: int, tmp_path: Path, clock: Clock) -> None:
    one, two = (replay(tmp_path / n, seed).register for n in "ab")
    assert one.over == two.over
    assert [c.rolls for c in one.closed] == [c.rolls for c in two.closed]
