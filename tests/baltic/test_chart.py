"""The plotting sheet against its report: every hull to scale, in its place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from games.baltic import chart, setup
from games.baltic.game import SYSTEM
from games.baltic.state import Salvo
from games.baltic.tables import footprint
from pbem.model import Side
from pbem.scene import Circle, Polygon, Scene
from pbem.testing.orders import shown

KALMAR = Side("kalmar")


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """A turn of Kronan's Flight with aeroplanes, torpedoes, a wreck and splashes."""
    war = setup.begin("flight", {"windows": "turn"}, {})
    war.turn, war.stage = 2, "all"
    war.vessels["SKARGARD3"].hull = 0
    war.vessels["ADLER"].splash = 2
    war.vessels["VASA"].trail = [(3000, 24000), (6000, 25000)]
    war.markers["KB1"].at, war.markers["KB1"].x, war.markers["KB1"].y = "air", 20_000, 30_500
    war.salvoes["T1"] = Salvo("T1", Side("hansa"), 30_000, 20_000, 1440, 3)
    return dict(shown(SYSTEM, war, KALMAR, "flight").plain)


def check(report: dict[str, Any], scene: Scene) -> None:
    """Raise AssertionError where sheet and report differ."""
    vessels = [u for u in report["units"] if u["kind"] == "vessel"]
    flying = [u for u in report["units"] if u["kind"] == "marker" and u["at"] == "air"]
    drawn = {unit.id: unit for unit in scene.units}
    assert sorted(drawn) == sorted(u["id"] for u in (*vessels, *flying))
    known = {one.id: one for one in scene.contacts}
    assert sorted(known) == sorted(c["id"] for c in report["contacts"] if c["kind"] != "squadron")
    foes = [c for c in report["contacts"] if c["kind"] == "vessel"]
    lie = {one.id: (one.at, one.heading) for one in scene.units}
    lie |= {one.id: (one.at, one.heading) for one in scene.contacts if one.at}
    for row in (*vessels, *foes):
        place = (row["x"] / 1000, -row["y"] / 1000)
        assert lie[row["id"]] == (place, row["heading"] / 16), row["id"]


def test_every_hull_lies_where_the_report_says(report: dict[str, Any]) -> None:
    check(report, chart.scene(report))


def test_hulls_are_to_scale(report: dict[str, Any]) -> None:
    vasa = next(u for u in chart.scene(report).units if u.id == "VASA")
    xs, ys = zip(*vasa.footprint, strict=True)
    long, beam = footprint("B")
    assert max(ys) - min(ys) == pytest.approx(long / 1000)
    assert max(xs) - min(xs) == pytest.approx(beam / 1000)


def test_torpedoes_wrecks_splashes_ways_and_terrain_are_drawn(report: dict[str, Any]) -> None:
    scene = chart.scene(report)
    strips = [s for s in scene.shapes if isinstance(s, Polygon) and s.label == "T1"]
    assert [s.owner for s in strips] == ["enemy"]
    assert len([s for s in scene.shapes if isinstance(s, Circle) and s.owner == "board"]) == 2
    assert next(u for u in scene.units if u.id == "SKARGARD3").tone == "neutral"
    assert [m.said for m in scene.marks] == ["2 hits dodged"]
    assert scene.tracks[0].points[:2] == ((3.0, -24.0), (6.0, -25.0))
    assert scene.mesh and scene.mesh.step == 6


@pytest.mark.parametrize("fault", ["moved", "turned", "missing"])
def test_a_planted_fault_is_found(report: dict[str, Any], fault: str) -> None:
    other = deepcopy(report)
    if fault == "missing":
        other["contacts"].pop()
    else:
        other["units"][0]["x" if fault == "moved" else "heading"] += 160
    with pytest.raises(AssertionError):
        check(report, chart.scene(other))
