"""The chart: areas over the world's coast, what a side's picture shows and what it does not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path
from typing import Any

import pytest

import games
from games.far_seas import board, chart
from pbem.bots.bot_orders import Match
from pbem.charts.chart import svg
from pbem.charts.picture_cache import picture
from pbem.model import Side
from pbem.scene import Point, coast

ROOT = Path(__file__).parents[2]
ROUND_THE_WORLD = {frozenset(pair) for pair in (("17", "32"), ("7", "20"), ("30", "MED"))}
"""G1, G6 Neighbours by a canal, or at the two ends of the picture."""


def report(scenario: str, side: str, windows: int = 1) -> dict[str, Any]:
    match = Match(games.load("far_seas"), scenario, {}, "chart")
    for _ in range(windows):
        match.window()
    return dict(match.report(Side(side)).plain)


def apart(one: Sequence[Point], other: Sequence[Point]) -> float:
    """The least distance from a corner of one outline to an edge of the other, in cells."""
    return min(
        _to_edge(p, a, b)
        for first, second in ((one, other), (other, one))
        for p in first
        for a, b in pairwise([*second, second[0]])
    )


def _to_edge(p: Point, a: Point, b: Point) -> float:
    (x, y), (u, v) = (p[0] - a[0], p[1] - a[1]), (b[0] - a[0], b[1] - a[1])
    share = min(max((x * u + y * v) / (u * u + v * v), 0), 1) if u or v else 0
    return hypot(x - share * u, y - share * v)


def test_areas_that_are_adjacent_touch_on_the_chart() -> None:
    outlines = coast("far_seas").areas
    far = [
        (a.id, way)
        for a in board.AREAS.values()
        for way in (*a.ways, *a.canal, *a.suez)
        if board.GERMANY not in (a.id, way) and frozenset((a.id, way)) not in ROUND_THE_WORLD
        if apart(outlines[a.id], outlines[way]) > 0.15
    ]
    assert not far


def test_areas_that_touch_along_an_edge_are_adjacent() -> None:
    outlines = coast("far_seas").areas
    shared = []
    for a, b in combinations(board.SEA, 2):
        corners = {tuple(p) for p in outlines[a]} & {tuple(p) for p in outlines[b]}
        if len(corners) > 1 and b not in board.AREAS[a].ways:
            shared.append((a, b))
    assert not shared


def test_every_area_and_station_has_its_place() -> None:
    view = coast("far_seas")
    assert set(view.areas) == {*board.SEA, *chart.BOXES}
    assert set(view.places) == {*view.areas, *_titled()}
    west, north, east, south = view.window
    for x, y in view.places.values():
        assert west < x < east and north < y < south


def _titled() -> set[str]:
    return {name.title() for name in board.STATIONS}


def test_the_committed_coast_is_small() -> None:
    assert (ROOT / "templates" / "far_seas" / "coast.json").stat().st_size < 60_000


@pytest.mark.parametrize("scenario", [s.name for s in games.load("far_seas").scenarios])
@pytest.mark.parametrize("side", ["german", "british"])
def test_both_sides_have_a_chart_in_every_scenario(scenario: str, side: str) -> None:
    data = report(scenario, side)
    scene = chart.scene(data)
    assert {u.id for u in scene.units} == {u["id"] for u in data["units"]}
    assert {c.id: c.name for c in scene.contacts} == {c["id"]: c["name"] for c in data["contacts"]}
    for detail in (False, True):
        text = svg(scene, "dark", detail)
        assert text.startswith("<svg") or "<svg" in text[:300]


def test_a_short_scenario_shows_its_own_areas_larger() -> None:
    emden, war = chart.scene(report("emden", "german")), chart.scene(report("war", "german"))
    assert emden.pitch > 2 * war.pitch
    assert set(emden.grid.cells) == {"24", "26", "28", "29", "30", "31", *chart.BOXES}


def test_the_allies_see_germans_where_they_were_last_placed() -> None:
    data = report("war", "british", 4)
    scene = chart.scene(data)
    where = {c["id"]: c["place"] for c in data["contacts"]}
    assert where
    assert {c.id: c.at for c in scene.contacts} == {n: chart.at(a) for n, a in where.items()}


def test_tracks_and_trails_are_those_of_the_report() -> None:
    for side in ("german", "british"):
        data = report("war", side, 8)
        scene = chart.scene(data)
        wakes = {u["id"]: u.get("wake", []) for u in data["units"]}
        assert any(wakes.values())
        for unit in scene.units:
            ways = [chart.at(area) for area in wakes[unit.id]]
            assert unit.track == tuple(ways) or leaps([*ways, unit.at])
        trails = {c["id"]: c.get("trail", []) for c in data["contacts"]}
        for contact in scene.contacts:
            ways = [chart.at(area) for area, _ in trails[contact.id]]
            assert contact.trail == tuple(ways) or leaps([*ways, chart.at(where(data, contact.id))])


def leaps(way: Sequence[Point]) -> bool:
    return any(abs(a[0] - b[0]) > 19 for a, b in pairwise(way))


def where(data: dict[str, Any], id_: str) -> str:
    return str(next(c["place"] for c in data["contacts"] if c["id"] == id_))


def test_no_track_crosses_the_picture_where_a_ship_left_it() -> None:
    """G1 By the Panama Canal a ship goes from one end of the picture to the other."""
    assert chart.way(["18", "20", "7"], "6") == (chart.at("7"),)
    assert chart.way(["19", "20"], "7") == ()
    assert chart.way(["7", "6"], "5") == (chart.at("7"), chart.at("6"))


def test_stations_tell_a_german_what_they_are_worth() -> None:
    ports = {p.at: p for p in chart.stations("german", ["Madras"], [])}
    assert len(ports) == len(board.STATIONS)
    assert ports[chart.at("Colombo")].name == "Colombo 3"
    assert ports[chart.at("Colombo")].owner == "enemy"
    assert ports[chart.at("Madras")].owner == "neutral"
    assert {p.name for p in chart.stations("british", [], [])} == {""}


def test_a_picture_is_made() -> None:
    system = games.load("far_seas")
    found = picture(system, report("war", "british"), "png")
    assert found and found.startswith(b"\x89PNG") and len(found) < 200_000


def test_the_world_in_characters_is_the_one_of_the_coast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    drawing = import_module("world_text")
    view = json.loads((ROOT / "templates" / "far_seas" / "coast.json").read_text("utf-8"))
    found = (ROOT / "templates" / "far_seas" / "world.j2").read_text("utf-8")
    assert found == drawing.text(view)
    for area in board.SEA:
        assert found.count(f'mark["{area}"]') == 1
    for row in drawing.land(view):
        assert len(row) == drawing.WIDE == 72
