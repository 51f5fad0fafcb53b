"""What must hold of every course and every move: sums, mirrors, contact, and both languages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.baltic import courses, hulls, setup, sight
from games.baltic import events as ev
from games.baltic.courses import Sailing, Step
from games.baltic.game import SYSTEM
from games.baltic.gunnery import in_arc
from games.baltic.state import Salvo, War
from games.baltic.tables import (
    SETTINGS,
    TEMPLATES,
    Arc,
    names,
    sheets,
    telegraph,
    template,
    terrain,
)
from orders.model import Order
from pbem.admin.setup import options_of
from pbem.kit import plane
from pbem.kit.plane import CIRCLE, Pose
from pbem.model import Side
from pbem.translate.program import Program
from tests.baltic import twin
from tests.baltic.casebook import CaseTable, play, position
from tests.translate.test_program import run as in_node

HEADINGS = st.integers(0, CIRCLE - 1)
POSES = st.builds(Pose, st.integers(0, 72000), st.integers(0, 48000), HEADINGS)
STEPS = st.lists(
    st.one_of(
        st.builds(Step, st.integers(-360, 360).filter(bool).map(lambda n: n * 8), st.just(0)),
        st.builds(Step, st.just(0), st.integers(1, 16000)),
    ),
    min_size=1,
    max_size=5,
)
ENGINES = st.builds(
    lambda name, astern: Sailing(0, 99000, *template(name), astern),
    st.sampled_from(TEMPLATES),
    st.booleans(),
)
PLOT = Path(__file__).parents[2] / "templates" / "order_page" / "js" / "plot.js"
ARCS: tuple[Arc, ...] = get_args(Arc)
NODE_COURSES, ALL_COURSES = 300, 100_000


@given(POSES, STEPS, ENGINES)
def test_legs_add_up_exactly(pose: Pose, steps: list[Step], how: Sailing) -> None:
    """After the whole length a vessel is where the sum of her legs ends, and after each leg where
    that one does."""
    gone, here = 0, pose
    for number, step in enumerate(steps, 1):
        gone += courses.cost(step, how.eighth)
        here = courses.after(here, step, how)
        assert courses.at(pose, steps[:number], how, gone) == here
    assert gone == courses.total(steps, how.eighth)
    assert courses.at(pose, steps, how, gone) == courses.end(pose, steps, how) == here


@given(POSES, STEPS, ENGINES, st.integers(0, 20000))
def test_no_step_of_a_course_jumps(pose: Pose, steps: list[Step], how: Sailing, mils: int) -> None:
    """A mil more of a course moves a vessel by a sixteenth of a degree of the largest arc at most,
    seven mils, and rounding."""
    one, two = (courses.at(pose, steps, how, n) for n in (mils, mils + 1))
    assert plane.square((one.x, one.y), (two.x, two.y)) <= 9 * 9


@given(POSES, STEPS, ENGINES)
def test_port_mirrors_starboard(pose: Pose, steps: list[Step], how: Sailing) -> None:
    """The mirrored course ends at the mirrored place, but for a mil a leg of rounding."""
    other = Pose(-pose.x, pose.y, -pose.heading % CIRCLE)
    end = courses.end(pose, steps, how)
    mirrored = courses.end(other, [Step(-step.turn, step.length) for step in steps], how)
    assert abs(end.x + mirrored.x) <= len(steps)
    assert abs(end.y - mirrored.y) <= len(steps)
    assert (end.heading + mirrored.heading) % CIRCLE == 0


@given(POSES, ENGINES, st.integers(1, 360).map(lambda n: n * 8))
def test_astern_undoes_ahead(pose: Pose, how: Sailing, angle: int) -> None:
    """An arc ahead and the same arc astern, swung the other way, end where she began."""
    ahead = Sailing(how.low, how.high, how.eighth, how.radius, astern=False)
    back = Sailing(how.low, how.high, how.eighth, how.radius, astern=True)
    there = courses.after(pose, Step(angle, 0), ahead)
    home = courses.after(there, Step(-angle, 0), back)
    assert home.heading == pose.heading
    assert abs(home.x - pose.x) <= 1
    assert abs(home.y - pose.y) <= 1


@given(POSES, ENGINES, st.integers(0, 71999), st.integers(0, 47999), st.integers(0, 16000))
def test_the_helmsman_keeps_within_his_budget(
    pose: Pose, how: Sailing, x: int, y: int, budget: int
) -> None:
    found = courses.steer(pose, how, (x, y), 0, 0, budget)
    assert courses.total(found, how.eighth) <= budget
    assert all(step.turn % courses.HALF_DEGREE == 0 for step in found)
    assert abs(sum(step.turn for step in found)) <= courses.MOST_TURN


def sailed(
    ship: str, at: str, order: str, other: str = "VASA", there: str = "60 40 0 stop"
) -> tuple[War, CaseTable]:
    """A turn in which a Teutonic ship moves, on free sea or before the rig, with orders as by mail;
    every collision test succeeds."""
    orders = {"teutonic": f"{ship}: {order}; {ship}: hold fire;"}
    case = {"ships": {ship: at, other: there, "PARZIVAL": "4 46 0 stop"}, "orders": orders}
    label = f"ACTIVATION/COLLISION/{other}/{ship}{'1' if ship == 'GOTEN' else ''}"
    war, table, _ = play({**case, "dice": {label: [7, 7, 7]}})
    return war, table


def spot(pose: Pose) -> str:
    return f"{courses.inches(pose.x)} {courses.inches(pose.y)} {courses.degrees(pose.heading)}"


SPEEDS = {"GOTEN": "crawl half full flank", "LOHENGRIN": "half full flank", "HOCHMEISTER": "full"}
MOVERS = st.sampled_from([(n, s) for n, all_of in SPEEDS.items() for s in all_of.split()])
HALVES = st.integers(0, 719).map(lambda n: n * 8)


@settings(max_examples=40)
@given(MOVERS, HALVES, HALVES, st.integers(0, 100))
def test_nobody_passes_through_a_hull_at_any_speed(
    mover: tuple[str, str], heading: int, across: int, part: int
) -> None:
    """Whoever has a hull on her course meets her, and if they collide stops at the first touch."""
    ship, setting = mover
    most = most_of(ship, setting)
    nearest = 5600 if ship == "HOCHMEISTER" else 4700 if ship == "LOHENGRIN" else 3700
    mils = min(nearest, most) + (most - min(nearest, most)) * part // 100
    start = Pose(22000, 27000, heading)
    there = plane.ahead(start, mils)
    count = " x1" if ship == "GOTEN" else ""
    move = f"move ahead {courses.inches(most)}; {ship}: force"
    place = f"{spot(Pose(there.x, there.y, across))} stop"
    war, table = sailed(ship, f"{spot(start)} {setting}{count}", move, "VASA", place)
    one, other = war.vessels["GOTEN1" if count else ship], war.vessels["VASA"]
    tried = [e for _, e in table.told if isinstance(e, ev.CollisionTried)]
    assert [e.collided for e in tried] == [True]
    assert hulls.touching(one, other)
    before = plane.ahead(start, one.moved - 1)  # from her own place the rounding would differ
    assert not hulls.touching(one, other, before)


@settings(max_examples=40)
@given(MOVERS, HALVES, HALVES, st.integers(0, 100))
def test_nobody_ends_in_another_hull(
    mover: tuple[str, str], heading: int, across: int, part: int
) -> None:
    """Evading or among friends, a move ends clear of every hull."""
    ship, setting = mover
    most = most_of(ship, setting)
    start = Pose(22000, 27000, heading)
    there = plane.ahead(start, 5000 + most * part // 100)
    other = "VASA" if part % 2 else "SIEGFRIED"
    count = " x1" if ship == "GOTEN" else ""
    move = f"move ahead {courses.inches(most)}"
    place = f"{spot(Pose(there.x, there.y, across))} stop"
    war, _ = sailed(ship, f"{spot(start)} {setting}{count}", move, other, place)
    one = war.vessels["GOTEN1" if count else ship]
    assert not any(hulls.touching(one, o) for o in war.listed() if o is not one)


@settings(max_examples=25)
@given(MOVERS, HALVES, st.integers(0, 100))
def test_nobody_enters_what_is_solid(mover: tuple[str, str], heading: int, part: int) -> None:
    """Whoever has the rig on her course stops at the first touch."""
    ship, setting = mover
    most = most_of(ship, setting)
    rig = next(t for t in terrain("rig") if t.name == "Rig III")
    away = 4100 + (most - 4100) * part // 100 if most > 4100 else 4100
    start = plane.ahead(Pose(*rig.points[0], heading), -away)
    count = " x1" if ship == "GOTEN" else ""
    war, table = sailed(
        ship, f"{spot(start)} {setting}{count}", f"move ahead {courses.inches(most)}"
    )
    one = war.vessels["GOTEN1" if count else ship]
    ran = [e for _, e in table.told if isinstance(e, ev.RanOnto)]
    assert bool(ran) == hulls.on(hulls.hull(one), rig)
    if ran:
        assert not hulls.on(hulls.hull(one, plane.ahead(one.pose, -2)), rig)


def most_of(ship: str, setting: str) -> int:
    """The most mils of a setting."""
    return telegraph(hulls.column(sheets()[names()[ship].sheet]))[SETTINGS.index(setting)][1]


@settings(max_examples=50)
@given(POSES, POSES)
def test_range_contact_and_sight_are_mutual(a: Pose, b: Pose) -> None:
    war = position({"ships": {"HOCHMEISTER": "20 20 0 stop", "VASA": "60 10 0 stop"}})
    one, other = war.vessels["HOCHMEISTER"], war.vessels["VASA"]
    one.put(a)
    other.put(b)
    assert hulls.between(one, other) == hulls.between(other, one)
    assert (
        hulls.touching(one, other) == hulls.touching(other, one) == (hulls.between(one, other) == 0)
    )
    assert sight.blocked_lines(war, one, other) == sight.blocked_lines(war, other, one)


@given(st.integers(-2879, 2880))
def test_arcs_to_port_mirror_those_to_starboard(bearing: int) -> None:
    other = -bearing if bearing < 2880 else 2880
    for arc, mirror in (("P", "S"), ("F", "F"), ("A", "A"), ("FT", "FT"), ("BR", "BR")):
        assert in_arc(arc, bearing) == in_arc(mirror, other)  # type: ignore[arg-type]


def test_what_reaches_into_the_air_is_solid_for_what_flies() -> None:
    """170 And it hides: no terrain of our scenarios is so high."""
    war = position({"ships": {"ROVFAGEL": "20 20 0 stop", "HOCHMEISTER": "60 10 0 stop"}})
    flyer, ship = war.vessels["ROVFAGEL"], war.vessels["HOCHMEISTER"]
    low = next(t for t in terrain("rig") if t.kind == "land")
    high = replace(low, high=True)
    assert [hulls.solid_for(flyer, t) for t in (low, high)] == [False, True]
    assert [hulls.solid_for(ship, t) for t in (low, high)] == [True, True]


def test_a_spread_is_three_inches_wide() -> None:
    """B2."""
    salvo = Salvo("T1", Side("kalmar"), 20000, 20000, 0, 4)
    corners = hulls.salvo_line(salvo)
    assert {x for x, _ in corners} == {18500, 21500}
    assert {y for _, y in corners} == {19750, 20250}


def engine(column: str, setting: str, base: str, wider: int = 0, jammed: int = 0) -> list[int]:
    """What a report says of an engine: the least and the most mils, arcs, and whether astern."""
    how = courses.sailing(column, setting, base, wider, jammed)
    return [how.low, how.high, how.eighth, how.radius, int(how.astern)]


def vector(
    pose: Pose, how: list[int], turn: int = 0, target: tuple[int, int] = (0, 0)
) -> list[Any]:
    """A course of one arc, and a target."""
    return [pose.x, pose.y, pose.heading, how, [turn], [0], [*target, 0], [0, 0, 16000, 0]]


def test_worked_examples_are_the_same_in_both_languages() -> None:
    """V11, V13 to V18 and V32, by node."""
    nowhere = Pose(0, 0, 0)
    half, flank = engine("C", "half", "M"), engine("C", "flank", "M")
    ways = [(0, 1), (1000, 1000), (3000, 4000), (-1000, 0), (-1, -1000), (5000, -12000)]
    small = engine("D", "half", "S")
    arcs = [(nowhere, small, 720), (nowhere, small, -720), (nowhere, half, 1440)]
    arcs += [(Pose(0, 0, 1440), half, 720), (Pose(40000, 24000, 2880), flank, -480)]
    costs = [(small, 360), (half, 8), (engine("B", "half", "L"), 504), (half, 721)]
    found = [vector(nowhere, half, target=way) for way in ways]
    found += [vector(pose, how, angle) for pose, how, angle in arcs]
    found += [vector(nowhere, how, angle) for how, angle in costs]
    found.append([10000, 10000, 0, half, [0, 720], [2000, 1000], [0, 0, 0], [0, 0, 0, 0]])
    found.append([0, 0, 720, engine("C", "reverse", "M"), [0], [2000], [0, 0, 0], [0, 0, 0, 0]])
    found.append([20000, 20000, 720, half, [], [], [0, 0, 1440], [0, 0, 6000, 0]])
    found += [[0, 0, 0, half, [], [], [0, 0, 1440], [0, 0, most, 0]] for most in (6000, 3000)]
    rows = sailed_alike(found)
    ends, helm, seen = rows[0::4], rows[1::4], rows[2::4]
    assert [row[0] for row in seen[:6]] == [0, 720, 590, 4320, 2881, 2518]
    assert [row[1:4] for row in ends[6:11]] == [
        *([746, 1800, 720], [-746, 1800, 5040], [3820, 3820, 1440], [2701, -1119, 2160]),
        [40682, 21454, 2400],
    ]
    assert [row[0] for row in ends[11:15]] == [1000, 34, 2800, 3005]
    assert ends[15][:4] == [6000, 11826, 15408, 720]
    assert ends[16][1:3] == [-1414, -1414]
    assert seen[17][1:] == [21415, 20707, 20707, 21415, 18585, 19293, 19293, 18585]
    assert helm[18:] == [[[1440, 0]], [[720, 0]]]


def test_arcs_are_the_same_on_the_order_page() -> None:
    """V10, by node: for each arc the relative bearings at which the page says that it bears."""
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    needs = r"^const (?:CIRCLE|ARCS|turned|bears)\b(?:[^\n]|\n  )*$"
    code = "\n".join(re.findall(needs, PLOT.read_text("utf-8"), re.MULTILINE))
    every = list(range(-2879, 2881))
    code += f"""
