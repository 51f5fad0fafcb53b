"""Bots that search, in a small game: budget, worlds, and what they read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping

import pytest

from games.toy.game import FOX, HUNTER, SYSTEM
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.bots.kinds import seated
from pbem.bots.strong import Imagined, Strong
from pbem.errors import Usage
from pbem.model import Side, System

SMALL = {"playouts": 24, "worlds": 3, "particles": 40}


def strong(side: Side, seed: str = "x", changes: Mapping[str, float] = SMALL) -> Strong:
    return Strong(SYSTEM, "wood", {}, side, seed, changes)


def game(seed: str, **players: Strong) -> Match:
    seats = {Side(side): player for side, player in players.items()}
    match = Match(SYSTEM, "wood", {}, seed, players=seats)
    for _ in match.play():
        pass
    return match


@pytest.mark.parametrize("side", [FOX, HUNTER])
def test_the_same_seed_gives_the_same_game(side: Side) -> None:
    told = [game("same", **{side: strong(side)}).closing for _ in range(2)]
    assert told[0] == told[1]


def test_a_window_takes_no_more_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counter[int]()
    real = Imagined.window

    def window(self: Imagined, given: object = None) -> None:
        counted[bot.reports[-1]["window"]] += given is not None
        real(self, given)  # type: ignore[arg-type]

    monkeypatch.setattr(Imagined, "window", window)
    bot = strong(HUNTER)
    game("budget", hunter=bot)
    assert counted and max(counted.values()) <= SMALL["playouts"]


def test_long_playouts_are_fewer() -> None:
    """Candidates are played once, and no more if that took all windows."""
    counts = {many: playouts_of({**SMALL, "windows": many}) for many in (1, 1000)}
    assert max(counts[1]) < min(counts[1000]) <= max(counts[1000]) <= SMALL["playouts"]


def playouts_of(changes: Mapping[str, float]) -> list[int]:
    """Of each search of a game."""
    bot, found = strong(HUNTER, changes=changes), list[int]()
    match = Match(SYSTEM, "wood", {}, "long", players={HUNTER: bot})
    for _ in match.play():
        found += map(int, re.findall(r"of (\d+) playouts", bot.explained))
    return found


def test_without_a_budget_it_takes_the_first_candidate() -> None:
    bot = strong(FOX, changes={**SMALL, "playouts": 0})
    game("none", fox=bot)
    assert "playouts" not in bot.explained


@pytest.mark.parametrize("side", [FOX, HUNTER])
def test_worlds_have_the_own_animal_where_it_is_and_the_other_where_it_may_be(side: Side) -> None:
    """From copies of the reports alone, without the game."""
    kept = strong(side)
    match = game("worlds", **{side: kept})
    assert match.drive.over
    other = strong(side)
    for plain in kept.reports:
        other.orders(Report.of(json.loads(json.dumps(plain))))
        own = plain["units"][0]
        for world in other.worlds if other.drawn == plain["window"] else ():
            assert world.state.place[own["id"]] == own["place"] or plain["questions"]
            assert len({*world.state.place.values()}) == 2
    assert other.explained == kept.explained


def test_a_system_without_such_bots_says_so() -> None:
    class Plainer(type(SYSTEM)):  # type: ignore[misc]
        mind = System.mind

    with pytest.raises(Usage, match="has no bot that searches"):
        Strong(Plainer(), "wood", {}, FOX, "x")


def test_seats_are_given_to_the_sides_that_search() -> None:
    assert [*seated({FOX: "strong", HUNTER: "plain"}, 3, SYSTEM, "wood", {}, "x")] == [FOX]
