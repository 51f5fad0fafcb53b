"""The order page of a game of programmes: a Trajectory is tapped out on the chart of a phone, each
line says what it will do, and a standing reaction begins as one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.base.report_json import Report
from pbem.web import order_page
from tests.browser.seat import Seat, accepted

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")


@pytest.mark.some(1)
@pytest.mark.parametrize("wide", [390, 1280])
def test_a_trajectory_is_tapped_out_and_signed(
    wide: int, seats: Callable[[str], Seat], browser: Browser, tmp_path: Path
) -> None:
    seat, phone = seats("atlantic_chase"), wide < 500
    with writing(
        browser, seat.page, wide, 844, False, seat.pitch, has_touch=phone, is_mobile=phone
    ) as player:
        assert player.lines() == ["GERMAN: finish pass;"]
        assert player.find("#marks > *").count() == 0, "what the chart shows is drawn once more"
        player.unit("KG2")
        player.verb("course")
        player.find("#map").scroll_into_view_if_needed()
        player.tap("G09", "F10", "F11")
        assert player.find("#arg-path").input_value() == "G09 F10 F11"
        player.find("#add").click()
        assert player.lines() == ["GERMAN: finish pass;", "KG2: course G09 F10 F11;"]
        assert "a line of 4 hexes then, G08 to F11" in player.find("#list").inner_text()
        assert player.codes() == []
        player.open_key(seat.key)
        found = accepted(seat, player.sign(tmp_path))
        assert found == ["GERMAN: finish pass", "KG2: course G09 F10 F11"]
        player.quiet()


def test_a_reaction_begins_as_a_standing_order(
    seats: Callable[[str], Seat], browser: Browser
) -> None:
    seat = seats("atlantic_chase")
    with writing(browser, seat.page, 390, 844, False, seat.pitch) as player:
        player.unit("GERMAN")
        player.verb("seize")
        player.find("#arg-least").fill("30")
        player.find("#add").click()
        assert player.lines() == ["GERMAN: finish pass;", "@GERMAN: seize at least 30;"]
        assert "an Evasive marker instead" in player.find("#list").inner_text()
        player.quiet()


def test_what_is_drawn_is_not_drawn_again(
    seats: Callable[[str], Seat], browser: Browser, tmp_path: Path
) -> None:
    """A side whose forces are all Trajectories has no counter on the chart, but its enemy has."""
    seat = seats("atlantic_chase")
    report = dict(seat.report)
    report["units"] = [u for u in seat.report["units"] if u["id"] not in ("KG1", "KG2", "KG3")]
    page = tmp_path / "page.html"
    page.write_bytes(order_page.page(seat.referee.system, Report.of(report)))
    with writing(browser, page, 390, 844, False, seat.pitch) as player:
        player.unit("GERMAN")
        assert player.find("#marks > *").count() == 0
        player.quiet()
