"""End to end through real servers: a client program's mail goes out, is fetched by IMAP,
adjudicated, and the report arrives in the player's mailbox. Nothing leaves loopback."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.game import writing
from pbem.mailboxes import FetchFailed
from pbem.mailboxes.imap import Imap, _moment
from pbem.model import Side
from pbem.seal import public_line
from tests.conftest import Clock
from tests.house import House, key_of
from tests.mail.office import Office
from tests.mail.servers import PASSWORD, Dovecot, Postfix, missing, prepare, until

REASON = missing("dovecot", "postfix", "swaks")
real = pytest.mark.skipif(bool(REASON), reason=REASON)

CONFIG = """
address = "games@example.org"
moderator = "mod@example.org"
[mailbox]
kind = "imap"
host = "127.0.0.1"
port = {imap}
tls = "none"
user = "games@example.org"
password = {{ env = "TEST_PASSWORD" }}
[delivery]
{delivery}
"""
SMTP = 'kind = "smtp"\nhost = "127.0.0.1"\nport = {port}\ntls = "none"'


class Site:
    """The two servers and one game played through them."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = prepare(root)
        self.dovecot = Dovecot(root)
        try:
            self.postfix = Postfix(root)
        except BaseException:
            self.dovecot.stop()
            raise
        self.home = home
        home.mkdir()
        self.configure(SMTP.format(port=self.postfix.port))
        self.house = House.toy(home)
        self.office = Office(self.house, (home / "pbem.toml").read_text())

    def configure(self, delivery: str) -> None:
        text = CONFIG.format(imap=self.dovecot.port, delivery=delivery)
        (self.home / "pbem.toml").write_text(text)

    @contextmanager
    def by_sendmail(self) -> Iterator[None]:
        """Deliver by Postfix's command instead of its port."""
        command = ", ".join(f'"{word}"' for word in self.postfix.sendmail())
        self.configure(f'kind = "sendmail"\ncommand = [{command}]')
        yield
        self.configure(SMTP.format(port=self.postfix.port))

    def stop(self) -> None:
        self.postfix.stop()
        self.dovecot.stop()

    def inbox(self, user: str) -> list[Message]:
        """What a player's Maildir holds."""
        found = sorted((self.root / "mail" / user).glob("*/*"))
        return [message_from_bytes(p.read_bytes()) for p in found if p.is_file()
                and p.parent.name in ("new", "cur")]  # fmt: skip

    def arrives(self, user: str, subject: str) -> Message:
        """A mail with that in its subject, as soon as it is there."""
        found: list[Message] = []

        def there() -> bool:
            found[:] = [m for m in self.inbox(user) if subject in str(m["Subject"])]
            return bool(found)

        assert until(there), f"{[m['Subject'] for m in self.inbox(user)]}\n{self.postfix.log()}"
        return found[-1]

    def write(self, user: str, body: str, subject: str, *more: str) -> None:
        """A mail by swaks, as the user's client program sends it."""
        before = len(self.inbox("games"))
        done = subprocess.run(
            ["swaks", "--server", f"127.0.0.1:{self.postfix.port}", "--from", f"{user}@example.org",
             "--to", "games@example.org", "--header", f"Subject: {subject}", "--body", body, *more],
            capture_output=True, timeout=30, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout.decode() + self.postfix.log()
        assert until(lambda: len(self.inbox("games")) > before), self.postfix.log()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        patch.setenv("TEST_PASSWORD", PASSWORD)
        root = Path(tempfile.mkdtemp(prefix="pbem-mail-"))  # short, and the servers may enter it
        try:
            site = Site(root, tmp_path_factory.mktemp("home") / "home")
            try:
                yield site
            finally:
                site.stop()
        finally:
            shutil.rmtree(root, ignore_errors=True)


@real
def test_a_window_by_real_mail(site: Site) -> None:
    house = site.house
    start = house.register.window
    site.office.tick()
    for side in ("fox", "hunter"):
        report = site.arrives(side, "g1")
        assert report["From"] == "pbem g1 <games@example.org>"
        site.write(side, house.orders(side, house.suggested(side)), "my orders")
    ticked = site.office.one()
    assert (ticked.dealt.taken, ticked.closed) == (2, 1), site.postfix.log()
    assert house.register.window == start + 1
    for side in ("fox", "hunter"):
        assert site.arrives(side, f"window {start}: orders received")
        assert until(lambda s=side: len(site.inbox(s)) >= 3)  # type: ignore[misc]
    assert site.office.one().mails == 0
    assert house.audit().whole


@real
def test_an_attachment_from_a_client_program(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "orders.txt"
    path.write_text(site.house.orders("fox", site.house.suggested("fox")))
    site.write("fox", "see attachment", "orders", "--attach-type", "text/plain",
               "--attach-name", "orders.txt", "--attach", f"@{path}")  # fmt: skip
    assert site.office.one().dealt.taken == 1


@real
def test_questions_are_answered_and_machines_are_not(site: Site) -> None:
    site.write("fox", "help", "g1")
    site.write("hunter", "help", "g1", "--header", "Auto-Submitted: auto-replied")
    ticked = site.office.one()
    assert ticked.dealt.answered == 1 or ticked.mails == 2
    answer = site.arrives("fox", "g1: help")
    assert answer["Return-Path"] == "<>"
    assert not [m for m in site.inbox("hunter") if "help" in str(m["Subject"])]


@real
def test_a_real_bounce_is_noticed(site: Site, tmp_path: Path) -> None:
    from pbem.notes import mail_name, mail_to

    house = site.house
    with writing(house.home, "g1") as game:
        name = mail_name(game, "fox", "note")
        mail = mail_to(game, "fox", "g1: gone", "hello\n", ["nobody@elsewhere.example.org"])
        game.commit("noted", {"sides": ["fox"], "text": "", "mailed": ["fox"]}, {name: mail})
    before = len(site.inbox("games"))
    with site.by_sendmail():  # which takes the mail first, and bounces it later
        site.office.one()
    assert until(lambda: len(site.inbox("games")) > before), site.postfix.log()
    assert site.office.one().dealt.bounced == 1
    assert name in house.register.affairs.bounced


@real
def test_delivery_by_the_sendmail_command(site: Site) -> None:
    with site.by_sendmail():
        site.write("hunter", "status", "g1")
        assert site.office.one().sent >= 1
        assert "Window" in str(site.arrives("hunter", "g1: status").get_payload())


@real
def test_a_hostile_mail_by_imap_stops_nothing(site: Site) -> None:
    path = site.root / "mail" / "games" / "new" / "1763640000.M1P1.hostile"
    path.write_bytes(b"From: fox@example.org\r\nSubject: g1\r\n\r\n" + b"a" * 600_000)
    shutil.chown(path, 65534, 65534)
    ticked = site.office.one()
    assert ticked.dealt.passed == 1
    assert "could not be read" in str(site.arrives("fox", "g1: unreadable").get_payload())
    assert site.arrives("mod", "a mail for the moderator")


@real
def test_a_wrong_password_fails_the_fetch_and_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.cli.desk import pbem

    monkeypatch.setenv("TEST_PASSWORD", "wrong")
    said = pbem("--home", site.house.home, "tick")
    assert said.code == 4
    assert "NOT fetched" in said.out
    assert "wrong" not in said.out + said.err


@real
@pytest.mark.nightly
def test_the_hunt_for_the_bismarck_by_real_mail(site: Site, clock: Clock) -> None:
    """All its turns through Postfix and Dovecot, a day a window."""
    import smtplib

    from games.bismarck.game import SYSTEM as BISMARCK
    from pbem.bots import order_file
    from pbem.setup import Choices, Newcomer, create, enlist, open_game

    users = {"british": "fox", "german": "hunter"}
    create(site.home, BISMARCK, "hunt", Choices(seed="x"))
    with writing(site.home, "hunt") as game:
        for side, user in users.items():
            enlist(game, side, Newcomer(public_line(key_of(side).wire), f"{user}@example.org"))
        open_game(game, BISMARCK)
    house = House(site.home, BISMARCK, "hunt")
    for _ in range(400):
        before = len(site.inbox("games"))
        for side, user in users.items():
            report = house.report(side)
            seq = max(report["seq"], house.register.last_seq(Side(side)) + 1)
            text = order_file(BISMARCK, report, key_of(side), "x", seq)
            mail = f"From: {user}@example.org\nSubject: orders\n\n{text}".encode("ascii")
            with smtplib.SMTP("127.0.0.1", site.postfix.port) as server:
                server.sendmail(f"{user}@example.org", ["games@example.org"], mail)
        assert until(lambda had=before: len(site.inbox("games")) >= had + 2)  # type: ignore[misc]
        clock.advance(days=1)
        ticked = site.office.tick("hunt")["hunt"]
        assert (ticked.dealt.taken, ticked.closed, ticked.error) == (2, 1, "")
        if house.register.over:
            break
    assert house.register.over
    assert until(lambda: not site.postfix.waits())
    subjects = [str(m["Subject"]) for m in site.inbox("fox") if "hunt" in str(m["Subject"])]
    assert len(subjects) == 2 * len(house.register.closed) + 1
    assert house.audit().whole
    shutil.rmtree(house.folder)  # the other tests' mail is sorted by its sender's one game


def test_a_server_that_is_not_there_fails_the_fetch() -> None:
    from pbem.config import ImapBox, Secret
    from tests.mail.servers import free_port

    box = ImapBox("127.0.0.1", "a", Secret(env="x"), port=free_port(), tls="none", timeout=1.0)
    with pytest.raises(FetchFailed, match=r"127\.0\.0\.1"), Imap(box, "b"):
        pass


def test_times_of_arrival_are_read_whatever_the_language() -> None:
    assert _moment(" 1-Dec-2026 08:03:04 +0100") == "2026-12-01T07:03:04Z"
    assert SYSTEM.name == "toy"
