"""Play by questions: windows of shadow and battle, answered at random through real order text."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from orders.model import OrderSet
from pbem import render
from pbem.bots import Match
from pbem.drive import Drive, encode
from pbem.reader import read_text

OPTIONS = {"visibility": "errata", "fuel": "standard", "dorsetshire": "Z10", "play": "asked"}
MOST = 400


def answers(report: dict[str, Any], random: Random) -> OrderSet:
    """The bot's orders, and to every question with choices one of them at random."""
    said = [
        f"{q['id']}: {random.choice(q['choices'])};" for q in report["questions"] if q["choices"]
    ]
    orders = SYSTEM.bot(report["side"], report, f"{random.random()}")
    text = f"BEGIN ORDERS\n{orders}\n" + "\n".join(said) + "\nEND ORDERS\n"
    reading = read_text(SYSTEM, report, text)
    assert not reading.diagnostics, reading.diagnostics
    return reading.orders


@pytest.mark.parametrize("seed", ["a1", "a2", "a3"])
def test_any_answers_lead_to_a_sound_end(seed: str) -> None:
    random, game = Random(seed), Match(SYSTEM, "basic", OPTIONS, seed)
    asked: set[str] = set()
    for _ in range(MOST):
        if game.drive.over:
            break
        reports = {s: game.report(s) for s in (BRITISH, GERMAN)}
        asked |= {q["kind"] for r in reports.values() for q in r["questions"]}
        for report in reports.values():
            render.questions("bismarck", report["questions"])
            render.events("bismarck", report["events"])
        sets = {s: answers(r, random) for s, r in reports.items()}
        game.closing = game.drive.close(sets, game.dice)
        SYSTEM.audit(game.drive.state)
    assert game.drive.over
    assert asked


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
        sets = {s: answers(game.report(s), Random(1)) for s in (BRITISH, GERMAN)}
        plain = {s: OrderSet(orders=o.orders) for s, o in sets.items()}
        game.drive.close(plain, game.dice)
    assert game.drive.over
