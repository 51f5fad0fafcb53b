"""The order page of a side with many units: a field that finds them by what the list says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from games.second_fleet.game import SYSTEM
from pbem.base.report_json import Report
from pbem.base.report_menu import lengthened
from pbem.bots.demo import demo
from pbem.web import order_page

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
SHOWN = """() => [...document.querySelectorAll("#composer ul.units > li:not([hidden]) button")]
  .map((b) => b.id.replace("unit-of-", ""))"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A report with some sixty units to order, as it was mailed."""
    folder = tmp_path_factory.mktemp("many")
    next(demo(folder, SYSTEM, "a", scenario="lifeline"))
    path = folder / "demo" / "reports" / "nato" / "2" / "report.json"
    return dict(lengthened(json.loads(path.read_text("utf-8"))))


def page_of(report: dict[str, Any], folder: Path) -> Path:
    """Its order page."""
    page = folder / "order-page.html"
    page.write_bytes(order_page.page(SYSTEM, Report.of(report)))
    return page


def test_words_find_units_by_name_type_and_place(
    browser: Browser, many: dict[str, Any], tmp_path: Path
) -> None:
    with writing(browser, page_of(many, tmp_path)) as player:
        whole = player.page.evaluate(SHOWN)
        assert len(whole) > 50
        for words, found in (
            ("tunny", ["TUNNY"]),
            ("sub 2915", ["TUNNY"]),
            ("CARRIER", ["INVCL", "RSVLT"]),
            ("usf18", ["USF18A", "USF18B"]),
            ("nobody", []),
            ("", whole),
        ):
            player.page.fill("#find", words)
            assert sorted(player.page.evaluate(SHOWN)) == sorted(found), words


def test_enter_takes_the_first_and_the_words_stay(
    browser: Browser, many: dict[str, Any], tmp_path: Path
) -> None:
    with writing(browser, page_of(many, tmp_path)) as player:
        player.page.fill("#find", "hammer")
        player.page.press("#find", "Enter")
        assert player.page.inner_text("#composer .heading h2") == "HAMMER"
        player.page.click("#composer .heading button")  # all units
        assert player.page.input_value("#find") == "hammer"
        assert player.page.evaluate(SHOWN) == ["HAMMER"]


def test_a_short_list_has_no_such_field(
    browser: Browser, many: dict[str, Any], tmp_path: Path
) -> None:
    few = {**many, "menu": dict(list(many["menu"].items())[:20]), "suggest": []}
    with writing(browser, page_of(few, tmp_path)) as player:
        assert not player.page.query_selector("#find")
