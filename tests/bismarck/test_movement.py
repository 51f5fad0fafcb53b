"""5.1-5.3, 9.729: speed, fuel, routes, patrol and the ship phase."""

from __future__ import annotations

import itertools
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bismarck import board, calendar, movement, tables
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.events import OrderFailed, PatrolBegun, PatrolEnded, ShipMoved
from games.bismarck.state import Engine, War
from pbem.kit.checks import Refused
from pbem.model import Side
from pbem.testing.orders import RefusedError
from tests.bismarck.fake_table import FakeTable, begin, books, read
from tests.counts import few

BB = Engine("Hood", "BC", 2, 29, 5)
SLOW = Engine("Rodney", "BB", 1, 21, 5)
CRUISER = Engine("Suffolk", "CA", 2, 31)
BONUS = tables.breakout({})
C, ODD = 10, 11  # a C turn and one that is none


def sail(war: War, british: str = "", german: str = "") -> FakeTable:
    table = FakeTable()
    movement.ship_phase(table, war, books(war, british, german))
    return table


def turn_of(war: War, british: str = "", german: str = "") -> FakeTable:
    table = sail(war, british, german)
    war.next_turn()
    return table


@pytest.mark.parametrize(
    ("evasion", "c", "odd"),
    [(33, 2, 2), (25, 2, 2), (24, 1, 1), (16, 1, 1), (15, 1, 0), (7, 1, 0), (6, 0, 0), (0, 0, 0)],
)
def test_9_729_damage_speeds(evasion: int, c: int, odd: int) -> None:
    assert (movement.pace(evasion, C), movement.pace(evasion, ODD)) == (c, odd)


def with_(ship: Engine, **changes: object) -> Engine:
    return Engine(**{f: getattr(ship, f) for f in ship.__struct_fields__} | changes)


@pytest.mark.parametrize(
    ("rule", "ship", "turn", "economical", "zones"),
    [
        ("5.12 5.21", CRUISER, ODD, False, 2),
        ("5.12 economical costs cruisers nothing", CRUISER, ODD, True, 2),
        ("5.13", BB, ODD, False, 2),
        ("5.22", BB, ODD, True, 1),
        ("5.26 two zones last turn", with_(BB, two=10), ODD, False, 1),
        ("5.26 two turns ago", with_(BB, two=9), ODD, False, 2),
        ("5.23 5.24 no fuel, C turn", with_(BB, fuel=0), C, False, 1),
        ("5.24 no fuel, other turn", with_(BB, fuel=0), ODD, False, 0),
        ("5.29", with_(BB, type="CV", launched=True), ODD, False, 1),
        ("5.14", SLOW, C, False, 1),
        ("5.25", SLOW, ODD, False, 1),
        ("5.25 economical", SLOW, ODD, True, 0),
        ("5.25 no fuel", with_(SLOW, fuel=0), ODD, False, 0),
        ("5.25 no fuel, C turn", with_(SLOW, fuel=0), C, False, 1),
        ("5.27 9.729", with_(BB, evasion=20), ODD, False, 1),
        ("9.729 emergency", with_(CRUISER, evasion=10), ODD, False, 0),
        ("4.1 tied", with_(CRUISER, tied="waits"), ODD, False, 0),
    ],
)
def test_zones_a_ship_may_move(
    rule: str, ship: Engine, turn: int, economical: bool, zones: int
) -> None:
    assert movement.most(ship, turn, economical) == zones, rule


@pytest.mark.parametrize(
    ("rule", "ship", "zones", "turn", "fuel"),
    [
        ("5.21", BB, 2, ODD, 1),
        ("5.22", BB, 1, ODD, 0),
        ("5.21 cruisers", CRUISER, 2, ODD, 0),
        ("5.25", SLOW, 1, ODD, 1),
        ("5.25 C turn", SLOW, 1, C, 0),
        ("5.27 a damaged Bismarck does not pay as Rodney does", with_(BB, evasion=20), 1, ODD, 0),
    ],
)
def test_fuel_of_a_move(rule: str, ship: Engine, zones: int, turn: int, fuel: int) -> None:
    assert movement.cost(ship, zones, turn) == fuel, rule


