"""What lies among new mail and is no mail stops no game."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.inbound.fetch import add_to_spool
from pbem.inbound.mailboxes.interface import FetchFailed
from pbem.inbound.mailboxes.maildir import Maildir
from pbem.inbound.spool import new_complaints, place
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import CONFIG, Office
from tests.referee import Referee


@pytest.fixture
def office(referee: Referee) -> Office:
    return Office(referee)


def test_what_is_no_file_is_left_and_named_once(office: Office) -> None:
    new = office.home / "in" / "new"
    (new / "folder").mkdir()
    (new / "nowhere").symlink_to("/nonexistent")
    (new / "link").symlink_to(office.orders("fox").rename(office.home / "kept.mail"))
    os.mkfifo(new / "pipe")
    office.orders("hunter")
    said = pbem("--home", office.home, "tick")
    assert (said.code, "1 set in" in said.out) == (0, True)
    named = [line for line in said.err.splitlines() if "is no file" in line]
    assert [line.split()[0] for line in named] == [
        str(new / name) for name in ("folder", "link", "nowhere", "pipe")
    ]
    assert len(list(new.iterdir())) == 4
    assert not pbem("--home", office.home, "tick").err


def test_a_mail_that_cannot_be_read_is_named(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = office.orders("fox")

    def denied(*_: object) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pbem.inbound.mailboxes.maildir._read_start", denied)
    with Maildir(office.home / "in") as box, pytest.raises(FetchFailed, match=path.name):
        list(box.mails(10))


def test_a_mail_that_was_taken_meanwhile_is_passed_over(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.inbound.mailboxes import maildir

    first, second = office.orders("fox"), office.orders("hunter")
    real = maildir._read_start

    def taken(path: str) -> bytes:
        Path(first).unlink(missing_ok=True)
        return real(path)

    monkeypatch.setattr(maildir, "_read_start", taken)
    with Maildir(office.home / "in") as box:
        assert [mail.key for mail in box.mails(10)] == [second.name]


@pytest.mark.parametrize("written", [-(10**11), 10**12])
def test_a_file_that_was_written_at_no_date_is_a_mail_like_others(
    written: int, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = office.orders("fox")
    monkeypatch.setattr(Maildir, "_files", lambda box: [(float(written), path.name, 9, str(path))])
    with Maildir(office.home / "in") as box:
        (mail,) = box.mails(10)
    assert mail.arrived == ("1970-01-01T00:00:00Z" if written < 0 else "9999-12-31T23:59:59Z")


def test_a_pipe_that_took_the_place_of_a_mail_is_not_waited_for(office: Office) -> None:
    from pbem.inbound.mailboxes import maildir

    pipe = office.home / "in" / "new" / "pipe"
    os.mkfifo(pipe)
    assert maildir._read_start(str(pipe)) == b""


def test_what_is_no_file_in_the_spool_is_left_and_named(office: Office) -> None:
    folder = place(office.home, "spool") / "x.eml"
    folder.mkdir()
    office.orders("hunter")
    said = pbem("--home", office.home, "tick")
    assert (said.code, "1 set in" in said.out) == (0, True)
    assert f"{folder} is no file" in said.err
    assert folder.is_dir()


def test_a_disk_that_cannot_be_read_stops_windows_and_no_game(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_to_spool(office.home, b"From: a@example.org\n\nhello\n")
    real = Path.read_bytes

    def broken(path: Path) -> bytes:
        if path.parent.name == "spool":
            raise OSError(5, "Input/output error", str(path))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", broken)
    said = pbem("--home", office.home, "tick")
    assert (said.code, said.out.count("1 game")) == (4, 1)
    assert "spool" in said.err
    assert "Input/output error" in said.err


def test_damaged_addresses_of_one_game_keep_no_mail_of_another(
    tmp_path: Path, clock: Clock
) -> None:
    office = Office(Referee.toy(tmp_path / "home"))
    other = Referee.made(office.home, SYSTEM, Choices(seed="y"), "g2")
    other.open()
    (other.folder / "private" / "addresses.json").write_bytes(b"{")
    office.mail("fox", "status", subject="which game?")
    said = pbem("--home", office.home, "tick")
    assert (said.code, "1 letter" in said.out) == (0, True)
    assert "addresses.json" in said.err


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="this system has no SIGCHLD")
def test_a_sendmail_that_fails_is_noticed_where_children_are_not_waited_for(
    office: Office,
) -> None:
    home, command = office.home, f'["{sys.executable}", "-c", "raise SystemExit(75)"]'
    way = f'[delivery]\nkind = "sendmail"\ncommand = {command}\n'
    (home / "pbem.toml").write_text(CONFIG.split("[delivery]")[0] + way)
    office.mail("fox", "help")
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "--home", str(home), "tick"],
        preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "No child processes" not in done.stderr
    assert " sent" not in done.stdout, done.stdout
    assert office.referee.register.mail_state.unsent


def test_a_trouble_that_a_fast_clock_has_said_is_said_again(office: Office, clock: Clock) -> None:
    clock.set("2036-01-01T00:00:00Z")
    assert new_complaints(office.home, ["the mailbox is away"])
    clock.set("2026-11-20T12:00:00Z")
    assert new_complaints(office.home, ["the mailbox is away"])
    assert not new_complaints(office.home, ["the mailbox is away"])


@pytest.mark.parametrize("content", [b"5", b"null", b'["2026-11-20", null]', b"{"])
def test_a_damaged_count_of_mails_passed_on_begins_again(content: bytes, office: Office) -> None:
    place(office.home).joinpath("passed.json").write_bytes(content)
    office.mail("stranger", "hello?", sender="who@example.org", subject="x")
    assert office.one().mails == 0
    assert office.subjects("mod") == ["a mail for the moderator"]
