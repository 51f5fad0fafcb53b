"""9.28, 9.727 The battle board in reports: what it shows, in characters and as a picture."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from games.bismarck import battle_chart, battle_text, view
from games.bismarck.battle.charts import charts
from games.bismarck.battle.courses import courses
from games.bismarck.battle.movement import Place, follow, places
from games.bismarck.battle_places import reach
from games.bismarck.battle_report import BattleBoard
from games.bismarck.battle_view import boards
from games.bismarck.state import BRITISH, GERMAN, Hits, War
from games.bismarck.vessels import Battle, Reserve, Shot, Stand, Vessel
from pbem.charts.chart import layout, svg
from pbem.charts.check import problems
from pbem.charts.foot import foot
from pbem.charts.themes import LIGHT
from pbem.kit.hexes import CENTRE, Facing, Hex, distance
from pbem.scene import Scene
from tests.bismarck.test_battle import action
from tests.bismarck.test_determination import HERE, sea

W, NW, SW = Facing(3), Facing(4), Facing(2)


def position() -> War:
    """Two against two after the second round; one cruiser is in reserve, and one ship was hit."""
    war = sea(["HOOD", "PRINCE OF WALES", "NORFOLK", "BISMARCK", "PRINZ EUGEN"])
    battle = Battle(zone=HERE, attacker=BRITISH, round=2, edge=0)
    for id_, side, at, bow, before in (
        ("HOOD", BRITISH, Hex(4, 0), W, Hex(6, 0)),
        ("PRINCE OF WALES", BRITISH, Hex(4, -1), NW, Hex(6, -1)),
        ("BISMARCK", GERMAN, CENTRE, SW, CENTRE),
        ("PRINZ EUGEN", GERMAN, CENTRE, SW, CENTRE),
    ):
        track = [Stand(0, before, bow), Stand(1, before, bow), Stand(2, at, bow)]
        battle.vessels.append(Vessel(id_, side, side == BRITISH, at, bow, track=track))
    hit = Hits(bow=1, midships=2)
    battle.shots = [
        Shot(1, "HOOD", "BISMARCK", ("bow",), 6, 2, Hits()),
        Shot(2, "HOOD", "BISMARCK", ("bow",), 4, 2, hit),
    ]
    battle.reserves = [Reserve("NORFOLK", BRITISH, ["NORFOLK"])]
    war.ships["BISMARCK"].hits = replace(hit, temporary=4)
    war.known[BRITISH].damage["Bismarck"] = replace(hit)
    war.battles = [battle]
    return war


def scene(battle: BattleBoard, label: str = "1200 May 24") -> Scene:
    """The chart of one battle."""
    shown: Any = SimpleNamespace(
        board=SimpleNamespace(battles=[battle]),
        side_name="Royal Navy",
        turn=15,
        turns=34,
        label=label,
    )
    (found,) = battle_chart.scenes(shown)
    return replace(found, system="bismarck")


TEXT = """\
Battle 1 in Q17, after round 2; British attack, edge 1; day

4948 .   .   .   .   .   .   .   .
4949   .   .   .   .   PW\\ .   .   .
4950 .   bp2 .   .   .   HO< .   .
4951   .   .   .   .   .   .   .   .

    Ship             Hex   Bow  Range  B/S/P/S/M  Evasion   State
HO  Hood             5450  W    4      5/5/1/1/6  29 of 29  fights
PW  Prince of Wales  5349  NW   4      7/5/2/2/7  29 of 29  fights
bi  Bismarck         5050  SW   4      6/7/3/3/8  max 27    fights
pe  Prinz Eugen      5050  SW   4      3/2/-/-/4  max 32    fights

