"""Whole games between the bots, of both play modes: they end, soundly, and either side may win."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import games
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from pbem.admin.setup import Choices, create, enlist_bot, open_game
from pbem.bots.bot_orders import play_bots
from pbem.bots.simulate import Played, play, summary
from pbem.store.game_dir import writing
from pbem.turns.close_window import run
from tests.bismarck.chronicle import ENDINGS, HISTORY, OPTIONS, Chronicle, many, share
from tests.conftest import Clock
from tests.referee import Referee

MODES = ("plotted", "asked")
SAMPLE = {"plotted": 20, "asked": 8}
ALL = 1000
"""Games of a mode: some always, all of them under --nightly."""
FILES, THROUGH_FILES = 500, 1
"""Of FILES so many of each mode, others in every run; all under --nightly."""
TURNS = 31
MAILS = 30
"""Mails to each side in a game, at most."""
LEAST, LEAST_OF_ALL = 0.2, 0.4
"""What each side wins at least of the decided games, of a sample and of all: few games scatter
more."""
RARE = {"12.12", "12.13", "12.33"}
"""Endings that a sample need not have."""
SCENES = {
    "shadowed",
    "followed at high speed",
    "general search",
    "HUFF-DUFF",
    "reinforced",
    "Bismarck hit from the air",
    "Bismarck withdrew",
    "Hood damaged",
}
"""What a sample has."""
MORE_SCENES = {"Bismarck crippled from the air", "Bismarck damaged", "Prinz Eugen withdrew"}
"""What many games have, too."""
SUNK_BY = {"guns", "torpedoes", "bombs"}
"""What sinks the Bismarck in many games; aircraft do it in one of a hundred."""


def bot_games(mode: str, count: int) -> list[Played]:
    """Games as `pbem simulate bismarck --option play=MODE --seed balance` plays them; the state is
    audited after every window, and what goes wrong is a fault."""
    options = {**OPTIONS, "play": mode}
    return [
        play(games.load, "bismarck", "basic", options, f"balance {i}") for i in range(1, count + 1)
    ]


@pytest.mark.some(1)
@pytest.mark.parametrize("mode", MODES)
def test_bot_games_end_soundly_and_either_side_may_win(mode: str, nightly: bool) -> None:
    """Every state passes its audit, every set passes the checks of a mailed one, no order fails."""
    played = many(ALL if nightly else SAMPLE[mode], mode)
    least = LEAST_OF_ALL if nightly else LEAST
    assert least <= share(played) <= 1 - least
    assert {g.ending for g in played} <= {*ENDINGS}
    assert {g.winner for g in played} <= {BRITISH, GERMAN, "draw"}
    assert not [refused for g in played for refused in g.refused]
    assert all(0 < g.turns <= TURNS for g in played)
    assert all(g.mails <= MAILS for g in played)
    if mode == "plotted":  # battles and all
        assert all(g.mails <= g.windows == g.turns for g in played)
    else:
        assert all(g.windows >= g.turns for g in played)
        assert sum(g.windows for g in played) > sum(g.turns for g in played)
    if nightly or mode == "plotted":
        tells_the_story(played, nightly)


def tells_the_story(played: Sequence[Chronicle], nightly: bool) -> None:
    """Every ending of section 12 and every verb occur, and what happened in May 1941 is one of
    the things that happen."""
    endings = {g.ending for g in played}
    assert {*ENDINGS} - endings <= (set() if nightly else RARE)
    verbs = {verb for g in played for verb in g.verbs}
    assert {verb.name for verb in SYSTEM.grammar.verbs} - verbs <= (set() if nightly else {"break"})
    happened = {scene for g in played for scene in g.happened}
    assert not (SCENES | MORE_SCENES if nightly else SCENES) - happened
    assert {g.convoys for g in played} >= ({0, 1, 2} if nightly else {0, 1})
    if nightly:
        margins = [g.points[BRITISH] - g.points[GERMAN] for g in played]
        assert min(margins) < HISTORY < max(margins)
        assert {g.port for g in played} >= {"", "Bergen", "Brest"}
        sunk_by = {g.lost for g in played if g.lost}
        assert "guns" in sunk_by <= SUNK_BY and len(sunk_by) > 1
        assert any(
            g.lost and "Hood" in g.sunk and HISTORY - 6 <= m <= HISTORY + 6
            for g, m in zip(played, margins, strict=True)
        )


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


@pytest.mark.some(1)
@pytest.mark.parametrize("mode", MODES)
def test_games_through_files_are_whole(
    mode: str,
    tmp_path: Path,
    clock: Clock,
    drawn: Callable[[Sequence[int], int], Sequence[int]],
) -> None:
    for i in drawn(range(FILES), THROUGH_FILES):
        referee = by_mail(tmp_path / str(i), mode, f"files {i}", 400)
        over = referee.register.over
        assert over and over.rule in ENDINGS
        found = referee.audit()
        assert found.whole, found.findings
        for side in referee.register.sides:
            last = referee.report(side, len(referee.register.closed) + 1)
            assert last["events"]
