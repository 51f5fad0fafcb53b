"""6 Air units: modes, routes, endurance, return, rest and refit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bismarck import air, board
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.events import AirFlew, AirLanded, AirLost, EnemyAirLost, OrderFailed, Scored
from games.bismarck.state import War
from pbem.kit.checks import Refused
from tests.bismarck.fake_table import FakeTable, begin, books
from tests.counts import few


def fly(war: War, british: str = "", german: str = "", end: bool = True) -> FakeTable:
    """4.4, and 4.7 too unless `end` is false."""
    table = FakeTable()
    air.movement_phase(table, war, books(war, british, german))
    if end:
        finish(table, war)
    return table


def finish(table: FakeTable, war: War) -> None:
    air.landing(table, war)
    war.next_turn()


def test_6_13_a_unit_flies_up_to_its_speed_and_carries_on() -> None:
    war = begin()
    unit = war.air["PLYM1"]
    fly(war, british="PLYM1: fly O14;")
    assert (unit.zone, unit.up, unit.mode) == ("O16", 1, "move")
    fly(war)
    assert (unit.zone, unit.left) == ("O14", 3)


@pytest.mark.parametrize(
    ("zone", "code", "rule", "why"),
    [
        ("L22", "over-britain", "6.12", "there is no way to L22 but over Great Britain"),
        ("A99", "not-on-map", "6.14", "A99 is not a zone of the board"),
    ],
)
def test_6_12_6_14_no_way_leads_over_great_britain_or_off_the_board(
    zone: str, code: str, rule: str, why: str
) -> None:
    with pytest.raises(Refused) as refused:
        air.route(GERMAN, Zone("P22"), [Zone("P21"), Zone(zone)])
    assert (refused.value.code, refused.value.rule, refused.value.item) == (code, rule, 1)
    assert why in str(refused.value.text)


def test_6_22_out_and_back_within_endurance() -> None:
    """Speed 6, endurance 2: up to six zones out, and back in the next turn."""
    war = begin()
    unit = war.air["BREST BOMBERS"]
    table = fly(war, german="BREST BOMBERS: fly P17;")
    assert (unit.zone, unit.left) == ("P17", 1)
    table = fly(war)
    assert not unit.flying
    assert [e.base for e in table.heard(AirLanded)] == ["Brest"]
    assert not table.heard(AirLost)


def test_6_22_the_last_turn_of_the_endurance_may_be_ordered_home() -> None:
    war = begin()
    unit = war.air["BREST BOMBERS"]
    fly(war, german="BREST BOMBERS: fly P17 P23;")
    assert unit.zone == "P17"
    table = fly(war)
    assert [e.base for e in table.heard(AirLanded)] == ["Brest"]
    assert not unit.flying and not unit.lost


def test_6_21_a_unit_over_its_base_lands_only_when_its_endurance_is_spent() -> None:
    """6.21: it may stay up for fewer turns than it can, but need not: Plymouth and back, twice."""
    war = begin()
    unit, left = war.air["PLYM1"], []
    fly(war, british="PLYM1: fly O17 O22 O17 O22;")
    for _ in range(3):
        fly(war)
        left.append((unit.zone, unit.left))
    assert left == [("O20", 3), ("O20", 2), ("O22", 1)]
    fly(war)
    assert (unit.flying, unit.lost) == (False, False)


def test_6_23_a_bomber_back_over_its_carrier_is_up_until_the_end_of_the_attacks() -> None:
    war = begin()
    ark, unit = war.ships["ARK ROYAL"], war.air["ARK1"]
    ark.hold, ark.zone = "", Zone("Q20")
    table = fly(war, british="ARK1: fly Q19 Q20;", end=False)
    assert unit.zone == "Q20" and not table.heard(AirLanded)
    finish(table, war)
    assert not unit.flying and table.heard(AirLanded)


def test_6_21_a_unit_whose_carrier_sank_flies_nowhere_and_is_lost() -> None:
    """6.21, 6.43: no flight leads home any more; what was ordered is not flown on."""
    war = begin()
    unit, carrier = war.air["VIC1"], war.ships["VICTORIOUS"]
    carrier.hold, carrier.zone = "", Zone("H10")
    fly(war, british="VIC1: fly H4 H10 mode recon;")
    assert unit.zone == "H4"
    carrier.sunk = True
    table = fly(war)
    assert [e.zone for e in table.heard(AirFlew)] == ["H4"]
    assert unit.lost and [e.points for e in table.heard(Scored)] == [2]


def test_6_21_nobody_flies_past_the_endurance() -> None:
    war = begin()
    table = fly(war, german="BREST BOMBERS: if turn over 1 then fly P16;")
    (failed,) = table.heard(OrderFailed)
    assert failed.rule == "6.21"
    assert not war.air["BREST BOMBERS"].flying


def test_6_23_a_torpedo_bomber_lands_on_a_carrier_that_moved_away() -> None:
    """Speed 5, endurance 1: two zones out, the Ark Royal moves one away, three zones home."""
    war = begin()
    ark, unit = war.ships["ARK ROYAL"], war.air["ARK1"]
    ark.hold = ""
    ark.zone = Zone("Q20")
    table = fly(war, british="ARK1: fly Q18 mode attack;", end=False)
    assert (unit.zone, unit.used, unit.home) == ("Q18", 2, True)
    ark.zone = Zone("Q21")
    finish(table, war)
    assert not unit.flying and not unit.lost and unit.ready == 6


def test_6_23_one_zone_more_and_it_is_lost() -> None:
    """6.21, 12.43: out of reach of its base, the unit is lost and the German has two points."""
    war = begin()
    ark, unit = war.ships["ARK ROYAL"], war.air["ARK1"]
    ark.hold = ""
    ark.zone = Zone("Q20")
    table = fly(war, british="ARK1: fly Q18;", end=False)
    ark.zone = Zone("Q22")
    finish(table, war)
    assert unit.lost
    assert [to for to, e in table.told if isinstance(e, AirLost)] == [(BRITISH,)]
    assert [to for to, e in table.told if isinstance(e, EnemyAirLost)] == [(GERMAN,)]
    assert [(e.side, e.points, e.rule) for e in table.heard(Scored)] == [(GERMAN, 2, "12.43")]
    assert unit not in war.wing(BRITISH)


def test_6_23_a_carrier_may_come_to_meet_it() -> None:
    """Three zones out leave two: allowed, because the carrier can close by one (5.29)."""
    war = begin()
    ark, unit = war.ships["ARK ROYAL"], war.air["ARK1"]
    ark.hold = ""
    ark.zone = Zone("Q20")
    table = fly(war, british="ARK1: fly Q17;", end=False)
    assert unit.flying and not table.heard(OrderFailed)
    ark.zone = Zone("Q19")
    finish(table, war)
    assert not unit.lost
    table = fly(war, british="ARK2: if turn over 1 then fly Q15;")
    assert table.heard(OrderFailed)


def test_6_42_rest_for_one_whole_turn() -> None:
    """Back at 0800, at rest at 1200, in the air again at 1600."""
    war = begin()
    war.turn = 9
    fly(war, british="SCAPA BOMBERS: fly H16 mode attack;")
    unit = war.air["SCAPA BOMBERS"]
    assert unit.ready == 11
    table = fly(war, british="SCAPA BOMBERS: if turn over 1 then fly H16;")
    assert [e.rule for e in table.heard(OrderFailed)] == ["6.42"]
    table = fly(war, british="SCAPA BOMBERS: fly H16;")
    assert table.heard(AirFlew)


@pytest.mark.parametrize(
    ("unit", "mode", "speed"),
    [
        ("VIC1", "attack", 5),
        ("VIC1", "recon", 6),
        ("SCAPA1", "move", 6),
        ("SCAPA1", "patrol", 2),
        ("BREST BOMBERS", "attack", 6),
        ("BORD1", "move", 7),
    ],
)
def test_6_3_modes(unit: str, mode: str, speed: int) -> None:
    war = begin()
    about = air.wings(war, war.air[unit])
    assert about.face(air.pick_mode(about, mode)).speed == speed


@pytest.mark.parametrize(
    ("unit", "mode", "code"),
    [
        ("BREST BOMBERS", "recon", "no-recon"),
        ("SCAPA1", "attack", "bad-mode"),
        ("VIC1", "patrol", "bad-mode"),
    ],
)
def test_2_434_modes_a_counter_has_not(unit: str, mode: str, code: str) -> None:
    war = begin()
    with pytest.raises(Refused) as caught:
        air.pick_mode(air.wings(war, war.air[unit]), mode)
    assert caught.value.code == code


def test_6_31_a_bomber_keeps_the_mode_it_took_off_in() -> None:
    war = begin()
    fly(war, british="PLYMOUTH BOMBERS: fly O17 mode recon;")
    unit = war.air["PLYMOUTH BOMBERS"]
    assert (unit.mode, unit.search) == ("recon", (4, 2))
    about = air.wings(war, unit)
    with pytest.raises(Refused) as caught:
        air.pick_mode(about, "attack")
    assert caught.value.rule == "6.31"
    assert air.pick_mode(about, "") == "recon"


def test_6_32_6_33_lr_recon_turns_to_patrol_before_it_moves() -> None:
    war = begin()
    unit = war.air["HVAL1"]
    fly(war, british="HVAL1: fly F8;")
    fly(war, british="HVAL1: patrol F6;")
    assert (unit.zone, unit.mode, unit.search) == ("F6", "patrol", (6, 3))
    fly(war, british="HVAL1: fly F8 mode move;")
    assert (unit.mode, unit.zone) == ("move", "F8")


def test_6_21_a_unit_without_orders_turns_home_in_time() -> None:
    war = begin()
    unit = war.air["SCAPA1"]
    lost: list[object] = []
    landed: list[object] = []
    for turn in range(7):
        table = fly(war, british="SCAPA1: fly K14;" if turn == 0 else "")
        lost += table.heard(AirLost)
        landed += table.heard(AirLanded)
        assert unit.up <= 5
    assert landed and not lost


def test_4_7_return_after_one_turn() -> None:
    war = begin()
    table = fly(war, british="SCAPA1: fly H16 return;")
    assert table.heard(AirLanded)
    assert war.air["SCAPA1"].ready == 6


def test_6_2_return_takes_the_shortest_way() -> None:
    war = begin()
    fly(war, british="SCAPA1: fly H12;")
    table = fly(war, british="SCAPA1: return;")
    assert [e.zone for e in table.heard(AirFlew)] == ["H18"]
    assert table.heard(AirLanded)


def test_6_12_german_air_goes_round_britain_but_may_cross_eire() -> None:
    way = board.fly(GERMAN, Zone("P22"), Zone("J22"))
    free = board.distance("P22", "J22")
    assert way and len(way) > free
    with pytest.raises(Refused) as caught:
        air.route(GERMAN, Zone("O21"), (Zone("N21"),))
    assert caught.value.rule == "6.12"
    assert air.route(GERMAN, Zone("M18"), (Zone("M19"), Zone("L18"))) == ("M19", "L18")


def test_5_29_the_carrier_knows_that_it_launched() -> None:
    from games.bismarck import taskforce

    war = begin()
    fly(war, british="VIC1: fly G16;", end=False)
    assert taskforce.engine(war, war.ships["VICTORIOUS"]).launched
    assert not taskforce.engine(war, war.ships["ARK ROYAL"]).launched


def test_6_43_a_unit_whose_carrier_is_sunk_stays_down() -> None:
    war = begin()
    war.ships["VICTORIOUS"].sunk = True
    table = fly(war, british="VIC1: if turn over 1 then fly G16;")
    assert [e.rule for e in table.heard(OrderFailed)] == ["6.43"]


ZONES = sorted(board.SEA | board.LAND, key=board.key)
UNITS = ["SCAPA1", "BREST BOMBERS", "VIC1", "BORD1", "EIRE BOMBERS"]


@settings(max_examples=few(40), deadline=None)
@given(st.lists(st.sampled_from(ZONES), min_size=1, max_size=3), st.sampled_from(UNITS))
def test_air_units_are_conserved_and_never_stay_too_long(path: list[Zone], name: str) -> None:
    """6.13, 6.21: each leg within speed, endurance kept, land bases lose nobody, none vanish."""
    war = begin()
    unit = war.air[name]
    text = f"@{name}: fly {' '.join(path)};"
    given_ = books(war, text, "") if unit.side == BRITISH else books(war, "", text)
    for _ in range(9):
        table = FakeTable()
        start = unit.zone or air.base_zone(war, unit)
        air.movement_phase(table, war, given_)
        assert unit.used <= unit.face.speed
        assert unit.up <= unit.face.endurance
        lanes = {z: board.air_steps(unit.side, z) for z in board.SEA | board.LAND}
        steps = zip((start, *unit.path), unit.path, strict=False)
        assert all(b in lanes[a] for a, b in steps)
        finish(table, war)
    assert not unit.lost
    assert len(war.air) == 22
