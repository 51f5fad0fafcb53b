"""The report of a battle's window as it is mailed: what comes first, and which pictures."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.bismarck.game import SYSTEM
from pbem.base.report_json import Report
from pbem.outbound.mime import inline
from pbem.turns.report_charts import charts_of
from tests.bismarck.sea_battle import MANY, ON, met
from tests.referee import Referee

MOST_JSON = 45_000
"""Bytes of report.json in a battle of ten ships."""


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Referee:
    """After the first rounds of the Hood's battle."""
    referee = met(tmp_path_factory.mktemp("fought"))
    referee.turn(**ON)
    return referee


def file(referee: Referee, name: str) -> str:
    """A file of the newest British report."""
    folder = referee.folder / "reports/british" / str(referee.register.window)
    return (folder / name).read_text("utf-8")


@pytest.mark.parametrize("name", ["report.txt", "report.html"])
def test_a_report_of_a_battle_begins_with_how_the_ships_came_out_of_it(
    fought: Referee, name: str
) -> None:
    text = file(fought, name).upper()
    news = text.index("YOUR FORCES")
    for ship in ("HOOD", "PRINCE OF WALES", "BISMARCK"):
        assert text.rindex(ship, 0, news) > text.index("Q17")
    assert max(map(len, file(fought, "report.txt").splitlines())) < 78


def test_a_mail_shows_the_battle_board_and_then_the_search_chart(
    fought: Referee, tmp_path: Path
) -> None:
    created = SimpleNamespace(chart="png")
    state = SimpleNamespace(preferences={})
    register = SimpleNamespace(created=created, mail_state=state)
    game: Any = SimpleNamespace(register=register, path=tmp_path.joinpath)
    charts = charts_of(game, SYSTEM, Report.of(fought.report("british")))
    shown = [part.name for part in inline(charts)]
    assert shown == ["chart-battle-1-detail.png", "chart-detail.png"]
    board, search = (part.said for part in inline(charts))
    assert board.startswith("Chart, Royal Navy, Turn 4 of 34")
    assert "own Hood, Prince of Wales" in board
    assert "Bismarck" in board.partition("; contacts ")[2]
    assert board != search
    assert [p.name for p in charts if not p.cid] == ["chart.png", "chart-battle-1.png"]
    assert len(charts[-1].content) < 80_000


def test_the_report_of_a_battle_of_ten_ships_is_light(tmp_path: Path) -> None:
    referee = met(tmp_path, MANY)
    assert len(file(referee, "report.json")) < MOST_JSON


def test_the_form_of_a_battles_window_takes_nothing_from_the_orders_of_the_turn(
    fought: Referee,
) -> None:
    """An order of the form would replace all that its unit was ordered for the turn."""
    for side, ship in (("british", "HOOD"), ("german", "BISMARCK")):
        (remark,) = fought.report(side)["suggest"]
        assert remark.startswith("[ all have moved;")
        assert f"turn 5 {ship}: move" in remark


def test_4_5_who_has_moved_is_not_told_that_an_order_to_sail_will_do(fought: Referee) -> None:
    assert fought.refused("british", "HOOD: move C6;") == ["not-now"]
    assert fought.refused("british", "BRITISH: search all;") == ["not-now"]
    assert fought.refused("british", "turn 5 HOOD: move C6; HOOD: range b;") == []


def test_a_receipt_of_a_battles_window_names_no_ship_that_could_sail_no_more(
    tmp_path: Path,
) -> None:
    """All have moved: no unit is without orders that it could still be given."""
    referee = met(tmp_path)
    assert referee.order("british", "HOOD: range b;").receipt["without_orders"] == []
