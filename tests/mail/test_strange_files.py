"""What lies among new mail and is no mail stops no game."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.inbound.mailboxes.interface import FetchFailed
from pbem.inbound.mailboxes.maildir import Maildir
from tests.cli.commands import pbem
from tests.mail.office import Office
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


def test_a_pipe_that_took_the_place_of_a_mail_is_not_waited_for(office: Office) -> None:
    from pbem.inbound.mailboxes import maildir

    pipe = office.home / "in" / "new" / "pipe"
    os.mkfifo(pipe)
    assert maildir._read_start(str(pipe)) == b""
