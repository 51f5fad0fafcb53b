"""A mailbox that breaks down while it is read: no window closes before all was fetched, and each
mail is taken once, by the tick that can."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from imaplib import IMAP4
from pathlib import Path

import pytest

from pbem.inbound.mailboxes.imap import Imap
from pbem.inbound.mailboxes.interface import Fetched
from tests.cli.commands import Said, pbem
from tests.conftest import Clock
from tests.mail.servers import PASSWORD, Servers
from tests.mail.site import by_smtp, configured
from tests.mail.wire import Fault, Wire, wire
from tests.referee import Referee

SIDES = ("fox", "hunter")
PATIENT = 30.0
"""Seconds in which a real server answers on any machine."""


class Post:
    """A game whose mail waits on a real server, at the end of a line that may break; its answers
    stay in the outbox."""

    def __init__(self, servers: Servers, line: Wire, home: Path) -> None:
        self.box, self.line = servers.root / "mail" / "wire", line
        mailbox, _, _ = by_smtp(servers, "wire").partition("[delivery]")
        text = mailbox.replace(f"port = {servers.dovecot.port}", f"port = {line.port}")
        shutil.rmtree(self.box, ignore_errors=True)
        self.referee = Referee.toy(configured(home, f"{text}timeout = {PATIENT}\n"))

    def lay(self, *texts: str) -> None:
        """Mails of both players by turns, as the server keeps them."""
        for part in ("", "new", "cur", "tmp"):
            (self.box / part).mkdir(exist_ok=True)
            shutil.chown(self.box / part, 65534, 65534)
        for n, text in enumerate(texts):
            path = self.box / "new" / f"176364{n:04}.M{n}P1.wire"
            path.write_text(f"From: {SIDES[n % 2]}@example.org\nSubject: g1\n\n{text}\n")
            shutil.chown(path, 65534, 65534)

    def lay_orders(self) -> None:
        """Both sides' sets, and then a question of each."""
        sets = [self.referee.orders(side, self.referee.suggested(side)) for side in SIDES]
        self.lay(*sets, "status", "help")

    def tick(self) -> Said:
        """A tick, which does not wait long for a server that says nothing more."""
        hangs = self.line.fault is not None and self.line.fault.how == "hang"
        config = self.referee.home / "pbem.toml"
        told = re.sub("timeout = .*", f"timeout = {0.4 if hangs else PATIENT}", config.read_text())
        config.write_text(told)
        return pbem("--home", self.referee.home, "tick")

    def kinds(self) -> list[str]:
        """What the game's ledger has of mail that came, and of windows."""
        kinds = ("received", "refused", "noted", "closed")
        return sorted(r.kind for r in self.referee.records if r.kind in kinds)


ALL = ["closed", "noted", "noted", "received", "received"]


@pytest.fixture
def post(servers: Servers, tmp_path: Path, clock: Clock) -> Iterator[Post]:
    with wire(servers.dovecot.port) as line:
        yield Post(servers, line, tmp_path / "home")


@pytest.mark.parametrize(
    "fault",
    [
        Fault("LOGIN", "hang"),
        Fault("SELECT", "NO [SERVERBUG] broken"),
        Fault("SELECT", "drop"),
        Fault("SEARCH", "BAD what?"),
        Fault("SEARCH", "cut"),
        Fault("FETCH", "drop", 3),
        Fault("FETCH", "cut", 2),
        Fault("FETCH", "hang", 4),
        Fault("FETCH", "NO unreadable"),
        Fault("STORE", "NO [OVERQUOTA] full"),
        Fault("STORE", "drop"),
        Fault("STORE", "hang"),
        Fault("STORE", "cut"),
    ],
    ids=lambda fault: f"{fault.word}-{fault.how.split()[0]}",
)
def test_what_breaks_while_mail_is_fetched_costs_a_tick_and_nothing_else(
    fault: Fault, post: Post
) -> None:
    post.lay_orders()
    post.line.fault = fault
    said = post.tick()
    assert said.code == 4
    assert "mail NOT fetched: 127.0.0.1: " in said.out
    assert "no window closes: mail could not be fetched" in said.err
    assert "closed" not in post.kinds()
    post.line.fault = None
    assert post.tick().code == 0
    assert post.kinds() == ALL
    assert "nothing to do" in post.tick().out
    assert post.kinds() == ALL
    assert post.referee.audit().whole


def test_a_renumbered_mailbox_gives_nothing_twice(post: Post) -> None:
    """UIDVALIDITY changes, as after a server's move, between a tick that could not mark what it
    took and the next: the mails have other numbers then."""
    post.lay_orders()
    post.line.fault = Fault("STORE", "drop")
    assert post.tick().code == 4
    post.line.fault = None
    for path in post.box.glob("dovecot*"):
        path.unlink()
    first = min((post.box / "cur").iterdir())
    first.rename(first.with_name(f"9{first.name}"))
    assert post.tick().code == 0
    assert post.kinds() == ALL


def test_a_folder_that_cannot_be_written_is_said_and_not_read(post: Post) -> None:
    """What could not be marked there would be fetched for ever."""
    post.lay_orders()
    for part in ("new", "cur", ""):
        (post.box / part).chmod(0o555)
        shutil.chown(post.box / part, 0, 0)
    said = post.tick()
    assert said.code == 4
    assert 'NOT fetched: 127.0.0.1: "INBOX" is not writable' in said.out
    assert post.kinds() == []


def test_a_folder_that_keeps_no_marks_is_said_and_not_read(post: Post) -> None:
    post.lay_orders()
    post.line.fault = Fault("SELECT", "* OK [PERMANENTFLAGS (\\Answered)] marks")
    said = post.tick()
    assert said.code == 4
    assert "NOT fetched: 127.0.0.1: INBOX keeps no flag Seen" in said.out
    assert post.kinds() == []


def test_a_mail_that_another_client_takes_away_is_passed_over(post: Post) -> None:
    post.lay_orders()
    post.line.fault = Fault("FETCH", "OK done", 3)
    assert post.tick().code == 0
    assert post.kinds() == ["closed", "noted", "received", "received"]


def test_a_mailbox_that_another_client_empties_meanwhile_gives_what_was_read(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He deletes all and expunges between two mails of a fetch; what came after them is taken."""
    post.lay_orders()
    real, read = Imap._fetch, list[int]()

    def fetched(box: Imap, number: int) -> Fetched | None:
        if len(read) == 2:
            with IMAP4("127.0.0.1", post.line.to) as other:
                other.login("wire@example.org", PASSWORD)
                other.select()
                other.store("1:*", "+FLAGS", "(\\Deleted)")
                other.expunge()
        read.append(number)
        return real(box, number)

    monkeypatch.setattr(Imap, "_fetch", fetched)
    first = post.tick()
    assert len(read) >= 3
    again = post.tick()
    assert (first.code, again.code) in ((0, 0), (4, 0)), first.out
    assert post.kinds() == ["closed", "received", "received"]
    assert post.referee.audit().whole