const arcs = {json.dumps(ARCS)}, every = {json.dumps(every)};
console.log(JSON.stringify(arcs.map((arc) => every.filter((off) => bears(arc, off)))));"""
    told = subprocess.run([node, "-"], input=code, text=True, check=True, capture_output=True)
    assert json.loads(told.stdout) == [[b for b in every if in_arc(arc, b)] for arc in ARCS]


COLUMNS = ("B", "C", "D", "carrier", "aerial")


def row(luck: Random) -> list[Any]:
    """A course drawn at random."""
    count = luck.randint(0, 4)
    how = engine(
        luck.choice(COLUMNS),
        luck.choice(SETTINGS),
        luck.choice(TEMPLATES),
        luck.randint(0, 1),
        luck.randint(0, 2),
    )
    turns = [luck.randint(-360, 360) * 8 for _ in range(count)]
    lengths = [luck.randint(0, 1600) * 10 for _ in range(count)]
    target = [luck.randint(0, 72000), luck.randint(0, 48000), luck.randint(0, CIRCLE - 1)]
    rest = [
        luck.randint(0, 30000),
        luck.choice((0, 8000)),
        luck.randint(0, 16000),
        luck.randint(0, 1),
    ]
    place = [luck.randint(0, 72000), luck.randint(0, 48000), luck.randint(0, CIRCLE - 1)]
    return [*place, how, turns, lengths, target, rest]


def test_courses_are_the_same_in_both_languages(run_seed: int, nightly: bool) -> None:
    luck = Random(run_seed)
    found = [row(luck) for _ in range(ALL_COURSES if nightly else NODE_COURSES)]
    sailed_alike(found)


class WithTwin(Program):
    """The functions of the game, and those of `twin` that call them."""

    def own(self, thing: object) -> bool:
        return super().own(thing) or getattr(thing, "__module__", "") == twin.__name__


def sailed_alike(found: list[Any]) -> list[Any]:
    """What both languages make of the courses."""
    report = {"courses": found}
    whole = WithTwin("games.baltic", {})
    both = whole.name_of(twin.check), whole.name_of(twin.note)
    code = whole.translation("sample", [f"return $checks({', '.join(both)}, report);"])
    (rows, _), errors = in_node(code, Order("VASA", ()), report)
    assert errors == ""
    assert rows == json.loads(json.dumps(twin.check(Order("VASA", ()), report)))
    answer: list[Any] = rows
    return answer


def test_who_leaves_no_room_for_his_last_ships_has_them_turned() -> None:
    """215 Between these three destroyers find no place on the heading that they would have."""
    war = SYSTEM.begin("narrows", options_of(SYSTEM, {}), {})
    assert isinstance(war, War)
    war.deployed = []
    ships = {"VAINAMOINEN": 12000, "ILMARINEN": 8000, "LEMMINKAINEN": 16000}
    for name, north in ships.items():
        setup.station(war, war.cards[name], Pose(4000, north, 1440))
    setup.station(war, war.cards["POHJOLA"], Pose(1000, 16500, 1440))
    wished = Pose(4000, 13000, 3872)
    found = setup.nearest_free(war, war.cards["LOUHI"], wished)
    assert found.heading != wished.heading
    assert not setup.barred(war, war.cards["LOUHI"], found)
