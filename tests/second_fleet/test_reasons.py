"""An order that a unit cannot be given is refused by the rule that forbids it."""

from __future__ import annotations

import pytest

from games.second_fleet.game import SYSTEM
from pbem.model import Side
from pbem.testing.orders import RefusedError, shown, submitted
from tests.second_fleet.casebook import position


@pytest.mark.parametrize(
    ("place", "order", "reason"),
    [
        ("CCHER 2812", "deep", "submarines of two hexes a turn and more go deep (198)"),
        ("PPSLV 3310", "deep", "3310 is coastal: nobody goes deep there (199)"),
    ],
)
def test_a_submarine_that_cannot_go_deep_is_told_why(place: str, order: str, reason: str) -> None:
    ship, hex_ = place.split()
    options = {"level": "advanced", "deep": "yes"}
    war = position({"turn": 1, "options": options, "ships": {ship: hex_, "SCYLA": "3133"}})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("soviet")), f"{ship}: {order};")
    assert f"error not-now: {reason}\n" in str(said.value)


FLEET = {
    "groups": {"ANVIL": "2931 INVCL YORK SHFLD BOXER"},
    "ships": {"GATO": "2428", "HAWES": "2931", "KNOX": "2831", "SCYLA": "2931"},
    "air": {
        "UKHARA": "INVCL",
        "USF15A": "1831",
        "USP3A": "1831 recon ic",
        "USP3B": "1831",
        "NOF16A": "3313",
    },
    "set": {
        "vessels.KNOX.acted": True,
        "squadrons.UKHARA.at": "cap",
        "squadrons.USP3B.at": "box",
        "fields.3313.air": 1,
    },
}


@pytest.mark.parametrize(
    ("order", "reason", "hint"),
    [
        ("KNOX: go 2830", "KNOX has been activated in this turn (6.13/5)", "turn 3 KNOX: go ..."),
        ("UKHARA: strike asw 2830", "UKHARA is on patrol (230)", "turn 3 UKHARA: strike ..."),
        ("USP3B: strike asw 2830", "USP3B is back from a mission (230)", "turn 4 USP3B: strike"),
        ("USP3A: strike asw 2830", "USP3A is on a mission: recon IC (230)", "turn 4 USP3A: strike"),
        ("USF15A: intercept ic", "'intercept' is ordered in the morning", "turn 4 USF15A: inter"),
        ("NOF16A: cap", "3313 is damaged: nobody takes off from it (176)", ""),
        ("YORK: go 2830", "YORK sails with ANVIL (85)", "ANVIL: go ..., or first YORK: leave"),
        ("GATO: strike asw 2830", "'strike' to GATO has no effect: it is for", "orders of subm"),
        ("NATO: go 2830", "'go' to NATO has no effect: it is for groups, ships,", "orders of the"),
        ("HAWES: deep", "'deep' to HAWES has no effect: this game is played with deep=no", ""),
        ("NATO: form BOXER with HAWES SCYLA", "there is a BOXER already (83)", "name it otherw"),
    ],
)
def test_who_cannot_be_given_an_order_is_told_why(order: str, reason: str, hint: str) -> None:
    """What the report shows: who has acted, where a squadron is, what it is for."""
    war = position({"turn": 2, **FLEET})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("nato")), f"{order};")
    assert f": {reason}" in str(said.value)
    assert (f"hint: {hint}" if hint else "") in str(said.value)


def test_in_a_later_segment_who_had_theirs_are_told_so() -> None:
    war = position({"turn": 2, "ships": {"HAWES": "2931"}, "air": {"USF15A": "1831"}})
    war.segment, war.used = 2, {Side("nato"): ["surf"], Side("soviet"): []}
    for order, reason in (
        ("HAWES: go 2830", "your surface ships have had their segment in this turn (13)"),
        ("USF15A: cap", "patrols take off before the first segment (64)"),
    ):
        with pytest.raises(RefusedError) as said:
            submitted(SYSTEM, shown(SYSTEM, war, Side("nato")), f"{order};")
        assert f": {reason}" in str(said.value)


def test_in_the_morning_orders_for_segments_are_for_the_turn_by_its_number() -> None:
    war = position({"turn": 1, "ships": {"HAWES": "2931"}, "air": {"USF15A": "1831"}})
    report = shown(SYSTEM, war, Side("nato"))
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, report, "HAWES: go 2830;")
    assert "this window is for the strategic cycle; the segments of turn 1 come" in str(said.value)
    assert "hint: turn 1 HAWES: go ..." in str(said.value)
    assert submitted(SYSTEM, report, "turn 1 HAWES: go 2830;").orders


@pytest.mark.parametrize(
    ("order", "note"),
    [
        ("@CCHER: go 2814 full", "2 hexes or more to 2814, 2 a turn"),
        ("@CCHER: go 2813", "1 hex or more to 2813, 1 a turn"),
        ("CCHER: move 2813", "1 hex, to 2813"),
        ("@SOT26A: strike ssm 3905", "1 hex to 3905, of 90 out and home"),
    ],
)
def test_notes_count_full_speed_and_single_hexes(order: str, note: str) -> None:
    war = position({"turn": 2, "ships": {"CCHER": "2812"}, "air": {"SOT26A": "3906"}})
    report = shown(SYSTEM, war, Side("soviet"))
    (given,) = submitted(SYSTEM, report, f"{order};").orders
    assert SYSTEM.note(given, report.plain) == note
