"""A window of BattleFleet Baltic with the order page of one side, for tests that plot courses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from pathlib import Path

from games.baltic import setup
from games.baltic.game import SYSTEM
from games.baltic.state import War
from orders.show import show
from pbem.admin.setup import Choices
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
    report = begun(folder / "home", side, "rig", lambda war: None)
    page(folder).write_bytes(order_page.page(SYSTEM, report))
    return report


def begun(home: Path, side: str, scenario: str, change: Callable[[War], None]) -> Report:
    """The report of a game whose turns go in one mail, and which begins in turn 1 as `change`
    leaves it."""
    system = copy(SYSTEM)

    def begin(scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> War:
        war = setup.begin(scenario, options, house)
        war.turn = 1
        change(war)
        return war

    vars(system)["begin"] = begin
    choices = Choices(scenario=scenario, options={"windows": "turn"}, seed="x", dice="seeded")
    referee = Referee.made(home, system, choices)
    referee.open()
    return Report.of(referee.report(side))


def page(folder: Path) -> Path:
    """The order page."""
    return folder / "order-page.html"


def understood(report: Report, line: str) -> str:
    """A line of the page, as the referee reads it."""
    reading = read_text(SYSTEM, report, block_of(header_of(report, report.seq), line))
    assert not (*reading.refusals, *reading.diagnostics), line
    return show(reading.orders, SYSTEM.grammar).strip()


def every_verb(home: Path) -> Iterator[Report]:
    """Reports whose menus offer every verb between them."""

    def at_once(war: War) -> None:
        war.turn = 0

    def down(war: War) -> None:
        war.cards["ILMARINEN"].down = True

    def flying(war: War) -> None:
        for number, marker in enumerate(war.markers.values()):
            marker.at, marker.x, marker.y = "air", 30_000 + 2000 * number, 20_000
        war.markers["KF1"].guards = "KRONAN"
        war.markers["KB2"].at = "deck"

    yield begun(home / "buy", "kalmar", "battle", at_once)
    yield begun(home / "deploy", "kalmar", "flight", at_once)
    yield begun(home / "flight", "kalmar", "flight", flying)
    yield begun(home / "narrows", "finland", "narrows", down)
    yield begun(home / "rig", "kalmar", "rig", lambda war: None)
