"""Ways of delivery: once, whatever happens on the way; what cannot be delivered is said."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from pbem.base.config import SmtpDelivery, Tls
from pbem.outbound.transports.interface import Later, Never, Outgoing
from pbem.outbound.transports.maildir import Maildir
from pbem.outbound.transports.sendmail import Sendmail
from pbem.outbound.transports.smtp import Smtp
from tests.conftest import Clock
from tests.mail.office import Office
from tests.mail.smtpd import Server, Start, by_smtp

MAIL = Outgoing(
    "ab.fox-0001-report.g1", "games@example.org", ("fox@example.org",), b"Subject: x\r\n\r\n.hi\r\n"
)


def smtp(server: Server) -> Smtp:
    return Smtp(SmtpDelivery("127.0.0.1", server.port, tls="none", timeout=5.0), "")


def test_smtp_takes_the_very_bytes_over_one_connection(smtpd: Start) -> None:
    server = smtpd()
    way, told = smtp(server), []
    for _ in range(3):
        way.deliver(MAIL, lambda: told.append(1))
    way.close()
    assert server.mails == [MAIL.content] * 3
    assert server.senders == ["games@example.org"] * 3
    assert (len(told), server.connections) == (3, 1)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ({"rcpt": "550 no such user"}, Never),
        ({"rcpt": "450 later"}, Later),
        ({"end": "554 refused"}, Never),
        ({"end": "451 later"}, Later),
        ({"mail": "553 not you"}, Later),
        ({"mail": "552 too large"}, Never),
        ({"data": "drop"}, Later),
        ({"ehlo": "421 no", "helo": "421 no"}, Later),
    ],
)
def test_smtp_answers_are_understood(
    script: dict[str, str], error: type[Exception], smtpd: Start
) -> None:
    server = smtpd(**script)
    told: list[int] = []
    way = smtp(server)
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


def test_a_password_that_cannot_be_sent_is_named(smtpd: Start) -> None:
    server = smtpd(ehlo="250-here\r\n250 AUTH PLAIN LOGIN", auth="235 in")
    delivery = SmtpDelivery("127.0.0.1", server.port, tls="none", user="games", timeout=5.0)
    way = Smtp(delivery, "schl\u00fcssel")
    with pytest.raises(Later, match=r"127\.0\.0\.1: .*password .*ASCII"):
        way.deliver(MAIL, lambda: None)
    way.close()


def test_a_name_that_no_host_can_have_is_said() -> None:
    way = Smtp(SmtpDelivery("mail..example.org", tls="none", timeout=1.0), "")
    with pytest.raises(Later, match=r"mail\.\.example\.org: "):
        way.deliver(MAIL, lambda: None)


def test_one_refused_of_two_recipients_is_told_and_the_mail_is_sent(smtpd: Start) -> None:
    server = smtpd(second="550 gone")
    told: list[int] = []
    mail = Outgoing(MAIL.id, "", ("fox@example.org", "second@example.org"), MAIL.content)
    way = smtp(server)
    with pytest.raises(Never):
        way.deliver(mail, lambda: told.append(1))
    way.close()
    assert told == [1]
    assert server.senders == [""]


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
        f"sys.exit({code} and (sys.stderr.write('first\\ncannot locate host\\n') and {code}))\n"
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


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (75, Later),
        (1, Later),
        (64, Later),  # the command in pbem.toml is wrong
        (68, Later),  # msmtp, when no name server answers
        (65, Never),
        (67, Never),
    ],
)
def test_sendmail_codes_are_understood(code: int, error: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(error, match=r": cannot locate host$"):
        Sendmail(script(tmp_path, code), 10.0).deliver(MAIL, lambda: None)


def test_a_sendmail_that_is_not_there_is_tried_again() -> None:
    with pytest.raises(Later):
        Sendmail(["/nonexistent/sendmail"], 1.0).deliver(MAIL, lambda: None)


def test_retries_back_off_and_send_the_same_bytes(
    office: Office, clock: Clock, smtpd: Start
) -> None:
    server, other = smtpd(end="451 later"), smtpd()
    by_smtp(office, server)
    office.mail("fox", "help")
    assert office.one().waiting == 1
    tries = len(server.mails)
    assert office.one().waiting == 1  # not yet due again
    assert len(server.mails) == tries
    clock.advance(minutes=6)
    assert office.one().waiting == 1
    clock.advance(minutes=6)
    assert office.one().waiting == 1
    assert len(server.mails) == 2
    by_smtp(office, other)
    clock.advance(minutes=20)
    assert office.one().sent == 1
    assert other.mails == server.mails[:1]
    assert not (office.referee.folder / "private" / "retries.json").exists()


def test_a_mail_that_was_tried_by_a_fast_clock_does_not_wait_for_its_time(
    office: Office, clock: Clock, smtpd: Start
) -> None:
    by_smtp(office, smtpd(end="451 later"))
    office.mail("fox", "help")
    office.one()
    kept = office.referee.folder / "private" / "retries.json"
    kept.write_text(kept.read_text().replace("20", "21"))  # a century ahead
    other = smtpd()
    by_smtp(office, other)
    assert office.one().sent == 1
    assert len(other.mails) == 1


def test_what_never_arrives_is_given_up_and_told(
    office: Office, clock: Clock, smtpd: Start
) -> None:
    server = smtpd(end="451 later")
    by_smtp(office, server)
    office.mail("fox", "help")
    for _ in range(8):
        office.one()
        clock.advance(days=1)
    assert list(office.referee.register.mail_state.bounced.values()) == ["gave up"]
    assert "cannot be delivered" in " ".join(
        p.read_text() for p in (office.home / ".pbem" / "outbox").glob("*.eml")
    )


def test_a_refused_mail_is_a_bounce_and_the_others_go_on(office: Office, smtpd: Start) -> None:
    server = smtpd(rcpt="550 no such user")
    by_smtp(office, server)
    office.mail("fox", "help")
    assert office.one().sent == 0
    assert office.referee.register.mail_state.bounced == {"outbox/fox-0002-answer.eml": "550"}
    assert office.referee.audit().whole


def test_answers_leave_without_a_sender_and_reports_with_one(office: Office, smtpd: Start) -> None:
    server = smtpd()
    by_smtp(office, server)
    office.mail("fox", "help")
    office.mail("fox", "resend")
    office.one()
    assert server.senders == ["", "games@example.org"]


def test_mail_that_somebody_took_from_the_outbox_is_not_missed(office: Office) -> None:
    from pbem.outbound.notices import note
    from pbem.store.game_dir import writing

    with writing(office.home, "g1") as game:
        note(game, ["fox"], "hi\n")
    (office.referee.folder / "outbox" / "fox-0002-note.eml").unlink()
    office.one()
    assert office.referee.records[-1].body["by"] == "hand"


@pytest.mark.some(1)
@pytest.mark.parametrize("script", [{"starttls": "454 not now"}, {"auth": "535 no"}])
def test_a_connection_that_is_refused_late_is_let_go(script: dict[str, str], smtpd: Start) -> None:
    """The socket of a server that takes no log-in must not wait for the garbage collector."""
    import gc

    server = smtpd(ehlo="250 AUTH PLAIN", **script)
    tls: Tls = "starttls" if "starttls" in script else "none"
    delivery = SmtpDelivery("127.0.0.1", server.port, tls=tls, timeout=5.0, user="a")
    with pytest.raises(Later):
        Smtp(delivery, "b").deliver(MAIL, lambda: None)
    gc.collect()  # a socket left open warns here, and a warning fails
