"""5.4 Task forces."""

from __future__ import annotations

import pytest

from games.bismarck import board, movement, taskforce
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.events import OrderFailed, ShipMoved, TaskForceBroken, TaskForceFormed
from games.bismarck.game import SYSTEM
from games.bismarck.state import War
from pbem.bots.bot_orders import Match
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of
from tests.bismarck.fake_table import FakeTable, begin, books


def order(war: War, british: str = "", german: str = "") -> FakeTable:
    table = FakeTable()
    given = books(war, british, german)
    taskforce.visibility_phase(table, war, given)
    movement.ship_phase(table, war, given)
    return table


def test_5_41_ships_of_one_zone_form_a_force_and_move_as_one() -> None:
    war = begin()
    war.turn = 5
    table = order(war, british="HOOD: form PRINCE OF WALES as TF1; TF1: move G13;")
    (formed,) = table.heard(TaskForceFormed)
    assert (formed.who, formed.ships, formed.zone) == ("TF1", ("Hood", "Prince of Wales"), "G15")
    (moved,) = [e for e in table.heard(ShipMoved) if e.who == "TF1"]
    assert moved.fuel == {"Hood": 1, "Prince of Wales": 1}
    assert {war.ships[i].zone for i in ("HOOD", "PRINCE OF WALES")} == {"G13"}
    assert not table.heard(TaskForceFormed, GERMAN)


@pytest.mark.parametrize(
    ("text", "rule", "why"),
    [
        ("HOOD: form NORFOLK as TF1;", "5.41", "Norfolk is in B7, Hood in G15"),
        ("HOOD: form PRINCE OF WALES as WOLF;", "5.43", "TF1 to TF99"),
        ("HOOD: form HOOD as TF1;", "5.41", "two ships"),
    ],
)
def test_5_41_what_cannot_be_a_force(text: str, rule: str, why: str) -> None:
    from orders.model import Action, Order, OrderSet

    war = begin()
    given = books(war)
    words = text.removeprefix("HOOD: form ").removesuffix(";").split(" as ")
    action = Action("form", {"ships": [words[0]], "name": words[1]})
    given[BRITISH].take(OrderSet((Order("HOOD", (action,)),)))
    table = FakeTable()
    taskforce.visibility_phase(table, war, given)
    (failed,) = table.heard(OrderFailed)
    assert failed.rule == rule
    assert why in failed.why
    assert not war.forces[BRITISH]


def test_2_51_an_escort_joins_nobody() -> None:
    war = begin()
    war.ships["HOOD"].zone = war.ships["RODNEY"].zone
    table = order(war, british="@HOOD: form RODNEY as TF1;")
    assert [e.rule for e in table.heard(OrderFailed)] == ["2.51"]


def test_5_41_a_standing_order_to_form_up_with_a_ship_that_was_sunk() -> None:
    war = begin()
    given = books(war, british="@HOOD: form PRINCE OF WALES as TF1;")
    war.ships["PRINCE OF WALES"].hits.midships = war.ships["PRINCE OF WALES"].sections.midships
    war.ships["PRINCE OF WALES"].sunk = True
    table = FakeTable()
    taskforce.visibility_phase(table, war, given)
    (failed,) = table.heard(OrderFailed)
    assert failed.why == "Prince of Wales is no ship on the board"
    assert not war.forces[BRITISH]


def test_5_43_a_second_force_does_not_get_the_name_of_the_first() -> None:
    from orders.model import Action, Order, OrderSet

    war = begin()
    order(war, british="HOOD: form PRINCE OF WALES as TF1;")
    given = books(war)
    action = Action("form", {"ships": ["KENYA"], "name": "TF1"})
    given[BRITISH].take(OrderSet((Order("KING GEORGE V", (action,)),)))
    table = FakeTable()
    taskforce.visibility_phase(table, war, given)
    (failed,) = table.heard(OrderFailed)
    assert (failed.rule, failed.why) == ("5.43", "TF1 sails already")
    assert war.forces[BRITISH]["TF1"].ships == ["HOOD", "PRINCE OF WALES"]


