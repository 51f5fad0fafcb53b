"""Play by questions: a meeting's rounds go by mail, answered at random through real order text."""

from __future__ import annotations

import pytest

from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.courses import MOVES
from games.far_seas.game import SYSTEM
from pbem.bots.bot_orders import Match
from pbem.engine.drive import Drive, encode
from tests.playing import any_answers

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "asked"}
HIDDEN = {"RunsTo", "BreaksUp", "Torpedoes", "Retires"}
"""Questions that orders alone answer: asking would tell, or is not worth a mail."""


@pytest.mark.parametrize(("scenario", "seed"), [("coronel", "a1"), ("emden", "a2"), ("war", "a3")])
def test_any_answers_lead_to_a_sound_end(scenario: str, seed: str) -> None:
    asked = any_answers(SYSTEM, scenario, OPTIONS, seed)
    assert asked and not asked & HIDDEN


def test_a_round_of_a_meeting_is_a_window_of_its_own() -> None:
    game = Match(SYSTEM, "war", OPTIONS, "a4")
    kinds: set[str] = set()
    for _ in range(60):
        if game.drive.over:
            break
        game.window()
        kinds |= {q["kind"] for s in (GERMAN, BRITISH) for q in game.report(s).plain["questions"]}
        again = Drive.resume(SYSTEM, game.drive.sides, OPTIONS, game.drive.position())
        assert encode(again.state) == encode(game.drive.state)
    assert kinds >= {"Runs", "Dispositions"}


def test_plotted_games_ask_nothing_by_mail() -> None:
    plotted = OPTIONS | {"play": "plotted"}
    game = Match(SYSTEM, "emden", plotted, "a5")
    for _ in game.play():
        assert not any(game.report(s).plain["questions"] for s in (GERMAN, BRITISH))


def test_m4_once_their_names_are_read_germans_are_offered_no_moves() -> None:
    """Orders to move would be receipted, and come too late."""
    game = Match(SYSTEM, "war", OPTIONS, "a6")
    while not any(q["kind"] == "Dispositions" for q in game.report(BRITISH).plain["questions"]):
        game.window()
    report = game.report(GERMAN).plain
    assert not {i["verb"] for items in report["menu"].values() for i in items} & MOVES.keys()
    assert report["suggest"] == []