@pytest.mark.parametrize(("zones", "fuel"), [(1, 0), (3, 0), (4, 1), (5, 2)])
def test_5_28_breakout(zones: int, fuel: int) -> None:
    assert movement.cost(BB, zones, 4, BONUS) == fuel
    assert movement.most(BB, 4, False, BONUS) == 5
    assert movement.most(BB, 4, True, BONUS) == 3
    assert movement.most(with_(BB, fuel=1), 4, False, BONUS) == 4
    # ruling 25: a breakout that costs fuel counts as a two-zone turn
    assert movement.most(movement.after(BB, zones, 4, BONUS), 5) == (1 if fuel else 2)


def test_5_24_a_ship_that_burns_her_last_factor_goes_on_in_c_turns_alone() -> None:
    """5.21, 5.23, 5.24: two zones for the last factor, then none but one zone in each C turn."""
    way = [Zone(z) for z in ("H14", "H13", "H12", "H11")]
    taken = movement.march([with_(BB, fuel=1)], way, C)
    assert [(turn, len(zones)) for turn, zones in taken] == [
        (C, 2),
        (C + 1, 0),
        (C + 2, 1),
        (C + 3, 0),
        (C + 4, 1),
    ]


def test_5_28_only_germans_in_the_first_turn() -> None:
    assert movement.bonus_of(GERMAN, 4, {}) and not movement.bonus_of(BRITISH, 4, {})
    assert not movement.bonus_of(GERMAN, 5, {})


def test_5_44_a_force_goes_as_its_slowest_and_each_pays_for_itself() -> None:
    assert movement.allowance([BB, CRUISER], ODD) == 2
    assert movement.allowance([BB, SLOW, CRUISER], ODD) == 1
    assert movement.allowance([with_(BB, two=10), CRUISER], ODD) == 1


@pytest.mark.parametrize(
    ("side", "start", "path", "code", "rule"),
    [
        (GERMAN, "G19", "H18", "enemy-port", "12.6"),
        (GERMAN, "G18", "H18", "enemy-port", "12.6"),
        (GERMAN, "S24", "T24", "neutral-port", "12.6"),
        (GERMAN, "M18", "L20", "irish-sea", "5.18"),
        (GERMAN, "M18", "M19", "land-zone", "5.17"),
        (BRITISH, "M18", "K1", "not-on-map", "5.17"),
    ],
)
def test_5_17_5_18_closed_ways(side: str, start: str, path: str, code: str, rule: str) -> None:
    with pytest.raises(Refused) as caught:
        movement.route(side, Zone(start), (Zone(path),))
    assert (caught.value.code, caught.value.rule) == (code, rule)


def test_5_17_12_6_who_is_refused_a_zone_reads_what_it_is_and_where_he_may_go() -> None:
    said = []
    for side, zone in ((GERMAN, "H18"), (GERMAN, "T24"), (GERMAN, "L20"), (BRITISH, "M19")):
        with pytest.raises(Refused) as caught:
            movement.refuse_closed(side, Zone(zone))
        said.append((caught.value.text, caught.value.hint))
        assert caught.value.item == 0
    assert said == [
        ("H18 is Scapa Flow, an enemy port", "sea zones beside it: G17 G18 H17 H19 I19"),
        ("T24 is Ferrol, a neutral port", "sea zones beside it: S23 S24 T23 T25"),
        ("L20 lies in the Irish Sea, which is closed to German ships", ""),
        ("M19 is land: ships stay at sea", "sea zones beside it: M18 M20 N20"),
    ]


def test_5_17_gaps_are_filled_and_the_faulty_zone_is_counted() -> None:
    assert movement.route(GERMAN, Zone("A15"), (Zone("A12"),)) == ("A14", "A13", "A12")
    with pytest.raises(Refused) as caught:
        movement.route(GERMAN, Zone("A15"), (Zone("A12"), Zone("C9")))
    assert caught.value.item == 1
    assert "B9" in caught.value.hint


