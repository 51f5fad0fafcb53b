"""Charts of a sea without cells in the browser: the order page switches between two of them, and
the replay places its counters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.writing import writing
from tests.charts import test_pond
from tests.cli.commands import pbem

pytest.importorskip("playwright", reason="playwright is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Browser

oak, pond, report = test_pond.oak, test_pond.pond, test_pond.report


@pytest.mark.some(1)
@pytest.mark.parametrize("wide", [390, 1280])
def test_a_report_with_two_charts_has_a_button_for_each(
    pond: Path, report: dict[str, Any], browser: Browser, wide: int
) -> None:
    file = pond / "page.html"
    file.write_bytes(
        pbem("--home", pond, "report", "demo", "fox", "--window", "3", "--format", "page").raw
    )
    with writing(browser, file, wide, 844) as player:
        buttons = player.page.locator("#sheets button")
        assert buttons.all_inner_texts() == ["the pond", "around you"]
        pressed = "els => els.map((e) => e.getAttribute('aria-pressed'))"
        assert buttons.evaluate_all(pressed) == ["true", "false"]
        whole = player.find("#ground").inner_html()
        buttons.nth(1).click()
        assert buttons.evaluate_all(pressed) == ["false", "true"]
        near = player.find("#ground").inner_html()
        assert near != whole
        box = buttons.nth(1).bounding_box()
        assert box
        assert box["height"] >= 44
        player.find("#in").click()
        buttons.nth(0).click()
        assert player.find("#ground").inner_html() == whole
        assert player.page.evaluate("document.activeElement.innerText") == "the pond"


def test_a_replay_without_cells_shows_both_boats(
    pond: Path, report: dict[str, Any], browser: Browser
) -> None:
    file = pond / "replay.html"
    assert pbem("--home", pond, "publish", "demo", "-o", file).code == 0
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"file://{file}#w=3&v=truth")
    marks = page.locator("#live .mark.unit")
    assert marks.count() == 2
    decks = page.locator("#live .hull use")
    assert decks.evaluate_all("els => els.map((e) => e.getAttribute('href'))") == ["#s-duck"] * 2
    assert page.locator("#s-duck").count() == 1
    places = [mark.get_attribute("data-x") for mark in marks.all()]
    assert len(set(places)) == 2
    assert wrong == []
    page.close()
