"""Play by questions: a meeting's rounds go by mail, answered at random through real order text."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.game import SYSTEM
from orders.model import OrderSet
from pbem import render
from pbem.bots import Match
from pbem.drive import Drive, encode
from pbem.reader import read_text

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "asked"}
MOST = 400
HIDDEN = {"RunsTo", "BreaksUp", "Torpedoes", "Retires"}
"""Questions that orders alone answer: asking would tell, or is not worth a mail."""


def answers(report: dict[str, Any], random: Random) -> OrderSet:
    """The bot's orders, and to every question one of its choices at random."""
    said = [
        f"{q['id']}: {random.choice(q['choices'])};" for q in report["questions"] if q["choices"]
    ]
    orders = SYSTEM.bot(report["side"], report, f"{random.random()}")
    text = f"BEGIN ORDERS\n{orders}\n" + "\n".join(said) + "\nEND ORDERS\n"
    reading = read_text(SYSTEM, report, text)
    assert not reading.diagnostics, reading.diagnostics
    return reading.orders


@pytest.mark.parametrize(("scenario", "seed"), [("coronel", "a1"), ("emden", "a2"), ("war", "a3")])
def test_any_answers_lead_to_a_sound_end(scenario: str, seed: str) -> None:
    random, game = Random(seed), Match(SYSTEM, scenario, OPTIONS, seed)
    asked: set[str] = set()
    for _ in range(MOST):
        if game.drive.over:
            break
        reports = {s: game.report(s) for s in (GERMAN, BRITISH)}
        asked |= {q["kind"] for r in reports.values() for q in r["questions"]}
        for report in reports.values():
            render.questions("far_seas", report["questions"])
            render.events("far_seas", report["events"])
        sets = {s: answers(r, random) for s, r in reports.items()}
        game.closing = game.drive.close(sets, game.dice)
        SYSTEM.audit(game.drive.state)
    assert game.drive.over
    assert asked and not asked & HIDDEN


def test_a_round_of_a_meeting_is_a_window_of_its_own() -> None:
    game = Match(SYSTEM, "war", OPTIONS, "a4")
    kinds: set[str] = set()
    for _ in range(60):
        if game.drive.over:
            break
        game.window()
        kinds |= {q["kind"] for s in (GERMAN, BRITISH) for q in game.report(s)["questions"]}
        again = Drive.resume(SYSTEM, game.drive.sides, OPTIONS, game.drive.position())
        assert encode(again.state) == encode(game.drive.state)
    assert "Runs" in kinds


def test_plotted_games_ask_nothing_by_mail() -> None:
    plotted = OPTIONS | {"play": "plotted"}
    game = Match(SYSTEM, "emden", plotted, "a5")
    for _ in game.play():
        assert not any(game.report(s)["questions"] for s in (GERMAN, BRITISH))
