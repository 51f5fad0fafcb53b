"""End to end through real servers: a client program's mail goes out, is fetched by IMAP,
adjudicated, and the report arrives in the player's mailbox. Nothing leaves loopback."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from email.message import Message
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.base.config import ImapBox, Secret, Tls
from pbem.crypto.sshsig import armour, sign
from pbem.inbound.fetch import Sorting
from pbem.inbound.mailboxes.imap import Imap, _moment
from pbem.inbound.mailboxes.interface import FetchFailed
from pbem.inbound.pool import Mail
from pbem.store.game_dir import writing
from pbem.store.records import Noted
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import Office
from tests.mail.player import PROGRAMS, Player
from tests.mail.servers import PASSWORD, Servers, until
from tests.mail.site import by_maildir, by_sendmail, by_smtp, configured
from tests.referee import Referee, key_of


class Site:
    """One game played through the two servers."""

    def __init__(self, servers: Servers, home: Path, folder: Path) -> None:
        self.servers = servers
        self.home = configured(home, by_smtp(servers))
        self.referee = Referee.toy(home)
        self.office = Office(self.referee, by_smtp(servers))
        self.players = {
            name: Player(servers, name, folder / name) for name in ("fox", "hunter", "mod")
        }

    @contextmanager
    def by_sendmail(self) -> Iterator[None]:
        """Deliver by Postfix's command instead of its port."""
        configured(self.home, by_sendmail(self.servers))
        yield
        configured(self.home, by_smtp(self.servers))

    def arrives(self, user: str, *words: str) -> Message:
        return self.players[user].waits_for(*words)


