"""Where Germans may be, by the Allied reports: never wrong where the reports are clear, better than
even chances, alike where the reports are alike, and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from games.far_seas import belief, belief_raider, belief_told, board
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.game import SYSTEM
from pbem.base.report_json import Report
from pbem.belief.filter import Belief, beliefs
from pbem.belief.where import scene, where
from pbem.charts.chart import svg
from pbem.model import Plain, Side
from tests.benchmarks.belief import Row, Total, scored
from tests.benchmarks.belief_far_seas import ROWS, played
from tests.far_seas.admirals import ADMIRALS, War
from tests.far_seas.test_secrecy import windows

READ = (
    *("side", "scenario", "turn", "window", "result", "units", "contacts"),
    *("events", "board", "rolls"),
)
"""What of a report the beliefs may read."""


def believed(reports: Sequence[Plain], seed: str = "x") -> dict[str, list[Belief]]:
    return {q.id: list(beliefs(q, seed)) for q in SYSTEM.quarries(reports)}


def copied(report: Plain) -> Plain:
    found: Plain = json.loads(json.dumps(report))
    return found


def agree(reports: Sequence[Plain], truth: dict[int, dict[str, str]]) -> tuple[int, int]:
    """Every ship is where she can be; how many fixes and other beliefs there are."""
    fixes = others = 0
    for id_, found in believed(reports).items():
        for one in found:
            at = truth.get(one.turn, {}).get(id_)
            if at is not None:
                assert at in one.possible, (id_, one.turn)
                assert one.fix in ("", at), (id_, one.turn)
                fixes += bool(one.fix)
                others += not one.fix
    return fixes, others


@pytest.mark.parametrize("admiral", ADMIRALS)
def test_what_the_allies_were_told_agrees_with_the_truth(admiral: str) -> None:
    fixes, others = agree(*played(admiral, "told"))
    assert others > 5, fixes


@pytest.mark.parametrize("scenario", ["coronel", "emden", "konigsberg"])
def test_so_it_does_in_every_scenario(scenario: str) -> None:
    assert sum(agree(*played("bot", "told", scenario=scenario))) > 1


def test_so_it_does_in_a_game_played_asked() -> None:
    assert sum(agree(*played("bot", "told", play="asked"))) > 5


def test_beliefs_are_better_than_even_chances() -> None:
    """A few games: the whole table is made by `python -m tests.benchmarks.belief far_seas`."""
    row = Row("bot", ())
    total = Total(row, [scored("far_seas", row, f"few {g}") for g in range(2)])
    scores = [s for g in total.games for s in g.scores]
    even = [s for g in total.games for s in g.even]
    assert sum(scores) / len(scores) > sum(even) / len(even) + 0.7


@pytest.mark.nightly
@pytest.mark.parametrize("row", range(len(ROWS)))
def test_the_whole_calibration(row: int) -> None:
    total = Total(ROWS[row], [scored("far_seas", ROWS[row], f"belief {g}") for g in range(500)])
    gain = sum(sum(g.scores) - sum(g.even) for g in total.games)
    assert gain > 0 or ROWS[row].captain == "circler"


@pytest.mark.parametrize("side", [BRITISH, GERMAN])
def test_equal_reports_give_equal_beliefs(side: Side) -> None:
    """Two worlds that the side cannot tell apart, window after window."""
    reports: tuple[list[Plain], list[Plain]] = [], []
    places: tuple[list[dict[str, str]], list[dict[str, str]]] = [], []
    for both in windows(side):
        for world, kept, hidden in zip(both, reports, places, strict=True):
            kept.append(copied(world.report(side)))
            war = world.drive.state
            hidden.append({s.id: s.area for s in war.fleet(board.OTHER[side])})
    one, other = ([[q.id, cells(q)] for q in SYSTEM.quarries(r)] for r in reports)
    assert json.dumps(one) == json.dumps(other)
    assert bool(one) == (side == BRITISH)
    if side == BRITISH:
        assert places[0] != places[1]


def cells(quarry: Any) -> list[dict[str, float]]:
    return [one.cells for one in beliefs(quarry, "x")]


def test_beliefs_are_made_from_a_few_fields_of_reports_alone() -> None:
    reports, _ = played("bot", "alone")
    alone = [copied({k: r[k] for k in READ if k in r}) for r in reports]
    assert believed(alone) == believed(reports)


def test_a_report_that_is_missing_makes_beliefs_vaguer() -> None:
    reports, truth = played("rover", "gap")
    some = [r for r in reports if r["turn"] not in (3, 4)]
    agree(some, truth)
    whole, partial = believed(reports), believed(some)
    assert {q: len(b) for q, b in whole.items()} == {q: len(b) for q, b in partial.items()}
    assert sum(len(b[3].possible) for b in partial.values() if len(b) > 3) > sum(
        len(b[3].possible) for b in whole.values() if len(b) > 3
    )


def test_allies_lie_open_and_spectators_look_for_nobody() -> None:
    assert belief.quarries([]) == ()
    game = War("bot", "sides")
    assert belief.quarries([game.report(GERMAN).plain]) == ()
    report = game.report(BRITISH).plain
    assert belief.quarries([{**report, "side": "spectators"}]) == ()
    assert len(belief.quarries([report])) == 12  # the Cormoran comes later


def test_all_styles_move_by_the_rules() -> None:
    """M5: no guess goes further than to an area beside hers, but when a ship has got away."""
    reports, _ = played("bot", "moves")
    draws = Random("x")
    for quarry in SYSTEM.quarries(reports):
        for style in quarry.styles:
            guess = quarry.place(style, draws)
            for told in quarry.told:
                before, guess = guess.area, quarry.move(guess, told, draws)
                free = not (told.fix or told.fled or told.canal or told.stayed)
                assert not free or guess.area in belief_told.ways(before, ())


def test_merchants_that_are_missed_tell_where_a_lone_raider_is() -> None:
    """E1, E2: who else could have taken them is at the other end of the world."""
    reports = [report(1), report(2, *segment("EMDEN", "24"))]
    emden = next(q for q in SYSTEM.quarries(reports) if q.id == "EMDEN")
    (one,) = beliefs(emden, "x")
    assert one.likeliest == "24"
    assert one.cells["24"] > 0.7


def test_a_die_of_one_rules_an_area_out() -> None:
    """S7, S8: the first group that seeks anybody would have found her."""
    named = {"kind": "SearchNamed", "parties": [{"who": "SUFFOLK", "area": "24", "ship": ""}]}
    blank = {"kind": "SearchBlank", "areas": ["24"]}
    told = [segment("EMDEN", "26")[0], named, blank, segment("EMDEN", "26")[2]]
    ruled = {}
    for die in (1, 2):
        roll = {"label": "SEARCH/FIND/24/SUFFOLK/1/1D6", "dice": [die], "window": 1}
        reports = [report(1), {**report(2, *told), "rolls": [roll]}]
        emden = next(q for q in SYSTEM.quarries(reports) if q.id == "EMDEN")
        (one,) = beliefs(emden, "x")
        ruled[die] = "24" not in one.possible
    assert ruled == {1: True, 2: False}


def test_who_was_found_in_the_river_remains_there_though_named_while_she_is_watched() -> None:
    """G7."""
    contacts = [{"id": "KONIGSBERG", "source": "FoundInRiver", "moves": 0}]
    fixes = {}
    for moves in (0, 1):
        contacts[0]["moves"] = moves
        reports = [report(1), {**report(2, *segment("KONIGSBERG", "24")), "contacts": contacts}]
        one = next(q for q in SYSTEM.quarries(reports) if q.id == "KONIGSBERG")
        fixes[moves] = [b.fix for b in beliefs(one, "x")]
    assert fixes == {0: ["31"], 1: [""]}


def test_who_got_away_is_beside_the_area() -> None:
    """R9."""
    fled = {"kind": "Escaped", "area": "26", "side": "german", "who": ["Emden"], "to": ""}
    met = {"kind": "Met", "area": "26", "germans": ["EMDEN"]}
    named, _, ended = segment("EMDEN", "24")
    reports = [report(1), report(2, named, met, fled, ended)]
    emden = next(q for q in SYSTEM.quarries(reports) if q.id == "EMDEN")
    (one,) = beliefs(emden, "x")
    assert one.possible == set(belief_raider.refuges("26", ()))
    assert not one.fix


def segment(ship: str, area: str) -> tuple[Plain, Plain, Plain]:
    """A turn of one segment in which a ship moved and merchants of an area were taken."""
    return (
        {"kind": "MoversNamed", "who": [ship], "canal": []},
        {"kind": "MerchantsTaken", "area": area, "count": 1},
        {"kind": "TurnEnded", "german": 1, "british": 0},
    )


def report(turn: int, *events: Plain) -> Plain:
    game = War("bot", "report")
    made = copied(game.report(BRITISH).plain)
    return {**made, "turn": turn, "window": turn, "events": list(events), "rolls": []}


def test_where_draws_the_allied_chart() -> None:
    game, reports = War("bot", "chart"), list[Report]()
    while game.drive.opens < 5:
        reports.append(game.report(BRITISH))
        game.window()
    found = where(SYSTEM, reports, "x")
    assert found.sought
    drawn = scene(SYSTEM, reports[-1], found.sought[0])
    assert set(drawn.heat) <= set(drawn.grid.cells)
    assert "<svg" in svg(drawn)