def test_5_13_a_battleship_alternates_and_finishes_her_path() -> None:
    war = begin()
    war.turn = 5
    hood = war.ships["HOOD"]
    turn_of(war, british="HOOD: move G9;")
    walked = [hood.zone]
    for _ in range(3):
        turn_of(war)
        walked.append(hood.zone)
    assert walked == ["G13", "G12", "G10", "G9"]
    assert hood.tank is not None and hood.fuel == hood.tank - 2


def test_5_11_without_an_order_a_ship_stays() -> None:
    war = begin()
    table = turn_of(war)
    assert not [e for e in table.heard(ShipMoved) if e.rule != "2.51"]


def test_a_standing_order_goes_on_where_it_was_and_is_done_once() -> None:
    war = begin()
    war.turn = 5
    text = "@SUFFOLK: move C6 B7;"
    given = books(war, british=text)
    zones = []
    for _ in range(4):
        movement.ship_phase(FakeTable(), war, given)
        zones.append(war.ships["SUFFOLK"].zone)
        war.next_turn()
        given[BRITISH].given, given[BRITISH].turn = {}, war.turn
    assert zones[-1] == zones[-2] == "B7"
    assert "C6" in zones or war.ships["SUFFOLK"].path == ()


def test_an_order_that_cannot_be_done_says_why_and_the_standing_one_stands_in() -> None:
    war = begin()
    given, table = books(war, british="SUFFOLK: move C7; @SUFFOLK: patrol;"), FakeTable()
    war.ships["SUFFOLK"].still = war.turn
    movement.ship_phase(table, war, given)
    (failed,) = table.heard(OrderFailed, BRITISH)
    assert (failed.who, failed.verb, failed.rule) == ("Suffolk", "move", "10.25")
    assert "convoy" in failed.why
    assert war.ships["SUFFOLK"].mode == "patrol"
    assert not table.heard(OrderFailed, GERMAN)


def test_an_impossible_order_lets_the_ship_finish_its_path() -> None:
    war = begin()
    war.turn = 5
    turn_of(war, british="SUFFOLK: move D4;")
    war.ships["SUFFOLK"].hold = "patrol"
    table = turn_of(war, british="@SUFFOLK: move C7;")
    assert table.heard(OrderFailed)
    assert len(table.heard(ShipMoved, BRITISH)) >= 1


def test_5_32_5_33_patrol_is_taken_and_left_before_moving() -> None:
    war = begin()
    table = turn_of(war, british="NORFOLK: patrol;")
    assert [e.who for e in table.heard(PatrolBegun)] == ["Norfolk"]
    assert war.ships["NORFOLK"].mode == "patrol"
    turn_of(war)
    assert war.ships["NORFOLK"].mode == "patrol"
    table = turn_of(war, british="NORFOLK: move B8;")
    assert [type(e) for _, e in table.told][:2] == [PatrolEnded, ShipMoved]
    assert (war.ships["NORFOLK"].mode, war.ships["NORFOLK"].zone) == ("move", "B8")


def test_5_32_patrol_at_a_place_begins_the_turn_after_arrival() -> None:
    war = begin()
    turn_of(war, british="NORFOLK: patrol B9;")
    norfolk = war.ships["NORFOLK"]
    assert (norfolk.zone, norfolk.mode) == ("B9", "move")
    turn_of(war)
    assert norfolk.mode == "patrol"


def test_5_31_carriers_do_not_patrol() -> None:
    war = begin()
    ark = war.ships["ARK ROYAL"]
    ark.hold = ""
    table = sail(war, british="ARK ROYAL: hold;")
    assert not table.heard(OrderFailed)
    given = books(war, british="ARK ROYAL: hold; @ARK ROYAL: hold;")
    from orders.model import Action, Order

    given[BRITISH].given["ARK ROYAL"] = [Order("ARK ROYAL", (Action("patrol", {}),))]
    table = FakeTable()
    movement.ship_phase(table, war, given)
    assert [e.rule for e in table.heard(OrderFailed)] == ["5.31"]
    assert ark.mode == "move"


