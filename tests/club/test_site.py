"""The site: what it shows, that it is whole without scripts, and how little is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import html5lib
import pytest

from pbem.base.clock import now, stamp
from pbem.club import pages
from pbem.club.ratings import tables
from pbem.club.results import Result
from pbem.club.state import locked
from tests.club.club_home import TOY, ClubHome, address
from tests.conftest import Clock
from tests.playing import order_file
from tests.referee import key_of

SITE = 'site = "../public"\nurl = "https://club.example/"'


@pytest.fixture
def club(tmp_path: Path, clock: Clock) -> ClubHome:
    """A club with a site."""
    return ClubHome(tmp_path / "home", SITE)


def public(club: ClubHome) -> Path:
    return club.home.parent / "public"


def files(club: ClubHome) -> dict[str, bytes]:
    """The site's files."""
    root = public(club)
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def started(club: ClubHome, name: str = "g1", *more: str) -> ClubHome:
    club.offer("toy", name, "--schedule", "every=3d early=0m", *more)
    club.join("Orion", name, "fox")
    club.join("Ajax", name, "hunter")
    return club


def play(club: ClubHome, name: str = "g1") -> None:
    """Both sides send their bots' orders; tick."""
    for player, side in (("Orion", "fox"), ("Ajax", "hunter")):
        report = club.report(name, side)
        luck = f"{report.window}"
        seq = report.seq + report.window + 100
        club.write(player, order_file(TOY, report, key_of(player), luck, seq), name)
    club.tick()


def page(club: ClubHome, name: str) -> str:
    return (public(club) / name).read_text("utf-8")


