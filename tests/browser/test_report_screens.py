"""How many screens of a phone a report takes in whole games of every system. docs/pictures.md has
the figures; tests/mail/test_weights.py weighs the mails."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Literal

import pytest

from pbem.base.report_menu import lengthened
from pbem.reports import render
from pbem.reports.mailed import Mailed
from tests.once import played
from tests.systems import OURS

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

SAMPLE = Path(__file__).parents[1] / "reports" / "samples" / "bismarck-british.json"
WIDE, HIGH = 390, 844
"""A phone, in CSS pixels."""
MOST, FOUGHT = 3.0, 5.0
"""Screens of the first and of an average report, and of any report, also of a battle."""
SIZE = "() => [document.body.scrollHeight, document.body.scrollWidth]"


def shown(mail: EmailMessage, page: str) -> str:
    """A page with the pictures of its mail in their places."""
    for part in mail.walk():
        if part.get_content_maintype() == "image" and part["Content-ID"]:
            data = base64.b64encode(part.get_content()).decode()
            cid = str(part["Content-ID"]).strip("<>")
            page = page.replace(f"cid:{cid}", f"data:{part.get_content_type()};base64,{data}")
    return page


@pytest.mark.some(2)
@pytest.mark.parametrize("system", OURS)
def test_a_report_is_read_on_few_screens(
    system: str,
    tmp_path_factory: pytest.TempPathFactory,
    browser: Browser,
    drawn: Callable[[Sequence[Path], int], Sequence[Path]],
) -> None:
    """The first report of each side, and eight others that every run draws, are shown."""
    reports = played(tmp_path_factory, system) / "demo" / "reports"
    page = browser.new_page(viewport={"width": WIDE, "height": HIGH})
    try:
        for side in sorted({mail.parents[1] for mail in reports.glob("*/*/report.eml")}):
            # a turn of a run has no mail: its mail is that of the last
            folders = sorted(
                (p.parent for p in side.glob("*/report.eml")), key=lambda f: int(f.name)
            )
            screens = {}
            for folder in (folders[0], *drawn(folders[1:], 8)):
                html = (folder / "report.html").read_text("utf-8")
                mail = (folder / "report.eml").read_bytes()
                page.set_content(shown(message_from_bytes(mail, policy=policy.default), html))
                high, wide = page.evaluate(SIZE)
                screens[int(folder.name)] = high / HIGH
                assert wide <= WIDE, (side.name, folder.name)
            assert screens[1] <= MOST, (side.name, screens)
            assert mean(screens.values()) <= MOST, (side.name, screens)
            assert max(screens.values()) <= FOUGHT, (side.name, screens)
            assert not re.search("BEGIN ORDERS", (side / "1" / "report.html").read_text("utf-8"))
    finally:
        page.close()


def test_the_picture_is_dark_where_the_mail_is(browser: Browser) -> None:
    report = lengthened(json.loads(SAMPLE.read_text("utf-8")))
    mailed = Mailed(chart=[{"cid": "chart-15", "said": "Chart"}])
    page = browser.new_page(viewport={"width": WIDE, "height": HIGH})
    try:
        page.set_content(render.html(report, mailed))
        seen = {}
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            seen[scheme] = page.evaluate(
                "() => getComputedStyle(document.querySelector('.map')).filter"
            )
        assert seen == {"light": "none", "dark": "invert(0.93) hue-rotate(180deg)"}
    finally:
        page.close()


PRINTED = """() => {
  const shown = (q) => [...document.querySelectorAll(q)].filter((e) => e.checkVisibility()).length;
  const style = (q) => getComputedStyle(document.querySelector(q));
  return {
    folded: document.querySelectorAll("details p").length - shown("details p"),
    ground: style("body").backgroundColor,
    ink: style("h1").color,
    wide: style(".card").maxWidth,
    cut: style("pre").overflowX,
  };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_nothing_is_dark_or_folded_or_cut(
    scheme: Literal["light", "dark"], browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": HIGH})
    try:
        page.set_content(render.html(lengthened(json.loads(SAMPLE.read_text("utf-8")))))
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(PRINTED)["folded"] > 0
        page.emulate_media(media="print", color_scheme=scheme)
        assert page.evaluate(PRINTED) == {
            "folded": 0,
            "ground": "rgb(255, 255, 255)",
            "ink": "rgb(34, 40, 44)",
            "wide": "none",
            "cut": "visible",
        }
    finally:
        page.close()


LARGE = """() => [
  document.documentElement.scrollWidth,
  [...document.querySelectorAll(".f")].filter((e) => e.scrollWidth > innerWidth).length,
  [...document.querySelectorAll("summary.fold")].map((e) => e.getBoundingClientRect().height)
    .filter((high) => high < 44).length,
]"""
"""How wide a page is, how many of its tables are wider than the screen, and how many folds are
lower than a finger."""


@pytest.mark.some(2)
@pytest.mark.parametrize("system", OURS)
@pytest.mark.parametrize("letters", [16, 24])
def test_large_letters_leave_no_table_wider_than_a_phone(
    letters: int,
    system: str,
    tmp_path_factory: pytest.TempPathFactory,
    browser: Browser,
    drawn: Callable[[Sequence[Path], int], Sequence[Path]],
) -> None:
    """A reader who sets his browser to larger letters has no more room for columns."""
    reports = played(tmp_path_factory, system) / "demo" / "reports"
    flags = [*FLAGS, f"--blink-settings=defaultFontSize={letters}"]
    with browser.browser_type.launch(executable_path=str(CHROMIUM), args=flags) as own:
        page = own.new_page(viewport={"width": WIDE, "height": HIGH})
        for file in drawn(sorted(reports.glob("*/*/report.html")), 6):
            page.set_content(file.read_text("utf-8"))
            page.evaluate("() => document.querySelectorAll('details').forEach((d) => d.open = 1)")
            assert page.evaluate(LARGE) == [WIDE, 0, 0], file.parent
