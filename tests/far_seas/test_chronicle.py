"""What games between the bots come to: who wins, how ships fare, which verbs are used, and how many
mails a side writes. A seeded sample on every change, all games of docs/far_seas.md under --nightly.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from statistics import mean, median

import pytest

from games.far_seas.game import SYSTEM
from games.far_seas.verbs import GRAMMAR
from tests.far_seas.chronicle import HISTORY, Chronicle, histogram, many, share

SCENARIOS = [s.name for s in SYSTEM.scenarios]
PLAYS = ["plotted", "asked"]
SAMPLE = {"war": 4, "coronel": 20, "emden": 15, "konigsberg": 15}
ALL = {"war": 300, "coronel": 1000, "emden": 1000, "konigsberg": 1000}
"""Games of a scenario and way of play: always, and under --nightly."""
SEED = "fresh"
ENDS = {"victory", "no raider left"}


@lru_cache
def played(scenario: str, play: str, nightly: bool) -> list[Chronicle]:
    """The games of one scenario; every order is one that a player may mail, and the state is
    audited after every window."""
    return many(scenario, (ALL if nightly else SAMPLE)[scenario], play, SEED)


every = pytest.mark.parametrize(("scenario", "play"), list(product(SCENARIOS, PLAYS)))


@pytest.mark.some(2)
@every
def test_games_end_soundly_and_all_orders_are_carried_out(
    scenario: str, play: str, nightly: bool
) -> None:
    for game in played(scenario, play, nightly):
        assert game.rule in ENDS, game.seed
        assert game.winner in {"british", "german", "draw"}
        assert not game.refused, game.seed


@every
def test_either_side_wins_about_half_of_the_decided_games(
    scenario: str, play: str, nightly: bool
) -> None:
    """Few games scatter more; of the war, which takes longest, both ways of play count together."""
    games = played(scenario, play, nightly)
    if scenario == "war" and not nightly:
        games = [game for way in PLAYS for game in played(scenario, way, nightly)]
    low, high = (0.4, 0.6) if nightly else (0.2, 0.8)
    assert low <= share(games) <= high


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_few_mails_are_asked_of_a_side(scenario: str, nightly: bool) -> None:
    """A turn takes three mails of a side at most. On average it takes fewer than two in half of all
    games; in the war, which has most ships, about two."""
    games = played(scenario, "asked", nightly)
    assert max(n for game in games for n in game.turns) <= 3
    assert median(mean(game.turns) for game in games) < (2.2 if scenario == "war" else 2)


@pytest.mark.parametrize("play", PLAYS)
def test_cradock_is_lost_in_some_games_and_spee_after_him_in_a_few(
    play: str, nightly: bool
) -> None:
    """Good Hope and Monmouth in one turn, and then Scharnhorst and Gneisenau, as it happened; by
    points, history lies among the games too."""
    games = played("coronel", play, nightly)
    assert any(game.coronel for game in games)
    if nightly:
        assert any(game.falklands for game in games)
        margins = [game.margin for game in games]
        assert min(margins) <= HISTORY["coronel"] <= max(margins)


def test_the_bots_use_every_verb(nightly: bool) -> None:
    found = {
        v for s, p in product(SCENARIOS, PLAYS) for g in played(s, p, nightly) for v in g.verbs
    }
    verbs = {verb.name for verb in GRAMMAR.verbs}
    assert verbs - found <= (set() if nightly else RARE)


RARE = {"attack convoy", "intern", "return", "part"}
"""Used in few games, or by ships half damaged: `test_bot` has the positions of these."""


def test_a_game_that_breaks_names_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch is watched: a state that fails its audit is found."""

    def broken(self: object, state: object) -> None:
        raise AssertionError("the Emden is in two places")

    monkeypatch.setattr(type(SYSTEM), "audit", broken)
    with pytest.raises(AssertionError, match="two places") as found:
        many("emden", 1)
    assert found.value.__notes__ == ["in the game of emden with seed 'balance 1', play=plotted"]


def test_a_histogram_marks_history() -> None:
    assert histogram("coronel", [-7, -6, 4]) == [
        "  -9 to   -7    1 #  <- history",
        "  -6 to   -4    1 #",
        "  -3 to   -1    0 ",
        "  +0 to   +2    0 ",
        "  +3 to   +5    1 #",
    ]