def texts(page: str) -> Iterator[str]:
    """The text of a page as a reader without scripts sees it; parsing it finds no mistake."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    tree = parser.parse(page)
    for element in tree.iter():
        if element.tag not in ("script", "style"):
            yield element.text or ""
        yield element.tail or ""


def text(club: ClubHome, name: str) -> str:
    return " ".join(" ".join(texts(page(club, name))).split())


def test_open_seats_are_shown_with_a_ready_mail(club: ClubHome) -> None:
    club.offer("toy", "g1", "--words", "Beginners <b>welcome</b>.")
    club.tick()
    shown = text(club, "index.html")
    assert "Two seats are open." in shown
    assert "Beginners <b>welcome</b>." in shown
    assert "mailto:games@club.example?subject=JOIN%20g1%20fox" in page(club, "index.html")
    club.join("Orion", "g1", "fox")
    assert "One seat is open." in text(club, "index.html")
    assert "waits for players" in text(club, "g/g1.html")


def test_a_running_game_has_its_page(club: ClubHome) -> None:
    started(club)
    shown = text(club, "g/g1.html")
    assert "turn 1 of 8" in shown
    assert "Next turn:" in shown
    assert "named after the end" in shown
    assert "Orion" not in shown
    play(club)
    assert "turn 2 of 8" in text(club, "g/g1.html")
    assert "One game is running." in text(club, "index.html")
    assert "BEGIN:VEVENT" in page(club, "club.ics")


def test_replays_are_made_a_few_at_a_time_until_none_waits(club: ClubHome) -> None:
    names = [f"g{n}" for n in range(5)]
    for name in names:
        started(club, name)
        play(club, name)
        assert club.run("end", name, "--result", "fox", "--reason", "late").code == 0
    for _ in range(4):
        club.tick()
    assert {f"r/{name}.zip" for name in names} <= set(files(club))


def test_the_list_of_finished_games_says_when_they_ended_and_in_which_year(club: ClubHome) -> None:
    started(club)
    play(club)
    assert club.run("end", "g1", "--result", "fox", "--reason", "late").code == 0
    club.tick()
    year = stamp(now())[:4]
    shown = text(club, "finished-1.html")
    assert "Next deadline" not in shown and "Result and players" in shown
    for name in ("finished-1.html", "g/g1.html", "index.html"):
        (said,) = set(re.findall(r"<time datetime=[^>]* data-y>([^<]*)<", page(club, name)))
        assert f" {year}, " in said


def test_a_game_that_nobody_joined_before_its_end(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    assert club.run("end", "g1", "--result", "none", "--reason", "late").code == 0
    club.tick()
    assert "nobody yet" not in text(club, "g/g1.html")


def test_long_words_break_in_the_news(club: ClubHome) -> None:
    """Fingerprints of keys are wider than a phone."""
    started(club)
    assert ".p p{overflow-wrap:anywhere}" in page(club, "style.css")


def test_nobody_leads_whose_place_is_shared(club: ClubHome) -> None:
    rated = tables([won("a", "b"), won("b", "a")] * 2, {}, 1)
    assert rated[0].listed[0].last == 2
    with locked(club.home, club.config) as held:
        shown = pages.Shown(held, {}, {}, {}, {}).standings(rated, {}, {}, 4).decode()
    assert "No player is clearly ahead." in shown and "leads" not in shown


def won(winner: str, loser: str) -> Result:
    """A finished game of two players."""
    players = {"fox": [winner], "hunter": [loser]}
    return Result("g", "toy", "wood", "2026-01-01T00:00:00Z", "fox", players)


def test_a_game_that_was_not_offered_can_be_shown(club: ClubHome) -> None:
    assert club.run("new", "toy", "g1", "--chart", "none", "--dice", "seeded").code == 0
    for side in ("fox", "hunter"):
        assert club.run("enlist", "g1", side, "--bot").code == 0
    assert club.run("spectators", "g1", "--site").code == 0
    assert club.run("spectators", "g1", "--site").code == 2
    assert "the site" in club.run("spectators", "g1").out
    assert club.run("open", "g1").code == 0
    club.tick()
    assert "All was quiet." in text(club, "g/g1.html")
    assert "FOX AND HOUND" in club.run("report", "g1", "spectators").out
    assert not [mail for mail in club.mails() if "spectator" in str(mail["Subject"])]


def test_names_are_shown_where_the_club_says_so(tmp_path: Path, clock: Clock) -> None:
    club = started(ClubHome(tmp_path / "home", SITE + '\nnames = "shown"'))
    assert "Orion" in text(club, "g/g1.html")


def test_a_finished_game_has_replay_bundle_and_names(club: ClubHome) -> None:
    started(club)
    for _ in range(12):
        if club.register("g1").over:
            break
        play(club)
    club.tick()
    shown = text(club, "g/g1.html")
    assert "The fox won." in shown
    assert "Orion" in shown
    assert {"r/g1.html", "r/g1.zip"} <= set(files(club))
    assert club.run("audit", str(public(club) / "r/g1.zip")).code == 0
    assert "Watch the replay" in page(club, "index.html")
    assert set(json.loads(files(club)["members.json"])["keys"].values()) == {"Orion", "Ajax"}
    assert "After 1 finished game." in text(club, "standings.html")


def test_members_of_running_games_are_not_given_away(club: ClubHome) -> None:
    started(club)
    club.tick()
    assert json.loads(files(club)["members.json"])["keys"] == {}
    assert not any(b"Orion" in content for content in files(club).values())


def test_no_file_has_an_address_or_a_key_of_a_player(club: ClubHome) -> None:
    started(club)
    play(club)
    for name, content in files(club).items():
        assert b"players.example" not in content, name
        assert address("Orion").encode() not in content, name


def test_only_what_changes_is_written(club: ClubHome) -> None:
    started(club)
    started(club, "g2")
    club.tick()
    before = {p: p.stat().st_mtime_ns for p in public(club).rglob("*") if p.is_file()}
    assert "of the site" not in club.run("tick").out
    report = club.report("g1", "fox")
    orders = order_file(TOY, report, key_of("Orion"), "x", report.seq + 9)
    club.write("Orion", orders, "g1")
    club.tick()  # orders of one side change nothing that everybody may see
    assert before == {p: p.stat().st_mtime_ns for p in public(club).rglob("*") if p.is_file()}
    play(club)
    changed = {
        str(p.relative_to(public(club)))
        for p in public(club).rglob("*")
        if p.is_file() and p.stat().st_mtime_ns != before.get(p)
    }
    assert "g/g1.html" in changed
    assert not {"g/g2.html", "g/g2.ics", "style.css", "standings.html"} & changed


def test_a_lost_cache_and_a_removed_game(club: ClubHome) -> None:
    started(club)
    club.tick()
    before = files(club)
    (club.home / ".pbem" / "club" / "site.json").unlink()
    club.tick()
    assert files(club) == before
    (club.home / "g1").rename(club.home.parent / "away")
    club.tick()
    assert "g/g1.html" not in files(club)


def test_a_site_that_cannot_be_written_is_told_and_stops_no_game(club: ClubHome) -> None:
    public(club).write_text("a file where the folder should be")
    club.offer("toy", "g1")
    club.write("Orion", "", "GAMES")
    said = club.run("tick")
    assert said.code == 4
    assert "club:" in said.err
    assert club.mails("Orion")
    public(club).unlink()
    assert club.run("tick").code == 0
    assert "index.html" in files(club)


def test_hidden_games_are_nowhere(tmp_path: Path, clock: Clock) -> None:
    club = ClubHome(tmp_path / "home", SITE + '\nhide = ["g1"]')
    started(club)
    club.tick()
    assert not any(b"g1" in content for name, content in files(club).items() if name != "style.css")


def test_every_page_is_valid_and_small(club: ClubHome) -> None:
    started(club)
    club.offer("toy", "g2")
    play(club)
    assert club.run("end", "g1", "--result", "fox", "--reason", "late").code == 0
    club.tick()
    for name, content in files(club).items():
        if name.endswith(".html") and not name.startswith(("r/", "s/")):
            assert text(club, name)
            assert len(content) < 16_000, name
            assert not re.search(rb'(?:src|href)="(?:https?:)?//', content), name
    for link in re.findall(r'href="([^"#:]+)["#]', page(club, "index.html")):
        assert (public(club) / link).exists(), link


def test_feed_and_calendar_are_well_formed(club: ClubHome) -> None:
    started(club)
    play(club)
    feed = ElementTree.fromstring(files(club)["feed.xml"])
    atom = "{http://www.w3.org/2005/Atom}"
    assert [e.findtext(f"{atom}id") for e in feed.iter(f"{atom}entry")]
    lines = files(club)["club.ics"].decode().split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    assert all(len(line.encode()) <= 75 for line in lines)
    assert sum(line == "BEGIN:VEVENT" for line in lines) == 1
