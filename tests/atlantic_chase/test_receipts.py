"""What a receipt says that each line will do, as the board lies now."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest

from games.atlantic_chase import board, setup, told_hunt
from games.atlantic_chase.board import BRITISH, GERMAN
from games.atlantic_chase.events import LineSkipped
from games.atlantic_chase.game import SYSTEM
from pbem.base.report_json import Report
from pbem.model import Side
from pbem.player.reader import read_text, understood
from pbem.testing.orders import shown
from tests.atlantic_chase.casebook import OPTIONS, play, position


@cache
def report(side: Side, active: Side) -> Report:
    """KG1 lies across TF2, with Intel; TF6 is home but for Intel. active: who has Initiative."""
    war = setup.begin("rheinuebung", OPTIONS)
    war.active = active
    war.forces["TF7"].evasive = True
    lines: Mapping[str, tuple[list[str], list[str]]] = {
        "KG1": (["K09", "K08", "J08"], ["K08"]),
        "TF2": (["I12", "I11", "J10"], []),
        "TF3": (["J08"], []),
        "TF6": (["H13", "H12"], ["H12"]),
        "TF7": (["H10", "H11", "H12", "H13"], []),
        "TF8": (["A14", "B14", "C14", "D14", "D13", "E12", "F11"], []),
    }
    for name, (line, intel) in lines.items():
        force = war.forces[name]
        force.line, force.intel, force.box, force.at = line, intel, "", ""
    return shown(SYSTEM, war, side)


LEFT = ": left out unless a line before changes that"
LONGEST = "the longest Trajectory passes after the last line, unless a line before changes that"
ALL_PASS = (
    "every own Trajectory performs Time Lapse, Raeder's power is used, then the enemy has"
    " Initiative"
)


@pytest.mark.parametrize(
    ("side", "line", "note"),
    [
        (BRITISH, "TF2: course I10;", "a line of 4 hexes then, I12 to I10"),
        (BRITISH, "TF2: course H13 from I12;", "a line of 4 hexes then, J10 to H13"),
        (BRITISH, "TF2: course F05;", f"F05 touches no end of TF2 now{LEFT}"),
        (BRITISH, "TF3: course J08 I08;", "a line of 2 hexes then, J08 to I08"),
        (BRITISH, "TF2: course H12 from I11;", f"I11 is no end of TF2 now{LEFT}"),
        (BRITISH, "TF1: course H12 from I11;", f"I11 is no end of TF1 now{LEFT}"),
        (BRITISH, "TF3: course J09;", "a line of 2 hexes then, J08 to J09"),
        (BRITISH, "TF6: course H14;", f"H14 touches no end of TF6 now{LEFT}"),
        (BRITISH, "TF1: course H12 G12;", "a line of 3 hexes then, I12 to G12"),
        (BRITISH, "TF1: course I12;", "a line of 1 hex then, I12 to I12"),
        (BRITISH, "TF1: course F05;", f"F05 does not touch the hex of TF1 now{LEFT}"),
        (GERMAN, "KG2: course G09 F10;", "a line of 3 hexes then, G08 to F10"),
        (GERMAN, "KG2: course G08;", "a line of 1 hex then, G08 to G08"),
        (BRITISH, "TF3: search KG1;", "in J08, Trajectory Total 4 of these two"),
        (BRITISH, "TF2: search KG1;", f"they share no hex now{LEFT}"),
        (
            BRITISH,
            "TF3: if tally under 3 then search KG1;",
            "in J08, Trajectory Total 4 of these two",
        ),
        (BRITISH, "TF3: search KG2;", f"KG2 is no Trajectory now, and can be engaged{LEFT}"),
        (BRITISH, "TF3: engage KG1;", f"KG1 is a Trajectory now, and can be searched for{LEFT}"),
        (BRITISH, "TF3: engage KG5;", f"KG5 is not in play now{LEFT}"),
        (BRITISH, "BRITISH: signals KG1;", "KG1 becomes a Station in K08"),
        (BRITISH, "BRITISH: signals KG1 at K09;", f"KG1 has no Intel there now{LEFT}"),
        (BRITISH, "TF6: complete;", f"TF6 has Intel now{LEFT}"),
        (BRITISH, "TF7: complete;", "in Clyde; the enemy may try to seize Initiative first"),
        (BRITISH, "TF8: complete;", f"7 segments now, 6 at most Complete{LEFT}"),
        (BRITISH, "TF3: complete;", f"in no port of its own now{LEFT}"),
        (BRITISH, "TF7: pass;", "then the enemy has Initiative"),
        (BRITISH, "TF1: pass;", f"TF1 is no Trajectory now{LEFT}"),
        (BRITISH, "HATSTON: strike KG1;", "left out: no Air Strikes in bad weather"),
        (
            BRITISH,
            "BRITISH: finish pass;",
            "after the last line the longest Trajectory passes, and the enemy has Initiative",
        ),
        (
            BRITISH,
            "BRITISH: finish pass TF2;",
            "after the last line TF2 passes, and the enemy has Initiative",
        ),
        (BRITISH, "BRITISH: finish pass TF1;", f"TF1 is no Trajectory now: {LONGEST}"),
        (BRITISH, "BRITISH: finish pass TF9;", f"TF9 is not in play now: {LONGEST}"),
        (BRITISH, "TF9: pass;", f"TF9 is not in play now{LEFT}"),
        (BRITISH, "BRITISH: pass;", "then the enemy has Initiative"),
        (GERMAN, "KG2: pass all;", f"KG2 is no Trajectory now{LEFT}"),
        (GERMAN, "KG1: pass all;", ALL_PASS),
        (GERMAN, "GERMAN: pass all;", ALL_PASS),
        (BRITISH, "BRITISH: finish hold;", "after the last line you are asked for more"),
        (BRITISH, "BRITISH: reinforce BA;", "7 or more on two dice: 58 %"),
        (
            BRITISH,
            "@BRITISH: seize at least 40;",
            "27 % with the tally of now: an Evasive marker instead",
        ),
        (BRITISH, "@BRITISH: seize at least 20;", "27 % with the tally of now: tried"),
        (BRITISH, "@BRITISH: seize never;", ""),
        (BRITISH, "@BRITISH: spend search total 9;", "markers now: TF7"),
        (BRITISH, "@TF2: spend search;", "no marker now"),
        (BRITISH, "@TF7: spend never;", ""),
        (BRITISH, "@BRITISH: evade TF9 TF7 TF6;", "the next goes to TF6"),
        (BRITISH, "@BRITISH: evade TF7;", "none of these can get one now"),
        (
            BRITISH,
            "@TOVEY: use search at most 9;",
            "shifts the Trajectory Total by two dice, and is used up",
        ),
        (BRITISH, "turn 9 TF7: complete;", ""),
        (BRITISH, "@TF6: lapse toward H13;", ""),
        (GERMAN, "UB1: recon H12;", "Intel on TF6, TF7"),
        (GERMAN, "UB1: recon E05;", "no enemy Trajectory lies there now"),
        (GERMAN, "UB1: recon I12;", "left out: I12 has an enemy port or airbase"),
        (GERMAN, "UB1: recon I12 by prien;", "left out: Prien does not command UB1"),
        (GERMAN, "UB1: attack TF6;", f"they share no hex now{LEFT}"),
    ],
)
def test_a_receipt_says_what_a_line_will_do(side: Side, line: str, note: str) -> None:
    reading = read_text(SYSTEM, report(side, side), f"BEGIN ORDERS\n{line}\nEND ORDERS\n")
    assert not reading.diagnostics
    (one,) = understood(SYSTEM, report(side, side), reading)
    assert one.note == note


LATE = "left out: TF7 may not sail before spell 6"
NO_POINTS = (
    "in Halifax, where its Convoy is not bound: no points for it; the enemy may try to seize"
    " Initiative first"
)
LONG = "path I12 I11 I10 I09 H09 G09 F09 F08 E08 E07 E06 D06 D07 C07 | Renown"
PLACES: dict[str, dict[str, Any]] = {
    "berlin": {
        "scenario": "berlin",
        "forces": {"TF2": "at I11 | Rodney", "TF7": "box HALIFAX | Convoy 3"}
        | {"KG1": "at I11 | Scharnhorst, Gneisenau"},
    },
    "cerberus": {
        "scenario": "cerberus",
        "forces": {"TF2": "box CLYDE | Rodney", "KG1": "box BREST | Scharnhorst"}
        | {"KG2": "box WILHELMSHAVEN | Prinz Eugen"},
    },
    "north": {
        "bases": ["HATSTON"],
        "forces": {
            "TF1": LONG,
            "TF2": "path I11 H12 | Hood",
            "TF3": "at J10 | Kent",
            "TF4": "at G14 | Fiji",
            "TF5": "at J10 | Ark Royal",
            "TF6": "path J10 I10 | Convoy 1",
            "TF8": "path I11 I10 H10 | Norfolk",
            "KG1": "path J10 J11 | Bismarck",
            "KG2": "at F14 | Hipper",
            "KG3": "path K08 J09 J10 | Scheer",
        },
        "groups": {"BA": "CLYDE | Repulse"},
        "set": {"forces.KG3.intel": ["K08", "J10"]},
    },
    "hurt": {
        "options": {"damaged_hunt": "forbidden"},
        "forces": {"TF2": "at I11 | Rodney", "KG1": "at I11 | Scharnhorst"},
        "set": {"ships.RODNEY.damaged": True},
    },
    "boats": {
        "stealth": {"UB1": "", "UB2": "G10"},
        "leaders": {"PRIEN": "UB2"},
        "forces": {"TF2": "path I12 H12 | Hood", "TF3": "at J10 | Kent, Fiji"}
        | {"KG1": "at E10 | Bismarck"},
    },
}


@pytest.mark.parametrize(
    ("where", "line", "note"),
    [
        ("berlin", "TF7: complete;", NO_POINTS),
        ("berlin", "TF7: course F05;", LATE),
        ("berlin", "TF7: leave port;", LATE),
        (
            "berlin",
            "KG1: engage TF2;",
            "left out: TF2 holds an undamaged battleship, and your orders forbid it",
        ),
        (
            "cerberus",
            "KG1: complete;",
            f"in Brest, and may Complete in Wilhelmshaven only{LEFT}",
        ),
        (
            "cerberus",
            "KG2: complete;",
            "in Wilhelmshaven; the enemy may try to seize Initiative first",
        ),
        ("north", "TF1: course C06 B07;", f"16 hexes then, 15 at most{LEFT}"),
        ("north", "TF8: course H11 I11;", f"I11 is a segment of TF8 already{LEFT}"),
        ("north", "TF8: course H10;", f"H10 is a segment of TF8 already{LEFT}"),
        ("north", "TF8: course H11 H12;", "a line of 5 hexes then, I11 to H12"),
        ("north", "TF8: course H10 H11;", "a line of 4 hexes then, I11 to H11"),
        ("north", "TF6: search KG1;", f"TF6 holds a Convoy now{LEFT}"),
        ("north", "TF3: search KG1 with TF2;", f"TF2 is not in J10 now{LEFT}"),
        ("north", "TF3: search KG1 with TF5 air TF5;", "in J10, Trajectory Total 2 of these two"),
        ("north", "TF3: search KG1 air TF2;", f"TF2 gives no air support in J10 now{LEFT}"),
        (
            "north",
            "TF3: search KG1 launch C07;",
            f"nobody in C07 gives air support in J10 now{LEFT}",
        ),
        ("north", "HATSTON: strike KG2;", f"KG2 is out of reach now{LEFT}"),
        ("north", "HATSTON: strike KG1;", "in J10 or J11"),
        ("north", "TF5: strike KG1 at J11 launch J10;", "in J11"),
        ("north", "TF3: strike KG1;", f"TF3 has no carrier that can fly now{LEFT}"),
        ("north", "BRITISH: signals KG3 lapse TF6;", "KG3 becomes a Station in J10"),
        ("north", "BRITISH: signals KG3 lapse TF2;", f"TF2 has no segment in K08 or J10 now{LEFT}"),
        ("north", "BRITISH: reinforce BA at I12;", "left out: I12 is no hex of Clyde"),
        ("north", "BRITISH: reinforce BA into TF3;", f"TF3 is no Station in Clyde now{LEFT}"),
        ("north", "TF3: split KENT;", f"TF3 must keep a ship{LEFT}"),
        ("north", "TF2: split HOOD;", f"TF2 is a Trajectory now{LEFT}"),
        ("north", "TF3: split HOOD;", f"HOOD is not in TF3 now{LEFT}"),
        ("boats", "TF3: split KENT takes both;", "TF3 has no Contact and no Evasive marker now"),
        ("boats", "TF3: split KENT takes evasive;", "TF3 has no Evasive marker now"),
        ("hurt", "TF2: engage KG1;", f"Rodney of TF2 is damaged now{LEFT}"),
        ("boats", "UB1: recon H12 by prien;", "left out: Prien does not command UB1"),
        (
            "boats",
            "UB2: recon H12 by prien;",
            "Intel on TF2; Prien is not needed there, and not used up",
        ),
        ("boats", "UB2: recon I12 by prien;", "Intel on TF2"),
    ],
)
def test_a_receipt_promises_what_the_program_does(where: str, line: str, note: str) -> None:
    side = GERMAN if line.startswith(("KG", "UB")) else BRITISH
    case = {"active": str(side), **PLACES[where], "orders": {str(side): line}}
    seen = shown(SYSTEM, position(case), side)
    reading = read_text(SYSTEM, seen, f"BEGIN ORDERS\n{line}\nEND ORDERS\n")
    (one,) = understood(SYSTEM, seen, reading)
    assert one.note == note
    _, table, _ = play(case)
    left = any(isinstance(event, LineSkipped) for _, event in table.told)
    assert left == ("left out" in note or note.startswith("left")), table.told


def test_receipts_know_how_far_aircraft_fly() -> None:
    for a, b in product(board.CELLS, board.CELLS):
        assert told_hunt.apart(a, b) == board.air_range(a, b)


@pytest.mark.parametrize(
    "line", ["TF1: course H12;", "BRITISH: finish pass;", "TF1: split VICTORIOUS;"]
)
def test_lines_of_the_idle_side_are_for_its_own_spell(line: str) -> None:
    reading = read_text(SYSTEM, report(BRITISH, GERMAN), f"BEGIN ORDERS\n{line}\nEND ORDERS\n")
    (one,) = understood(SYSTEM, report(BRITISH, GERMAN), reading)
    kept = "not carried out, the Germans have Initiative: 'turn 2' keeps it for then"
    assert one.note == kept
    later = read_text(SYSTEM, report(BRITISH, GERMAN), f"BEGIN ORDERS\nturn 2 {line}\nEND ORDERS\n")
    (one,) = understood(SYSTEM, report(BRITISH, GERMAN), later)
    assert one.note == ""


def test_whose_a_later_spell_is_goes_by_the_spell_that_is_played() -> None:
    """Initiative may have gone while the last action of a spell waits for answers."""
    war = setup.begin("rheinuebung", OPTIONS)
    war.active, war.holder = BRITISH, str(GERMAN)
    lines = "turn 2 TF1: course H12;\nturn 3 TF1: course H12;"
    reading = read_text(SYSTEM, shown(SYSTEM, war, BRITISH), f"BEGIN ORDERS\n{lines}\nEND ORDERS\n")
    (fault,) = reading.diagnostics
    assert fault.code == "not-yours" and "2, 4, 6" in fault.hint


def test_in_the_campaign_whose_a_later_spell_is_may_change_with_the_operation() -> None:
    war = setup.begin("rheinuebung", OPTIONS)
    war.active = BRITISH
    seen = shown(SYSTEM, war, BRITISH, "campaign")
    reading = read_text(SYSTEM, seen, "BEGIN ORDERS\nturn 2 TF1: course H12;\nEND ORDERS\n")
    (one,) = understood(SYSTEM, seen, reading)
    assert one.note.endswith("your next spells are 3, 5, 7, as long as this operation goes on")


@pytest.mark.parametrize("actor", ["TF1", "HOOD"])
@pytest.mark.parametrize("scope", ["", "turn 3 "])
def test_signals_to_a_task_force_or_ship_are_refused_with_whom_to_order(
    actor: str, scope: str
) -> None:
    text = f"BEGIN ORDERS\n{scope}{actor}: signals KG1;\nEND ORDERS\n"
    (fault,) = read_text(SYSTEM, report(BRITISH, BRITISH), text).diagnostics
    assert fault.text == f"'signals' to {actor} has no effect: it is an order of the side"
    assert (fault.rule, fault.hint) == ("R138", f"{scope}BRITISH: signals ...")
