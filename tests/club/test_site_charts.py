"""The charts of the site: of each system, of running games and of finished ones."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import games
from pbem.base.report_json import Report
from pbem.cli.common import system_named
from pbem.club.charts import PLACES, public
from pbem.reports.wording import chief
from tests.club.club_home import ClubHome
from tests.club.test_site import SITE, files, page, play, started, text
from tests.conftest import Clock

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def club(tmp_path: Path, clock: Clock) -> ClubHome:
    return ClubHome(tmp_path / "home", SITE)


@pytest.mark.parametrize("name", sorted(games.SYSTEMS))
def test_the_board_of_every_system_is_drawn(name: str, club: ClubHome) -> None:
    game = name.replace("_", "")
    assert club.run("new", name, game, "--chart", "none", "--dice", "seeded").code == 0
    for side in club.register(game).sides:
        assert club.run("enlist", game, side, "--bot").code == 0
    assert club.run("spectators", game, "--site").code == 0
    assert club.run("open", game).code == 0
    club.tick()
    drawn = files(club)[f"g/{game}.svg"]
    assert f'src="../g/{game}.svg"' in page(club, f"g/{game}.html")
    tree = ElementTree.fromstring(drawn)
    links = [v for one in tree.iter() for k, v in one.attrib.items() if k.endswith("href")]
    assert all(link.startswith("#") for link in links), "it loads nothing"
    ids = {one.get("id") for one in tree.iter()}
    assert {link[1:] for link in links} <= ids
    style = tree.findtext(f"{SVG}style") or ""
    assert "prefers-color-scheme:dark" in style
    for colour in (word.partition(")")[0] for word in drawn.decode().split("var(")[1:]):
        assert style.count(f"{colour}:") == 2, "each colour, light and dark"


def test_a_chart_is_drawn_when_its_board_is_new_and_goes_with_the_game(club: ClubHome) -> None:
    started(club)
    club.tick()
    path = club.home.parent / "public" / "g" / "g1.svg"
    before = path.stat().st_mtime_ns, path.read_bytes()
    club.tick()
    assert path.stat().st_mtime_ns == before[0]
    assert club.run("end", "g1", "--result", "fox", "--reason", "late").code == 0
    club.tick()
    assert not path.exists()
    assert "g/g1.svg" not in page(club, "g/g1.html")


def test_a_lost_cache_draws_the_same(club: ClubHome) -> None:
    started(club)
    club.tick()
    before = files(club)
    (club.home / ".pbem" / "club" / "site.json").unlink()
    club.tick()
    assert files(club) == before


def test_a_finished_game_has_its_story_and_the_ways_of_its_ships(club: ClubHome) -> None:
    started(club)
    for _ in range(12):
        if club.register("g1").over:
            break
        play(club)
    club.tick()
    shown = files(club)
    assert b"Where it turned" in shown["s/g1.html"]
    assert 'href="../s/g1.html"' in page(club, "g/g1.html")
    assert 'href="s/g1.html"' in page(club, "index.html")
    assert "Who went where" in text(club, "g/g1.html")
    assert ElementTree.fromstring(shown["r/g1.svg"]).tag == f"{SVG}svg"
    assert not any(b"players.example" in content for content in shown.values())


def report_of_far_seas(events: list[dict[str, object]]) -> bytes:
    """A public report with events, as JSON."""
    path = Path(__file__).parents[1] / "far_seas" / "example_report.json"
    facts = {**json.loads(path.read_bytes()), "edition": system_named("far_seas").edition}
    return json.dumps({**facts, "side": "spectators", "events": events}).encode()


def event(kind: str, **data: object) -> dict[str, object]:
    return {"kind": kind, "text": f"{kind}.", "why": "", "rule": "", **data}


def test_places_of_the_news_are_outlined(clock: Clock) -> None:
    found = event("Found", area="26", points=4)
    content = report_of_far_seas([found, event("AlliesMoved", area="25")])
    chart, drawn = public(system_named("far_seas"), content, "digest")
    assert chart.places == ["26"], "neither numbers, nor what is routine"
    assert chart.drawn and drawn
    many = [event("Found", area=str(n)) for n in range(1, 30)]
    chart, _ = public(system_named("far_seas"), report_of_far_seas(many), "digest")
    assert len(chart.places) == PLACES


def test_a_long_window_is_told_by_what_weighs_most() -> None:
    quiet = [event("Damaged", area="26") for _ in range(12)]
    told = [*quiet, event("ShipSunk", area="26"), *quiet]
    report = Report.of(json.loads(report_of_far_seas(told))).plain
    kept = [event["kind"] for event in chief(report, 8)]
    assert kept == ["Damaged"] * 7 + ["ShipSunk"], "in the order told"


def test_a_chart_that_cannot_be_drawn_costs_no_page(club: ClubHome) -> None:
    assert public(system_named("far_seas"), b'{"not": "a report"}', "x")[0].drawn is False
