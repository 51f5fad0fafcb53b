"""Names along lines and on seas lie where they can be read, or not at all."""

from __future__ import annotations

import json
from importlib import import_module
from math import dist
from pathlib import Path

import pytest

from pbem.charts.basemap import APART, spread_ports
from pbem.charts.label_placement import Rect, Sheet
from pbem.charts.line_labels import afloat, along
from pbem.charts.svg_path import mesh, sampled, smooth
from pbem.charts.viewport import Page
from pbem.scene import Port

ROOT = Path(__file__).parents[2]
BOUNDS: Rect = (0, 0, 1000, 600)
LINE = [(0.0, 300.0), (1000.0, 300.0)]


def test_a_lines_name_stands_where_it_is_liked() -> None:
    share = along(LINE, 100, 8, 0.4, Sheet(BOUNDS))
    assert share is not None
    assert abs(share - 0.4) <= 0.02


def test_a_lines_name_goes_past_a_counter_and_around_a_track() -> None:
    sheet = Sheet(BOUNDS)
    sheet.block((380, 280, 560, 320))
    sheet.trace([(300.0, 0.0), (300.0, 600.0)])
    share = along(LINE, 100, 8, 0.4, sheet)
    assert share is not None
    left, right = 1000 * share, 1000 * share + 100
    assert left >= 555 or right <= 385
    assert not left < 297 < right


def test_a_lines_name_likes_a_straight_stretch() -> None:
    bend = [(0.0, 300.0), (500.0, 300.0), (500.0, 600.0), (700.0, 300.0), (1000.0, 300.0)]
    share = along(bend, 200, 8, 0.45, Sheet(BOUNDS))
    assert share is not None
    start = share * (1100 + dist((500, 600), (700, 300)))
    assert start >= 490 and start + 200 <= 810


def test_other_names_go_around_a_lines_name() -> None:
    sheet = Sheet(BOUNDS)
    assert not sheet.cost((420, 285, 480, 295))
    along(LINE, 100, 8, 0.4, sheet)
    assert sheet.cost((420, 285, 480, 295))


def test_a_line_without_a_free_stretch_goes_without_a_name() -> None:
    sheet = Sheet(BOUNDS)
    for x in range(0, 1000, 80):
        sheet.block((x, 280, x + 20, 320))
    assert along(LINE, 100, 8, 0.4, sheet) is None
    assert along([(0.0, 300.0), (60.0, 300.0)], 100, 8, 0.4, Sheet(BOUNDS)) is None


def test_a_seas_name_makes_way_along_its_own_baseline() -> None:
    free = Sheet(BOUNDS)
    assert afloat((500, 300), -45, 160, 15, free) == (500, 300)
    taken = Sheet(BOUNDS)
    taken.block((540, 230, 580, 260))
    found = afloat((500, 300), -45, 160, 15, taken)
    assert found is not None
    assert found != (500, 300)
    assert dist(found, (500, 300)) < 160


def test_a_seas_name_that_finds_no_room_or_leaves_the_map_is_left_out() -> None:
    sheet = Sheet(BOUNDS)
    sheet.block(BOUNDS)
    assert afloat((500, 300), 0, 160, 15, sheet) is None
    assert afloat((-80, 300), 0, 160, 15, Sheet(BOUNDS)) is None


def test_ports_that_would_lie_on_each_other_stand_apart() -> None:
    page = Page(0, 0, 10, 0, 0, (0, 0, 1000, 600))
    ports = [Port("A", (10, 10), "own"), Port("B", (10.5, 10), "own"), Port("C", (40, 10), "own")]
    (_, a), (_, b), (_, c) = spread_ports(ports, page)
    assert (a, c) == ((100, 100), (400, 100))
    assert b == (100 + APART, 100)


def test_edges_of_neighbours_are_drawn_once() -> None:
    one = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    two = [(x + 10, y) for x, y in one]
    assert mesh([one, two]).count("M") == 2 + 3
    assert "M0 0H20" in mesh([one, two])


def test_samples_lie_on_the_curve_that_is_drawn() -> None:
    way = [(0.0, 0.0), (100.0, 50.0), (200.0, 0.0)]
    found = sampled(way)
    assert found[0] == way[0] and found[-1] == way[-1] and way[1] in found
    assert smooth(way).count("C") == 2


@pytest.mark.parametrize("system", ["bismarck", "far_seas"])
def test_the_shallows_are_the_coast_thinned(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    shoals = import_module("shoals")
    coast = json.loads((ROOT / "templates" / system / "coast.json").read_text("utf-8"))
    assert coast["shoal"] == shoals.shoal(coast)
    fine, coarse = shoals.rings(coast["land"]), shoals.rings(coast["shoal"])
    assert len(fine) == len(coarse)
    assert sum(map(len, coarse)) < 0.35 * sum(map(len, fine))
    for ring, thin in zip(fine, coarse, strict=True):
        assert set(thin) <= set(ring)
