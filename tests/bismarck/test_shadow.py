"""8: who can shadow what, every cell of the shadow table, the two phases."""

from __future__ import annotations

import pytest

from games.bismarck import asks, contacts, knowledge, search, shadow, shadowing, taskforce
from games.bismarck import events_battle as ev
from games.bismarck.board import Zone
from games.bismarck.events import Located, ShipMoved
from games.bismarck.state import BRITISH, GERMAN, Plan, TaskForce, War
from tests.bismarck.deck import Deck
from tests.bismarck.fake_table import begin, books
from tests.bismarck.test_determination import sea
from tests.casetable import run

CHART = shadow.chart({})
HERE = Zone("H5")


def strait(*ids: str, level: int = 4, turn: int = 10) -> War:
    """Those ships in H5 by day, the Germans located last turn and known to the British."""
    war = sea(["BISMARCK", *ids])
    war.turn, war.level, war.fog = turn, level, False
    for ship in war.ships.values():
        ship.zone = HERE if ship.zone else ship.zone
    war.located_last[BRITISH] = ["BISMARCK"]
    war.located = {BRITISH: [], GERMAN: []}
    seen = contacts.sightings(war, BRITISH, [war.ships["BISMARCK"]])
    told = Located(rule="7.23", zone=HERE, seen=seen)
    knowledge.learn(war.known[BRITISH], turn - 1, told)
    return war


# 8.15 The table

ROWS = [
    ("A", False, 3),
    ("B", False, 4),
    ("C", False, 5),
    ("A", True, 2),
    ("B", True, 3),
    ("C", True, 4),
]


@pytest.mark.parametrize(("class_", "night", "upto"), ROWS)
@pytest.mark.parametrize("die", range(1, 7))
def test_8_15_every_cell(class_: str, night: bool, upto: int, die: int) -> None:
    assert shadow.holds(CHART, class_, night, die, 0) is (die <= upto)


@pytest.mark.parametrize(
    ("name", "class_"),
    [
        *[(n, "A") for n in ("Ramillies", "Revenge", "Birmingham", "Dorsetshire", "Kenya")],
        *[(n, "A") for n in ("Manchester", "Norfolk", "Repulse", "Renown", "Sheffield")],
        *[(n, "B") for n in ("Rodney", "Hood", "King George V", "Prince of Wales", "LR recon")],
        *[(n, "C") for n in ("Arethusa", "Aurora", "Edinburgh", "Galatea", "Hermione", "Suffolk")],
    ],
)
def test_8_15_the_classes(name: str, class_: str) -> None:
    assert shadow.class_of(CHART, [name]) == class_


def test_every_ship_but_the_carriers_has_a_class() -> None:
    war = begin()
    names = {s.name for s in war.ships.values() if s.side == BRITISH and s.type != "CV"}
    assert names <= set(CHART.classes)


def test_a_task_force_has_its_best_class() -> None:
    assert shadow.class_of(CHART, ["Norfolk", "Suffolk"]) == "C"


@pytest.mark.parametrize(
    ("level", "plus"),
    [(1, -1), (2, 0), (3, 0), (4, 0), (5, 0), (6, 1), (7, 1), (8, 2), (9, 2)],
)
def test_8_17_visibility(level: int, plus: int) -> None:
    assert CHART.modifier(level, two_zones=False) == plus
    assert CHART.modifier(level, two_zones=True) == plus + 1  # 8.18, errata: increased


def test_the_modified_die_stays_a_die() -> None:
    assert shadow.holds(CHART, "C", False, 1, -1)
    assert not shadow.holds(CHART, "C", False, 6, 3)


# 8.13, 8.14 Who can shadow


@pytest.mark.parametrize(
    ("ids", "able"),
    [
        (["SUFFOLK"], ["SUFFOLK"]),
        (["HOOD"], ["HOOD"]),  # equal evasion suffices (ruling 6)
        (["RODNEY"], []),
        (["ARK ROYAL"], []),
        (["SUFFOLK", "NORFOLK", "HOOD"], ["SUFFOLK", "HOOD", "NORFOLK"]),
    ],
)
def test_8_14_ships_by_evasion_best_first(ids: list[str], able: list[str]) -> None:
    war = strait(*ids)
    found = shadow.eligible(war, [war.ships["BISMARCK"]], HERE)
    assert [s.id for s in found] == able


