"""The order page on a board of areas: moves by tapping them, questions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import games
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.web import order_page
from tests.browser.seat import Seat, accepted, private_file
from tests.conftest import Clock
from tests.referee import Referee, key_of

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import Player, writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
POINT = """([x, y]) => { const m = document.getElementById("map").getScreenCTM();
  return [m.a * x + m.e, m.d * y + m.f]; }"""


def tap(player: Player, report: dict[str, Any], area: str) -> None:
    """The middle of an area."""
    scene = games.load("far_seas").chart(report)
    assert scene
    middle = order_page.board(scene)["cells"][area]
    player.page.mouse.click(*player.page.evaluate(POINT, middle))


def moves(report: dict[str, Any]) -> dict[str, list[str]]:
    """The areas that each unit may be sent to."""
    return {
        unit: [str(v) for arg in item["args"] if arg["name"] == "area" for v in arg["values"]]
        for unit, items in report["menu"].items()
        for item in items
        if item["verb"] == "move"
    }


@pytest.mark.some(1)
@pytest.mark.parametrize("wide", [390, 1280])
def test_a_move_that_the_enemy_may_not_know_is_tapped_and_taken(
    wide: int, seats: Callable[[str], Seat], browser: Browser, tmp_path: Path
) -> None:
    seat = seats("far_seas")
    report = seat.report
    unit, areas = next((u, a) for u, a in moves(report).items() if a)
    with writing(browser, seat.page, wide, 844) as player:
        player.unit(unit)
        player.verb("move")
        found = ""
        for area in areas:
            tap(player, report, area)
            if player.find("#arg-area").input_value() != area:
                tap(player, report, area)
            assert player.find("#arg-area").input_value() == area
            if player.find("#add").is_enabled():
                found = player.find("#draft").inner_text()
                player.press("Add")
                break
        assert found == f"{unit}: move {area};"
        assert found in player.lines()
        player.open_key(seat.key)
        lines = [line.rstrip(";") for line in player.lines()]
        path = player.sign(tmp_path)
        player.quiet()
    assert accepted(seat, path) == lines


def choices(referee: Referee) -> list[tuple[str, dict[str, Any], str]]:
    """Questions with a choice besides their default: whose, which, the choice."""
    return [
        (side, question, str(choice))
        for side in map(str, referee.register.sides)
        for question in referee.report(side)["questions"]
        for choice in question["choices"]
        if choice != question["default"]
    ]


def test_a_question_is_answered_by_a_button(clock: Clock, browser: Browser, tmp_path: Path) -> None:
    """Not as the default would have it."""
    referee = Referee.made(
        tmp_path / "home", games.load("far_seas"), Choices(options={"play": "asked"}, seed="x")
    )
    referee.open()
    while not (found := choices(referee)):
        referee.play({side: referee.suggested(side) for side in referee.register.sides})
    (asked, question, other), *_ = found
    report = referee.report(asked)
    page, key = tmp_path / "order-page.html", tmp_path / "k"
    page.write_bytes(order_page.page(referee.system, Report.of(report)))
    key.write_bytes(private_file(key_of(asked).wire, asked))
    with writing(browser, page, 390, 844) as player:
        assert question["prompt"] in player.find("#questions").inner_text()
        number = report["questions"].index(question)
        player.press(other, f"#questions > .field >> nth={number}")
        player.open_key(key)
        path = player.sign(tmp_path)
        player.quiet()
    (outcome,) = referee.receive(path.read_bytes())
    assert outcome.good, outcome.text
    assert f"{question['id']}: {other}" in outcome.text
