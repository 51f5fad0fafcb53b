"""What awkward members, moderators and machines do to a club: all is bounded, no game waits."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import html5lib
import pytest

from pbem.base import files as base_files
from pbem.base.clock import now, stamp
from pbem.club import site
from pbem.dice.chains import DiceChains
from pbem.inbound.club_words import Wish
from pbem.player.joining import answer, read_letter, wish
from tests.club.club_home import CONFIG, ClubHome, address, plain
from tests.club.test_site import SITE, files, play, started, text
from tests.club.test_tournaments import NAMES, end_all
from tests.conftest import Clock
from tests.referee import key_of

NASTY = '<script>alert(1)</script> & "Sons", Ltd'


@pytest.fixture
def club(tmp_path: Path, clock: Clock) -> ClubHome:
    return ClubHome(tmp_path / "home", SITE)


def test_a_disk_that_is_full_costs_the_site_and_nothing_else(
    club: ClubHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(club)
    before = files(club)
    real = base_files.write_plain

    def full(path: Path, content: bytes) -> None:
        if "public" in str(path):
            real(path, content[: len(content) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        real(path, content)

    monkeypatch.setattr(site, "write_plain", full)
    with pytest.raises(AssertionError, match="No space left"):
        play(club)  # its tick must end with 0
    assert club.register("g1").window == 2, "the game goes on"
    assert any("turn 2" in one or "[g1]" in one for one in club.subjects("Orion"))
    assert {n: c for n, c in files(club).items() if "/." not in n} == before, "no half page"
    monkeypatch.undo()
    assert club.run("tick").code == 0
    assert "turn 2 of 8" in text(club, "g/g1.html")
    assert not [name for name in files(club) if "/." in name], "what was half written is gone"


def test_a_club_whose_name_is_markup(tmp_path: Path, clock: Clock) -> None:
    club = ClubHome(tmp_path / "home")
    quoted = NASTY.replace('"', '\\"')
    settings = CONFIG.replace('"Western Approaches Club"', f'"{quoted}"').format(more=SITE)
    (club.home / "pbem.toml").write_text(settings)
    started(club)
    club.write("Tern", "", "GAMES")
    club.tick()
    for name, content in files(club).items():
        if name.endswith(".html"):
            page = content.decode()
            assert "<script>alert" not in page, name
            html5lib.HTMLParser(strict=True).parse(page)
    assert NASTY in text(club, "index.html")
    sender = str(club.mails("Tern")[-1]["From"])
    assert sender.count("<") == sender.count("@") == 1 and "games@club.example" in sender


def test_who_leaves_a_running_game_is_told_how_to_resign(club: ClubHome) -> None:
    started(club)
    club.write("Orion", club.signed_wish("Orion", "LEAVE g1", stamp(now())))
    club.tick()
    assert any("g1 is running" in one for one in club.subjects("Orion"))
    assert "RESIGN;" in club.text("Orion")
    assert [o.side for o in club.register("g1").officers] == ["fox", "hunter"]
    assert not club.register("g1").held


def test_a_member_who_writes_from_a_second_address_stays_one_person(club: ClubHome) -> None:
    started(club)
    facts = {"at": stamp(now()), "email": "orion@work.example", "name": "Orion"}
    signed = wish({**facts, "to": "games@club.example", "wish": "STANDBY toy"}, key_of("Orion"))
    club.write("orion@work.example", signed)
    club.tick()
    assert not club.state.standby, "the address is not known yet"
    club.write("orion@work.example", "", f"CONFIRM {club.code('orion@work.example')}")
    club.tick()
    assert [one.email for one in club.state.standby] == ["orion@work.example"]
    names = {email: member.name for email, member in club.state.members.items()}
    assert names["orion@work.example"] == names[address("Orion")] == "Orion"


def test_nobody_gets_both_seats_of_a_game_with_one_key(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    club.write("orion@work.example", "", "JOIN g1 hunter")
    club.tick()
    letter = read_letter(plain(club.mails("orion@work.example")[-1]).encode())
    club.write("orion@work.example", answer(letter, DiceChains(key_of("Orion")), "Orion"))
    club.tick()
    assert [o.side for o in club.register("g1").officers] == ["fox"]
    assert club.register("g1").window == 0


def test_a_swiss_tournament_of_an_odd_number_with_a_tie_for_first(club: ClubHome) -> None:
    said = club.run(
        "tournament", "cup", "--system", "toy", "--rounds", "1", "--size", "3", "--dice", "seeded",
        "--chart", "none",
    )  # fmt: skip
    assert said.code == 0
    for name in NAMES[:3]:
        club.write(name, club.signed_wish(name, "JOIN cup", stamp(now())))
    club.tick()
    for name in NAMES[:3]:
        club.write(name, "", f"CONFIRM {club.code(name)}")
    club.tick()
    end_all(club)
    rows = club.run("tournament", "cup", "--json").json["table"]
    assert sorted(row["points"] for row in rows) == [0.0, 1.0, 1.0], "one won, one had the bye"
    shown = text(club, "standings.html")
    assert "Swiss tournament" in shown and all(name in shown for name in NAMES[:3])


def test_the_times_of_a_site_are_utc_and_name_their_moment(club: ClubHome) -> None:
    """Whatever zone the machine or a schedule has: a script turns them into the reader's."""
    said = ("--schedule", "every=3d at=20:00 zone=Pacific/Auckland")
    club.offer("toy", "g1", *said)
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    due = club.register("g1").deadline
    page = files(club)["g/g1.html"].decode()
    assert f'<time datetime="{due}">' in page and "Times are UTC." in page
    assert due.replace("-", "").replace(":", "") in files(club)["g/g1.ics"].decode()


def test_a_mail_that_crashes_the_program_keeps_no_other_waiting(
    club: ClubHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.club.signup import SignUp

    real = SignUp.take

    def broken(self: SignUp, sender: str, wish: Wish, mark: str) -> bool:
        if sender == address("Mallory"):
            raise KeyError("a mistake of ours")
        return real(self, sender, wish, mark)

    monkeypatch.setattr(SignUp, "take", broken)
    club.write("Mallory", "", "games")
    club.write("Orion", "", "games")
    club.tick()
    assert club.subjects("Orion")
    (kept,) = (club.home / ".pbem" / "unread").glob("club-*.eml")
    told = club.text("mod")
    assert str(kept) in "".join(told.split())
    assert "a mistake of ours" in " ".join(told.split())
    assert not list((club.home / ".pbem" / "club" / "inbox").glob("*.eml"))
