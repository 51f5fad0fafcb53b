"""Orders judged by the sender's own report: each code once, and what an order will take."""

from __future__ import annotations

import copy

import pytest

from games.bismarck import availability
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.check import CHECKS
from games.bismarck.game import SYSTEM
from games.bismarck.state import War
from games.bismarck.verbs import GRAMMAR
from orders.canon import streams
from orders.model import Action, Order
from orders.parse import understand
from orders.vocabulary import Vocabulary
from pbem.model import Problem, Side
from pbem.player.reader import parse_text
from tests.bismarck.casebook import position
from tests.bismarck.fake_table import begin, read, report


def judged(war: War, side: Side, text: str) -> Problem | None:
    (order,) = parsed(war, side, text)
    return CHECKS.check(order, report(war, side))


def parsed(war: War, side: Side, text: str) -> tuple[Order, ...]:
    """Orders that the checks have not judged yet."""
    block = f"BEGIN ORDERS\n{text}\nEND ORDERS\n"
    return parse_text(SYSTEM, report(war, side), block).orders.orders


def later() -> War:
    """Turn 9: the breakout is over, the Home Fleet at sea."""
    war = begin()
    war.turn = 9
    for ship in war.ships.values():
        ship.hold = "" if ship.hold == "port" else ship.hold
    return war


GOOD = [
    (BRITISH, "HOOD: move G13;"),
    (BRITISH, "HOOD: move G13 speed full;"),
    (BRITISH, "SUFFOLK: patrol B9;"),
    (BRITISH, "HOOD: form PRINCE OF WALES as TF1;"),
    (BRITISH, "HOOD: form PRINCE OF WALES as TF1; TF1: move G12;"),
    (BRITISH, "EDINBURGH: patrol;"),
    (BRITISH, "SCAPA1: fly F20 mode move;"),
    (BRITISH, "SCAPA1: fly H17 mode patrol;"),
    (BRITISH, "VIC1: fly H16 mode attack;"),
    (BRITISH, "BRITISH: search all; BRITISH: enter REVENGE turn 19;"),
    (BRITISH, "BRITISH: search F19-F20 G15;"),
    (GERMAN, "GERMAN: search found; GERMAN: huffduff random; GERMAN: convoy spare;"),
    (GERMAN, "GERMAN: huffduff J12;"),
    (GERMAN, "BISMARCK: move B16;"),
    (GERMAN, "@BISMARCK: if visibility at least 7 and not night then move A12 else patrol;"),
    (GERMAN, "turn 12 BISMARCK: move A12 A10;"),
    (GERMAN, "BISMARCK: course ahead 1 port 1 ahead 1; BISMARCK: course ahead 1 round 2;"),
    (GERMAN, "BISMARCK: set up bow e; BISMARCK: target strongest salvos 20;"),
    (BRITISH, "HOOD: set up hex 7; NORFOLK: reinforce hold; SUFFOLK: reinforce yes enter 6;"),
    (BRITISH, "BRITISH: avoid outgunned; BRITISH: strike any;"),
]


@pytest.mark.parametrize(("side", "text"), GOOD)
def test_orders_that_stand(side: Side, text: str) -> None:
    war = later()
    for order in read_all(war, side, text):
        assert CHECKS.check(order, report(war, side)) is None


def read_all(war: War, side: Side, text: str) -> tuple[Order, ...]:
    return read(war, side, text).orders


