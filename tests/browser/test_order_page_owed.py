"""What the order page shows of a report besides its units: who must answer, and what stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from games.toy.game import HUNTER, SYSTEM
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.table import Table
from pbem.web.order_page import page
from tests.conftest import Clock
from tests.corsairs import game as corsairs
from tests.installed import installed
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


@pytest.fixture
def known(tmp_path: Path) -> Iterator[None]:
    """Three Corsairs is installed."""
    yield from installed("corsairs", tmp_path / "site")


def test_a_free_answer_has_a_field_of_its_own_name(
    tmp_path: Path, browser: Browser, clock: Clock, known: None
) -> None:
    """What screen readers call it names the question, as there may be several."""
    referee = Referee.made(tmp_path / "home", corsairs.SYSTEM, Choices(seed="x"))
    referee.open()
    held = {"red": "ROVER: enter A1;", "green": "GANNET: enter A3;", "blue": "BOREAS: enter C3;"}
    referee.play(held)
    (question,) = referee.report("red")["questions"]
    assert not question["choices"]
    file = tmp_path / "order-page.html"
    file.write_bytes(page(corsairs.SYSTEM, Report.of(referee.report("red")), ""))
    with browser.new_page() as opened:
        opened.goto(file.as_uri())
        opened.get_by_label("Answer to Q1", exact=True).fill("3")
        assert "Q1: 3;" in opened.locator("#text").input_value()


@pytest.mark.parametrize("many", [5, 6])
def test_many_standing_orders_are_folded_and_stay_open_once_opened(
    many: int, tmp_path: Path, browser: Browser, clock: Clock
) -> None:
    """Sixteen ships with three each would be four screens of a phone before the page goes on."""
    standing = [f"@HOUND: if turn over {n} then move E4;" for n in range(many)]
    report = Referee.toy(tmp_path).report("hunter") | {"standing": standing}
    file = tmp_path / "order-page.html"
    file.write_bytes(page(SYSTEM, Report.of(report), ""))
    with browser.new_page() as opened:
        opened.goto(file.as_uri())
        fold = opened.locator("#standing > summary")
        assert fold.inner_text() == f"Standing orders in force ({many})"
        end = opened.get_by_role("button", name="End the standing orders of HOUND").first
        assert end.is_visible() == (many == 5)
        if many == 6:
            fold.click()
        opened.locator("#fresh").click()  # draws the lists anew
        assert end.is_visible()