def test_2_51_escorts_sail_their_route_in_c_turns_only() -> None:
    war = begin()
    rodney, ramillies = war.ships["RODNEY"], war.ships["RAMILLIES"]
    track = []
    for _ in range(5):
        turn_of(war)
        track.append((rodney.zone, ramillies.zone))
    assert track == [("J17", "R7"), ("J17", "R7"), ("J16", "Q7"), ("J16", "Q7"), ("J15", "P7")]
    assert rodney.fuel == rodney.tank


@pytest.mark.parametrize("name", ["RODNEY", "RAMILLIES"])
def test_2_51_escort_routes_are_sea_ways(name: str) -> None:
    war = begin()
    way = (war.ships[name].zone, *tables.release({}).escort[name])
    lanes = {z: board.sea_steps(BRITISH, z) for z in board.SEA | board.LAND}
    assert all(b in lanes[a] for a, b in itertools.pairwise(way))


def test_2_51_an_escort_takes_no_orders() -> None:
    war = begin()
    sail(war, british="turn 9 RODNEY: move K17;")
    assert war.ships["RODNEY"].zone == "J17"


def test_10_25_who_sank_a_convoy_stays_for_a_turn() -> None:
    war = begin()
    war.turn = 9
    war.ships["BISMARCK"].still = 9
    table = turn_of(war, german="@BISMARCK: move G20;")
    assert [e.rule for e in table.heard(OrderFailed)] == ["10.25"]
    assert war.ships["BISMARCK"].zone == "F20"
    turn_of(war, german="BISMARCK: move G20;")
    assert war.ships["BISMARCK"].zone == "G20"


def test_5_29_a_carrier_that_launches_moves_one_zone() -> None:
    war = begin()
    war.turn = 9
    ship = war.ships["VICTORIOUS"]
    ship.hold = ""
    unit = war.air["VIC1"]
    unit.zone, unit.up = ship.zone, 1
    turn_of(war, british="VICTORIOUS: move G16;")
    assert len(ship.path) == 0 and ship.fuel == ship.tank and ship.zone == "G17"


SEA = sorted(board.SEA, key=board.key)


def legal(war: War, side: Side, text: str) -> str:
    """The orders if the side may send them, else none."""
    with suppress(RefusedError):
        read(war, side, text)
        return text
    return ""


@settings(max_examples=few(40), deadline=None)
@given(
    st.lists(st.sampled_from(SEA), min_size=1, max_size=4),
    st.integers(0, 6),
    st.sampled_from(["", " speed economical", " speed full"]),
)
def test_movement_keeps_its_rules_whatever_is_ordered(
    path: list[Zone], fuel: int, speed: str
) -> None:
    """5.1-5.3: neighbours only, fuel never below 0, never two zones in consecutive turns."""
    war = begin()
    war.turn = 5
    for name in ("HOOD", "BISMARCK", "SUFFOLK"):
        war.ships[name].fuel = None if war.ships[name].fuel is None else fuel
    order = f"move {' '.join(path)}{speed};"
    british = legal(war, BRITISH, f"HOOD: {order}") + legal(war, BRITISH, f"SUFFOLK: {order}")
    given = books(war, british, legal(war, GERMAN, f"BISMARCK: {order}"))
    last = {"HOOD": 0, "BISMARCK": 0}
    for _ in range(12):
        movement.ship_phase(FakeTable(), war, given)
        for ship in war.ships.values():
            lanes = {z: board.sea_steps(ship.side, z) for z in board.SEA | board.LAND}
            assert all(
                b in lanes[a] for a, b in zip((ship.origin, *ship.path), ship.path, strict=False)
            )
            assert ship.fuel is None or ship.fuel >= 0
            assert len(ship.path) <= 2
            if ship.id in last:
                assert len(ship.path) + last[ship.id] < 4
                assert "economical" not in speed or ship.spent == 0
                if fuel == 0:
                    assert len(ship.path) <= int(calendar.c_turn(war.turn))
                last[ship.id] = len(ship.path)
        war.next_turn()
        for book in given.values():
            book.given, book.turn = {}, war.turn
