"""Where enemy units may be, by a side's reports: never wrong where these are clear, better than
even chances, alike where the reports are alike, and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from games.second_fleet import belief, belief_told, belief_unit
from games.second_fleet.board import NATO, OTHER, SIDES, SOVIET, by_water
from games.second_fleet.game import SYSTEM
from pbem.base.report_json import Report
from pbem.belief.filter import Belief, beliefs, latest
from pbem.belief.where import scene, where
from pbem.charts.chart import svg
from pbem.model import Plain, Side
from tests.benchmarks.belief import Row, Total, scored
from tests.benchmarks.belief_second_fleet import ROWS, WRONG, lost_contacts, played
from tests.second_fleet.captains import CAPTAINS, Gap
from tests.second_fleet.test_secrecy import OWN, World

READ = ("side", "scenario", "turn", "window", "units", "contacts", "events", "board", "setup")
"""What of a report the beliefs may read."""


def believed(reports: Sequence[Plain]) -> dict[str, list[Belief]]:
    return {q.id: list(beliefs(q, "x")) for q in SYSTEM.quarries(reports)}


def copied(report: Plain) -> Plain:
    found: Plain = json.loads(json.dumps(report))
    return found


def agree(reports: Sequence[Plain], truth: dict[int, dict[str, str]]) -> int:
    """Every unit is where it can be; how many beliefs there are."""
    seen = 0
    for id_, found in believed(reports).items():
        for one in found:
            at = truth.get(one.turn, {}).get(id_)
            if at is not None:
                assert at in one.possible, (id_, one.turn)
                assert one.fix in ("", at), (id_, one.turn)
                seen += 1
    return seen


@pytest.mark.parametrize("captain", CAPTAINS)
def test_what_nato_was_told_agrees_with_the_truth(captain: str) -> None:
    assert agree(*played(captain, "told")) > 20


@pytest.mark.parametrize("side", SIDES)
def test_so_it_does_for_both_sides_of_lifeline(side: Side) -> None:
    assert agree(*played("bot", "told", "lifeline", side)) > 20


def test_beliefs_are_better_than_even_chances() -> None:
    """A few games: the whole table is made by `python -m tests.benchmarks.belief second_fleet`."""
    row = Row("bot", ())
    total = Total(row, [scored("second_fleet", row, f"few {g}") for g in range(2)])
    scores = [s for g in total.games for s in g.scores]
    even = [s for g in total.games for s in g.even]
    assert sum(scores) / len(scores) > sum(even) / len(even) + 0.8


@pytest.mark.nightly
@pytest.mark.parametrize("row", range(WRONG, len(ROWS)))
def test_the_whole_calibration(row: int) -> None:
    games = [scored("second_fleet", ROWS[row], f"belief {g}") for g in range(300)]
    assert sum(sum(g.scores) - sum(g.even) for g in games) > 0


@pytest.mark.parametrize("fog", ["hidden", "open"])
@pytest.mark.parametrize("side", SIDES)
def test_equal_reports_give_equal_beliefs(side: Side, fog: str) -> None:
    """Two worlds that the side cannot tell apart, window after window."""
    found, truth = [], []
    for second in (False, True):
        world = World(side, second, fog)
        world.pages = False
        reports = [copied(world.report(side))]
        for own in (*OWN[side], "", "", ""):
            world.window(own)
            reports.append(copied(world.report(side)))
        found.append([[q.id, cells(q)] for q in SYSTEM.quarries(reports)])
        truth.append([v.hex for v in world.drive.state.afloat(OTHER[side])])
    assert found[0]
    assert all(told for _, told in found[0])
    assert json.dumps(found[0]) == json.dumps(found[1])
    assert truth[0] != truth[1]


def cells(quarry: Any) -> list[dict[str, float]]:
    return [one.cells for one in beliefs(quarry, "x")]


def test_beliefs_are_made_from_a_few_fields_of_reports_alone() -> None:
    reports, _ = played("bot", "alone")
    alone = [copied({k: r[k] for k in READ if k in r}) for r in reports]
    assert believed(alone) == believed(reports)


def test_a_report_that_is_missing_makes_beliefs_vaguer() -> None:
    reports, truth = played("bot", "gap")
    some = [r for r in reports if r["turn"] != 3]
    agree(some, truth)
    whole, partial = believed(reports), believed(some)
    assert {q: len(b) for q, b in whole.items()} == {q: len(b) for q, b in partial.items()}


@pytest.mark.parametrize("side", SIDES)
def test_lost_contacts_are_where_they_can_be(side: Side) -> None:
    """6.16: as in the campaign, where nobody is known by name."""
    found = list(lost_contacts("few 1", side))
    assert found
    for one, at in found:
        assert at in one.possible


def test_in_the_campaign_nobody_is_known_by_name() -> None:
    assert belief.quarries([]) == ()
    assert belief_told.units("banner", NATO) == []
    gone = {"id": "EN7", "type": "SN", "kind": "SUB", "types": ["SN"], "names": [], "place": "2819"}
    lost = {**gone, "age": 1, "level": 0}
    held = {**gone, "id": "EN8", "age": 0, "level": 1}
    (one,) = belief.quarries([{**report(2), "scenario": "banner", "contacts": [held, lost]}])
    assert (one.id, one.name) == ("EN7", "EN7 SN")
    assert latest(one, "x").likeliest == "2819"


def test_who_is_looked_for() -> None:
    report = Gap("bot", "sides").report(NATO).plain
    assert len(belief.quarries([report])) == 8
    assert belief.quarries([{**report, "side": "spectators"}]) == ()
    assert [q.id for q in belief.quarries([Gap("bot", "x").report(SOVIET).plain])][:2] == [
        "ANVIL",
        "BRASS",
    ]


def test_who_was_sunk_is_not_looked_for() -> None:
    """162."""
    report = Gap("bot", "sides").report(NATO).plain
    gone = {**report, "events": [{"kind": "Sunk", "ship": "AMUR"}]}
    assert "AMUR" not in {q.id for q in belief.quarries([gone])}


def test_all_styles_move_by_the_rules() -> None:
    """6.13/1: no guess goes further than the unit does, but with a contact."""
    reports, _ = played("bot", "moves")
    draws = Random("x")
    for quarry in SYSTEM.quarries(reports):
        for style in quarry.styles:
            guess = quarry.place(style, draws)
            for told in quarry.told:
                before, guess = guess.hex, quarry.move(guess, told, draws)
                if guess.before:
                    assert by_water(before)[guess.hex] <= quarry.unit.ma


def test_a_contact_is_any_unit_that_can_be_there() -> None:
    """6.16/1: two boats of a kind are as likely; one by name is she."""
    boat = {"level": 1, "age": 0, "kind": "SUB", "types": ["SN"], "names": []}
    contact = {"id": "EN1", "place": "2819", **boat}
    first = report(1)
    shared = believed([first, {**report(2), "contacts": [contact]}])
    assert 0.05 < shared["PPSLV"][0].cells["2819"] < 0.8
    assert not shared["PPSLV"][0].fix
    named = believed([first, {**report(2), "contacts": [{**contact, "names": ["PPSLV damaged"]}]}])
    assert named["PPSLV"][0].fix == "2819"
    assert named["MKALN"][0].cells.get("2819", 0) < 0.3


def test_a_guess_is_sure_while_its_marker_lies_and_in_the_turn_it_goes() -> None:
    """6.16: after that she moves unseen, and where she is runs over."""
    (boat,) = [q for q in belief.quarries([report(1), report(2)]) if q.id == "PPSLV"]
    draws, guess = Random("sure"), boat.place("cruise", Random("sure"))
    here = {"EN1": guess.hex}
    for told, sure in (
        (belief_told.Told(turn=1, fresh={"EN1": (guess.hex, 1.0)}, held=here, most=9), True),
        (belief_told.Told(turn=2, held=here, most=9), True),
        (belief_told.Told(turn=3, lost=here, most=9), True),
        (belief_told.Told(turn=4, lost=here, ma=3, most=9), False),
    ):
        guess = boat.move(guess, told, draws)
        assert boat.sure(guess) == sure
    assert not boat.sure(
        boat.stray(guess._replace(seen=True), belief_told.Told(turn=5, ma=3), draws)
    )


def test_where_own_ships_detect_nobody_is() -> None:
    """107: the whole ASW of the ships beside a boat would have found her where she begins."""
    here = next(u["place"] for u in report(1)["units"] if u["id"] == "TFLGR")
    units = [{**u, "place": "2818", "asw": 9} for u in report(1)["units"] if u["id"] == "TFLGR"]
    near = believed([{**report(1), "units": units}, report(2)])["PPSLV"][0]
    far = believed([report(1), report(2)])["PPSLV"][0]
    assert here != "2818"
    assert near.effective < far.effective + 1
    assert len(near.possible) <= len(far.possible)


def report(turn: int) -> Plain:
    """Of NATO, in whose turns nothing was told."""
    made = copied(Gap("bot", "report").report(NATO).plain)
    board = {**made["board"], "stage": "segment", "segment": 1}
    return {**made, "turn": turn, "window": turn, "events": [], "contacts": [], "board": board}


def test_where_draws_the_chart() -> None:
    game, reports = Gap("bot", "chart"), list[Report]()
    while game.drive.opens < 12:
        reports.append(game.report(NATO))
        game.window()
    found = where(SYSTEM, reports, "x")
    drawn = scene(SYSTEM, reports[-1], found.sought[0])
    assert set(drawn.heat) <= set(drawn.grid.cells)
    assert "<svg" in svg(drawn)


def lifeline(*turns: belief_told.Turn) -> dict[str, belief_unit.UnitQuarry]:
    """What the Soviets look for in Lifeline after these turns."""
    units = belief_told.units("lifeline", SOVIET)
    told = belief_told.told(units, turns)
    return {u.id: belief_unit.UnitQuarry(u, t, "") for u, t in zip(units, told, strict=True)}


def single(turn: int, ship: str, place: str) -> belief_told.Turn:
    """A turn in which a ship was seen alone, and by name."""
    seen = belief_told.Seen(place, "TF", frozenset())
    found = belief_told.Turn(turn, fresh={"EN1": seen}, held={"EN1": place})
    found.marks, found.names = {"EN1": "single"}, {"EN1": frozenset([ship])}
    return found


def reached(quarry: belief_unit.UnitQuarry) -> frozenset[str]:
    (told,) = quarry.told
    return quarry.reach(frozenset([quarry.unit.start]), told)


def test_a_ship_that_has_left_her_group_does_not_say_where_it_is() -> None:
    """84: the group is where it may be, also where the ship is not."""
    found = lifeline(single(1, "VNCNS", "2632"))
    (told,) = found["HAMMER"].told
    assert told.fix == ""
    assert "EN1" in told.others
    assert "2634" in reached(found["HAMMER"])


def test_two_contacts_with_ships_of_a_group_leave_open_which_is_the_group() -> None:
    turn = single(1, "VNCNS", "2632")
    turn.fresh["EN2"] = belief_told.Seen("2630", "TF", frozenset())
    turn.held["EN2"], turn.names["EN2"] = "2630", frozenset(["RSVLT"])
    turn.marks = {"EN1": "TG", "EN2": "TF"}
    both = lifeline(turn)["HAMMER"]
    assert both.told[0].fix == ""
    assert {"2632", "2630"} <= reached(both)
    turn.marks = {"EN1": "single", "EN2": "TF"}
    assert lifeline(turn)["HAMMER"].told[0].fix == "2630"


def test_a_group_may_sail_on_without_its_slow_ships() -> None:
    """19: two cargo ships of the convoy make two hexes, the others four."""
    convoy = lifeline(belief_told.Turn(1))["CONVOY"]
    assert convoy.told[0].ma == 2
    assert max(by_water("2736")[at] for at in reached(convoy)) == 4
    sunk = lifeline(belief_told.Turn(1, wrecks={"LUMUS", "BAUGH"}))["CONVOY"]
    assert sunk.told[0].ma == 4


def test_ships_at_high_speed_and_those_that_leave_a_base_go_farther() -> None:
    """6.7/6, 6.3/13."""
    fast = lifeline(belief_told.Turn(1, hurries=1))
    assert max(by_water("2736")[at] for at in reached(fast["CONVOY"])) == 5
    assert max(by_water("3310")[at] for at in reached(fast["KAURA"])) == 1
    for fallen, most in (set[str](), 3), ({"3412"}, 6):
        fjord = lifeline(belief_told.Turn(1, fallen=fallen))["FJORD"]
        assert max(by_water("3412")[at] for at in reached(fjord)) == most
    text = '{"options":{"speed":"yes"}}'
    reports = [{**report(n), "setup": {"text": text}} for n in (1, 2)]
    assert [turn.hurries for turn in belief_told.turns(reports)] == [1]
