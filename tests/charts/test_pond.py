"""A system of another package whose sea has no cells, with two charts and a symbol of its own: in
commands, mails, on the order page and in the replay."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import games
from pbem.admin.setup import Choices
from pbem.charts import check, symbols
from pbem.charts.chart import svg
from pbem.charts.drawing import empty
from pbem.charts.scenes import scene_of, scenes_of
from pbem.turns import report_charts
from pbem.web import order_page
from tests.cli import test_guest
from tests.cli.commands import pbem
from tests.referee import Referee

HERE = Path(__file__).parent
DUCK = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 -10 10 20">'
    b'<path d="M0-9l3 6v10h-6v-10z"/><circle r="1.5" cy="2"/></svg>'
)
oak = test_guest.oak


@pytest.fixture
def pond(oak: Path) -> Iterator[Path]:
    """A home beside the installed package `oak`, whose charts are those of the pond."""
    package = oak / "site" / "oak"
    shutil.copy(HERE / "pond_chart.py", package / "chart.py")
    (package / "templates" / "symbols").mkdir()
    (package / "templates" / "symbols" / "duck.svg").write_bytes(DUCK)
    symbols.forget()
    yield oak / "home"
    symbols.forget()


@pytest.fixture
def report(pond: Path) -> dict[str, Any]:
    """A report of the fox in the middle of a game between bots; the whole game is in the home."""
    assert pbem("demo", "oak", "--seed", "a", "--dir", pond).code == 0
    found: dict[str, Any] = pbem(
        "--home", pond, "report", "demo", "fox", "--window", "3", "--json"
    ).json
    return found


def test_commands_name_the_charts(pond: Path, report: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(json.dumps(report), "utf-8")
    first = pbem("chart", file).out
    assert first == pbem("chart", file, "--which", "pond").out
    near = pbem("chart", file, "--which", "near").out
    assert near != first
    assert "around you" in near
    shown = pbem(
        "--home",
        pond,
        "report",
        "demo",
        "fox",
        "--window",
        "3",
        "--format",
        "svg",
        "--which",
        "near",
    )
    assert shown.out == near
    lost = pbem("chart", file, "--which", "far")
    assert (lost.code, "no chart 'far'" in lost.err, "pond, near" in lost.err) == (3, True, True)
    assert pbem("chart", file, "--which", "near", "--json").json["which"] == "near"


def test_the_symbol_of_the_package_is_on_deck_and_in_the_legend(report: dict[str, Any]) -> None:
    system = games.load("oak")
    found = scene_of(system, report)
    assert found
    root = ElementTree.fromstring(svg(found))
    href = "{http://www.w3.org/1999/xlink}href"
    assert [e.get(href) for e in root.iter()].count("#s-duck") == len(found.units) + 1
    assert [e.get("id") for e in root.iter()].count("s-duck") == 1
    assert "duck" in symbols.known("oak")
    symbols.check("oak")


def test_a_mail_carries_all_charts_up_to_a_size(
    pond: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def pictures(name: str) -> list[str]:
        referee = Referee.made(pond, games.load("oak"), Choices(seed="x", chart="png"), name)
        referee.open()
        raw = (referee.folder / "reports/fox/1/report.eml").read_bytes()
        mail = message_from_bytes(raw, policy=policy.default)
        return [str(p.get_filename()) for p in mail.walk() if p.get_content_type() == "image/png"]

    assert pictures("g1") == ["chart-detail.png", "chart.png", "chart-near.png"]
    monkeypatch.setattr(report_charts, "MOST_CHARTS", 1000)
    assert pictures("g2") == ["chart-detail.png", "chart.png"]


def test_a_page_for_a_browser_has_its_pictures_in_it(pond: Path) -> None:
    referee = Referee.made(pond, games.load("oak"), Choices(seed="x", chart="png"))
    referee.open()
    folder = referee.folder / "reports/fox/1"
    mail = message_from_bytes((folder / "report.eml").read_bytes(), policy=policy.default)
    (small,) = [p for p in mail.walk() if p.get_filename() == "chart-detail.png"]
    page = pbem("--home", pond, "report", "g1", "fox", "--format", "html").out
    data = b64encode(small.get_content()).decode()
    assert f'src="data:image/png;base64,{data}"' in page
    assert "cid:" not in page
    assert "cid:" in (folder / "report.html").read_text()


def test_a_mail_goes_out_with_an_unknown_symbol(pond: Path) -> None:
    (pond.parent / "site/oak/templates/symbols/duck.svg").unlink()
    symbols.forget()
    system = games.load("oak")
    referee = Referee.made(pond, system, Choices(seed="x"))
    referee.open()
    data = referee.report("fox")
    assert b"Fox" in (referee.folder / "reports/fox/1/report.eml").read_bytes()
    stored = referee.folder / "reports/fox/1/report.json"
    assert "#s-piece" in pbem("chart", stored).out
    with pytest.raises(check.BadScene) as error:
        svg(scenes_of(system, data)[0])
    assert "unit FOX has the symbol 'duck'; known are" in error.value.message


def test_a_mail_goes_out_with_places_that_are_none(pond: Path) -> None:
    """The chart of a report has an empty window, and its boats point nowhere."""
    chart = pond.parent / "site/oak/chart.py"
    text = chart.read_text("utf-8").replace("window=(0, -60, 60, 0)", "window=(0, 0, 0, 0)")
    chart.write_text(text.replace("heading=45", 'heading=float("nan")'), "utf-8")
    system = games.load("oak")
    referee = Referee.made(pond, system, Choices(seed="x"))
    referee.open()
    assert b"Fox" in (referee.folder / "reports/fox/1/report.eml").read_bytes()
    stored = referee.folder / "reports/fox/1/report.json"
    drawn = pbem("chart", stored)
    assert (drawn.code, "nan" in drawn.out) == (0, False)
    page = pbem("--home", pond, "report", referee.name, "fox", "--window", "1", "--format", "page")
    assert page.code == 0
    with pytest.raises(check.BadScene, match=r"window .* is empty; unit FOX has the heading nan"):
        svg(scenes_of(system, referee.report("fox"))[0])


def test_a_page_without_a_report_shows_nobody(pond: Path) -> None:
    """The blank page is the same for all sides: no reach, track or marker of the side whose view
    gave the board."""
    system = games.load("oak")
    found = order_page.blank_scene(system)
    assert found
    drawn = svg(found)
    assert "ISLE" in drawn
    for word in ("in reach", "FOX", "duck", "your boats", "the pond"):
        assert word not in drawn
    assert order_page.blank([system])


def test_only_the_board_is_left_of_an_empty_scene(report: dict[str, Any]) -> None:
    scenes = scenes_of(games.load("oak"), report)
    other = {**report, "units": [], "contacts": []}
    for scene, bare in zip(scenes, scenes_of(games.load("oak"), other), strict=True):
        left = empty(scene)
        assert {s.owner for s in left.shapes} == {"board"}
        assert (left.tracks, left.marks, left.alt) == ((), (), "")
        if scene.name == "pond":
            assert svg(left) == svg(empty(bare))


def test_the_order_page_switches_between_the_charts(report: dict[str, Any]) -> None:
    from pbem.reports.report import decode

    scenes = scenes_of(games.load("oak"), report)
    board = order_page.board(scenes[0])
    assert (board["cells"], board["outlines"]) == ({}, {})
    assert board["units"].keys() == {"FOX"}
    text = json.dumps(report).encode()
    assert order_page.page(games.load("oak"), decode(text))


def test_the_replay_shows_boats_without_cells(pond: Path, report: dict[str, Any]) -> None:
    page = pond / "replay.html"
    assert pbem("--home", pond, "publish", "demo", "-o", page).code == 0
    text = page.read_text("utf-8")
    assert 'id="s-duck"' in text
    assert "ISLE" in text
    assert pbem("--home", pond, "audit", "demo").code == 0
