"""The graph of an analysis in a replay, tapped in a real Chromium."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.base.analysis_json import Analysis, Row, Turning
from pbem.replay.graph import LEFT, RIGHT, WIDE
from pbem.replay.publish import replay_page
from pbem.replay.walk import sides_of
from tests.browser.replays import Replay
from tests.systems import OURS

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, surfing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")


def graphed(replay: Replay) -> Analysis:
    """An analysis of its game with invented chances, one of them a turning point."""
    *windows, _ = replay.windows
    register = replay.walk.register
    one, two = register.sides
    chances = {w: (5 + i % 4) / 10 for i, w in enumerate(windows)}
    rows = [
        Row(
            window=w,
            turn=w,
            label=f"turn {w}",
            playouts=40,
            chance={one: p, two: 1 - p},
            low={one: p - 0.1, two: 0.9 - p},
            high={one: p + 0.1, two: 1.1 - p},
            change=0.1,
            luck=0.04,
            skill={one: 0.05, two: 0.01},
            thought={two: 1 - p} if w % 2 else {},
        )
        for w, p in chances.items()
    ]
    return Analysis(
        game="demo",
        system=replay.system.name,
        head="",
        sides=[one, two],
        names=dict(sides_of(replay.system, register.created.scenario, register.sides)),
        result=one,
        seed="",
        playouts=40,
        apart=20,
        start=0.5,
        rows=rows,
        turning=[
            Turning(
                1,
                windows[3],
                "turn 4",
                0.1,
                0.04,
                "The hound heard a twig",
                {one: 0.05, two: 0.01},
                orders={one: [", ".join(f"UNIT{n}" for n in range(30)) + ": patrol"]},
                dice=["NOISE/TWIG  " + "A1/FOX/1/1D6/" * 9 + ": 3"],
            )
        ],
        luck=0.2,
        skill={one: 0.4, two: -0.1},
    )


OUTSIDE = """() => [...document.querySelectorAll("#graph text, #bars text")]
    .filter((text) => {
        const box = text.getBoundingClientRect(), all = text.closest("svg").getBoundingClientRect();
        return box.left < all.left - 1 || box.right > all.right + 1 || box.bottom > all.bottom + 1;
    }).map((text) => text.textContent)"""
"""Labels that the picture cuts off."""


@pytest.mark.some(2)
@pytest.mark.parametrize("name", OURS)
def test_every_system_has_its_graph(
    name: str, replays: Callable[[str], Replay], browser: Browser, tmp_path: Path
) -> None:
    replay, page = replays(name), tmp_path / "replay.html"
    page.write_bytes(replay_page(replay.game, replay.system, replay.walk, graphed(replay)))
    for wide in (390, 1280):
        with surfing(browser, page, wide, 844) as surfer:
            surfer.open()
            assert surfer.page.locator("#graph .line").is_visible()
            assert surfer.page.evaluate(OUTSIDE) == []
            assert surfer.page.evaluate("document.documentElement.scrollWidth") == wide


@pytest.mark.parametrize("wide", [390, 1280])
def test_a_tap_on_the_graph_chooses_the_window(
    wide: int, toy: Replay, browser: Browser, tmp_path: Path
) -> None:
    page = tmp_path / "replay.html"
    page.write_bytes(replay_page(toy.game, toy.system, toy.walk, graphed(toy)))
    with surfing(browser, page, wide, 844) as surfer:
        surfer.open()
        assert surfer.page.evaluate("document.documentElement.scrollWidth") == wide
        said = surfer.page.locator("#chances output")
        assert said.all_inner_texts() == ["50 %", "50 %", "at the start"]
        assert "as the hunter could think 50 %" in surfer.page.inner_text(".legend")
        assert surfer.page.locator("#graph .thought").count() == 1
        box = surfer.page.locator("#graph").bounding_box()
        assert box
        across = LEFT + 2.1 * (WIDE - LEFT - RIGHT) / (len(toy.windows) - 1)
        place = {"x": across * box["width"] / WIDE, "y": box["height"] / 2}
        surfer.page.locator("#graph").click(position=place)  # type: ignore[arg-type]
        moved = "+10 points since the window before, which may be chance"
        assert said.all_inner_texts() == ["70 %", "30 %", moved]
        assert surfer.page.inner_text("#when").startswith(f"Window {toy.windows[2]} ")
        surfer.page.locator(".turning button").focus()
        surfer.page.keyboard.press("Enter")
        assert surfer.page.inner_text("#when").startswith(f"Window {toy.windows[4]} ")
        assert surfer.page.locator(".turning button").get_attribute("aria-current") == "true"


@pytest.mark.parametrize("wide", [390, 1280])
def test_a_switch_shades_where_a_side_could_believe_the_other_to_be(
    wide: int, toy: Replay, browser: Browser, tmp_path: Path
) -> None:
    """In its own view at once, beside the truth when asked for, and never in the other's."""
    page, found = tmp_path / "replay.html", graphed(toy)
    *places, _ = sorted({u.place for f in toy.walk.frames.values() for u in f.truth})
    found.believed = {"hunter": {w: {places[0]: 0.3, places[1]: 0.06} for w in toy.windows}}
    page.write_bytes(replay_page(toy.game, toy.system, toy.walk, found))
    with surfing(browser, page, wide, 844) as surfer:
        surfer.open()
        shades, switch = surfer.page.locator("#live .heat"), surfer.page.locator("#heat input")
        assert (shades.count(), switch.is_checked()) == (0, False)
        switch.check()
        assert shades.count() == 2
        assert surfer.page.evaluate("document.documentElement.scrollWidth") == wide
        surfer.page.get_by_role("button", name="The hunter", exact=True).click()
        assert (shades.count(), switch.is_checked()) == (2, True)
        switch.focus()
        surfer.page.keyboard.press("Space")
        assert (shades.count(), switch.is_checked()) == (0, False)
        assert surfer.page.inner_text("#play") == "Play", "the key was for the switch"
        surfer.page.get_by_role("button", name="The fox", exact=True).click()
        assert shades.count() == 0 and not switch.is_visible()


