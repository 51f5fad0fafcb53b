"""Ways of delivery: once, whatever happens on the way; what cannot be delivered is said."""

from __future__ import annotations

import socket
import socketserver
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.config import SmtpDelivery, Tls
from pbem.transports import Later, Never, Outgoing
from pbem.transports.maildir import Maildir
from pbem.transports.sendmail import Sendmail
from pbem.transports.smtp import Smtp
from tests.conftest import Clock
from tests.mail.office import CONFIG, Office

MAIL = Outgoing(
    "ab.fox-0001-report.g1", "games@example.org", ("fox@example.org",), b"Subject: x\r\n\r\n.hi\r\n"
)


class Server(socketserver.ThreadingTCPServer):
    """A mail server on loopback that does as it is told. script: command to answer."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, **script: str) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.script = script
        self.mails: list[bytes] = []
        self.senders: list[str] = []
        self.connections = 0
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class Session(socketserver.StreamRequestHandler):
    """One connection."""

    server: Server

    def say(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self) -> None:
        self.server.connections += 1
        with suppress(ConnectionError):  # whoever spoke was killed
            self.serve()

    def serve(self) -> None:
        self.say("220 here")
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].split(":")[0].lower()
            if word == "mail":
                self.server.senders.append(line.split(":")[1].split(">")[0].lstrip("<"))
            answer = self.server.script.get(word, "250 ok")
            if word == "rcpt" and "second" in line:
                answer = self.server.script.get("second", answer)
            if word == "data" and answer.startswith("250"):
                answer = self.take()
            if answer == "drop":
                return
            self.say("221 bye" if word == "quit" else answer)
            if word == "quit":
                return

    def take(self) -> str:
        self.say("354 go on")
        found = b""
        while (line := self.rfile.readline()) != b".\r\n":
            if not line.endswith(b"\n"):
                return "drop"  # it was cut off, and is no mail
            found += line[1:] if line.startswith(b"..") else line
        self.server.mails.append(found)
        return self.server.script.get("end", "250 taken")


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    made: list[Server] = []
    yield made
    for server in made:
        server.shutdown()
        server.server_close()


def smtp(server: Server) -> Smtp:
    return Smtp(SmtpDelivery("127.0.0.1", server.port, tls="none", timeout=5.0), "")


def test_smtp_takes_the_very_bytes_over_one_connection(servers: list[Server]) -> None:
    servers.append(Server())
    way, told = smtp(servers[0]), []
    for _ in range(3):
        way.deliver(MAIL, lambda: told.append(1))
    way.close()
    assert servers[0].mails == [MAIL.content] * 3
    assert servers[0].senders == ["games@example.org"] * 3
    assert (len(told), servers[0].connections) == (3, 1)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ({"rcpt": "550 no such user"}, Never), ({"rcpt": "450 later"}, Later),
        ({"end": "554 refused"}, Never), ({"end": "451 later"}, Later),
        ({"mail": "553 not you"}, Never), ({"data": "drop"}, Later),
        ({"ehlo": "421 no", "helo": "421 no"}, Later),
    ],
)  # fmt: skip
def test_smtp_answers_are_understood(
    script: dict[str, str], error: type[Exception], servers: list[Server]
) -> None:
    servers.append(Server(**script))
    told: list[int] = []
    way = smtp(servers[0])
    with pytest.raises(error):
        way.deliver(MAIL, lambda: told.append(1))
    way.close()
    assert not told


def test_a_server_that_is_not_there_is_tried_once_a_tick() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    way = Smtp(SmtpDelivery("127.0.0.1", port, tls="none", timeout=1.0), "")
    for _ in range(2):
        with pytest.raises(Later, match=r"127\.0\.0\.1"):
            way.deliver(MAIL, lambda: None)


def test_one_refused_of_two_recipients_is_told_and_the_mail_is_sent(servers: list[Server]) -> None:
    servers.append(Server(second="550 gone"))
    told: list[int] = []
    mail = Outgoing(MAIL.id, "", ("fox@example.org", "second@example.org"), MAIL.content)
    way = smtp(servers[0])
    with pytest.raises(Never):
        way.deliver(mail, lambda: told.append(1))
    way.close()
    assert told == [1]
    assert servers[0].senders == [""]


def test_maildir_shows_a_mail_only_after_it_was_recorded(tmp_path: Path) -> None:
    way = Maildir(tmp_path)
    seen: list[list[str]] = []
    way.deliver(MAIL, lambda: seen.append([p.name for p in (tmp_path / "new").iterdir()]))
    assert seen == [[]]
    assert [p.read_bytes() for p in (tmp_path / "new").iterdir()] == [MAIL.content]


@pytest.mark.parametrize("recorded", [True, False])
def test_maildir_finishes_what_was_recorded_and_forgets_what_was_not(
    recorded: bool, tmp_path: Path
) -> None:
    class KilledError(Exception):
        pass

    def die() -> None:
        raise KilledError

    with pytest.raises(KilledError):
        Maildir(tmp_path).deliver(MAIL, die)
    asked: list[str] = []

    def sent(mark: str) -> bool:
        asked.append(mark)
        return recorded

    (tmp_path / "tmp" / "stranger").write_bytes(b"another program's")
    Maildir(tmp_path).finish("g2", sent)
    assert not asked
    assert not list((tmp_path / "new").iterdir())
    Maildir(tmp_path).finish("g1", sent)
    assert asked == [MAIL.id]
    assert len(list((tmp_path / "new").iterdir())) == recorded
    assert [path.name for path in (tmp_path / "tmp").iterdir()] == ["stranger"]


def script(tmp_path: Path, code: int) -> list[str]:
    program = tmp_path / "sendmail.py"
    program.write_text(
        "import sys, pathlib\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "(folder / 'args').write_text(' '.join(sys.argv[1:]))\n"
        "(folder / 'mail').write_bytes(sys.stdin.buffer.read())\n"
        f"sys.exit({code})\n"
    )
    return [sys.executable, str(program)]


def test_sendmail_gets_the_mail_and_its_envelope(tmp_path: Path) -> None:
    told: list[int] = []
    Sendmail(script(tmp_path, 0), 10.0).deliver(MAIL, lambda: told.append(1))
    assert (tmp_path / "args").read_text() == "-i -f games@example.org -- fox@example.org"
    assert (tmp_path / "mail").read_bytes() == b"Subject: x\n\n.hi\n"
    assert told == [1]
    null = Outgoing(MAIL.id, "", ("fox@example.org", "cub@example.org"), MAIL.content)
    Sendmail(script(tmp_path, 0), 10.0).deliver(null, lambda: told.append(2))
    assert (tmp_path / "args").read_text() == "-i -f <> -- fox@example.org cub@example.org"


@pytest.mark.parametrize(("code", "error"), [(75, Later), (1, Later), (67, Never)])
def test_sendmail_codes_are_understood(code: int, error: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(error):
        Sendmail(script(tmp_path, code), 10.0).deliver(MAIL, lambda: None)


def test_a_sendmail_that_is_not_there_is_tried_again() -> None:
    with pytest.raises(Later):
        Sendmail(["/nonexistent/sendmail"], 1.0).deliver(MAIL, lambda: None)


def by_smtp(office: Office, server: Server) -> None:
    text = CONFIG.split("[delivery]")[0]
    way = f'[delivery]\nkind = "smtp"\nhost = "127.0.0.1"\nport = {server.port}\ntls = "none"\n'
    (office.home / "pbem.toml").write_text(text + way)


def test_retries_back_off_and_send_the_same_bytes(
    office: Office, clock: Clock, servers: list[Server]
) -> None:
    servers += [Server(end="451 later"), Server()]
    by_smtp(office, servers[0])
    office.mail("fox", "help")
    assert office.one().waiting == 1
    tries = len(servers[0].mails)
    assert office.one().waiting == 1  # not yet due again
    assert len(servers[0].mails) == tries
    clock.advance(minutes=6)
    assert office.one().waiting == 1
    clock.advance(minutes=6)
    assert office.one().waiting == 1
    assert len(servers[0].mails) == 2
    by_smtp(office, servers[1])
    clock.advance(minutes=20)
    assert office.one().sent == 1
    assert servers[1].mails == servers[0].mails[:1]
    assert not (office.house.folder / "private" / "retries.json").exists()


def test_what_never_arrives_is_given_up_and_told(
    office: Office, clock: Clock, servers: list[Server]
) -> None:
    servers.append(Server(end="451 later"))
    by_smtp(office, servers[0])
    office.mail("fox", "help")
    for _ in range(8):
        office.one()
        clock.advance(days=1)
    assert list(office.house.register.affairs.bounced.values()) == ["gave up"]
    assert "cannot be delivered" in " ".join(
        p.read_text() for p in (office.home / ".pbem" / "outbox").glob("*.eml")
    )


def test_a_refused_mail_is_a_bounce_and_the_others_go_on(
    office: Office, servers: list[Server]
) -> None:
    servers.append(Server(rcpt="550 no such user"))
    by_smtp(office, servers[0])
    office.mail("fox", "help")
    assert office.one().sent == 0
    assert office.house.register.affairs.bounced == {"outbox/fox-0002-answer.eml": "550"}
    assert office.house.audit().whole


def test_answers_leave_without_a_sender_and_reports_with_one(
    office: Office, servers: list[Server]
) -> None:
    servers.append(Server())
    by_smtp(office, servers[0])
    office.mail("fox", "help")
    office.mail("fox", "resend")
    office.one()
    assert servers[0].senders == ["", "games@example.org"]


def test_mail_that_somebody_took_from_the_outbox_is_not_missed(office: Office) -> None:
    from pbem.game import writing
    from pbem.notes import note

    with writing(office.home, "g1") as game:
        note(game, ["fox"], "hi\n")
    (office.house.folder / "outbox" / "fox-0002-note.eml").unlink()
    office.one()
    assert office.house.records[-1].body["by"] == "hand"


@pytest.mark.parametrize("script", [{"starttls": "454 not now"}, {"auth": "535 no"}])
def test_a_connection_that_is_refused_late_is_let_go(
    script: dict[str, str], servers: list[Server]
) -> None:
    """The socket of a server that takes no log-in must not wait for the garbage collector."""
    import gc

    servers.append(Server(ehlo="250 AUTH PLAIN", **script))
    tls: Tls = "starttls" if "starttls" in script else "none"
    delivery = SmtpDelivery("127.0.0.1", servers[0].port, tls=tls, timeout=5.0, user="a")
    with pytest.raises(Later):
        Smtp(delivery, "b").deliver(MAIL, lambda: None)
    gc.collect()  # a socket left open warns here, and a warning fails
