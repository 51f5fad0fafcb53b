"""The charts of a replay in Chromium, compared with the scenes of the game: hulls, shapes, tracks,
markers, and the switch between charts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pbem.charts.viewport import PAD, RULER, TOP
from pbem.replay.frames import boards
from pbem.scene import Point, Scene
from tests.replay.ponds import Pond

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, Surfer, surfing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

READ = """() => {
  const all = (q) => [...document.querySelectorAll(q)];
  const at = (e) => { const m = e.getScreenCTM(); return [m.e, m.f]; };
  const board = document.getElementById("map").getScreenCTM();
  const { x, y, width, height } = document.getElementById("map").viewBox.baseVal;
  return {
    board: [board.a, board.e, board.f], seen: [x, y, width, height],
    hulls: all("#live .hull").map((g) => [g.querySelector("title").textContent, at(g),
      Number(g.getAttribute("transform").match(/rotate\\((.*)\\)/)[1]),
      g.querySelector(".outline").getAttribute("d").split("L").length]),
    shapes: all("#live .shape path:not([fill^=url])").map((p) => p.getAttribute("d")),
    ways: all("#live .way").length,
    marks: all("#live .token circle").length,
    levels: all("#live .contact .body").map((p) => p.getAttribute("fill")),
    names: all("#live .token .label").map((t) => t.textContent),
    charts: all("#charts button").map((b) => b.getAttribute("aria-pressed")),
    shown: all("#map > .board").map((g) => g.getAttribute("display")),
    hash: location.hash,
  };
}"""


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Pond:
    return Pond(tmp_path_factory.mktemp("pond"))


def compare(got: Any, pond: Pond, window: int, view: int, chart: int) -> None:
    """Compare what the page shows with the scenes of the sides. view: 0 for the truth."""
    sides = [str(side) for side in pond.walk.register.sides]
    shown = sides if not view else [sides[view - 1]]
    scenes = [pond.walk.frames[window].charts[side][chart] for side in shown]
    board = boards(pond.walk)[chart]
    things = [s for scene in scenes for s in scene.shapes if s.owner != "board"]
    real = [s for s in things if view or s.owner != "enemy"]
    assert len(got["shapes"]) == len(real)
    tracks = [t for scene in scenes for t in scene.tracks if view or t.owner != "enemy"]
    assert got["ways"] == len(tracks)
    assert got["marks"] == sum(len(t.marks) for t in tracks)
    assert sorted(got["names"]) == sorted(s.label for s in real if s.label)
    units = [u for scene in scenes for u in scene.units]
    assert sorted(h[0] for h in got["hulls"]) == sorted(u.name for u in units)
    scale, left, top = got["board"]
    for name, place, heading, corners in got["hulls"]:
        unit = next(u for u in units if u.name == name)
        x, y = pixel(board, unit.at)
        assert dist(place, (left + scale * x, top + scale * y)) <= 1
        assert (heading, corners) == (unit.heading, len(unit.footprint))
    assert len(got["levels"]) == (len(scenes[0].contacts) if view else 0)
    assert set(got["levels"]) <= {"var(--halo)"}
    assert got["charts"] == [str(n == chart).lower() for n in (0, 1)]
    assert got["shown"] == ["inline" if n == chart else "none" for n in (0, 1)]
    x, y, w, h = got["seen"]
    for scene in scenes:
        west, north, east, south = scene.window
        (u, v), (p, q) = pixel(board, (west, north)), pixel(board, (east, south))
        assert x <= u + 1 and y <= v + 1 and p <= x + w + 1 and q <= y + h + 1
    assert got["hash"].endswith("&c=near") == (chart == 1)


def pixel(board: Scene, at: Point) -> Point:
    """A place on a board with a ruler, in its pixels."""
    west, north, _, _ = board.window
    return PAD + RULER + (at[0] - west) * board.pitch, TOP + RULER + (at[1] - north) * board.pitch


def check(surfer: Surfer, pond: Pond, windows: list[int]) -> None:
    """Every one of these windows, in every view and chart, equals the game."""
    for chart in (0, 1):
        surfer.page.locator("#charts button").nth(chart).click()
        for window in windows:
            for view in (0, 1, 2):
                surfer.show(sorted(pond.walk.frames).index(window), view)
                compare(surfer.page.evaluate(READ), pond, window, view, chart)
    surfer.quiet()


@pytest.mark.some(1)
@pytest.mark.parametrize("wide", [390, 1280])
def test_every_chart_window_and_view_equals_the_game(
    wide: int, pond: Pond, browser: Browser
) -> None:
    windows = sorted(pond.walk.frames)
    with surfing(browser, pond.page, wide, 1000) as surfer:
        check(surfer.open(), pond, [*windows[:4], windows[-1]])
        assert surfer.page.evaluate("document.documentElement.scrollWidth") == wide
        for button in surfer.page.locator("#charts button").all():
            box = button.bounding_box()
            assert box and box["height"] >= 40


def test_keys_links_and_touches_choose_the_chart(pond: Pond, browser: Browser) -> None:
    window = sorted(pond.walk.frames)[2]
    with surfing(browser, pond.page) as surfer:
        surfer.open(f"#w={window}&v=hunter&c=near")
        compare(surfer.page.evaluate(READ), pond, window, 2, 1)
        surfer.page.keyboard.press("c")
        compare(surfer.page.evaluate(READ), pond, window, 2, 0)
        surfer.page.keyboard.press("c")
        compare(surfer.page.evaluate(READ), pond, window, 2, 1)
        surfer.open("#c=far")
        assert surfer.page.evaluate(READ)["shown"] == ["inline", "none"]
        surfer.quiet()
    context = browser.new_context(
        has_touch=True, offline=True, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.goto(f"{pond.page.as_uri()}#w={window}&v=fox")
    page.locator("#charts button").nth(1).tap()
    compare(page.evaluate(READ), pond, window, 1, 1)
    context.close()


def test_a_hull_is_chosen_like_a_counter(pond: Pond, browser: Browser) -> None:
    with surfing(browser, pond.page) as surfer:
        surfer.open("#w=3&v=truth")
        got = surfer.page.evaluate(READ)
        places = {name: place for name, place, *_ in got["hulls"]}
        astern = 18 * got["board"][0]
        for hit, away in (("Hound", 0.0), ("Fox", astern)):
            x, y = places[hit]
            surfer.page.mouse.click(x - away, y + away)
            assert hit in (surfer.page.locator("#pick").text_content() or "")
            assert surfer.page.locator("#units tr.hit td").first.text_content() == hit


def test_scrubbing_leaves_nothing_behind(pond: Pond, browser: Browser) -> None:
    """After a hundred windows the page is as large as after eight: nothing of the others is kept
    in it, and the last one is shown. How long they take is for the benchmarks."""
    with surfing(browser, pond.page) as surfer:
        surfer.open("#c=near")
        first, last, shown = surfer.page.evaluate(
            """() => { const s = document.getElementById("slider");
            const scrub = (times) => { for (let n = 0; n < times; n++) {
              s.value = n % 8; s.dispatchEvent(new Event("input")); }
              return document.getElementsByTagName("*").length; };
            return [scrub(8), scrub(96), s.value]; }"""
        )
    assert (last, shown) == (first, "7")


# The checks are checked: each fault planted in a page is found.


def altered(pond: Pond, tmp_path: Path, spoil: Callable[[Any, Any], object]) -> Path:
    """The page with other data in its third window."""
    text = pond.page.read_text("utf-8")
    head, data, tail = re.split(r'(?s)(?<=id="data">)(.*?)(?=</script>)', text, maxsplit=1)
    told = json.loads(data)
    spoil(told["frames"][2], told)
    path = tmp_path / "bad.html"
    path.write_text(head + json.dumps(told).replace("<", "\\u003c") + tail, "utf-8")
    return path


def turned(frame: Any, data: Any) -> None:
    frame["u"][1][0][5] = 46


def moved(frame: Any, data: Any) -> None:
    frame["b"][0][1]["u"][0][2] = frame["b"][0][0]["u"][0][2]


def foreign(frame: Any, data: Any) -> None:
    frame["x"][0][0] += frame["x"][0][1]


def suspected(frame: Any, data: Any) -> None:
    """What a side believes of the enemy passes for the truth."""
    enemies = [n for n, thing in enumerate(data["things"]) if thing[1] == "enemy"]
    for n in enemies:
        data["things"][n][1] = "own"


def uncharted(frame: Any, data: Any) -> None:
    frame["b"][0][0] = None


FAULTS = {
    "a hull that is turned": turned,
    "a hull in another place on the second chart": moved,
    "the enemy's shapes in a side's view": foreign,
    "knowledge in the truth": suspected,
    "a chart too few": uncharted,
}


@pytest.mark.some(2)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, pond: Pond, browser: Browser, tmp_path: Path) -> None:
    bad = altered(pond, tmp_path, FAULTS[fault])
    windows = sorted(pond.walk.frames)
    with surfing(browser, bad) as surfer, pytest.raises(AssertionError):
        check(surfer.open(), pond, [windows[2], windows[-1]])


def test_words_in_charts_stay_words(pond: Pond, browser: Browser, tmp_path: Path) -> None:
    """Whatever stands in the names of shapes, nothing of it becomes markup."""
    hostile = "</script><img src=x onerror=alert(1)><b>"

    def plant(frame: Any, data: Any) -> None:
        for thing in data["things"]:
            if thing[0] == "name":
                thing[5] = hostile

    with surfing(browser, altered(pond, tmp_path, plant)) as surfer:
        surfer.open("#w=3&v=fox")
        assert hostile in surfer.page.evaluate(READ)["names"]
        assert surfer.page.locator("img, b").count() == 0
        surfer.quiet()
