"""Where the other animal may be, by a side's own reports."""

from __future__ import annotations

from typing import Any

import pytest

from games.toy.game import ANIMAL, FOX, HUNTER, SYSTEM
from pbem.belief.filter import beliefs
from pbem.bots.bot_orders import Match
from pbem.model import Plain, Side
from tests.counts import few


def told(side: Side, seed: str) -> tuple[list[Plain], dict[int, str]]:
    """The reports of a bot game, and where the other animal was after each turn."""
    match, reports, truth = Match(SYSTEM, "wood", {}, seed), list[Plain](), dict[int, str]()
    other = ANIMAL[FOX if side == HUNTER else HUNTER]
    while not match.drive.over:
        reports.append(match.report(side).plain)
        truth.setdefault(match.drive.state.turn - 1, match.drive.state.place[other])
        match.window()
    return reports, truth


@pytest.mark.parametrize("side", [FOX, HUNTER])
def test_it_is_always_where_it_can_be(side: Side) -> None:
    found = better = 0
    for game in range(few(30)):
        reports, truth = told(side, f"toy {game}")
        (quarry,) = SYSTEM.quarries(reports)
        for one in beliefs(quarry, "x"):
            assert truth[one.turn] in one.possible, (game, one.turn)
            found += 1
            better += one.cells[truth[one.turn]] > 1 / len(one.possible)
    assert better > found / 2


def test_a_twig_tells_the_row() -> None:
    reports = [report(1, "HOUND", "E5"), report(2, "HOUND", "E4", moved("E4"), twig("B"))]
    (quarry,) = SYSTEM.quarries(reports)
    (one,) = beliefs(quarry, "x")
    assert one.cells == {"B1": pytest.approx(1)}


def test_a_report_that_is_missing() -> None:
    reports = [report(1, "HOUND", "E5"), report(4, "HOUND", "E3")]
    (quarry,) = SYSTEM.quarries(reports)
    assert [one.turn for one in beliefs(quarry, "x")] == [1, 2, 3]


def moved(to: str) -> Plain:
    return {"kind": "Moved", "rule": "2.1", "to": to}


def twig(row: str) -> Plain:
    return {"kind": "TwigSnapped", "rule": "3.1", "row": row}


def report(turn: int, animal: str, place: str, *events: Plain) -> dict[str, Any]:
    units = [{"id": animal, "place": place}]
    return {"side": "hunter", "turn": turn, "units": units, "events": list(events)}
