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
from games.bismarck.vessels import Battle
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


def heading(own: str, bow: int, posture: str, *enemies: tuple[str, Place], more: str = "") -> Place:
    """Where a whole ship in the centre goes, bow to that side. more: `BOW` as ordered, `RUNS` if
    the bonus move of 9.95 is still to come."""
    ships = begin().ships
    seen = tuple(doctrine.Sight(i, gunnery.battery(ships[i]), at) for i, at in enemies)
    there = {at.at for _, at in enemies}
    view = doctrine.View(
        gunnery.battery(ships[own]), seen, posture, bow=more == "BOW", runs_on=more == "RUNS"
    )
    options = movement.places(Place(CENTRE, Facing(bow)), ships[own].evasion, there, C)
    return doctrine.choose(view, options, C)


def at(q: int, r: int, bow: int) -> Place:
    return Place(Hex(q, r), Facing(bow))


@pytest.mark.parametrize(
    ("own", "bow", "posture", "enemy", "there", "goes"),
    [  # of each posture a place that more care would give up, and one that less would
        ("BISMARCK", 5, "CLOSE", "PRINCE OF WALES", at(2, -1, 0), at(1, 0, 0)),
        ("NORFOLK", 5, "CLOSE", "BISMARCK", at(2, 0, 0), at(1, 0, 0)),
        ("BISMARCK", 2, "A", "HOOD", at(3, 0, 0), at(0, 2, 1)),
        ("PRINCE OF WALES", 5, "A", "HOOD", at(5, -2, 3), at(2, -2, 5)),
        ("HOOD", 4, "B", "BISMARCK", at(5, 0, 4), at(0, 0, 4)),
        ("BISMARCK", 3, "B", "HOOD", at(3, -1, 3), at(-1, 0, 4)),
        ("KING GEORGE V", 3, "OPEN", "HOOD", at(1, 0, 1), at(-2, 0, 4)),
        ("KING GEORGE V", 3, "OPEN", "BISMARCK", at(2, 0, 2), at(-2, 0, 3)),
        ("PRINCE OF WALES", 4, "WITHDRAW", "HOOD", at(1, 0, 3), at(0, -2, 3)),
        ("PRINZ EUGEN", 5, "WITHDRAW", "NORFOLK", at(3, 0, 0), at(0, -2, 3)),
    ],
)
def test_a_captain_weighs_damage_taken_against_damage_done(
    own: str, bow: int, posture: str, enemy: str, there: Place, goes: Place
) -> None:
    """Six tenths of it where he closes, eight at A range, as much at B range, half as much again
    where he keeps away."""
    more = "RUNS" if posture == "WITHDRAW" else ""
    assert heading(own, bow, posture, (enemy, there), more=more) == goes


@pytest.mark.parametrize(
    ("own", "bow", "posture", "enemy", "there", "goes"),
    [
        ("PRINZ EUGEN", 2, "CLOSE", "BISMARCK", at(3, 0, 2), at(2, 0, 0)),  # no hex short of it
        ("BISMARCK", 2, "CLOSE", "PRINZ EUGEN", at(1, 0, 4), at(0, 0, 2)),  # is there, and shoots
        ("KING GEORGE V", 0, "B", "HOOD", at(4, 0, 4), at(0, 0, 1)),  # four hexes are B range
        ("BISMARCK", 4, "B", "KING GEORGE V", at(1, 0, 2), at(0, -2, 3)),  # bow away till then
        ("HOOD", 3, "B", "PRINCE OF WALES", at(7, 0, 0), at(0, 0, 0)),  # seven are too many
        ("BISMARCK", 0, "B", "KING GEORGE V", at(7, 0, 3), at(1, 0, 1)),  # six are not
        ("HOOD", 0, "WITHDRAW", "PRINCE OF WALES", at(7, 0, 0), at(0, 0, 2)),  # turns away there
    ],
)
def test_a_captain_keeps_to_the_edge_of_his_range(
    own: str, bow: int, posture: str, enemy: str, there: Place, goes: Place
) -> None:
    assert heading(own, bow, posture, (enemy, there)) == goes


def test_9_67_a_captain_told_to_shows_his_bow_though_his_broadside_would_do_more() -> None:
    hood = ("HOOD", at(6, 0, 4))
    assert heading("PRINCE OF WALES", 5, "B", hood, more="BOW") == at(0, 0, 0)
    assert heading("PRINCE OF WALES", 5, "B", hood) == at(0, 0, 5)


def test_who_withdraws_from_two_minds_the_nearer() -> None:
    enemies = (("PRINCE OF WALES", at(3, -1, 0)), ("KING GEORGE V", at(8, 0, 1)))
    assert heading("HOOD", 3, "WITHDRAW", *enemies, more="RUNS") == at(-2, 0, 2)


@pytest.mark.parametrize(
    ("own", "enemies", "wanted"),
    [
        (["PRINZ EUGEN"], ["NORFOLK", "SUFFOLK"], "B"),  # 20 against 30, two thirds
        (["RENOWN", "VICTORIOUS"], ["REPULSE"], "A"),  # 50 against 40, five fourths
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


def test_a_captain_without_orders_counts_the_boxes_that_are_left() -> None:
    ships = begin().ships
    ships["BISMARCK"].hits.midships = 7  # 51 against 66
    assert doctrine.posture([ships["BISMARCK"]], [ships["HOOD"]]) == "B"


@pytest.mark.parametrize(
    ("turn", "enemies", "mood"),
    [
        (13, ["PRINCE OF WALES"], "A"),  # 66 against 98: B range, at which nobody fires by night
        (13, ["PRINCE OF WALES", "AURORA"], "WITHDRAW"),  # 107
        (10, ["PRINCE OF WALES"], "B"),  # by day
    ],
)
def test_11_12_by_night_even_sides_close_and_the_weaker_still_withdraws(
    turn: int, enemies: list[str], mood: str
) -> None:
    war = begin()
    war.turn = turn
    sides = [war.ships["HOOD"]], [war.ships[i] for i in enemies]
    assert plans._mood(war, Battle("H5", BRITISH), *sides) == mood


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
        asks.agrees(order, f"{target} WITH {own}")
        == {"always": True, "never": False, "weaker": below}[what]
    )