@pytest.mark.parametrize(
    ("side", "text", "code", "rule"),
    [
        (GERMAN, "BISMARCK: move C9;", "land-zone", "5.17"),
        (GERMAN, "BISMARCK: course ahead 2 port 2;", "not-that-course", "9.53"),
        (GERMAN, "@BISMARCK: course ahead 3 port 1;", "not-that-course", "9.53"),
        (GERMAN, "BISMARCK: target bb salvos 21;", "too-many-salvos", "9.64"),
        (GERMAN, "BISMARCK: target;", "missing-argument", "9.62"),
        (BRITISH, "SCAPA1: strike;", "missing-argument", "9.16"),
        (BRITISH, "HOOD: set up;", "missing-argument", "9.28"),
        (GERMAN, "BISMARCK: move H17 L20;", "irish-sea", "5.18"),
        (GERMAN, "BISMARCK: move SCAPA FLOW;", "enemy-port", "12.6"),
        (GERMAN, "BISMARCK: move FERROL;", "neutral-port", "12.6"),
        (BRITISH, "HOOD: move Z29 A8 Z29 A8;", "too-far", "11.23"),
        (BRITISH, "RENOWN: move Z28;", "tied", "4.1"),
        (BRITISH, "EDINBURGH: move S17;", "tied", "4.1"),
        (BRITISH, "HOOD: form NORFOLK as TF1;", "not-in-same-zone", "5.41"),
        (BRITISH, "HOOD: form PRINCE OF WALES as WOLF;", "bad-name", "5.43"),
        (BRITISH, "SCAPA1: fly A8 Z10;", "out-of-endurance", "6.21"),
        (BRITISH, "VIC1: fly H14 mode attack;", "out-of-endurance", "6.21"),
        (BRITISH, "SCAPA1: move H17;", "not-a-ship", "6.1"),
        (BRITISH, "HOOD: fly H17;", "not-an-air-unit", "6.1"),
        (GERMAN, "BREST BOMBERS: fly P22 mode recon;", "no-recon", "2.434"),
        (GERMAN, "BREST BOMBERS: patrol P22;", "bad-mode", "6.32"),
        (GERMAN, "BREST BOMBERS: fly O22 N22;", "over-britain", "6.12"),
        (BRITISH, "VICTORIOUS: patrol;", "patrol-carrier", "5.31"),
        (BRITISH, "BRITISH: mobilise HOOD;", "not-an-escort", "12.42"),
        (BRITISH, "BRITISH: enter REVENGE turn 16;", "bad-turn", "4.1"),
        (BRITISH, "BRITISH: enter DORSETSHIRE turn 20;", "not-yours", "4.1"),
        (BRITISH, "HOOD: search all;", "wrong-actor", "7.21"),
        (BRITISH, "BRITISH: search;", "missing-argument", "7.21"),
        (BRITISH, "BRITISH: convoy spare;", "not-yours", "10.25"),
        (GERMAN, "GERMAN: huffduff C9;", "land-zone", "10.22"),
        (GERMAN, "GERMAN: huffduff;", "missing-argument", "10.22"),
        (BRITISH, "HOOD: break;", "no-task-force", "5.44"),
        (BRITISH, "@HOOD: move C9;", "land-zone", "5.17"),
        (BRITISH, "@HOOD: if night then move C9;", "land-zone", "5.17"),
    ],
)
def test_orders_that_cannot_stand(side: Side, text: str, code: str, rule: str) -> None:
    war = later()
    problem = wide(war, side, text)
    assert problem is not None
    assert (problem.code, problem.rule) == (code, rule)
    assert problem.text


