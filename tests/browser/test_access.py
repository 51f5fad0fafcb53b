"""Pages and mails for eyes that differ and for readers of the screen: axe-core finds no fault in
them, and html5lib reads them as they were meant.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import html5lib
import pytest

import games
from pbem.bots.demo import demo
from pbem.replay.publish import publish
from pbem.reports import render
from pbem.reports.mailed import Mailed
from pbem.store.game_dir import reading
from tests.conftest import Clock
from tests.luck import pinned

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, GROWN, surfing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

SAMPLES = Path(__file__).parents[1] / "reports" / "samples"
RUN = "() => axe.run({resultTypes: ['violations'], iframes: false})"
SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every kind of page as a file."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for path in sorted(SAMPLES.glob("*.json")):
        report = json.loads(path.read_text("utf-8"))
        if report["format"] == "pbem-report/1":
            found[path.stem] = folder / f"{path.stem}.html"
            found[path.stem].write_text(render.html(report), "utf-8")
        else:
            found[path.stem] = folder / f"{path.stem}.html"
            found[path.stem].write_text(render.receipt_page(report), "utf-8")
    report = json.loads((SAMPLES / "bismarck-british.json").read_text("utf-8"))
    found["reminder"] = folder / "reminder.html"
    found["reminder"].write_text(
        render.reminder(
            report,
            "No orders of yours are in force yet.",
            "The turn runs without you.",
            Mailed(tz="Europe/Berlin"),
        ),
        "utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        pinned(patch, "axe")
        list(demo(folder, games.load("toy"), "a", "fast"))
        found["replay"] = publish(
            reading(folder, "demo"), games.load("toy"), folder / "r.html"
        ).page
    return found


def names() -> list[str]:
    return [*(p.stem for p in sorted(SAMPLES.glob("*.json"))), "reminder", "replay"]


def violations(browser: Browser, page: Path, wide: int, dark: bool) -> list[str]:
    """What axe-core complains of: rule, place, why."""
    with surfing(browser, page, wide, dark=dark) as surfer:
        surfer.page.goto(page.as_uri())
        surfer.page.evaluate(SCRIPT)
        found: dict[str, Any] = surfer.page.evaluate(RUN)
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.some(1)
@pytest.mark.parametrize(("wide", "dark"), [(390, False), (1280, True)])
@pytest.mark.parametrize("name", names())
def test_axe_finds_nothing(
    name: str, wide: int, dark: bool, pages: dict[str, Path], browser: Browser
) -> None:
    assert violations(browser, pages[name], wide, dark) == []


@pytest.mark.some(3)
@pytest.mark.parametrize("wide", [390, 1280])
@pytest.mark.parametrize("name", [name for name in names() if name != "replay"])
def test_text_grows_with_the_letters_of_its_reader(
    name: str, wide: int, pages: dict[str, Path], browser: Browser
) -> None:
    with surfing(browser, pages[name], wide) as surfer:
        surfer.page.goto(pages[name].as_uri())
        texts, fixed = surfer.page.evaluate(GROWN)
        assert surfer.page.evaluate("document.body.scrollWidth") <= wide
    assert texts > 5
    assert fixed == []


@pytest.mark.parametrize("name", names())
def test_html_is_read_without_an_error(name: str, pages: dict[str, Path]) -> None:
    html5lib.HTMLParser(strict=True).parse(pages[name].read_text("utf-8"))


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('<html lang="en">', "<html>"),
        ("color:#566269", "color:#e0e0e0"),
        (' alt="', ' data-said="'),
    ],
)
def test_a_planted_fault_is_found(
    good: str, bad: str, pages: dict[str, Path], browser: Browser, tmp_path: Path
) -> None:
    text = render.html(
        json.loads((SAMPLES / "bismarck-british.json").read_text("utf-8")),
        Mailed(chart=[{"cid": "x", "said": "Chart"}]),
    )
    assert good in text
    spoilt = tmp_path / "spoilt.html"
    spoilt.write_text(text.replace(good, bad), "utf-8")
    assert violations(browser, spoilt, 390, False) != []
