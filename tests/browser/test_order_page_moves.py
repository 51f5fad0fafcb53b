"""A chart that offers orders: a tap on a cell in reach writes the order that goes there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

import games
from pbem.base.report_json import Report
from pbem.beside_map import Move
from pbem.charts.scenes import drawable
from pbem.web import order_page
from tests.browser.seat import ADDRESS, Seat
from tests.browser.writing import writing

pytest.importorskip("playwright", reason="playwright is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ORDER = "HOOD: move K14;"
# The middle of the offered cell on the screen, read at once: the chart is drawn anew when all
# places in reach are found, and a handle on the old drawing would be of no use.
MIDDLE = """() => {
  const [r, ...more] = [...document.querySelectorAll("#overlay .picked")]
    .map((e) => e.getBoundingClientRect());
  return more.length ? null : [r.x + r.width / 2, r.y + r.height / 2];
}"""


@pytest.mark.some(1)
@pytest.mark.parametrize("wide", [390, 1280])
def test_a_tap_on_a_place_in_reach_writes_the_order(
    seats: Callable[[str], Seat],
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    wide: int,
) -> None:
    system, report = games.load("bismarck"), Report.of(seats("bismarck").report)
    (chart, *_) = drawable(system, report.plain)
    hood = next(u for u in chart.units if u.id == "HOOD")
    cell = next(name for name, at in chart.grid.cells.items() if at == hood.at)
    move = Move(unit="HOOD", cell=cell, label="SE", order=ORDER)
    second = replace(chart, name="near", caption="near", moves=(move,))
    monkeypatch.setattr(order_page, "drawable", lambda *_: (chart, second))
    file = tmp_path / "page.html"
    file.write_bytes(order_page.page(system, report, ADDRESS))
    with writing(browser, file, wide, 844) as player:
        player.page.locator("#sheets button").nth(1).click()
        player.unit("HOOD")
        for _ in range(2):  # the second replaces the first
            player.page.mouse.click(*player.page.evaluate(MIDDLE))
            player.press("SE", "#pickers")
            assert player.find("#text").input_value().count(ORDER) == 1
