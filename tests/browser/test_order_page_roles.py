"""The order page of a role's report: it judges as the referee does, and its header has no link."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser

from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.reports.report import decode
from pbem.web.order_page import page
from tests.browser.surf import CHROMIUM
from tests.browser.tongue import speaking
from tests.conftest import Clock
from tests.officers import conftest
from tests.officers.game import SYSTEM
from tests.referee import Referee

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
AIR = "hunters.air"
known = conftest.known


@pytest.fixture
def referee(tmp_path: Path, clock: Clock) -> Referee:
    """An open game of provable dice."""
    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="fast"))
    referee.open()
    return referee


def opened(referee: Referee, seat: str) -> Mapping[str, Any]:
    """A seat's report as programs read it."""
    path = referee.folder / "reports" / seat / "1" / "report.json"
    return decode(path.read_bytes()).plain


def test_the_page_judges_a_role_as_the_referee_does(referee: Referee, browser: Browser) -> None:
    lines = (
        "WALRUS: go B1;",
        "SHEFFIELD: go B1; WALRUS: go B2;",
        "@TRIAD: none; @WALRUS: none;",
        "FINAL; RUN 2; LINKS 3; RESIGN; WALRUS: if turn over 1 then go B1 else go B2;",
        "@WALRUS: if turn over 1 then go B1;\nWALRUS: go C9;",
        "ABSENT UNTIL 2026-12-24; CONSENT UNDO 1;\nturn 2 WALRUS: go A1;",
        "WALRUS: when sighted then go B1;",
        "Q1: yes;",
    )
    with speaking(browser, SYSTEM) as tongue:
        for seat in (AIR, "hunters"):
            report = opened(referee, seat)
            texts = [f"BEGIN ORDERS\n{text}\nEND ORDERS" for text in lines]
            found = set(tongue.agrees(report, texts))
            assert ({"commander-only", "role-condition"} <= found) == (seat == AIR)


def test_the_page_is_for_the_role(referee: Referee, tmp_path: Path, browser: Browser) -> None:
    report = Report.of(referee.report(AIR))
    content = page(SYSTEM, report)
    assert b"SHEFFIELD" not in content.upper()
    file = tmp_path / "order-page.html"
    file.write_bytes(content)
    with browser.new_page() as opened:
        errors: list[str] = []
        opened.on("pageerror", lambda e: errors.append(str(e)))
        opened.goto(file.as_uri())
        assert opened.locator("#head").inner_text() == "Two Officers · Hunters, Air officer"
        assert errors == []
    assert json.loads(report.setup.text)["keys"][AIR] == []
