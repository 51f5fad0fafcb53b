"""Play by questions: the Germans name, the Allies sail, both say how they meet the enemy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.far_seas import chart, plans
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.courses import MOVES
from games.far_seas.game import SYSTEM
from games.far_seas.view import view
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive
from pbem.engine.position import encode
from pbem.model import Side
from pbem.player.in_force import without_orders
from pbem.reports import render
from pbem.testing.orders import judged
from tests.far_seas.casebook import position, read
from tests.far_seas.chronicle import ASKED as OPTIONS
from tests.playing import any_answers

MAILED = {"Dispositions", "Meets"}
"""All that goes by mail: whatever else comes up, orders answer."""


@pytest.mark.parametrize(("scenario", "seed"), [("coronel", "a1"), ("emden", "a2"), ("war", "a3")])
def test_any_answers_lead_to_a_sound_end(scenario: str, seed: str) -> None:
    assert any_answers(SYSTEM, scenario, OPTIONS, seed) == MAILED


def windows(scenario: str, seed: str) -> Iterator[Match]:
    """The open windows of a game."""
    game = Match(SYSTEM, scenario, OPTIONS, seed)
    while not game.drive.over:
        yield game
        game.window()


def kinds(game: Match, side: Side) -> list[str]:
    return [q["kind"] for q in game.report(side).plain["questions"]]


def test_a_segment_is_named_then_sailed_then_fought() -> None:
    """M4, M3, R1: whose mail is due is open to all, and only that side is waited for."""
    steps: dict[tuple[int, int], list[str]] = {}
    for game in windows("coronel", "a4"):
        state, owed = game.drive.state, game.drive.pause.owed
        found = {k for side in (GERMAN, BRITISH) for k in kinds(game, side)} or {"orders"}
        (kind,) = found
        steps.setdefault((state.turn, state.segment), []).append(kind)
        assert kind != "orders" or owed == (GERMAN,)
        assert kind != "Dispositions" or owed == (BRITISH,)
        if kind == "Meets":
            asked = [side for side in (GERMAN, BRITISH) if kinds(game, side)]
            assert tuple(asked) == (owed or (GERMAN, BRITISH))
    order = ["orders", "Dispositions", "Meets"]
    assert all(found == [k for k in order if k in found] for found in steps.values())
    assert any(len(found) == 3 for found in steps.values())


def test_all_meetings_of_a_segment_are_asked_in_one_window_and_once_a_turn() -> None:
    most, turns = 0, list[int]()
    for game in windows("coronel", "look 9"):
        asked = [kinds(game, side).count("Meets") for side in (GERMAN, BRITISH)]
        most = max(most, *asked)
        turns += [game.drive.state.turn] if any(asked) else []
    assert most > 1
    assert len(turns) == len(set(turns)) > 1


def test_every_window_resumes() -> None:
    for game in windows("coronel", "a4"):
        again = Drive.resume(SYSTEM, game.drive.sides, OPTIONS, game.drive.position())
        assert encode(again.state) == encode(game.drive.state)


def test_plotted_games_ask_nothing_by_mail() -> None:
    plotted = OPTIONS | {"play": "plotted"}
    game = Match(SYSTEM, "emden", plotted, "a5")
    for _ in game.play():
        assert not any(game.report(s).plain["questions"] for s in (GERMAN, BRITISH))


# One meeting at Singapore: the Emden raids, the Hampshire is on station


TRIES = {"RanUp", "CaughtTurning"}
"""R1, R2 Events of which one tells that somebody tried to run."""


class Singapore:
    """The Emden has raided Singapore, and both sides are asked how they meet."""

    def __init__(self, german: str = "", british: str = "") -> None:
        place = {"EMDEN": "24", "LEIPZIG": "19", "YARMOUTH": "26", "HAMPSHIRE": "26"}
        war = position({"place": place, "options": {"play": "asked"}})
        war.segment = 0
        self.drive = Drive.start(SYSTEM, (GERMAN, BRITISH), OPTIONS, war)
        self.dice = Seeded("singapore 1", b"")
        self.close(german=f"EMDEN: raid singapore; LEIPZIG: cruise; {german}")
        guards = "YARMOUTH: station singapore; HAMPSHIRE: station singapore;"
        self.close(british=f"{british} {guards}")

    def close(self, **orders: str) -> bool:
        """Close the window; whether somebody tried to run."""
        state = self.drive.state
        sets: dict[Side, OrderSet] = {}
        for side, text in orders.items():
            sets[Side(side)] = read(state, Side(side), text)
        return self._tried(sets)

    def answer(self, side: Side, word: str, orders: str = "") -> bool:
        """Close the window with an answer to the first question; whether somebody tried to run."""
        given = read(self.drive.state, side, orders) if orders else OrderSet()
        given.answers["Q1"] = word
        return self._tried({side: given})

    def _tried(self, sets: dict[Side, OrderSet]) -> bool:
        closing = self.drive.close(sets, self.dice)
        return any(type(told.event).__name__ in TRIES for told in closing.told)


def test_a_question_says_what_orders_would_do() -> None:
    game = Singapore(german="GERMAN: run;")
    (asked,) = game.drive.pause.asked[GERMAN]
    (other,) = game.drive.pause.asked[BRITISH]
    assert (asked.usual, other.usual) == ("RUN", "STAND")  # type: ignore[attr-defined]
    assert asked.default == plans.ORDERS
    assert "RUN TO 24" in asked.choices and "FIRE AT YARMOUTH" in asked.choices
    assert "FIRE AT EMDEN" not in other.choices, "with one enemy there is no target to choose"


def test_silence_leaves_it_to_orders() -> None:
    assert Singapore(german="GERMAN: run;").close()
    assert not Singapore(german="GERMAN: stand;", british="BRITISH: stand;").close()


def test_an_answer_comes_before_orders_of_earlier_mails() -> None:
    game = Singapore(german="GERMAN: run; @EMDEN: run;", british="BRITISH: stand;")
    assert not game.answer(GERMAN, "STAND")


def test_an_order_of_the_same_mail_is_more_precise_than_the_answer() -> None:
    game = Singapore(german="GERMAN: stand;", british="BRITISH: stand;")
    assert game.answer(GERMAN, "STAND", "EMDEN: run;")


def test_nobody_is_offered_a_move_while_a_meeting_is_asked_about() -> None:
    """Lines of an unedited form would be orders for the next segment."""
    for game in windows("war", "a6"):
        if "Meets" in kinds(game, GERMAN):
            assert game.drive.state.fight is None  # none of them has begun
            for side in (GERMAN, BRITISH):
                report = game.report(side).plain
                assert not any(line.endswith("cruise;") for line in report["suggest"])
                offered = {i["verb"] for items in report["menu"].values() for i in items}
                assert not offered & MOVES.keys()
            return
    raise AssertionError("nobody met")


def test_m4_once_their_names_are_read_germans_are_offered_no_moves() -> None:
    """Orders to move would be receipted, and come too late."""
    game = Match(SYSTEM, "war", OPTIONS, "a6")
    while not any(q["kind"] == "Dispositions" for q in game.report(BRITISH).plain["questions"]):
        game.window()
    report = game.report(GERMAN).plain
    assert not {i["verb"] for items in report["menu"].values() for i in items} & MOVES.keys()
    assert [line[:28] for line in report["suggest"]] == ["[ your ships are named and s"]
    assert not without_orders(SYSTEM, game.report(GERMAN), judged(SYSTEM, game.report(GERMAN), ""))


def test_m4_a_report_between_names_and_moves_says_where_named_ships_are_bound() -> None:
    """In its words and on the chart, until they sail; the enemy is told nothing of it."""
    game = Match(SYSTEM, "war", OPTIONS, "a4")
    game.window()
    report = dict(game.report(GERMAN).plain)
    courses = {u["id"]: u["bound"] for u in report["units"] if "bound" in u}
    assert sorted(courses) == list(report["events"][-1]["who"])
    assert not {"bound", "errand"} & {key for u in game.report(BRITISH).plain["units"] for key in u}

    (trafalgar,) = (u for u in report["units"] if u["id"] == "CAP TRAFALGAR")
    assert trafalgar["errand"] == "bound for 13 to raid Port Stanley"
    flat = " ".join(render.text(report).split())
    assert "Cap Trafalgar AMC C 3 0/3 2 bound for 13 to raid Port Stanley" in flat
    assert "bound for 13 to raid Port Stanley" in render.html(report)

    drawn = {u.id: u for u in chart.scene(report).units}
    assert drawn["CAP TRAFALGAR"].plan == (chart.at("13"),)
    assert not drawn["KRONPRINZ WILHELM"].plan  # she stays where she is
    assert not drawn["KARLSRUHE"].plan  # by the canal, from one end of the picture to the other
    assert chart.BOUND in chart.scene(report).legend[0].rows

    game.window()
    sailed = game.report(GERMAN).plain["units"]
    assert {u["id"]: u["place"] for u in sailed if u["id"] in courses} == courses
    assert not any("bound" in u for u in sailed)


def test_e3_while_ships_meet_a_raider_is_said_to_have_come_for_the_station() -> None:
    game = Singapore()
    (emden,) = (u for u in view(game.drive.state, GERMAN).units if u.id == "EMDEN")
    assert emden.errand == "to raid Singapore"  # type: ignore[attr-defined]
