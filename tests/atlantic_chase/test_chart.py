"""The charts: every Trajectory is drawn, and a Battle has its board."""

from __future__ import annotations

import re

import pytest

from games.atlantic_chase import chart
from games.atlantic_chase.board import BRITISH, GERMAN, SIDES
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import War
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.charts import check
from pbem.charts.chart import window
from pbem.model import Side
from pbem.reports import render
from pbem.scene import Point
from tests.atlantic_chase.casebook import OPTIONS

SINGLE = [s.name for s in SYSTEM.scenarios if s.turns == 1]
PLOTTED = OPTIONS | {"play": "plotted"}


def match(scenario: str, windows: int = 0, **options: str) -> Match:
    """A game of bots after some windows."""
    found = Match(SYSTEM, scenario, PLOTTED | options, "chart")
    for _ in range(windows):
        found.window()
    return found


def board_of(report: Report) -> dict[str, list[str]]:
    """Zone of a side -> its ships, as the text report lists them."""
    _, _, after = render.text(report.plain).partition("\nBATTLE BOARD\n")
    table, _, _ = after.partition("\n\n")
    bare = re.sub(r"\s+\([^)]*\)", "", table)
    rows = [line.split(maxsplit=2) for line in bare.splitlines()[2:]]
    return {f"{side} {zone}": names.split(", ") for side, zone, names in rows if names != "-"}


@pytest.mark.parametrize("side", SIDES)
def test_r037_a_trajectory_of_one_segment_is_drawn(side: Side) -> None:
    """It has left no Station, and no line of two points."""
    game = match("rheinuebung")
    war = game.drive.state
    assert isinstance(war, War)
    war.forces["KG1"].line, war.forces["KG1"].box = ["F11"], ""
    (drawn,) = (
        t for t in chart.scenes(game.report(side).plain)[0].tracks if t.name.startswith("KG1")
    )
    (west, north), (east, south) = drawn.points
    x, y = chart.at("F11")
    assert ((west + east) / 2, (north + south) / 2) == (x, y) and drawn.points[0] != (x, y)
    assert not [t for t in chart.scenes(game.report(side).plain)[0].tracks if len(t.points) < 2]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", SINGLE)
def test_a_single_battle_shows_its_board_and_no_map(scenario: str, side: Side) -> None:
    """Before the Battle and after it: each ship stands in a zone of its side, own ones below."""
    for windows in (0, 1):
        report = match(scenario, windows).report(side)
        (scene,) = chart.scenes(report.plain)
        check.require(scene)
        text = render.text(report.plain)
        assert scene.name == "battle" and scene.coast is None and "\nCHART" not in text
        own = [u for u in report.plain["units"] if u["piece"].get("sort") == "ship"]
        assert {u.name for u in scene.units} == {u["name"] for u in own if u["piece"].get("force")}
        lowest = max((c.at or (0, 0))[1] for c in scene.contacts) if scene.contacts else 0.0
        assert all(u.at[1] > lowest for u in scene.units)
        listed = {name for names in board_of(report).values() for name in names}
        assert listed == {u.name for u in scene.units} | {c.name for c in scene.contacts}


def test_r198_zones_are_those_in_which_ships_were_when_the_battle_ended() -> None:
    game = match("denmark_strait", 1)
    assert game.closing
    moved = {
        t.event.ship: t.event.zone  # type: ignore[attr-defined]
        for t in game.closing.told
        if type(t.event).__name__ == "Manoeuvred"
    }
    report = game.report(BRITISH)
    there = {n.upper(): z for z, names in board_of(report).items() for n in names}
    assert moved and {s: z.split()[1].lower() for s, z in there.items()} == {
        s: moved[s] for s in there
    }


