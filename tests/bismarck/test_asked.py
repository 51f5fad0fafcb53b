"""Play by questions: windows of shadow and battle, answered at random through real order text."""

from __future__ import annotations

from random import Random

import pytest

from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.engine.drive import Drive, encode
from tests.playing import MOST, answers, any_answers

OPTIONS = {"visibility": "errata", "fuel": "standard", "dorsetshire": "Z10", "play": "asked"}


@pytest.mark.parametrize("seed", ["a1", "a2", "a3"])
def test_any_answers_lead_to_a_sound_end(seed: str) -> None:
    assert any_answers(SYSTEM, "basic", OPTIONS, seed)


def test_a_game_of_questions_can_be_resumed_at_every_window() -> None:
    game = Match(SYSTEM, "basic", OPTIONS, "a4")
    for _ in range(30):
        if game.drive.over:
            break
        game.window()
        again = Drive.resume(SYSTEM, game.drive.sides, OPTIONS, game.drive.position())
        assert encode(again.state) == encode(game.drive.state)


def test_silence_never_blocks() -> None:
    game = Match(SYSTEM, "basic", OPTIONS, "a5")
    for _ in range(MOST):
        if game.drive.over:
            break
        sets = {s: answers(SYSTEM, game.report(s).plain, Random(1)) for s in (BRITISH, GERMAN)}
        plain = {s: OrderSet(orders=o.orders) for s, o in sets.items()}
        game.drive.close(plain, game.dice)
    assert game.drive.over
