"""Where enemies may be, by a side's reports: never wrong where the reports are clear, better than
even chances, alike where the reports are alike, and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from games.bismarck import belief, belief_raider, board
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from pbem.belief.filter import Belief, beliefs, settings
from pbem.inference.quarry import Quarry
from pbem.model import Plain, Side
from tests.benchmarks.belief import Row, Total, scored
from tests.benchmarks.belief_bismarck import ROWS, WRONG, lost_contacts, played
from tests.bismarck.captains import CAPTAINS, hunt
from tests.bismarck.test_secrecy import windows

READ = ("side", "turn", "units", "contacts", "events", "board", "result")
"""What of a report the beliefs may read."""


def believed(reports: Sequence[Plain], seed: str = "x") -> dict[str, list[Belief]]:
    return {q.id: list(beliefs(q, seed)) for q in SYSTEM.quarries(reports)}


def raider(reports: Sequence[Plain]) -> Quarry[Any, Any]:
    first: Quarry[Any, Any] = SYSTEM.quarries(reports)[0]
    return first


@pytest.mark.some(1)
@pytest.mark.parametrize("captain", CAPTAINS)
def test_where_the_british_were_told_and_what_they_searched_agree_with_the_truth(
    captain: str,
) -> None:
    told = 0
    for game in range(2):
        reports, truth = played(captain, f"told {game}")
        for one in beliefs(raider(reports), "x"):
            assert truth[one.turn] in one.possible, (captain, game, one.turn)
            assert one.fix in ("", truth[one.turn])
            told += bool(one.fix)
    assert told


def test_the_consort_is_where_she_can_be() -> None:
    game, reports, truth = hunt("bot", "consort 1"), [], {}
    while not game.drive.over:
        reports.append(game.report())
        truth[game.drive.state.turn - 1] = game.drive.state.ships["PRINZ EUGEN"].zone
        game.window()
    for one in believed(reports)["PRINZ EUGEN"]:
        assert truth[one.turn] in one.possible
        assert one.fix in ("", truth[one.turn])


def test_beliefs_are_better_than_even_chances() -> None:
    """A few games: the whole table is made by `python -m tests.benchmarks.belief`."""
    total = Total(
        Row("bot", ()), [scored("bismarck", Row("bot", ()), f"few {g}") for g in range(3)]
    )
    scores = [s for g in total.games for s in g.scores]
    even = [s for g in total.games for s in g.even]
    assert sum(scores) / len(scores) > sum(even) / len(even) + 1
    assert str(len(scores)) in total.line()


@pytest.mark.nightly
@pytest.mark.parametrize("row", range(len(ROWS)))
def test_the_whole_calibration(row: int) -> None:
    """2,000 games of each row: better than even chances even by a wrong model, and where a captain
    is led as some of the guesses are, right within five points."""
    total = Total(ROWS[row], [scored("bismarck", ROWS[row], f"belief {g}") for g in range(2000)])
    gain = sum(sum(g.scores) - sum(g.even) for g in total.games)
    assert gain > 0 or ROWS[row].captain in ("lurker", "doubler")
    if row >= WRONG and not ROWS[row].styles:
        assert all(abs(a - b) < 0.1 for a, b, count in total.reliability() if count > 200)


@pytest.mark.some(1)
@pytest.mark.parametrize("side", [BRITISH, GERMAN])
def test_equal_reports_give_equal_beliefs(side: Side) -> None:
    """Two worlds that the side cannot tell apart, window after window."""
    reports: tuple[list[Plain], list[Plain]] = [], []
    places: tuple[list[list[str]], list[list[str]]] = [], []
    for both in windows(side):
        for world, kept, hidden in zip(both, reports, places, strict=True):
            kept.append(copied(world.report(side)))
            hidden.append([s.zone for s in world.drive.state.fleet(board.OTHER[side])])
    one, other = ([[q.id, list_of(q)] for q in SYSTEM.quarries(r)] for r in reports)
    assert one
    assert json.dumps(one) == json.dumps(other)
    assert places[0] != places[1]


def list_of(quarry: Quarry[Any, Any]) -> list[dict[str, float]]:
    return [one.cells for one in beliefs(quarry, "x")]


def test_beliefs_are_made_from_reports_alone() -> None:
    """From copies of a few of their fields, in a process that has played nothing: the same."""
    reports, _ = played("bot", "alone")
    whole = believed(reports)
    alone = [copied({k: r[k] for k in READ if k in r}) for r in reports]
    belief_raider.plan_of.cache_clear()
    assert believed(alone) == whole


def copied(report: Plain) -> Plain:
    found: Plain = json.loads(json.dumps(report))
    return found


def test_a_report_that_is_missing_makes_beliefs_vaguer() -> None:
    reports, truth = played("bot", "gap")
    some = [r for r in reports if r["turn"] not in (7, 8, 9)]
    whole, partial = believed(reports)["BISMARCK"], believed(some)["BISMARCK"]
    assert [one.turn for one in whole] == [one.turn for one in partial]
    for one in partial[:5]:
        assert truth[one.turn] in one.possible
    assert len(partial[4].possible) >= len(whole[4].possible)


def test_germans_look_for_whom_they_have_seen() -> None:
    """Every British ship of a German contact is where she can be."""
    found = 0
    for game in (6, 7):  # in which the Germans see many
        for one, at in lost_contacts(f"belief {game}"):
            assert at in one.possible
            found += one.cells[at] > 1 / len(one.possible)
    assert found


def test_spectators_look_for_nobody() -> None:
    reports, _ = played("bot", "sides")
    assert belief.quarries([]) == ()
    assert belief.quarries([dict(r) | {"side": "spectators"} for r in reports]) == ()


def test_all_styles_move_by_the_rules() -> None:
    """5.1: no guess goes more than two zones in a turn after the first, nor stands on land."""
    reports, _ = played("bot", "moves")
    quarry = raider(reports)
    from random import Random

    draws = Random("x")
    for style in quarry.styles:
        guess = quarry.place(style, draws)
        for told in quarry.told:
            before, guess = guess, quarry.move(guess, told, draws)
            assert len(guess.path) <= (5 if told.turn == 4 else 2)
            assert guess.path[-1:] in ((), (guess.zone,))
            assert guess.zone == before.zone or guess.path
    assert settings().particles >= 100
