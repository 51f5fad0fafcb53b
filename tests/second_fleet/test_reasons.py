"""An order that a unit cannot be given is refused by the rule that forbids it."""

from __future__ import annotations

from typing import Any

import pytest

from games.second_fleet.game import SYSTEM
from pbem.model import Side
from pbem.testing.orders import RefusedError, shown, submitted
from tests.second_fleet.casebook import position


@pytest.mark.parametrize(
    ("place", "order", "reason"),
    [
        (
            "CCHER 2812",
            "deep",
            "'deep' to CCHER has no effect: CCHER is too slow: submarines of two hexes a turn and "
            "more go deep (198)",
        ),
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


FLEET: dict[str, Any] = {
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
        ("GATO: leave", "'leave' to GATO has no effect: it is for groups, ships", "orders of subm"),
        ("HAWES: leave", "HAWES sails with nobody (83)", ""),
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
    ("state", "order", "reason", "hint"),
    [
        ({}, "YORK: go 2830", "YORK sails with ANVIL (85)", "ANVIL: go ..., or first YORK: leave"),
        (
            {f"vessels.{name}.acted": True for name in ("INVCL", "YORK", "SHFLD", "BOXER")},
            "YORK: go 2830",
            "ANVIL has been activated in this turn (6.13/5)",
            "turn 3 ANVIL: go ...",
        ),
        (
            {"used.nato": ["surf"], "segment": 2},
            "YORK: go 2830",
            "your surface ships have had their segment in this turn (13)",
            "turn 3 ANVIL: go ...",
        ),
        ({}, "ANVIL: leave", "the ships of ANVIL leave one by one (83)", "BOXER: leave"),
        (
            {},
            "NATO: form BETA with HAWES SCYLA; ANVIL: join BETA",
            "the ships of ANVIL join one by one (83)",
            "BOXER: join BETA",
        ),
    ],
)
def test_ships_and_their_group_are_told_which_of_them_can_be_ordered(
    state: dict[str, object], order: str, reason: str, hint: str
) -> None:
    war = position({**FLEET, "turn": 2, "set": {**FLEET["set"], **state}})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("nato")), f"{order};")
    assert f": {reason}\n" in str(said.value)
    assert f"hint: {hint}\n" in f"{said.value}\n"


def test_before_the_segments_a_ship_of_a_group_is_told_to_order_the_group_by_the_turn() -> None:
    war = position({"turn": 1, "groups": FLEET["groups"], "ships": {}})
    report = shown(SYSTEM, war, Side("nato"))
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, report, "YORK: go 2830;")
    assert "hint: turn 1 ANVIL: go ..." in str(said.value)
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, report, "YORK: leave;")
    assert "hint: turn 1 YORK: leave ..." in str(said.value)


@pytest.mark.parametrize("scope", ["turn 3 ", "@"])
@pytest.mark.parametrize(("verb", "whom"), [("leave", ""), ("join", " BETA")])
def test_a_group_neither_leaves_nor_joins_in_a_later_turn_either(
    scope: str, verb: str, whom: str
) -> None:
    groups = {**FLEET["groups"], "BETA": "2831 KNOX HAWES"}
    war = position({"turn": 2, "groups": groups, "ships": {}})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("nato")), f"{scope}ANVIL: {verb}{whom};")
    assert f"no effect: the ships of ANVIL {verb} one by one (83)" in str(said.value)
    assert f"hint: {scope}BOXER: {verb}{whom}\n" in str(said.value)