@pytest.fixture(scope="module")
def site(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        yield Site(servers, tmp_path_factory.mktemp("home") / "home", tmp_path_factory.mktemp("us"))


def test_a_window_by_real_mail(site: Site) -> None:
    referee = site.referee
    start = referee.register.window
    site.office.tick()
    for side in ("fox", "hunter"):
        report = site.arrives(side, "g1")
        assert report["From"] == "pbem g1 <games@example.org>"
        site.players[side].sends("swaks", referee.orders(side, referee.suggested(side)))
    ticked = site.office.one()
    assert (ticked.dealt.taken, ticked.closed) == (2, 1), site.servers.postfix.log()
    assert referee.register.window == start + 1
    for side in ("fox", "hunter"):
        assert site.arrives(side, "received, all understood")
        assert site.arrives(side, "; orders when you are ready")
    assert site.office.one().mails == 0
    assert referee.audit().whole


def in_the_body(referee: Referee, folder: Path) -> tuple[str, list[Path]]:
    return referee.orders("fox", referee.suggested("fox")), []


def as_a_file(referee: Referee, folder: Path) -> tuple[str, list[Path]]:
    path = folder / "signed.txt"
    path.write_text(referee.orders("fox", referee.suggested("fox")))
    return "See the file.\n", [path]


def by_stock_tools(referee: Referee, folder: Path) -> tuple[str, list[Path]]:
    """A file whose own bytes are signed; programs send it as text, and change its line ends."""
    path, beside = folder / "orders.txt", folder / "orders.txt.sig"
    path.write_text(referee.block("fox", referee.suggested("fox")))
    beside.write_text(armour(sign(path.read_bytes(), key_of("fox"), "orders@pbem")))
    return "Caf\u00e9 \u2013 both files.\n", [path, beside]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("made", [in_the_body, as_a_file, by_stock_tools])
def test_orders_of_a_client_program(
    made: Callable[[Referee, Path], tuple[str, list[Path]]], program: str, site: Site
) -> None:
    player = site.players["fox"]
    player.sends(program, *made(site.referee, player.folder))
    ticked = site.office.one()
    assert (ticked.dealt.taken, ticked.dealt.refused) == (1, 0)


def test_questions_are_answered_and_machines_are_not(site: Site) -> None:
    site.players["fox"].sends("mutt", "help\n", subject="g1")
    site.players["hunter"].mails_out("help", subject="g1\nAuto-Submitted: auto-replied")
    ticked = site.office.one()
    assert (ticked.mails, ticked.dealt.answered) == (2, 1)
    assert site.arrives("fox", "[g1] Help")["Return-Path"] == "<>"
    assert site.arrives("fox", "turn 1")["Return-Path"] == "<games@example.org>"
    site.players["hunter"].fetches()
    assert not [m for m in site.players["hunter"].mails if "help" in str(m["Subject"])]


def test_a_real_bounce_is_noticed(site: Site) -> None:
    from pbem.outbound.notices import mail_name, mail_to
    from pbem.text.messages import Note

    referee, servers = site.referee, site.servers
    with writing(referee.home, "g1") as game:
        name = mail_name(game, "fox", "note")
        mail = mail_to(game, "fox", Note("gone", "hello\n"), ["nobody@elsewhere.example.org"])
        game.commit(Noted(sides=["fox"], mailed=["fox"]), {name: mail})
    before = servers.holds("games")
    with site.by_sendmail():  # which takes the mail first, and bounces it later
        site.office.one()
    assert until(lambda: servers.holds("games") > before), servers.postfix.log()
    assert site.office.one().dealt.bounced == 1
    assert name in referee.register.mail_state.bounced


def test_delivery_by_the_sendmail_command(site: Site) -> None:
    with site.by_sendmail():
        site.players["hunter"].sends("s-nail", "status\n", subject="g1")
        assert site.office.one().sent >= 1
        assert "Window" in str(site.arrives("hunter", "[g1] Status").get_payload())


def test_a_maildir_that_real_servers_share(site: Site) -> None:
    """Postfix delivers into it, a tick takes from it, and Dovecot shows what it took as seen."""
    site.office.one()
    site.players["fox"].sends("mutt", "status\n", subject="g1")
    configured(site.home, by_maildir(site.servers))
    assert (site.office.one().dealt.answered, site.office.one().mails) == (1, 0)
    configured(site.home, by_smtp(site.servers))
    assert site.office.one().mails == 0
    assert "Window" in str(site.arrives("fox", "[g1] Status").get_payload())


def test_orders_that_postfix_pipes_into_a_program(site: Site) -> None:
    """With the line before the headers that pipes begin with, and bare line ends."""
    referee = site.referee
    site.players["hunter"].sends(
        "s-nail", referee.orders("hunter", referee.suggested("hunter")), to="piped@example.org"
    )
    (mail,) = site.servers.kept("piped")
    raw = mail.read_bytes()
    assert raw.startswith(b"From hunter@example.org ")
    assert b"\r" not in raw
    said = pbem("--home", site.home, "spool", stdin=raw)
    assert (said.code, said.out) == (0, f"spooled {len(raw)} bytes\n")
    ticked = site.office.one()
    assert (ticked.dealt.taken, ticked.dealt.refused) == (1, 0)


def test_a_hostile_mail_by_imap_stops_nothing(site: Site) -> None:
    site.players["hunter"].sends("swaks", "not a word for you")
    path = site.servers.root / "mail" / "games" / "new" / "1763640000.M1P1.hostile"
    path.write_bytes(b"From: fox@example.org\r\nSubject: g1\r\n\r\n" + b"a" * 600_000)
    shutil.chown(path, 65534, 65534)
    assert site.office.one().dealt.passed == 2
    assert "could not be read" in str(
        site.arrives("fox", "[g1] Your mail could not be read").get_payload()
    )
    assert site.arrives("mod", "a mail for the moderator")


def test_a_backlog_is_taken_once_whatever_kills_the_tick(
    site: Site, nightly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """400 mails after a night without a tick, 5,000 after a month: more than a tick fetches, the
    orders among the last. The first tick dies while the server marks what it took."""
    site.office.one()
    referee, box = site.referee, site.servers.root / "mail" / "games" / "new"
    texts = [
        f"Auto-Submitted: auto-replied\n\nI am away, {n}." for n in range(4998 * nightly or 398)
    ]
    texts += ["\n" + referee.orders(side, referee.suggested(side)) for side in ("fox", "hunter")]
    for n, text in enumerate(texts):
        path, sender = box / f"176364{n:04}.M1P9.backlog", "hunter" if n % 2 else "fox"
        path.write_text(f"From: {sender}@example.org\nSubject: g1\n{text}\n")
        shutil.chown(path, 65534, 65534)
    kept = referee.folder / "private" / "mail"
    before, window, marked = set(kept.glob("*")), referee.register.window, list[str]()

    def done(
        box: Imap, keys: Sequence[str], real: Callable[[Imap, Sequence[str]], None] = Imap.done
    ) -> None:
        real(box, keys[:30] if marked else keys)
        if marked:
            raise SystemExit
        marked.extend(keys)

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(Imap, "done", done)
        site.office.one()
    ticks = [site.office.one()]
    while referee.register.window == window and ticks[-1].mails:
        ticks.append(site.office.one())
    assert len(ticks) == -(-(len(texts) - 230) // 500)
    assert sum(one.mails for one in ticks) == len(texts)
    assert (ticks[-1].dealt.taken, ticks[-1].closed) == (2, 1)
    assert len({path.read_bytes() for path in set(kept.iterdir()) - before}) == len(texts)
    assert site.office.one().mails == 0
    assert referee.audit().whole


def test_a_mail_that_no_game_holds_yet_stays_unseen(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read a mail is not to have it: a tick that dies in between leaves it on the server."""

    def die(sorting: Sorting, mails: Sequence[Mail]) -> None:
        raise SystemExit

    site.players["fox"].mails_out("help", subject="g1")
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(Sorting, "sort", die)
        site.office.one()
    assert site.office.one().dealt.answered == 1


def test_a_wrong_password_fails_the_fetch_and_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_PASSWORD", "wrong")
    said = pbem("--home", site.referee.home, "tick")
    assert said.code == 4
    assert "NOT fetched" in said.out
    assert "wrong" not in said.out + said.err


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
def test_a_server_that_nobody_vouches_for_gets_no_password(tls: Tls, servers: Servers) -> None:
    port = servers.dovecot.tls if tls == "implicit" else servers.dovecot.port
    box = ImapBox("127.0.0.1", "games@example.org", Secret(env="x"), port=port, tls=tls)
    with Imap(box, PASSWORD, str(servers.certificate)):
        pass
    with pytest.raises(FetchFailed, match="certificate is not trusted"), Imap(box, PASSWORD):
        pass


def test_a_server_that_is_not_there_fails_the_fetch() -> None:
    from tests.mail.servers import free_port

    box = ImapBox("127.0.0.1", "a", Secret(env="x"), port=free_port(), tls="none", timeout=1.0)
    with pytest.raises(FetchFailed, match=r"127\.0\.0\.1"), Imap(box, "b"):
        pass


def test_times_of_arrival_are_read_whatever_the_language() -> None:
    assert _moment(" 1-Dec-2026 08:03:04 +0100") == "2026-12-01T07:03:04Z"
    assert SYSTEM.name == "toy"
