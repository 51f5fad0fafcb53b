"""Orders that nothing would carry out are refused, or a note says what keeps them from it."""

from __future__ import annotations

from typing import Any

import pytest

from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.check import CHECKS
from games.far_seas.state import War
from pbem.model import Side
from tests.far_seas.casebook import report
from tests.far_seas.test_check import begin, mailed, order


def codes(war: War, side: Side, text: str) -> list[str]:
    return [found.code for found in mailed(war, side, text)]


def note(war: War, side: Side, text: str, **seen: Any) -> str:
    return CHECKS.noted(order(war, side, text), {**report(war, side), **seen})


@pytest.mark.parametrize(
    ("side", "text"),
    [
        (GERMAN, "EMDEN: if odds under 1 then surprise PEGASUS;"),
        (GERMAN, "@EMDEN: if enemy ships under 2 then move 26;"),
        (GERMAN, "GERMAN: if round over 1 then capture none;"),
        (GERMAN, "EMDEN: if turn over 1 and enemy type at least AC then raid madras;"),
        (BRITISH, "FOX: if not odds over 1 then seek EMDEN;"),
        (BRITISH, "FOX: if odds over 1 or round over 2 then convoy 30;"),
    ],
)
def test_what_a_meeting_alone_tells_decides_nothing_outside_of_it(side: Side, text: str) -> None:
    (found,) = mailed(begin(), side, text)
    assert found.code == "no-effect" and "is known in a meeting alone" in found.text


@pytest.mark.parametrize(
    "text",
    [
        "GERMAN: if odds over 1 then run else stand;",
        "EMDEN: if odds over 1 or segment over 1 then move 26;",  # the other may hold
        "EMDEN: if odds over 1 then run else surprise any;",  # what holds otherwise
        "EMDEN: surprise PEGASUS odds 1;",
    ],
)
def test_a_condition_that_may_hold_stands(text: str) -> None:
    assert not mailed(begin(), GERMAN, text)


def test_the_hint_of_a_surprise_has_the_odds_in_the_order() -> None:
    (found,) = mailed(begin(), GERMAN, "EMDEN: if odds under 1 then surprise PEGASUS;")
    assert found.hint == "EMDEN: surprise any odds 1"


@pytest.mark.parametrize("text", ["raid zanzibar", "join EMDEN", "move 28", "cruise", "part"])
def test_g7_a_ship_found_in_the_river_is_offered_nothing_but_to_stay(text: str) -> None:
    war = begin()
    ship = war.ships["KONIGSBERG"]
    ship.duty, ship.trapped, war.ships["EMDEN"].area = "river", True, "31"
    (found,) = mailed(war, GERMAN, f"KONIGSBERG: {text};")
    assert "must remain there" in found.text and found.rule == "G7"
    assert found.hint == "she stays there: KONIGSBERG: river"
    assert not mailed(war, GERMAN, "KONIGSBERG: river;")


@pytest.mark.parametrize(
    ("side", "text"),
    [
        (GERMAN, "EMDEN: raid madras; EMDEN: attack convoy;"),
        (BRITISH, "FOX: station madras; FOX: seek EMDEN;"),
        (BRITISH, "FOX: convoy 30; FOX: seek any;"),
        (BRITISH, "ASTRAEA: seek any; ASTRAEA: river;"),
    ],
)
def test_orders_of_which_one_keeps_a_ship_from_the_other_contradict_each_other(
    side: Side, text: str
) -> None:
    war = begin()
    war.ships["EMDEN"].area, war.ships["FOX"].area = "26", "29"
    assert codes(war, side, text) == ["contradiction"]


def test_one_who_stays_behind_may_be_told_whom_to_seek_later() -> None:
    assert not mailed(begin(), BRITISH, "FOX: hold; FOX: seek EMDEN;")


MEETS = [{"kind": "Meets", "about": "32", "own": ["Otranto"], "may_run": True}]


def test_r9_who_is_asked_about_a_meeting_runs_to_an_area_beside_it() -> None:
    war = begin()
    seen = {**report(war, BRITISH), "questions": MEETS}
    problem = CHECKS.check(order(war, BRITISH, "OTRANTO: run to 11;"), seen)
    assert problem and (problem.code, problem.rule) == ("not-adjacent", "R9")
    assert problem.hint == "adjacent: 13, 15, 17"
    for text in ("OTRANTO: run to 13;", "OTRANTO: run;", "@OTRANTO: run to 11;", "FOX: run to 11;"):
        assert not CHECKS.check(order(war, BRITISH, text), seen)


def test_an_order_beside_an_answer_says_when_it_counts() -> None:
    war = begin()
    assert note(war, GERMAN, "GERMAN: run;") == ""
    said = note(war, GERMAN, "GERMAN: run;", questions=MEETS)
    assert said == "where the answer is ORDERS; another answer comes first"
    said = note(war, GERMAN, "SCHARNHORST: stand;", questions=MEETS)
    assert said == "for her; for GNEISENAU where the answer is ORDERS"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("EMDEN: surprise FOX;", ""),
        ("EMDEN: surprise HAMPSHIRE;", "not alone: HAMPSHIRE takes 7 points, at most 5 (S11)"),
        (
            "EMDEN: surprise MONMOUTH;",
            "not while MONMOUTH is in a squadron and EMDEN alone (S11)",
        ),
        (
            "SCHARNHORST: surprise HAMPSHIRE;",
            "not with GNEISENAU, who has made her surprise search (S11)",
        ),
        ("KONIGSBERG: surprise any;", "once she has come out of the river"),
        ("KONIGSBERG: capture all;", "once she has come out of the river"),
    ],
)
def test_a_note_says_what_keeps_a_ship_from_a_surprise(text: str, said: str) -> None:
    war = begin()
    war.ships["GNEISENAU"].surprised, war.ships["KONIGSBERG"].duty = True, "river"
    war.ships["MONMOUTH"].leader = "GOOD HOPE"
    assert note(war, GERMAN, text) == said