OPTIONS = dict.fromkeys(("deep", "mines", "logistics", "decoys", "cruise", "nuclear"), "yes")
EVERYTHING = {"scenario": "banner", "options": OPTIONS}
LANDING: dict[str, Any] = {
    "ships": {"BELOY": "3405", "KRSKY": "3805", "MKALN": "3010", "NKLYV": "2511", "DECOY4": "2512"},
    "air": {"SOI38A": "3906", "SOM23A": "3906", "SOM25A": "3906"},
    "set": {"vessels.KRSKY.landed": True, "mines.laid": {"3213": {"soviet": 5}}},
}


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (
            "BELOY: land 3311",
            "BELOY lies neither in nor beside a base that may be attacked (6.3/3)",
        ),
        (
            "MKALN: commando 3311",
            "MKALN lies neither in nor beside a base that may be attacked (6.3/3)",
        ),
        ("KRSKY: land 3805", "KRSKY has no troops aboard (6.3/4)"),
        ("NKLYV: land 3311", "NKLYV is no amphibious ship (6.3/4)"),
        ("MKALN: surface", "MKALN is not in the deep (200)"),
        ("SOI38A: mine 3311", "SOI38A finds no mine marker left: all of yours lie (210)"),
        ("SOM23A: recon na", "na is out of the reach of SOM23A (58)"),
        ("SOM23A: recon bs sub near 3605", "'near' is for ships, and who looks for a submarine"),
        ("SOVIET: segment surf", "this window is for the strategic cycle; the segments of turn"),
    ],
)
def test_in_the_morning_who_cannot_do_it_is_told_why(order: str, reason: str) -> None:
    """What a ship lacks, and where she lies."""
    war = position({"turn": 1, **EVERYTHING, **LANDING})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("soviet")), f"{order};")
    assert f": {reason}" in str(said.value)


def test_who_would_send_a_commando_is_told_that_none_is_left() -> None:
    war = position({"turn": 1, **EVERYTHING, **LANDING})
    war.landings[Side("soviet")].commandos = 0
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("soviet")), "MKALN: commando 3311;")
    assert ": MKALN has no commando to send: none is left (6.3/8)" in str(said.value)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("SOM25A: strike bomb 2511", "SOM25A carries nothing to attack with (93)"),
        ("NKLYV: cruise 3311", "NKLYV has no cruise missiles (6.7/1)"),
        ("MKALN: replenish NKLYV with fuel 1", "'replenish' to MKALN has no effect: it is for"),
        ("NKLYV: replenish MKALN with fuel 1", "NKLYV has no stores to give (6.5/6)"),
        ("NKLYV: withdraw 2510", "NKLYV lies in no base that may fall (6.3/13)"),
        ("NKLYV: join DECOY4", "DECOY4, a decoy, sails with nobody (6.19/1)"),
        ("SOVIET: strategy up", "'strategy' is ordered in the morning (3)"),
        ("SOVIET: drop 3311", "'drop' is ordered in the morning (3)"),
    ],
)
def test_in_a_segment_who_cannot_do_it_is_told_why(order: str, reason: str) -> None:
    """What a ship lacks, and when it is ordered."""
    war = position({"turn": 2, **EVERYTHING, **LANDING})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("soviet")), f"{order};")
    assert f": {reason}" in str(said.value)


@pytest.mark.parametrize("scope", ["turn 4 ", "@"])
@pytest.mark.parametrize(
    ("side", "order", "reason"),
    [
        ("soviet", "NKLYV: cruise 3311", "NKLYV has no cruise missiles (6.7/1)"),
        ("soviet", "NKLYV: replenish MKALN with fuel 1", "NKLYV has no stores to give (6.5/6)"),
        ("soviet", "NKLYV: land 3311", "NKLYV is no amphibious ship (6.3/4)"),
        ("soviet", "NKLYV: commando 3311", "NKLYV is no amphibious ship (6.3/4)"),
        ("soviet", "SOM25A: strike bomb 2511", "SOM25A carries nothing to attack with (93)"),
        ("soviet", "CCHER: deep", "CCHER is too slow: submarines of two hexes a turn and"),
        ("nato", "GATO: mine 3311", "GATO lays no mines: aircraft and Soviet submarines do (209)"),
    ],
)
def test_what_a_unit_can_never_do_is_no_order_for_later_either(
    scope: str, side: str, order: str, reason: str
) -> None:
    ships = {**LANDING["ships"], "CCHER": "2812", "GATO": "2428"}
    war = position({"turn": 2, **EVERYTHING, **LANDING, "ships": ships})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side(side)), f"{scope}{order};")
    assert f"no effect: {reason}" in str(said.value)


def test_in_the_window_of_soviet_patrols_nato_is_told_that_its_own_come_next() -> None:
    options = {"windows": "halves"}
    war = position({"turn": 2, "options": options, "ships": {}, "air": {"USF15A": "1831"}})
    war.stage = "cap"
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("nato")), "USF15A: cap;")
    assert "the Soviets assign patrols in this window, NATO in the next (64)" in str(said.value)