def test_a_battle_under_way_has_its_board_beside_the_map() -> None:
    """7.3 Played by rounds; on the Battle Board from the second round on."""
    game = match("denmark_strait", 1, battle="round")
    report = game.report(GERMAN)
    assert not game.drive.over and report.plain["board"]["facts"][2]["name"] == "Battle"
    (scene,) = chart.scenes(report.plain)
    zones = {u["name"]: u["piece"]["zone"] for u in report.plain["units"] if "zone" in u["piece"]}
    assert zones.keys() == {u.name for u in scene.units}
    plain = {**report.plain, "board": {**report.plain["board"], "length": 30}}
    assert [s.name for s in chart.scenes(plain)] == ["chart", "battle"]


@pytest.mark.parametrize("side", SIDES)
def test_r033_stations_of_one_hex_do_not_cover_each_other(side: Side) -> None:
    """Two of a side, two of both, three enemies, and each with its markers at its own corner."""
    game = match("rheinuebung")
    war = game.drive.state
    assert isinstance(war, War)
    stand = {"TF3": "H10", "TF4": "H10", "KG1": "H10", "KG2": "E09", "KG3": "E09"}
    stand |= {"TF5": "F11", "TF1": "G13", "TF2": "G13"}
    for id_, cell in stand.items():
        war.forces[id_].line, war.forces[id_].box, war.forces[id_].at = [], "", cell
    war.forces["KG2"].evasive, war.forces["KG1"].contact = True, ["H10"]
    (scene,) = chart.scenes(game.report(side).plain)
    check.require(scene)
    drawn: dict[str, Point | None] = {u.id: u.at for u in scene.units}
    drawn |= {c.id: c.at for c in scene.contacts}
    places = {id_: drawn[id_] for id_ in stand}
    stacked = [] if side == GERMAN else ["TF4"]  # own ones beside an enemy
    found = [at for id_, at in places.items() if id_ not in stacked]
    assert len(set(found)) == len(found) == len(stand) - len(stacked)
    assert places["TF5"] == chart.at("F11")
    for id_, (x, y) in ((i, p) for i, p in places.items() if p):
        u, v = chart.at(stand[id_])
        assert abs(x - u) < 0.5 and abs(y - v) < 0.5, id_
    marked = {m.said: m.at for m in scene.marks}
    assert marked["KG2 is Evasive"] == places["KG2"]
    assert marked["Contact with KG1 in H10"] == places["KG1"]


def test_the_detail_shows_where_the_news_are() -> None:
    """The first place of the focus is in it in any case: Intel before a Recon."""
    game = match("berlin")
    told = [
        {"kind": "ReconMade", "stealth": "UB1", "at": "D05"},
        {"kind": "IntelPlaced", "force": "TF4", "hexes": ["F15"]},
    ]
    (scene,) = chart.scenes({**game.report(GERMAN).plain, "events": told})
    assert scene.focus[:2] == (chart.at("F15"), chart.at("D05"))
    west, north, east, south = window(scene)
    x, y = chart.at("F15")
    assert west < x < east and north < y < south


def test_the_legend_names_enemy_convoys_and_who_lies_in_port_is_hollow() -> None:
    game = match("berlin")
    war = game.drive.state
    assert isinstance(war, War)
    ports = {f.id for f in war.own(BRITISH) if f.box}
    (scene,) = chart.scenes(game.report(GERMAN).plain)
    assert ports and {c.id for c in scene.contacts if c.level == 1} == ports
    rows = dict(row for key in scene.legend for row in key.rows)
    assert rows["bold:enemy2"] == "enemy's with a Convoy" and "bold:convoy" not in rows
    (scene,) = chart.scenes(game.report(BRITISH).plain)
    assert "bold:convoy" in dict(row for key in scene.legend for row in key.rows)


def test_an_intel_marker_does_not_cover_a_port() -> None:
    """Saint-Nazaire lies in the middle of F15."""
    game = match("berlin")
    war = game.drive.state
    assert isinstance(war, War)
    force = war.forces["TF4"]
    force.line, force.intel, force.at, force.box = ["E15", "F15"], ["F15"], "", ""
    (scene,) = chart.scenes(game.report(GERMAN).plain)
    (eye,) = (m for t in scene.tracks for m in t.marks if m.symbol == "eye")
    assert eye.beside
