"""Play by questions: windows of shadow and battle, answered at random through real order text."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.bismarck import events_battle as ev
from games.bismarck.battle_view import boards
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.engine.drive import Drive
from pbem.engine.position import encode
from pbem.player.reader import read_text
from tests.bismarck.casebook import position
from tests.playing import MOST, answers, any_answers

OPTIONS = {"visibility": "errata", "fuel": "standard", "dorsetshire": "Z10", "play": "asked"}


@pytest.mark.some(1)
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


def meeting() -> Match:
    """A game in which the Hood is about to find the Bismarck in Q17."""
    game = Match(SYSTEM, "basic", OPTIONS, "a7")
    there = {"BISMARCK": "Q17", "HOOD": "Q17"}
    case = {"turn": 4, "level": 4, "place": there, "patrol": ["HOOD"]}
    game.drive = Drive.start(SYSTEM, game.drive.sides, OPTIONS, position(case))
    return game


def send(game: Match, british: str, german: str) -> list[Any]:
    """One window, answered by text that passes the checks of mail; the events it told."""
    sets = {}
    for side, text in ((BRITISH, british), (GERMAN, german)):
        reading = read_text(SYSTEM, game.report(side), f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
        assert not reading.diagnostics, reading.diagnostics
        sets[side] = reading.orders
    closing = game.drive.close(sets, game.dice)
    game.closing = closing
    return [told.event for told in closing.told]


def places(events: list[Any]) -> dict[int, tuple[str, ...]]:
    return {e.round: e.places for e in events if isinstance(e, ev.RoundBegun)}


def rounds_fought(game: Match) -> int:
    """What the battle board says, in a window that asks about the next round."""
    (battle,) = boards(game.drive.state, BRITISH)
    return battle.round


def test_9_52_courses_come_with_the_answers_of_a_battles_window() -> None:
    game = meeting()
    hunt = "HOOD: patrol; HOOD: set up hex 1 bow w; BRITISH: attack always; BRITISH: search all;"
    stay = "BISMARCK: hold; BISMARCK: set up bow e; GERMAN: break off no;"
    told = send(game, hunt, stay)
    while not any(isinstance(e, ev.Deployed) for e in told):
        told = send(game, "BRITISH: break off no;", "GERMAN: break off no;")
    (deployed,) = [e for e in told if isinstance(e, ev.Deployed)]
    hood, bismarck = deployed.places
    assert bismarck == "Bismarck 5050 E"
    assert not places(told)  # positions are known before the first round
    assert rounds_fought(game) == 0
    steered = "{0}: course {1}; {0}: course {2} round 2;"
    steered += "{0}: course ahead 0 round 3; {0}: course ahead 0 round 4;"
    told = send(
        game,
        steered.format("HOOD", "ahead 0", "ahead 0"),
        steered.format("BISMARCK", "starboard 1", "port 1"),
    )
    found = places(told)
    assert found == {
        1: (hood, "Bismarck 5050 SE"),
        2: (hood, "Bismarck 5050 E"),
        3: (hood, "Bismarck 5050 E"),
        4: (hood, "Bismarck 5050 E"),
    }
    assert rounds_fought(game) == 4
    told = send(game, "HOOD: course ahead 0;", "BISMARCK: course ahead 2;")
    assert places(told)[5] == (hood, "Bismarck 5250 E")
