"""The order page of a window that only certain sides must answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from games.toy.game import HUNTER, SYSTEM
from pbem.base.report_json import Report
from pbem.table import Table
from pbem.web.order_page import page
from tests.conftest import Clock
from tests.referee import Referee


@pytest.mark.parametrize(
    ("side", "said"),
    [
        ("fox", "Orders are due from the Hunter side; you may write."),
        ("hunter", "Orders are due from you; the others may write."),
        ("fox", ""),
    ],
)
def test_the_page_says_who_must_answer(
    side: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    browser: Browser,
    clock: Clock,
) -> None:
    if said:
        monkeypatch.setattr(Table, "_owing", lambda *asked: (HUNTER,))
    report = Referee.toy(tmp_path).report(side)
    file = tmp_path / "order-page.html"
    file.write_bytes(page(SYSTEM, Report.of(report), ""))
    with browser.new_page() as opened:
        opened.goto(file.as_uri())
        shown = opened.locator("#due").inner_text()
    assert ("due from" in shown) == bool(said)
    assert shown.endswith(said or "no deadline set")
