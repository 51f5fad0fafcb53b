"""The order form takes nothing from orders in force: a set counts before standing orders and those
written earlier for the turn, and takes the place of all that earlier sets of the turn say to its
actors."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.far_seas.courses import MOVES
from games.far_seas.game import SYSTEM
from pbem.admin.setup import Choices
from tests.referee import Referee

BOTH = ("german", "british")


@pytest.fixture
def referee(tmp_path: Path) -> Referee:
    """The whole war, in its first window."""
    return opened(tmp_path, "war")


def opened(home: Path, scenario: str, **options: str) -> Referee:
    made = Referee.made(home, SYSTEM, Choices(scenario=scenario, options=options, seed="form"))
    made.open()
    return made


def form(referee: Referee, side: str) -> list[str]:
    lines: list[str] = referee.report(side)["suggest"]
    return lines


def place(referee: Referee, side: str, ship: str) -> str:
    area: str = referee.unit(side, ship)["place"]
    return area


def test_orders_to_move_exclude_each_other() -> None:
    assert frozenset(MOVES) in SYSTEM.grammar.exclusive()


def test_m5_standing_orders_are_carried_out_with_the_unedited_form(referee: Referee) -> None:
    referee.turn(
        german="@EMDEN: move 24; GERMAN: stand;",
        british="@HAMPSHIRE: hold; @BRITISH: seek none; @KENT: stand;",
    )
    while referee.report("german")["turn"] == 1:
        referee.go(*BOTH)
    assert "[ EMDEN has orders in force ]" in form(referee, "german")
    assert "LEIPZIG: cruise;" in form(referee, "german")
    lines = form(referee, "british")
    assert {"[ BRITISH has orders in force ]", "[ HAMPSHIRE has orders in force ]"} <= {*lines}
    assert "MINOTAUR: cruise;" in lines
    referee.turn(german="@EMDEN: move 26;")
    assert place(referee, "german", "EMDEN") == "26"
    assert not referee.unit("british", "HAMPSHIRE")["moved"]


def test_m5_orders_written_earlier_for_the_turn_are_carried_out_with_it(referee: Referee) -> None:
    referee.turn(german="turn 2 EMDEN: move 24; turn 3 LEIPZIG: move 19;", british="")
    while referee.report("german")["turn"] == 1:
        referee.go(*BOTH)
    assert "[ EMDEN has orders in force ]" in form(referee, "german")
    assert "LEIPZIG: cruise;" in form(referee, "german")
    referee.go(*BOTH)
    assert place(referee, "german", "EMDEN") == "24"


def test_m5_orders_of_the_first_segment_are_carried_out_in_the_second_with_it(
    referee: Referee,
) -> None:
    referee.turn(
        german="EMDEN: cruise; LEIPZIG: if segment at least 2 then move 19; DRESDEN: target best;",
        british="BRITISH: seek none; BRITISH: target weakest; MINOTAUR: if segment is 2 then hold;",
    )
    lines = form(referee, "german")
    assert "[ LEIPZIG has orders in force ]" in lines
    assert {"KARLSRUHE: cruise;", "DRESDEN: cruise;"} <= {*lines}, "her target stays beside it"
    lines = form(referee, "british")
    assert {"[ BRITISH has orders in force ]", "[ MINOTAUR has orders in force ]"} <= {*lines}
    referee.go(*BOTH)
    assert place(referee, "german", "LEIPZIG") == "19"
    assert not any(line.startswith("[ LEIPZIG") for line in form(referee, "german"))


def test_m5_what_earlier_segments_ordered_is_listed_until_it_is_done_or_replaced(
    referee: Referee,
) -> None:
    referee.turn(
        german="EMDEN: cruise; EMDEN: surprise any; LEIPZIG: if segment is 2 then move 19;",
        british="BRITISH: seek none; MONTCALM: cruise; FOX: hold;",
    )
    lasting = ["EMDEN: surprise any;", "LEIPZIG: if segment is 2 then move 19;"]
    assert referee.report("german")["this_turn"] == lasting, "she has moved: cruise is done"
    assert referee.report("british")["this_turn"] == ["BRITISH: seek none;", "FOX: hold;"]
    text = (referee.folder / "reports" / "british" / "2" / "report.txt").read_text("utf-8")
    assert "ORDERED EARLIER THIS TURN" in text
    assert "FOX: hold;" in text
    outcome = referee.order("german", "LEIPZIG: move 18; LEIPZIG: surprise none;")
    assert outcome.receipt["this_turn"] == lasting[:1]
    assert outcome.receipt["replaced"] == lasting[1:]
    words = ("ORDERED EARLIER THIS TURN", lasting[0], "NO LONGER IN FORCE", lasting[1])
    at = [outcome.text.index(word) for word in words]
    assert at == sorted(at)


def test_s9_an_answer_leaves_other_settings_in_force(tmp_path: Path) -> None:
    """R1 `ORDERS` goes by what was ordered before, also beside a set that orders other things."""
    referee = opened(tmp_path, "konigsberg", play="asked")
    referee.turn(german="KONIGSBERG: raid zanzibar; GERMAN: run; KONIGSBERG: target best;")
    referee.turn(british="PEGASUS: station zanzibar;")
    lasting = ["GERMAN: run;", "KONIGSBERG: target best;"]
    assert referee.report("german")["this_turn"] == lasting
    outcome = referee.order("german", "Q1: ORDERS; GERMAN: torpedo hold;")
    assert outcome.receipt["defaults"] == []
    assert "replaced" not in outcome.receipt
    assert outcome.receipt["this_turn"] == lasting


def test_s9_a_window_of_meetings_has_no_orders_but_a_remark(tmp_path: Path) -> None:
    """So that an answer mailed with the form takes nothing from the orders of the turn."""
    referee = opened(tmp_path, "konigsberg", play="asked")
    referee.turn(german="KONIGSBERG: raid zanzibar; KONIGSBERG: target PEGASUS;")
    referee.turn(british="PEGASUS: station zanzibar; BRITISH: pursue none;")
    for side in BOTH:
        report = referee.report(side)
        assert [question["kind"] for question in report["questions"]] == ["Meets"]
        (remark,) = report["suggest"]
        assert remark.startswith("[ ships have met")
    assert referee.go(*BOTH)


def test_m4_a_question_that_has_a_single_answer_is_not_called_open(tmp_path: Path) -> None:
    """It says that the Germans are named, and waits for orders."""
    referee = opened(tmp_path, "konigsberg", play="asked")
    referee.turn(german="KONIGSBERG: raid zanzibar;")
    (question,) = referee.report("british")["questions"]
    assert question["choices"] == ["DONE"]
    assert referee.order("british", "PEGASUS: hold;").receipt["defaults"] == []