def test_8_14_of_equals_a_ship_comes_before_an_aircraft() -> None:
    war = strait("HOOD")
    war.air["EIRE1"].zone, war.air["EIRE1"].mode, war.air["EIRE1"].up = HERE, "patrol", 1
    found = shadow.eligible(war, [war.ships["BISMARCK"]], HERE)
    assert [(s.id, s.class_) for s in found] == [("HOOD", "B"), ("EIRE1", "B")]


def test_8_14_every_ship_of_a_force_has_to_be_fast_enough() -> None:
    war = strait("NORFOLK", "RODNEY")
    war.forces[BRITISH]["TF1"] = TaskForce("TF1", ["NORFOLK", "RODNEY"])
    war.ships["NORFOLK"].force = war.ships["RODNEY"].force = "TF1"
    assert shadow.eligible(war, [war.ships["BISMARCK"]], HERE) == []
    war.ships["BISMARCK"].hits.permanent = 8  # 21, as Rodney
    assert [s.id for s in shadow.eligible(war, [war.ships["BISMARCK"]], HERE)] == ["TF1"]


@pytest.mark.parametrize(
    ("level", "turn", "able"), [(6, 10, True), (7, 10, False), (3, 7, True), (4, 7, False)]
)
def test_8_14_air_on_patrol_by_day_to_six_and_by_night_to_three(
    level: int, turn: int, able: bool
) -> None:
    war = strait(level=level, turn=turn)
    unit = war.air["SCAPA1"]
    unit.zone, unit.mode, unit.up = HERE, "patrol", 1
    found = shadow.eligible(war, [war.ships["BISMARCK"]], HERE)
    assert [s.id for s in found] == (["SCAPA1"] if able else [])


def test_8_14_an_air_unit_has_to_be_able_to_stay_up() -> None:
    war = strait()
    unit = war.air["SCAPA1"]
    unit.zone, unit.mode, unit.up = HERE, "patrol", unit.front.endurance - 1
    assert shadow.eligible(war, [war.ships["BISMARCK"]], HERE) == []


# 4.3 The phase

ROLL = f"SHADOW/HOLD/{HERE}/GERMAN"


def play(
    war: War, die: int, german: str = "", given: dict[tuple[str, str], str] | None = None
) -> Deck:
    both = books(war, german=german)
    table = Deck(war, {ROLL: [(die,)]}, given, both)
    run(shadowing.determination(table, war, both))
    return table


@pytest.mark.parametrize(("die", "held"), [(5, True), (6, False)])
def test_8_15_suffolk_by_day_holds_on_one_to_five(die: int, held: bool) -> None:
    war = strait("SUFFOLK")
    table = play(war, die, "BISMARCK: move I5;")
    assert war.ships["BISMARCK"].zone == "I5"
    assert ("BISMARCK" in war.located[BRITISH]) is held
    assert war.shadowed == (["BISMARCK"] if held else [])
    (heard,) = table.heard(ev.Shadowed, GERMAN)
    assert heard.held is held
    assert not table.heard(ev.Shadowed, BRITISH)
    if held:
        (seen,) = table.heard(ev.ShadowHeld, BRITISH)
        assert (seen.zone, seen.by) == ("I5", "Suffolk")
        assert seen.why == f"rolled {die}, holds on 1-5"
        assert war.known[BRITISH].contacts["EN1"].zone == "I5"
        assert not table.heard(ev.ShadowHeld, GERMAN)  # 8.15: no names of the shadowers
    else:
        assert table.heard(ev.ShadowLost, BRITISH)


def test_8_15_the_german_is_not_told_what_it_needed() -> None:
    war = strait("SUFFOLK")
    (heard,) = play(war, 3, "BISMARCK: move I5;").heard(ev.Shadowed, GERMAN)
    assert heard.why == "rolled 3"


def test_8_18_two_zones_add_one() -> None:
    war = strait("SUFFOLK")
    table = play(war, 5, "BISMARCK: move I5 J5;")
    assert war.ships["BISMARCK"].zone == "J5"
    assert table.heard(ev.ShadowLost)[0].why == "rolled 5 +1, holds on 1-5"


def test_8_11_the_shadowed_ship_moves_once() -> None:
    from games.bismarck import movement

    war = strait("SUFFOLK")
    both = books(war, german="BISMARCK: move I5 J5 K5;")
    table = Deck(war, {ROLL: [(1,)]}, None, both)
    run(shadowing.determination(table, war, both))
    movement.ship_phase(table, war, both)
    assert len(table.heard(ShipMoved, GERMAN)) == 1
    war2 = strait("SUFFOLK")
    both2 = books(war2, german="BISMARCK: hold;")
    table2 = Deck(war2, {ROLL: [(1,)]}, None, both2)
    run(shadowing.determination(table2, war2, both2))
    assert war2.moved == ["BISMARCK"]


