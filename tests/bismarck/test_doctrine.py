"""How orders answer what a battle asks, and how captains choose what is left open."""

from __future__ import annotations

import pytest
from msgspec import convert

from games.bismarck import asks
from games.bismarck.battle import doctrine, gunnery, movement, plans
from games.bismarck.battle.charts import Range, charts
from games.bismarck.battle.movement import Place
from games.bismarck.state import BRITISH
from games.bismarck.verbs_battle import Attack
from pbem.kit.hexes import CENTRE, Facing, Hex, ahead, distance, sector
from tests.bismarck.fake_table import begin, books

C = charts({})


@pytest.mark.parametrize(
    ("orders", "answer"),
    [
        ("HOOD: range a;", "A"),
        ("HOOD: range b; HOOD: aspect bow;", "B BOW"),
        ("HOOD: aspect bow;", "CLOSE BOW"),
        ("BRITISH: range open;", "OPEN"),
        ("HOOD: range a; BRITISH: range open;", "A"),
        ("HOOD: withdraw;", "WITHDRAW"),
        ("HOOD: withdraw midships 3;", None),
        ("HOOD: withdraw midships 2;", "WITHDRAW"),
        ("HOOD: withdraw evasion 25; HOOD: range b;", "WITHDRAW"),
        ("HOOD: withdraw evasion 24;", None),
        ("HOOD: withdraw round 4;", "WITHDRAW"),
        ("HOOD: withdraw round 5;", None),
    ],
)
def test_orders_answer_how_a_ship_is_handled(orders: str, answer: str | None) -> None:
    asked = asks.Handle(
        about="Hood",
        choices=(*plans.POSTURES, "WITHDRAW"),
        default="CLOSE",
        mood="CLOSE",
        actors=("HOOD", "BRITISH"),
        hits=2,
        evasion=25,
        round=4,
    )
    book = books(begin(), orders)[BRITISH]
    assert asked.answer(book, lambda term, actor: None) == answer


def test_9_93_an_order_to_withdraw_waits_until_it_may() -> None:
    asked = asks.Handle(about="Hood", choices=("B",), default="B", actors=("HOOD",))
    book = books(begin(), "HOOD: withdraw;")[BRITISH]
    assert asked.answer(book, lambda term, actor: None) is None


@pytest.mark.parametrize(
    ("orders", "answer"),
    [
        ("HOOD: target weakest;", "WEAKEST"),
        ("HOOD: target ca;", "PRINZ EUGEN"),
        ("HOOD: target bb split;", "BISMARCK SPLIT"),
        ("HOOD: target cv;", None),
    ],
)
def test_orders_answer_whom_a_ship_fires_at(orders: str, answer: str | None) -> None:
    asked = asks.FireAt(
        about="Hood",
        choices=("BISMARCK", "PRINZ EUGEN", "NEAREST", "WEAKEST", "STRONGEST"),
        types=("BB", "CA"),
        called=("EN1", "EN2"),
        actors=("HOOD",),
    )
    book = books(begin(), orders)[BRITISH]
    assert asked.answer(book, lambda term, actor: None) == answer


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("NEAREST", "PRINZ EUGEN"),
        ("WEAKEST", "PRINZ EUGEN"),
        ("STRONGEST", "BISMARCK"),
        ("PRINZ EUGEN", "PRINZ EUGEN"),
        ("BISMARCK", "BISMARCK"),
    ],
)
def test_9_62_targets_in_the_order_wanted(word: str, first: str) -> None:
    war = begin()
    enemies = [(war.ships["BISMARCK"], Hex(5, 0)), (war.ships["PRINZ EUGEN"], Hex(3, 0))]
    assert doctrine.aimed(word, enemies, CENTRE)[0].id == first


def test_9_62_the_weakest_has_the_fewest_boxes_left() -> None:
    war = begin()
    war.ships["BISMARCK"].hits.midships = 7  # of ten; the Prinz Eugen has four
    enemies = [(war.ships["BISMARCK"], Hex(5, 0)), (war.ships["PRINZ EUGEN"], Hex(3, 0))]
    assert doctrine.aimed("WEAKEST", enemies, CENTRE)[0].id == "BISMARCK"


@pytest.mark.parametrize(
    ("posture", "start", "wanted"),
    [("CLOSE", 6, 1), ("A", 6, 3), ("A", 1, 2), ("B", 2, 4), ("OPEN", 5, 7)],
)
def test_a_captain_seeks_the_range_he_is_told_to(posture: str, start: int, wanted: int) -> None:
    war = begin()
    own, enemy = war.ships["HOOD"], war.ships["BISMARCK"]
    sight = doctrine.Sight("BISMARCK", gunnery.battery(enemy), Place(Hex(start, 0), Facing(1)))
    seen = doctrine.View(gunnery.battery(own), (sight,), posture)
    place = Place(CENTRE, Facing(0))
    for _ in range(8):
        options = movement.places(place, own.evasion, {sight.place.at}, C)
        place = doctrine.choose(seen, options, C)
    assert distance(place.at, sight.place.at) == wanted


