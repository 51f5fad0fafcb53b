"""A window of BattleFleet Baltic with the order page of one side, for tests that plot courses."""

from __future__ import annotations

from pathlib import Path

from games.baltic import setup
from games.baltic.game import SYSTEM
from orders.show import show
from pbem.base.report_json import Report
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of
from pbem.testing.referee import Referee
from pbem.web import order_page

KNOB = """(() => {
  const all = document.querySelectorAll("#overlay .knob");
  const found = all[all.length - 1].getBoundingClientRect();
  return [found.x + found.width / 2, found.y + found.height / 2];
})()"""
"""The middle of the knob at the end of the course, in the window."""


def window(folder: Path, side: str = "kalmar") -> Report:
    """The report of a first turn in one mail; its order page lies in the folder."""
    options = {"windows": "turn"}
    war = setup.begin("rig", options, {})
    war.turn, war.stage = 1, "all"
    referee = Referee.opened(folder / "home", SYSTEM, state=war, windows="turn")
    report = Report.of(referee.report(side))
    page(folder).write_bytes(order_page.page(SYSTEM, report))
    return report


def page(folder: Path) -> Path:
    """The order page."""
    return folder / "order-page.html"


def understood(report: Report, line: str) -> str:
    """A line of the page, as the referee reads it."""
    reading = read_text(SYSTEM, report, block_of(header_of(report, report.seq), line))
    assert not (*reading.refusals, *reading.diagnostics), line
    return show(reading.orders, SYSTEM.grammar).strip()