def test_8_11_orders_may_hang_on_being_shadowed() -> None:
    war = strait("SUFFOLK")
    play(war, 1, "BISMARCK: if shadowed then move G5 else move I5;")
    assert war.ships["BISMARCK"].zone == "G5"


def test_8_11_only_what_was_located_last_turn() -> None:
    war = strait("SUFFOLK")
    war.located_last[BRITISH] = []
    assert shadow.targets(war) == []
    assert play(war, 1).labels == []


def test_8_13_who_shadows_is_the_owners_choice_and_he_may_decline() -> None:
    war = strait("SUFFOLK", "NORFOLK")
    chosen = play(war, 4, given={("ShadowBy", "EN1"): "NORFOLK"})
    assert chosen.heard(ev.ShadowLost)[0].why == "rolled 4, holds on 1-3"
    assert war.shadowing == {"NORFOLK": []}  # lost, and spent
    assert play(strait("SUFFOLK"), 1, given={("ShadowBy", "EN1"): "NONE"}).labels == []


def test_8_13_orders_answer_who_shadows() -> None:
    war = strait("SUFFOLK", "NORFOLK")
    asked = asks.ShadowBy(
        about="EN1", choices=("SUFFOLK", "NORFOLK", "NONE"), default="SUFFOLK", side="BRITISH"
    )
    both = books(war, "BRITISH: shadow EN1 by NORFOLK;")
    assert asked.answer(both[BRITISH], lambda term, actor: None) == "NORFOLK"
    none = books(war, "BRITISH: shadow none;")
    assert asked.answer(none[BRITISH], lambda term, actor: None) == "NONE"
    auto = books(war, "BRITISH: shadow auto;")
    assert asked.answer(auto[BRITISH], lambda term, actor: None) is None


def test_8_13_a_shadow_does_not_search() -> None:
    from games.bismarck import search

    war = strait("SUFFOLK")
    war.ships["SUFFOLK"].mode = "patrol"
    assert search.open_zones(war, BRITISH).count(HERE) == 1
    war.shadowing = {"SUFFOLK": ["BISMARCK"]}
    assert HERE not in search.open_zones(war, BRITISH)


def test_8_16_a_force_that_broke_up_tells_which_types_left() -> None:
    war = strait("SUFFOLK", "PRINZ EUGEN")
    war.located_last[BRITISH] = ["BISMARCK", "PRINZ EUGEN"]
    war.forces[GERMAN]["TF1"] = TaskForce("TF1", ["BISMARCK", "PRINZ EUGEN"])
    for id_ in ("BISMARCK", "PRINZ EUGEN"):
        war.ships[id_].force = "TF1"
    seen = contacts.sightings(war, BRITISH, [war.ships["BISMARCK"], war.ships["PRINZ EUGEN"]])
    told = Located(rule="7.23", zone=HERE, seen=seen)
    knowledge.learn(war.known[BRITISH], war.turn - 1, told)
    del war.forces[GERMAN]["TF1"]
    war.ships["BISMARCK"].force = war.ships["PRINZ EUGEN"].force = ""
    war.ships["PRINZ EUGEN"].zone = Zone("I6")
    table = play(war, 1)
    (split,) = table.heard(ev.ForceSplit, BRITISH)
    assert split.types == ("CA",)
    war.ships["PRINZ EUGEN"].sunk = True
    assert not shadow.left_force(war, taskforce.counters(war, GERMAN)[0])


def test_8_16_a_force_that_broke_up_before_is_not_told_of_again() -> None:
    war = strait("SUFFOLK", "PRINZ EUGEN")
    both = [war.ships["BISMARCK"], war.ships["PRINZ EUGEN"]]
    for ship in both:
        ship.force = "TF1"
    seen = contacts.sightings(war, BRITISH, both)
    told = Located(rule="7.23", zone=HERE, seen=seen)
    knowledge.learn(war.known[BRITISH], war.turn - 2, told)
    for ship in both:
        ship.force = ""
    (counter,) = [c for c in taskforce.counters(war, GERMAN) if c.id == "BISMARCK"]
    assert shadow.left_force(war, counter) == []


