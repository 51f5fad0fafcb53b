"""Worked examples of the rules in figures: those that no position shows better (V9 to V18, V31)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.baltic import activation, between, courses, damage, gunnery, hulls, raids, special
from games.baltic.collisions import needed
from games.baltic.courses import Sailing, Step
from games.baltic.facts import aspect
from games.baltic.gunnery import in_arc, table_dice
from games.baltic.setup import begin
from games.baltic.state import Vessel
from games.baltic.tables import (
    Arc,
    Weapon,
    critical,
    effective,
    names,
    sheets,
    telegraph,
    template,
    weapons,
)
from pbem.kit import plane
from pbem.kit.plane import Pose

RIG = begin("melee", {}, {})


def vessel(name: str, side: str = "") -> Vessel:
    """A sound vessel of a type, lying at (20, 20) inches with its bow to the north."""
    sheet = sheets()[name]
    found = RIG.sides[0] if not side else next(s for s in RIG.sides if s == side)
    return Vessel(name, name, found, name, name, 20000, 20000, 0, sheet.hull, sheet.ram, moved=1)


def dice(firepower: int, column: int) -> int:
    """Table 1."""
    return table_dice(firepower, column)


def test_v1_firepower_10_at_a_capital_broadside() -> None:
    target = vessel("HOCHMEISTER")
    columns = [
        gunnery.column(target, "broadside", "half", mils, False, False)
        for mils in (15000, 8000, 25000)
    ]
    assert [dice(10, column) for column in columns] == [4, 5, 2]


def test_v2_firepower_9_of_a_battleship_at_a_destroyer() -> None:
    target = vessel("STAMM")
    seen = [("half", 15000), ("half", 25000), ("flank", 25000)]
    columns = [gunnery.column(target, "closing", s, mils, False, False) for s, mils in seen]
    halves = damage.halves("B", target, down=False)
    assert [dice(9, column) * halves // 2 for column in columns] == [10, 6, 4]


def test_v3_aerial_corvettes() -> None:
    target = vessel("LOUHI")
    columns = [
        gunnery.column(target, "closing", "full", mils, False, False) for mils in (15000, 9000)
    ]
    assert [dice(10, column) for column in columns] == [2, 4]
    assert damage.halves("C", target, down=False) == damage.halves("B", target, down=False) == 4


def test_v4_halves_are_rounded_down() -> None:
    ship, boat = vessel("HOCHMEISTER"), vessel("STAMM")
    ship.hull, boat.coherent = 4, False
    gun, tube = weapons("STAMM")
    assert damage.firepower(ship, weapons("HOCHMEISTER")[0]) == 4
    assert dice(4, 2) == 3
    assert (damage.firepower(boat, gun), damage.firepower(boat, tube)) == (1, 1)
    assert (damage.anti_aircraft(boat), damage.charges(boat)) == (0, 0)


def test_v5_a_wreck_at_rest() -> None:
    target = vessel("HOCHMEISTER")
    target.hull = 0
    column = gunnery.column(target, "broadside", "stop", 8000, False, False)
    assert (column, dice(10, column)) == (1, 9)


def test_v6_secondary_guns() -> None:
    first, target = vessel("HOCHMEISTER"), vessel("VASA")
    main, secondary = weapons("HOCHMEISTER")[0], weapons("HOCHMEISTER")[3]
    found = [
        damage.halves(damage.artillery(first, w), target, down=False) for w in (main, secondary)
    ]
    assert found == [2, 1]
    assert (dice(5, 4) * 1 // 2, dice(9, 4) * 2 // 2) == (1, 3)


def test_v7_a_flying_cruiser() -> None:
    target = vessel("ROVFAGEL")
    assert dice(7, 4) * damage.halves("C", target, down=False) // 2 == 4
    assert dice(12, 4) * damage.halves("D", target, down=False) // 2 == 4


def test_v8_a_cruiser_with_her_hull_down() -> None:
    assert dice(7, 2) * damage.halves("C", vessel("ILMARINEN"), down=True) // 2 == 2


def test_v9_firepower_of_30_in_two_rows() -> None:
    assert (dice(24, 4), dice(6, 4), dice(30, 4)) == (9, 2, 11)


@pytest.mark.parametrize(
    ("arc", "bearing", "wanted"),
    [
        ("F", 720, True),
        ("S", 720, True),
        ("F", 721, False),
        ("S", 721, True),
        ("FT", 2160, True),
        ("FT", 2161, False),
        ("AT", 720, True),
        ("AT", -719, False),
        ("A", 2160, True),
        ("P", -2160, True),
        ("P", -719, False),
        ("BR", -720, True),
        ("BR", 2161, False),
        ("T", 2880, True),
        ("none", 0, False),
    ],
)
def test_v10_arcs(arc: Arc, bearing: int, wanted: bool) -> None:
    assert in_arc(arc, bearing) is wanted


def test_v11_bearings() -> None:
    ways = [(0, 1), (1000, 1000), (3000, 4000), (-1000, 0), (-1, -1000), (5000, -12000)]
    assert [plane.bearing((0, 0), way) for way in ways] == [0, 720, 590, 4320, 2881, 2518]


def test_v12_aspects() -> None:
    target = vessel("VASA")
    firers = [(20000, 30000), (30000, 20000), (20000, 9000), (27000, 27000)]
    assert [aspect(target, *firer) for firer in firers] == [
        *("closing", "broadside", "moving away", "closing")
    ]


def test_v13_turns() -> None:
    def turned(name: str, angle: int, heading: int = 0) -> Pose:
        eighth, radius = template(name)
        how = Sailing(0, 99000, eighth, radius, False)
        return courses.after(Pose(0, 0, heading), Step(angle, 0), how)

    assert turned("S", 720) == Pose(746, 1800, 720)
    assert turned("S", -720) == Pose(-746, 1800, 5040)
    assert turned("M", 1440) == Pose(3820, 3820, 1440)
    assert turned("M", 720, 1440) == Pose(2701, -1119, 2160)


def test_v14_a_course_and_what_settings_allow_it() -> None:
    steps = [courses.leg("ahead", "2"), courses.leg("starboard", "45"), courses.leg("ahead", "1")]
    how = courses.sailing("C", "half", "M", 0, 0)
    assert courses.end(Pose(10000, 10000, 0), steps, how) == Pose(11826, 15408, 720)
    assert courses.total(steps, how.eighth) == 6000
    spans = [telegraph("C")[4], telegraph("B")[4], telegraph("C")[3], telegraph("B")[3]]
    assert [low <= 6000 <= high for low, high in spans] == [True, True, True, False]


def test_v15_what_turns_cost() -> None:
    turns = [("S", 720), ("S", 360), ("M", 8), ("L", 504), ("M", 721)]
    costs = [courses.cost(Step(angle, 0), template(name)[0]) for name, angle in turns]
    assert costs == [2000, 1000, 34, 2800, 3005]


def test_v16_a_cruiser_at_flank() -> None:
    how, step = courses.sailing("C", "flank", "M", 0, 0), Step(-480, 0)
    assert courses.after(Pose(40000, 24000, 2880), step, how) == Pose(40682, 21454, 2400)
    assert courses.cost(step, how.eighth) == 2667


def test_v17_reverse() -> None:
    how = courses.sailing("C", "reverse", "M", 0, 0)
    assert courses.after(Pose(0, 0, 720), Step(0, 2000), how) == Pose(-1414, -1414, 720)


def test_v18_corners_of_a_cruiser() -> None:
    assert hulls.hull(vessel("SAGENHELD"), Pose(20000, 20000, 720)) == (
        *((21415, 20707), (20707, 21415)),
        *((18585, 19293), (19293, 18585)),
    )


def test_v19_a_beam_by_range() -> None:
    left = [10 - 3 - special.fading(5000), 10 - 3 - special.fading(10001)]
    assert left == [7, 5]
    assert 10 - 3 - 4 - special.fading(12000) == 1
    assert 10 - 3 - 4 - special.fading(20001) == -1


@pytest.mark.parametrize(
    ("rammer", "evader", "wanted"),
    [("STAMM", "VASA", 1), ("VASA", "STAMM", 3), ("VASA", "SAGENHELD", 2), ("VASA", "KRONAN", 2)],
)
def test_v21_successes_of_a_collision(rammer: str, evader: str, wanted: int) -> None:
    assert needed(vessel(rammer), vessel(evader)) == wanted


def test_v24_bombs() -> None:
    ship = vessel("VASA")
    assert raids.bomb_dice(6, damage.anti_aircraft(ship)) == 2
    assert raids.bomb_dice(6, damage.anti_aircraft(ship), times=2) == 4
    assert raids.bomb_dice(6, damage.anti_aircraft(vessel("HOCHMEISTER"))) == 1
    ship.hull = 5
    assert damage.anti_aircraft(ship) == 4
    ship.hull = 0
    assert damage.anti_aircraft(ship) == 2


def test_v28_totals_of_the_table() -> None:
    assert critical(11) == ("weapon",)
    assert critical(23) == critical(40) == ("ammo", "fire", "again")
    assert critical(2) == ()


def test_v29_the_weapon_that_is_hit() -> None:
    ids = [weapon.id for weapon in weapons("SAGENHELD")]
    assert between.pick_weapon(ids, set(), 8) == "B"
    assert between.pick_weapon(ids, {"B"}, 8) == "P"
    assert between.pick_weapon(ids, set(ids), 8) == ""


def test_v30_tenners() -> None:
    cruiser, battleship, boat = vessel("SAGENHELD"), vessel("VASA"), vessel("STAMM")
    damage.note_tens(cruiser, 2, damage.halves("B", cruiser, down=False))
    assert cruiser.tenners // 2 == 4
    damage.note_tens(battleship, 1, damage.halves("D", battleship, down=False))
    assert battleship.tenners // 2 == 0
    damage.note_tens(battleship, 1, damage.halves("D", battleship, down=False))
    assert battleship.tenners // 2 == 1
    damage.note_tens(boat, 5, 4)
    assert boat.tenners == 0


def test_v31_points_follow_from_the_sheets() -> None:
    """8 a box, 3 a point of firepower, 2 a point of AA and charges, 1 a trooper, 15 a squadron
    carried, to the nearest 5."""
    for sheet in sheets().values():
        guns = sum(weapon.fp for weapon in weapons(sheet.id))
        one = 8 * sheet.hull + 3 * guns + 2 * (sheet.aa + sheet.cc) + sheet.ram
        one = (one + 15 * sheet.squadrons + 2) // 5 * 5
        assert sheet.points == one * sheet.vessels, sheet.id
    assert (sheets()["HOCHMEISTER"].points, sheets()["VASA"].points) == (250, 240)
    assert sheets()["STAMM"].points == 4 * 25


def test_v32_the_helmsman() -> None:
    how = courses.sailing("C", "half", "M", 0, 0)
    whole = courses.steer(Pose(0, 0, 0), how, None, 1440, 0, how.high)
    assert whole == [Step(1440, 0)]
    assert courses.end(Pose(0, 0, 0), whole, how) == Pose(3820, 3820, 1440)
    short = courses.steer(Pose(0, 0, 0), how, None, 1440, 0, 3000)
    assert short == [Step(720, 0)]
    assert courses.end(Pose(0, 0, 0), short, how) == Pose(1119, 2701, 720)


def test_of_two_firers_as_near_the_lower_number_gives_range_and_aspect() -> None:
    """181, also where the higher one had its order first."""
    target, one, two = vessel("VASA"), vessel("STAMM"), vessel("STAMM")
    one.id, two.id = "GOTEN1", "GOTEN2"
    one.x, two.x = 10000, 30000
    gun = weapons("STAMM")[0]
    assert hulls.between(one, target) == hulls.between(two, target)
    assert gunnery.Shot(((two, gun), (one, gun)), target).nearest is one


def test_table_1_falls_from_column_to_column() -> None:
    """Each row of Table 1 falls from left to right, each column grows from row to row."""
    rows = effective()
    assert len(rows) == 24
    assert all(row == tuple(sorted(row, reverse=True)) for row in rows)
    assert all(low <= high for a, b in pairwise(rows) for low, high in zip(a, b, strict=True))


def test_every_ship_has_weapons_that_its_sheet_can_name() -> None:
    kinds: dict[str, list[Weapon]] = {sheet: list(weapons(sheet)) for sheet in sheets()}
    assert all(len({w.id for w in found}) == len(found) > 0 for found in kinds.values())
    assert {name.sheet for name in names().values()} == set(sheets())


@pytest.mark.parametrize(
    ("own", "other", "wanted"),
    [(9, 6, [2, 2, 2, 1, 1, 1]), (7, 2, [4, 3]), (3, 3, [1, 1, 1]), (6, 9, [1] * 6)],
)
def test_v22_cards_of_the_rounds(own: int, other: int, wanted: list[int]) -> None:
    assert activation.shares(own, min(own, other)) == wanted
