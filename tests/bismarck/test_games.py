"""Whole games between the bots, of both play modes: they end, soundly, and either side may win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import pytest

import games
from pbem.admin.setup import Choices, create, enlist_bot, open_game
from pbem.bots.bot_orders import play_bots
from pbem.bots.simulate import Played, play, summary
from pbem.store.game_dir import writing
from pbem.turns.close_window import run
from tests.conftest import Clock
from tests.referee import Referee

OPTIONS = {"visibility": "errata", "fuel": "standard", "dorsetshire": "Z10"}
MODES = ("plotted", "asked")
SAMPLE, ALL = {"plotted": 24, "asked": 16}, 500
"""Games of a mode: always, and under --nightly."""
PARTS = 2
"""Those through files are played by so many tests, for as many cores."""
THROUGH_FILES = 1
"""Of ALL so many by each of these, others in every run; all under --nightly."""
ENDS = {"12.11", "12.12", "12.13", "12.14", "12.33"}
"""The clauses that end a game (12.1); 12.33 is ruling 18."""
TURNS = 31
SHARE, SHARE_OF_ALL = 0.8, 0.65
"""What neither side may win more than, of a sample and of all: few games scatter more."""


def bot_games(mode: str, count: int) -> list[Played]:
    """Games as `pbem simulate bismarck --option play=MODE --seed balance` plays them; the state is
    audited after every window, and what goes wrong is a fault."""
    options = {**OPTIONS, "play": mode}
    return [
        play(games.load, "bismarck", "basic", options, f"balance {i}") for i in range(1, count + 1)
    ]


def share(played: Sequence[Played]) -> float:
    """The part of the games that the luckier side won."""
    wins = Counter(g.result for g in played)
    return max(wins["british"], wins["german"]) / len(played)


@pytest.mark.parametrize("mode", MODES)
def test_bot_games_end_soundly_and_either_side_may_win(mode: str, nightly: bool) -> None:
    played = bot_games(mode, ALL if nightly else SAMPLE[mode])
    assert summary(played)["faults"] == []
    assert {g.rule for g in played} <= ENDS
    assert {g.result for g in played} <= {"british", "german", "draw"}
    assert all(0 < g.turns <= TURNS for g in played)
    assert share(played) <= (SHARE_OF_ALL if nightly else SHARE)
    if mode == "plotted":  # one exchange a turn, battles and all
        assert all(g.windows == g.turns for g in played)
        assert median(g.windows for g in played) <= TURNS
    else:
        assert all(g.windows >= g.turns for g in played)
        assert sum(g.windows for g in played) > sum(g.turns for g in played)


def test_a_game_is_the_same_again() -> None:
    options = {**OPTIONS, "play": "asked"}
    one, two = (play(games.load, "bismarck", "basic", options, "again") for _ in range(2))
    assert one == two and not one.fault


def test_a_game_that_breaks_is_a_fault_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch is watched: a state that fails its audit is found."""

    def broken(self: object, state: object) -> None:
        raise AssertionError("the Hood is in two places")

    monkeypatch.setattr(type(games.load("bismarck")), "audit", broken)
    (found,) = summary(bot_games("plotted", 1))["faults"]
    assert found["seed"] == "balance 1" and "two places" in found["fault"]


# Through files: signatures, reports, ledger


def by_mail(home: Path, mode: str, seed: str, most: int) -> Referee:
    """Two bots play through signed order files, until the end or for `most` windows."""
    system = games.load("bismarck")
    create(home, system, "g1", Choices(options={"play": mode}, dice="seeded", seed=seed))
    with writing(home, "g1") as game:
        for side in game.register.sides:
            enlist_bot(game, side)
        open_game(game, system)
        while game.register.window and not game.register.over and most:
            play_bots(game, system)
            run(game, system)
            most -= 1
    return Referee(home, system)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("mode", MODES)
def test_games_through_files_are_whole(
    mode: str,
    part: int,
    tmp_path: Path,
    clock: Clock,
    drawn: Callable[[Sequence[int], int], Sequence[int]],
) -> None:
    for i in drawn(range(part, ALL, PARTS), THROUGH_FILES):
        referee = by_mail(tmp_path / str(i), mode, f"files {i}", 400)
        over = referee.register.over
        assert over and over.rule in ENDS
        found = referee.audit()
        assert found.whole, found.findings
        for side in referee.register.sides:
            last = referee.report(side, len(referee.register.closed) + 1)
            assert last["events"]