def test_without_a_script_the_graph_and_the_end_show(
    toy: Replay, browser: Browser, tmp_path: Path
) -> None:
    """The whole board with the ships as they stood, and no buttons that do nothing."""
    page = tmp_path / "replay.html"
    page.write_bytes(replay_page(toy.game, toy.system, toy.walk, graphed(toy)))
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    shown = context.new_page()
    shown.goto(page.as_uri())
    assert shown.locator("#live text").all_text_contents() == ["Fox", "Hound"]
    wide, high = shown.locator("#map").bounding_box(), shown.locator("#live").bounding_box()
    assert wide and high
    assert wide["x"] <= high["x"] and high["x"] + high["width"] <= wide["x"] + wide["width"]
    assert wide["y"] <= high["y"] and high["y"] + high["height"] <= wide["y"] + wide["height"]
    assert shown.locator("#graph .line").is_visible()
    assert shown.locator("button:visible").count() == 1, "that of the turning point"
    context.close()


def test_on_a_phone_the_graph_comes_before_the_lists(
    toy: Replay, browser: Browser, tmp_path: Path
) -> None:
    page = tmp_path / "replay.html"
    page.write_bytes(replay_page(toy.game, toy.system, toy.walk, graphed(toy)))
    with surfing(browser, page, 390, 844) as surfer:
        surfer.open()
        tops = [surfer.page.locator(at).bounding_box() for at in ("#map", "#graph", "#units")]
        heights = [box["y"] for box in tops if box]
        assert len(heights) == 3 and heights == sorted(heights)
        number = surfer.page.locator("#graph circle.turn").bounding_box()
        assert number and number["width"] >= 15