def test_a_captain_who_closes_turns_towards_an_enemy_whom_he_cannot_reach_yet() -> None:
    war = begin()
    own, enemy = gunnery.battery(war.ships["HOOD"]), gunnery.battery(war.ships["BISMARCK"])
    sight = doctrine.Sight("BISMARCK", enemy, Place(Hex(12, 0), Facing(1)))
    options = movement.places(Place(CENTRE, Facing(1)), 3, {sight.place.at}, C)  # he may turn
    chosen = doctrine.choose(doctrine.View(own, (sight,), "A"), options, C)
    assert chosen == Place(CENTRE, Facing(0))


def test_a_captain_who_keeps_away_turns_away_though_nobody_can_reach_him() -> None:
    war = begin()
    own, enemy = gunnery.battery(war.ships["HOOD"]), gunnery.battery(war.ships["BISMARCK"])
    sight = doctrine.Sight("BISMARCK", enemy, Place(Hex(9, 0), Facing(1)))
    start = Place(CENTRE, Facing(0))
    options = movement.places(start, war.ships["HOOD"].evasion, {sight.place.at}, C)
    chosen = doctrine.choose(doctrine.View(own, (sight,), "OPEN"), options, C)
    assert sector(chosen.at, chosen.facing, sight.place.at) != "bow"


@pytest.mark.parametrize(("runs_on", "ends"), [(False, 3), (True, 5)])
def test_9_95_who_withdraws_minds_the_hex_ahead_that_is_still_to_come(
    runs_on: bool, ends: int
) -> None:
    """Bow to the enemy at four hexes and slowed, he turns about first."""
    own, enemy = gunnery.battery(begin().ships["PRINZ EUGEN"]), begin().ships["HOOD"]
    sight = doctrine.Sight("HOOD", gunnery.battery(enemy), Place(Hex(4, 0), Facing(1)))
    options = movement.places(Place(CENTRE, Facing(0)), 24, {sight.place.at}, C)
    view = doctrine.View(own, (sight,), "WITHDRAW", runs_on=runs_on)
    at = doctrine.choose(view, options, C)
    assert distance(ahead(at.at, at.facing), sight.place.at) == ends


@pytest.mark.parametrize(
    ("own", "enemies", "wanted"),
    [
        (["BISMARCK"], ["HOOD", "REPULSE"], "A"),  # 170 against 106
        (["BISMARCK"], ["HOOD", "REPULSE", "NORFOLK"], "A"),  # 121
        (["BISMARCK"], ["PRINCE OF WALES", "REPULSE"], "B"),  # 138, more than four fifths
        (["HOOD"], ["PRINCE OF WALES"], "B"),  # 66 against 98, two thirds and a little
        (["HOOD"], ["PRINCE OF WALES", "AURORA"], "WITHDRAW"),  # 107
    ],
)
def test_a_captain_without_orders_weighs_both_sides(
    own: list[str], enemies: list[str], wanted: str
) -> None:
    ships = begin().ships
    assert doctrine.posture([ships[i] for i in own], [ships[i] for i in enemies]) == wanted


@pytest.mark.parametrize(
    ("hexes", "shots", "reach"), [(1, 17, "A"), (2, 8, "A"), (5, 7, "B"), (7, 0, "B")]
)
def test_a_captain_counts_the_shots_of_either_side(hexes: int, shots: int, reach: Range) -> None:
    ready = gunnery.battery(begin().ships["BISMARCK"])
    expected = doctrine.harm(ready, hexes, "port", "broadside", False, C)
    assert expected == shots * C.worth[reach]["broadside"]


@pytest.mark.parametrize("what", ["always", "never", "weaker"])
@pytest.mark.parametrize("target", ["BB", "CA", "CV"])
@pytest.mark.parametrize("own", ["BB", "CA", "CV"])
def test_9_21_weaker_is_a_type_that_ranks_below_ones_own(own: str, target: str, what: str) -> None:
    order = convert({"what": what}, Attack)
    below = ("BB", "CA", "CV").index(own) < ("BB", "CA", "CV").index(target)
    assert (
        asks._agrees(order, f"{target} WITH {own}")
        == {"always": True, "never": False, "weaker": below}[what]
    )