def test_8_16_a_ship_sunk_since_has_not_left_the_force() -> None:
    war = strait("SUFFOLK", "PRINZ EUGEN")
    both = [war.ships["BISMARCK"], war.ships["PRINZ EUGEN"]]
    war.forces[GERMAN]["TF1"] = TaskForce("TF1", [s.id for s in both])
    for ship in both:
        ship.force = "TF1"
    seen = contacts.sightings(war, BRITISH, both)
    told = Located(rule="7.23", zone=HERE, seen=seen)
    knowledge.learn(war.known[BRITISH], war.turn - 1, told)
    war.ships["PRINZ EUGEN"].sunk = True
    taskforce.remove_sunk(war)
    (counter,) = taskforce.counters(war, GERMAN)
    assert shadow.left_force(war, counter) == []


# 8.2 High-speed shadow


def chase(
    *ids: str, die: int = 1, given: dict[tuple[str, str], str] | None = None
) -> tuple[War, Deck]:
    """The Bismarck went through H5 to I5; those ships are in H5."""
    war = strait(*ids)
    ship = war.ships["BISMARCK"]
    ship.path, ship.zone = (HERE, Zone("I5")), Zone("I5")
    table = Deck(war, {ROLL: [(die,)]}, given)
    run(shadowing.high_speed(table, war, [(HERE, [ship])], books(war)[BRITISH]))
    return war, table


def test_8_22_the_two_zone_move_counts() -> None:
    war, table = chase("SUFFOLK", die=5)
    assert table.heard(ev.ShadowLost)[0].why == "rolled 5 +1, holds on 1-5"
    assert war.ships["SUFFOLK"].zone == HERE


def test_8_23_units_with_movement_left_follow() -> None:
    war, table = chase("SUFFOLK", "NORFOLK", die=4, given={("Follow", "Norfolk"): "NO"})
    assert table.heard(ev.ShadowHeld)[0].zone == "I5"
    assert (war.ships["SUFFOLK"].zone, war.ships["NORFOLK"].zone) == ("I5", HERE)
    assert table.heard(ev.Followed, BRITISH)[0].who == ("Suffolk",)
    assert "BISMARCK" in war.located[BRITISH]


@pytest.mark.parametrize(
    ("ship", "path", "fuel", "mode", "goes", "left"),
    [
        ("HOOD", (), 3, "move", True, 3),
        ("HOOD", ("G5",), 3, "move", True, 2),  # second zone: a factor
        ("HOOD", ("G5",), 0, "move", False, 0),
        ("HOOD", ("G4", "G5"), 3, "move", False, 3),
        ("HOOD", (), 3, "patrol", True, 2),  # 8.24
        ("NORFOLK", ("G5",), None, "move", True, None),
        ("NORFOLK", (), None, "patrol", True, None),
    ],
)
def test_8_23_8_24_what_following_takes(
    ship: str, path: tuple[str, ...], fuel: int | None, mode: str, goes: bool, left: int | None
) -> None:
    war = strait(ship)
    vessel = war.ships[ship]
    vessel.path, vessel.fuel = tuple(map(Zone, path)), fuel
    vessel.mode = "patrol" if mode == "patrol" else "move"
    bismarck = war.ships["BISMARCK"]
    bismarck.path, bismarck.zone = (HERE, Zone("I5")), Zone("I5")
    table = Deck(war, {ROLL: [(1,)]})
    run(shadowing.high_speed(table, war, [(HERE, [bismarck])], books(war)[BRITISH]))
    assert vessel.zone == ("I5" if goes else HERE)
    assert vessel.fuel == left
    assert vessel.spent == (fuel or 0) - (left or 0)
    assert vessel.mode == "move" or not goes


def test_8_23_who_follows_has_left_its_way() -> None:
    war = strait("SUFFOLK", "HOOD")
    war.ships["HOOD"].plan = Plan((Zone("F3"),), (Zone("G4"), Zone("F3")))
    bismarck = war.ships["BISMARCK"]
    bismarck.path, bismarck.zone = (HERE, Zone("I5")), Zone("I5")
    deck = Deck(war, {ROLL: [(1,)]})
    run(shadowing.high_speed(deck, war, [(HERE, [bismarck])], books(war)[BRITISH]))
    hood = war.ships["HOOD"]
    assert hood.zone == "I5"
    assert hood.plan is None


def test_8_21_only_the_first_of_two_zones() -> None:
    war = strait()
    ship = war.ships["BISMARCK"]
    ship.path = (HERE, Zone("I5"))
    assert search.gone_through(war, ship) == HERE
    ship.path = (HERE,)
    assert not search.gone_through(war, ship)