def wide(war: War, side: Side, text: str) -> Problem | None:
    """Judged even where the menu would already have refused: check trusts nobody."""
    own = report(war, side)
    verbs = [{"verb": v.name, "args": []} for v in GRAMMAR.verbs]
    units = [*own["units"], *({"id": i, "name": i} for i in ("REVENGE", "DORSETSHIRE"))]
    open_ = {"units": units, "menu": {str(u["id"]): verbs for u in units} | {side.upper(): verbs}}
    (unit,) = streams(f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
    reading = understand(unit, GRAMMAR, Vocabulary.of(open_, GRAMMAR))
    assert not reading.diagnostics, reading.diagnostics
    return CHECKS.check(reading.orders.orders[0], own)


def test_5_23_no_fuel() -> None:
    war = later()
    war.ships["HOOD"].fuel = 0
    problem = judged(war, BRITISH, "HOOD: move G13 speed full;")
    assert problem and (problem.code, problem.rule) == ("no-fuel", "5.23")
    assert judged(war, BRITISH, "HOOD: move G13;") is None


def test_5_26_two_zones_twice() -> None:
    war = later()
    war.ships["HOOD"].two = 8
    problem = judged(war, BRITISH, "HOOD: move G13 speed full;")
    assert problem and (problem.code, problem.rule) == ("two-zones-twice", "5.26")
    assert judged(war, BRITISH, "HOOD: move G13;") is None


def test_6_42_resting() -> None:
    war = later()
    war.air["SCAPA1"].ready = 10
    problem = judged(war, BRITISH, "SCAPA1: fly H17;")
    assert problem and problem.code == "resting"
    assert "1200 May 23" in problem.text


def test_6_31_mode_fixed() -> None:
    war = later()
    unit = war.air["PLYMOUTH BOMBERS"]
    unit.zone, unit.up, unit.mode = Zone("O20"), 1, "recon"
    problem = judged(war, BRITISH, "PLYMOUTH BOMBERS: fly O21 mode attack;")
    assert problem and problem.rule == "6.31"


def test_6_31_each_mode_has_its_own_speed_and_endurance() -> None:
    """Plymouth's bombers: in attack mode 8 zones in all, in recon mode 9 out and home next turn."""
    war = later()
    nine = "PLYMOUTH BOMBERS: fly O13"
    assert judged(war, BRITISH, f"{nine} mode recon;") is None
    problem = judged(war, BRITISH, f"{nine} mode attack;")
    assert problem and problem.code == "out-of-endurance"


def test_the_faulty_zone_is_pointed_at() -> None:
    problem = judged(later(), GERMAN, "BISMARCK: move A15 C9;")
    assert problem and (problem.arg, problem.item) == ("path", 1)
    assert "B9" in problem.hint


@pytest.mark.parametrize(
    ("side", "text", "said"),
    [
        (BRITISH, "HOOD: move G11;", "4 zones, 3 turns, fuel this turn Hood 1: G14 G13 G12 G11"),
        (BRITISH, "SUFFOLK: move C6;", "3 zones, 2 turns: D8 C7 C6"),
        (BRITISH, "HOOD: hold;", ""),
        (BRITISH, "@HOOD: move G11;", ""),
        (BRITISH, "VIC1: fly H17 mode attack;", "1 zone, 1 turn, lands after the attacks: H17"),
        (BRITISH, "SCAPA1: fly H17;", "1 zone, 1 turn, 4 more turns in the air: H17"),
    ],
)
def test_notes(side: Side, text: str, said: str) -> None:
    war = later()
    (order,) = read(war, side, text).orders
    assert CHECKS.noted(order, report(war, side)) == said


def test_5_28_the_breakout_is_in_the_note() -> None:
    war = begin()
    (order,) = read(war, GERMAN, "BISMARCK: move E19 D18 C17 B16 A15;").orders
    assert CHECKS.noted(order, report(war, GERMAN)).startswith("5 zones, 1 turn")


def test_nothing_but_the_report_is_asked() -> None:
    """Two worlds alike in one side's report give the same answers: the enemy is nowhere in them."""
    war = later()
    other = copy.deepcopy(war)
    for ship in other.ships.values():
        if ship.side == GERMAN:
            ship.zone = Zone("K14")
    for _, text in [pair for pair in GOOD if pair[0] == BRITISH]:
        for order in read_all(war, BRITISH, text):
            assert CHECKS.check(order, report(war, BRITISH)) == CHECKS.check(
                order, report(other, BRITISH)
            )


def test_an_order_of_a_force_that_this_set_forms_is_judged_by_the_board() -> None:
    war = later()
    order = Order("TF7", (Action("move", {"path": ["C9"]}),))
    problem = CHECKS.check(order, report(war, BRITISH))
    assert problem and problem.code == "land-zone"


def test_the_state_begins_from_options() -> None:
    assert availability.begin("basic", {}, {}).turn == 4


@pytest.mark.parametrize(
    ("later", "note"),
    [(0, ""), (1, "not this turn: EN1 was not located last turn (8.11)")],
)
def test_8_11_a_contact_that_was_not_located_last_turn_is_noted(later: int, note: str) -> None:
    war = position({"place": {"BISMARCK": "H5", "NORFOLK": "H5"}, "saw": {"british": ["BISMARCK"]}})
    war.turn += later
    (order,) = parsed(war, BRITISH, "BRITISH: shadow EN1 by NORFOLK;")
    assert CHECKS.noted(order, report(war, BRITISH)) == note


def test_10_25_a_ship_that_sinks_a_convoy_stays_by_that_rule() -> None:
    war = position({"place": {"BISMARCK": "K15"}, "set": {"ships.BISMARCK.still": 10}})
    problem = judged(war, GERMAN, "BISMARCK: move K16;")
    assert problem and (problem.code, problem.rule) == ("tied", "10.25")


def test_6_21_a_unit_in_its_last_turn_is_told_to_come_home() -> None:
    war = position({"place": {}, "air": {"BREST BOMBERS": ["P22", "attack", 1]}})
    problem = judged(war, GERMAN, "BREST BOMBERS: fly P20;")
    assert problem and problem.hint == "it must be home this turn: write return"


def test_12_42_an_escort_that_the_set_has_called_away_is_not_called_twice() -> None:
    war = position({"place": {"RODNEY": "J17"}, "set": {"ships.RODNEY.hold": ""}})
    problem = judged(war, BRITISH, "BRITISH: mobilise RODNEY;")
    assert problem and problem.text == "RODNEY has left her convoy"


@pytest.mark.parametrize(("level", "note"), [(8, ""), (9, "not this turn: visibility is X (7.33)")])
def test_7_33_an_attack_at_level_x_is_noted(level: int, note: str) -> None:
    war = position({"place": {"HOOD": "H5"}})
    war.level = level
    (order,) = parsed(war, BRITISH, "HOOD: attack always;")
    assert CHECKS.noted(order, report(war, BRITISH)) == note