def test_in_the_set_up_orders_for_segments_are_for_the_first_turn() -> None:
    war = position({"turn": 0, **EVERYTHING, "ships": {"HAWES": "3736", "NKLYV": "2511"}})
    for order in ("HAWES: go 3737", "NATO: segment surf"):
        with pytest.raises(RefusedError) as said:
            submitted(SYSTEM, shown(SYSTEM, war, Side("nato")), f"{order};")
        assert "this window is for the set-up; the segments of turn 1 come" in str(said.value)
        assert f"hint: turn 1 {order.rsplit(' ', 1)[0]} ..." in str(said.value)


@pytest.mark.parametrize(
    ("used", "order", "note"),
    [
        ([], "NATO: segment air sub pass", "leaves no segment of the turn for surface ships"),
        ([], "NATO: segment air sub surf", ""),
        ([], "NATO: segment air", ""),
        (["air"], "NATO: segment surf sub", ""),
        (["air"], "NATO: segment pass surf sub", "leaves no segment of the turn for submarines"),
        (["air"], "turn 3 NATO: segment surf sub pass", "leaves no segment of the turn for aircr"),
        (["pass", "sub"], "NATO: segment pass", "leaves no segment of the turn for aircraft and s"),
    ],
)
def test_a_receipt_says_which_type_has_no_segment_left(
    used: list[str], order: str, note: str
) -> None:
    war = position({"turn": 2, "ships": {"HAWES": "2931"}, "air": {"USF15A": "1831"}})
    war.segment, war.used = 1 + len(used), {Side("nato"): used, Side("soviet"): []}
    report = shown(SYSTEM, war, Side("nato"))
    (given,) = submitted(SYSTEM, report, f"{order};").orders
    assert SYSTEM.note(given, report.plain)[: len(note)] == note
    assert bool(SYSTEM.note(given, report.plain)) == bool(note)


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


def test_a_part_of_a_base_without_its_keyword_has_the_hint_to_write_it() -> None:
    war = position({"turn": 2, "ships": {"HAWES": "2931", "NKLYV": "2511"}})
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, shown(SYSTEM, war, Side("nato")), "HAWES: attack ssm 3605 port;")
    assert "error unknown-contact: 'port' is not one of your contacts" in str(said.value)
    assert "hint: write 'at port 1'" in str(said.value)


def test_in_the_window_in_which_stores_are_given_a_full_ship_takes_none() -> None:
    """6.5/6 Later she may have used some; on a condition nobody knows when it is carried out."""
    options = {"level": "advanced", "logistics": "yes"}
    ships = {"WLMET": "2718", "HAWES": "2718", "SCYLA": "2931"}
    war = position({"turn": 2, "options": options, "ships": ships})
    report, order = shown(SYSTEM, war, Side("nato")), "WLMET: replenish HAWES with fuel 2;"
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, report, order)
    reason = "nothing-given: HAWES has all the fuel that she holds (6.5/6)"
    assert f"orders:2:29: error {reason}" in str(said.value)
    for later in (f"turn 3 {order}", f"@{order}", order.replace(":", ": if part is pm then")):
        submitted(SYSTEM, report, later)
    stores = war.vessels["HAWES"].stores
    assert stores is not None
    stores.rows["fuel"] -= 1
    submitted(SYSTEM, shown(SYSTEM, war, Side("nato")), order)


def test_a_squadron_for_a_full_airfield_has_a_note() -> None:
    """35 Four interceptors and attackers fill one; reconnaissance takes no room."""
    guests = ["USF15A", "UKBUCA", "UKTORA", "UKTORB"]
    air = {**dict.fromkeys(guests, "3733"), "UKPHNA": "3833", "USP3A": "1831"}
    war = position({"turn": 2, "ships": {"SCYLA": "2931"}, "air": air})
    nato = Side("nato")

    def note(order: str) -> str:
        report = shown(SYSTEM, war, nato)
        return SYSTEM.note(submitted(SYSTEM, report, order).orders[0], report.plain)

    full = "as things stand, 3733 is full: no room for UKPHNA (35)"
    assert note("UKPHNA: transfer 3733;") == note("@UKPHNA: transfer 3733;") == full
    assert note("USP3A: transfer 3733;") == ""
    war.squadrons["UKTORA"].at = "cap"
    assert note("UKPHNA: transfer 3733;") == ""
