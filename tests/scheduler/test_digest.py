"""The moderator's digest: at its times, once, about all games, also those that cannot be read."""

from __future__ import annotations

import email
from datetime import datetime
from email import policy
from pathlib import Path

import pytest

from pbem.admin.commands import hold, schedule
from pbem.base.config import Digest
from pbem.scheduler.digest import SHOWN, _part, compose, latest
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.cli.commands import pbem
from tests.club.club_home import ClubHome
from tests.conftest import Clock
from tests.referee import Referee

SETTINGS = """
address = "games@example.org"
moderator = "you@example.org"
[delivery]
kind = "maildir"
path = "out"
[digest]
at = "07:00"
zone = "Europe/Berlin"
"""


def digests(home: Path) -> list[str]:
    """The digests that were mailed, as text."""
    mails = [
        email.message_from_bytes(path.read_bytes(), policy=policy.default)
        for path in sorted((home / "out" / "new").iterdir())
    ]
    return [
        mail.get_content() for mail in mails if str(mail["Subject"]).startswith("Digest: 1 game")
    ]


def test_it_is_mailed_once_at_its_time(referee: Referee, clock: Clock) -> None:
    (referee.home / "pbem.toml").write_text(SETTINGS)
    for now, count in (
        ("2026-11-20T12:00:00Z", 0),  # the first tick waits
        ("2026-11-21T05:59:00Z", 0),  # 6:59 in Berlin
        ("2026-11-21T06:01:00Z", 1),
        ("2026-11-21T06:06:00Z", 1),
        ("2026-11-22T06:01:00Z", 2),
    ):
        clock.set(now)
        assert pbem("--home", referee.home, "tick").code == 0
        assert len(digests(referee.home)) == count, now


def test_it_says_what_needs_the_moderator_and_what_comes_next(referee: Referee) -> None:
    with writing(referee.home, "g1") as game:
        schedule(game, read_rule(["every=3d", "at=20:00"]))
    referee.go("fox")
    text = compose(referee.home, "2026-11-19T00:00:00Z", "UTC").text
    assert "NEXT DEADLINES" in text and "g1" in text and "0 of 2" in text
    assert "hunter: 1 window" in text
    assert "WHAT NEEDS YOU" not in text
    with writing(referee.home, "g1") as game:
        hold(game, "The moderator is at sea", "moderator")
    said = compose(referee.home, "2026-11-19T00:00:00Z", "UTC")
    assert said.subject == "Digest: 1 game running, 1 needs you"
    assert "on hold: The moderator is at sea" in said.text
    assert "NEXT DEADLINES" not in said.text


def test_a_game_that_waits_for_players_needs_nobody(tmp_path: Path, clock: Clock) -> None:
    club = ClubHome(tmp_path / "home")
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    assert club.run("new", "toy", "g2").code == 0
    said = compose(club.home, "2026-11-19T00:00:00Z", "UTC")
    assert said.subject == "Digest: 1 game running, 1 needs you", "g2, which nobody offers"
    waiting = said.text.partition("WAITING FOR PLAYERS")[2]
    assert "g1" in waiting and "hunter" in waiting and "fox" not in waiting


def test_a_game_that_ended_is_named_once(referee: Referee) -> None:
    while not referee.register.over:
        referee.go("fox", "hunter")
    assert "ENDED" in compose(referee.home, "2026-11-19T00:00:00Z", "UTC").text
    assert "ENDED" not in compose(referee.home, "2026-11-21T00:00:00Z", "UTC").text


def test_a_game_that_cannot_be_read_needs_the_moderator(referee: Referee) -> None:
    path = referee.folder / "ledger.jsonl"
    path.write_bytes(path.read_bytes().replace(b"toy", b"boy", 1))
    said = pbem("--home", referee.home, "digest")
    assert said.code == 0 and "WHAT NEEDS YOU" in said.out and "g1" in said.out


def test_a_long_part_is_cut() -> None:
    rows = [(f"g{n}", "on hold") for n in range(SHOWN + 5)]
    lines = _part("needs", rows).splitlines()
    assert len(lines) == SHOWN + 5 and "... and 5 more" in lines[-1]


@pytest.mark.parametrize(
    ("on", "at", "expected"),
    [
        ((), "2026-11-23T12:00:00+00:00", "2026-11-23T06:00:00+00:00"),
        ((), "2026-11-23T05:00:00+00:00", "2026-11-22T06:00:00+00:00"),
        (("mon",), "2026-11-23T05:00:00+00:00", "2026-11-16T06:00:00+00:00"),
        (("sun",), "2026-11-23T12:00:00+00:00", "2026-11-22T06:00:00+00:00"),
    ],
)
def test_the_last_time_before_a_moment(on: tuple[str, ...], at: str, expected: str) -> None:
    digest = Digest(at="07:00", on=on, zone="Europe/Berlin")  # type: ignore[arg-type]
    assert latest(digest, datetime.fromisoformat(at)).isoformat() == expected
