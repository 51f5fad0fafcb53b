"""Courses on a sea without cells, drawn on the order page by touch and by keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.base.report_json import Report
from pbem.web import order_page
from tests.browser import plotting

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import Player, writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
REPORTS: dict[Path, Report] = {}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plotting")
    REPORTS[folder] = plotting.window(folder)
    return folder


@pytest.fixture
def phone(browser: Browser, place: Path) -> Iterator[Player]:
    with writing(browser, plotting.page(place), 390, 844, has_touch=True) as player:
        yield player
        assert not player.errors
        assert all(url.startswith("file:") for url in player.asked)


def course(player: Player, unit: str) -> str:
    """The one course that is ordered for a unit."""
    (line,) = [said for said in player.lines() if said.startswith(f"{unit}: move")]
    return line


def knob(player: Player) -> list[float]:
    found: list[float] = player.page.evaluate(plotting.KNOB)
    return found


def touch(player: Player, *way: tuple[float, float]) -> None:
    """A finger that goes down at the first place, through the others, and up."""
    device = player.page.context.new_cdp_session(player.page)
    for kind, (x, y) in zip(["touchStart"] + ["touchMove"] * (len(way) - 1), way, strict=True):
        points = [{"x": x, "y": y}]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_course_is_dragged_by_touch_and_the_referee_understands_it(
    phone: Player, place: Path
) -> None:
    phone.unit("VASA")
    assert "Drag the hull of VASA" in phone.find("#hint").inner_text()
    assert phone.find("#overlay .reach").count() == 1
    x, y = knob(phone)
    touch(phone, (x, y), (x - 4, y + 12), (x - 8, y + 40))
    line = course(phone, "VASA")
    assert re.fullmatch(r"VASA: move port [\d.]+ ahead [\d.]+;", line)
    assert plotting.understood(REPORTS[place], line) == line
    assert re.fullmatch(
        r"\d\.\d\d inches, ends at [\d. ]+, heading [\d.]+", phone.find("#hint").inner_text()
    )
    assert phone.axed() == []


def test_a_leg_is_dragged_by_its_knob(phone: Player) -> None:
    phone.unit("VASA")
    phone.press("+ turn")
    phone.press("+ straight")
    before = course(phone, "VASA")
    (x, y), last = (
        phone.page.evaluate(plotting.KNOB.replace("all.length - 1", "0")),
        knob(phone),
    )
    touch(phone, (x, y), (x + 6, y), (x + 14, y))
    assert course(phone, "VASA") != before
    assert knob(phone) != last


def test_a_course_is_set_by_keys_alone(phone: Player, place: Path) -> None:
    phone.unit("HAVSORN")
    phone.find("#map").focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowLeft", "ArrowUp"):
        phone.page.keyboard.press(key)
    line = course(phone, "HAVSORN")
    assert line.startswith("HAVSORN: move ") and "starboard 9.5" in line
    assert plotting.understood(REPORTS[place], line) == line
    phone.page.get_by_role("button", name="starboard 9.5: more to port").press("Enter")
    assert "starboard 4.5" in course(phone, "HAVSORN")


def test_arcs_and_range_bands_of_a_weapon_are_shown_where_the_course_ends(phone: Player) -> None:
    phone.unit("VASA")
    assert phone.find("#overlay .bears").count() == 0
    phone.find("#weapon").select_option("M")
    assert phone.find("#overlay .bears").count() == 2  # either broadside
    assert phone.find("#overlay .band").count() == 6  # 10, 20 and 30 inches of each
    assert phone.find("#bears").inner_text() == "M bears on nobody there"
    phone.find("#weapon").select_option("A")
    assert phone.find("#overlay .bears").count() == 1


def test_the_telegraph_changes_the_reach_and_the_course(phone: Player) -> None:
    phone.unit("VASA")
    reach = phone.find("#overlay .reach").get_attribute("d")
    phone.press("full", "#plot")
    assert "VASA: speed full;" in phone.lines()
    assert phone.find("#overlay .reach").get_attribute("d") != reach
    assert course(phone, "VASA") == "VASA: move ahead 5;"
    assert phone.codes() == []


def test_a_tap_on_the_open_sea_measures(phone: Player) -> None:
    phone.unit("VASA")
    x, y = knob(phone)
    phone.page.touchscreen.tap(x - 60, y - 40)
    assert re.search(r"inches from VASA, bearing \d+", phone.find("#hint").inner_text())
    assert phone.find("#overlay .ruler").count() == 1


def test_the_page_is_small_enough(place: Path) -> None:
    assert plotting.page(place).stat().st_size < order_page.MOST