def test_5_44_breaking_and_detaching() -> None:
    war = begin()
    order(war, british="KING GEORGE V: form KENYA, AURORA, GALATEA as TF2;")
    war.next_turn()
    table = order(war, british="TF2: detach KENYA, AURORA as TF3;")
    assert {n: f.ships for n, f in war.forces[BRITISH].items()} == {
        "TF2": ["GALATEA", "KING GEORGE V"],
        "TF3": ["AURORA", "KENYA"],
    }
    assert not table.heard(TaskForceBroken)[0].dissolved
    war.next_turn()
    table = order(war, british="TF3: detach KENYA; TF2: break;")
    assert all(e.dissolved for e in table.heard(TaskForceBroken))
    assert not war.forces[BRITISH]
    assert not any(s.force for s in war.ships.values())


def test_5_44_ships_that_leave_go_on_with_the_path() -> None:
    war = begin()
    war.turn = 5
    order(war, british="HOOD: form PRINCE OF WALES as TF1; TF1: move G5;")
    war.next_turn()
    order(war, british="TF1: break; HOOD: hold;")
    assert war.ships["HOOD"].path == ()
    assert war.ships["PRINCE OF WALES"].path == ("G12",)


def test_5_41_joining() -> None:
    war = begin()
    war.ships["SUFFOLK"].zone = war.ships["HOOD"].zone
    order(war, british="HOOD: form PRINCE OF WALES as TF1;")
    war.next_turn()
    order(war, british="SUFFOLK: join TF1;")
    assert war.forces[BRITISH]["TF1"].ships == ["HOOD", "PRINCE OF WALES", "SUFFOLK"]


def test_both_sides_may_use_the_same_number() -> None:
    war = begin()
    order(
        war,
        "HOOD: form PRINCE OF WALES as TF1;",
        "BISMARCK: form PRINZ EUGEN as TF1; TF1: move E19 D18 C17 B16;",
    )
    assert war.ships["PRINZ EUGEN"].zone == war.ships["BISMARCK"].zone == "B16"
    assert war.ships["HOOD"].zone == "G15"


def test_5_45_7_26_search_strength_of_counters() -> None:
    war = begin()
    order(war, british="HOOD: form PRINCE OF WALES as TF1; TF1: patrol; NORFOLK: patrol;")
    strong = {str(zone): pair for zone, pair in taskforce.search_counters(war, BRITISH)}
    assert strong["G15"] == strong["B7"] == (4, 3)
    assert strong["D9"] == (1, 1)
    assert strong["T17"] == (4, 2)  # note 11: the Edinburgh patrols


def test_a_standing_form_order_is_silent_once_it_is_done() -> None:
    war = begin()
    given = books(war, british="@HOOD: form PRINCE OF WALES as TF1;")
    for _ in range(2):
        table = FakeTable()
        taskforce.visibility_phase(table, war, given)
    assert not table.told


def formed_and_sent(zone: str) -> tuple[str, ...]:
    """Where a force goes that is formed where the game begins and sent to `zone` in one set. Who
    enters Trondheim has ended the game (12.12): the turn is not over, and her wake not written."""
    match = Match(SYSTEM, "basic", {"play": "plotted"}, "form up")
    report = match.report(GERMAN)
    text = block_of(header_of(report, 0), f"BISMARCK: form PRINZ EUGEN as TF1; TF1: move {zone};")
    reading = read_text(SYSTEM, report, text)
    assert not reading.diagnostics
    match.drive.close({GERMAN: reading.orders}, match.dice)
    ships = match.drive.state.ships
    lead = ships["BISMARCK"]
    assert {s.force for s in (ships["BISMARCK"], ships["PRINZ EUGEN"])} == {"TF1"}
    assert lead.zone == ships["PRINZ EUGEN"].zone
    plan = match.drive.state.forces[GERMAN]["TF1"].plan
    return (*(lead.wake[-1:] or (lead.origin,)), lead.zone, *plan.rest)


def test_a_force_just_formed_sails_wherever_it_is_sent(nightly: bool) -> None:
    """5.41, 5.44 Its name is known to the very set that forms it."""
    zones = [z for z in sorted(board.SEA) if not board.closed(z, GERMAN) and z != "F20"]
    for zone in zones if nightly else ("A15", "A14", "B16", "C16", "E19", "C19", "C6", "P23"):
        start, here, *rest = formed_and_sent(zone)
        assert (start, [here, *rest][-1]) == ("F20", zone)
        assert here != "F20"