Fire in round 2
Hood at Bismarck, range 4: 2 shots, bow, 2 midships
"""


def test_the_board_in_characters() -> None:
    (battle,) = boards(position(), BRITISH)
    assert "\n".join(battle_text.draw(battle)) + "\n" == TEXT


def test_a_report_has_the_board_in_characters() -> None:
    war = position()
    (battle,) = boards(war, BRITISH)
    assert view.search_board(war, BRITISH).chart.battles == [battle_text.draw(battle)]


@pytest.mark.parametrize("seed", range(4))
def test_the_board_in_characters_fits_78_columns(seed: int) -> None:
    war, _, _ = action(*TWO, seed=seed)
    for side in (BRITISH, GERMAN):
        lines = [line for battle in boards(war, side) for line in battle_text.draw(battle)]
        assert lines and max(map(len, lines)) < 78


TWO = (["HOOD", "PRINCE OF WALES"], ["BISMARCK", "PRINZ EUGEN"])


# 9.727 Who may know it


def hidden(war: War) -> None:
    """Everything that a British player at the table does not see."""
    for name in ("BISMARCK", "PRINZ EUGEN"):
        ship = war.ships[name]
        ship.hits = replace(ship.hits, temporary=ship.hits.temporary + 3)
        ship.fuel = 1
    war.known[GERMAN].damage["Hood"] = Hits(stern=2)
    (battle,) = war.battles
    battle.reserves = [*battle.reserves, Reserve("GERMANS", GERMAN, ["PRINZ EUGEN"], rolls=2)]


def test_9_727_what_only_the_enemy_records_changes_nothing_on_the_board() -> None:
    one, other = position(), position()
    hidden(other)
    assert boards(one, BRITISH) == boards(other, BRITISH)
    assert boards(one, GERMAN) != boards(other, GERMAN)


def test_9_25_a_ship_in_reserve_is_on_no_board() -> None:
    war = position()
    for side in (BRITISH, GERMAN):
        (battle,) = boards(war, side)
        assert "Norfolk" not in repr(battle) + repr(scene(battle)) + TEXT


def test_9_724_an_enemy_has_at_most_what_its_hits_leave() -> None:
    (battle,) = boards(position(), BRITISH)
    ships = {s.name: s for s in battle.ships}
    assert (ships["Bismarck"].evasion, ships["Bismarck"].printed) == (27, 29)
    (own,) = boards(position(), GERMAN)
    assert {s.name: s.evasion for s in own.ships}["Bismarck"] == 25


def test_9_714_a_sunk_enemy_has_no_midships_box_left() -> None:
    war, _, _ = action(*TWO, seed=1)
    (battle,) = boards(war, BRITISH)
    (lost,) = [s for s in battle.ships if s.fate == "sunk"]
    (midships,) = [s for s in lost.sections if s.name == "midships"]
    assert midships.hit == midships.boxes and not lost.own


# 9.5 Places


@pytest.mark.parametrize("evasion", [8, 20, 29, 33])
def test_9_53_a_course_leads_to_every_place_in_reach(evasion: int) -> None:
    start, enemies = Place(CENTRE, NW), {Hex(0, -1)}
    found = courses(start, charts({}).options(evasion), enemies)
    assert set(found) == set(places(start, evasion, enemies, charts({})))
    assert found[start] == "ahead 0"
    for place, course in found.items():
        assert follow(start, course.upper(), evasion, enemies, charts({})) == (place, "")


def test_9_52_a_course_is_as_short_as_it_can_be_and_counts_what_is_alike() -> None:
    found = courses(Place(CENTRE, Facing(0)), charts({}).options(33), ())
    assert found[Place(Hex(3, 0), Facing(0))] == "ahead 3"
    assert found[Place(CENTRE, Facing(2))] == "starboard 2"
    assert found[Place(CENTRE, Facing(3))] in ("port 3", "starboard 3")


def test_9_52_a_course_says_how_to_get_there() -> None:
    found = courses(Place(CENTRE, Facing(0)), charts({}).options(29), ())
    assert found[Place(Hex(1, 0), Facing(1))] in ("ahead 1 starboard 1", "starboard 1 ahead 1")
    assert found[Place(Hex(1, 0), Facing(0))] == "ahead 1"


def test_9_96_a_withdrawing_ship_is_offered_only_what_brings_her_no_closer() -> None:
    war = position()
    (battle,) = war.battles
    (board,) = boards(war, BRITISH)
    free = set(reach(board, board.ships[0]))
    battle.vessels[0].withdrawing = True
    (board,) = boards(war, BRITISH)
    kept = set(reach(board, board.ships[0]))
    assert kept < free
    assert {distance(CENTRE, place.at) for place in kept} == {4, 5}
    assert min(distance(CENTRE, place.at) for place in free) < 4


# The picture


def pictures() -> list[Scene]:
    """The set-up, the second round, and whole battles for both sides."""
    fresh = position()
    (battle,) = fresh.battles
    battle.round, battle.shots = 0, []
    for vessel in battle.vessels:
        vessel.track = vessel.track[:1]
        vessel.at = vessel.track[0].at
    found = [*boards(fresh, BRITISH), *boards(position(), GERMAN)]
    for seed in range(4):
        war, _, _ = action(*TWO, seed=seed)
        found += [b for side in (BRITISH, GERMAN) for b in boards(war, side)]
    return [scene(b) for b in found]


@pytest.mark.parametrize("shown", pictures())
def test_the_picture_has_no_mistakes_and_no_name_over_another(shown: Scene) -> None:
    assert list(problems(shown)) == []
    for detail in (False, True):
        drawn = layout(shown, LIGHT, detail)
        names = [n["rect"] for n in drawn["names"]]
        for one, other in combinations(names, 2):
            apart = one[2] <= other[0] or other[2] <= one[0]
            assert apart or one[3] <= other[1] or other[3] <= one[1]
        said = {w for n in drawn["names"] for _, _, words in n["rows"] for _, w, *_ in words}
        assert {u.name for u in shown.units} <= said


@pytest.mark.parametrize("narrow", [False, True])
def test_what_stands_below_the_map_stays_within_its_width(narrow: bool) -> None:
    for shown in pictures():
        right = 382.0 if narrow else 1162.0
        below = foot(shown, 8.0, right, 100.0, narrow)
        for row in below.roster_rows:
            ends = [x + cell["size"] for cell in row["cells"] for x, _ in cell["boxes"]]
            assert max(ends) <= right
        assert all(float(i["x"]) + float(i["w"]) <= right + 0.1 for i in below.insets)


def test_a_picture_says_what_happened() -> None:
    (battle,) = boards(position(), BRITISH)
    drawn = svg(scene(battle))
    for words in ("BATTLE IN Q17", "Bismarck loses 3", "A range of Bismarck: 3 hexes", "4 hexes"):
        assert words in drawn


def test_each_side_has_its_own_colours() -> None:
    (battle,) = boards(position(), BRITISH)
    shown = scene(battle)
    assert [u.name for u in shown.units] == ["Hood", "Prince of Wales"]
    assert [c.name for c in shown.contacts] == ["Bismarck", "Prinz Eugen"]
