"""Mail servers that put off, refuse, hang or hang up: every mail arrives that can, once for each
of its recipients where the server says so, and no game waits for one."""

from __future__ import annotations

import pytest

from pbem.admin.setup import Newcomer, enlist
from pbem.crypto.sshsig import public_line
from pbem.outbound.notices import note
from pbem.store.game_dir import writing
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import CONFIG, Office
from tests.mail.servers import Servers, free_port
from tests.mail.smtpd import Start, by_smtp
from tests.referee import key_of

FOX, SECOND = "fox@example.org", "second@example.org"
NAME = "outbox/fox-0004-note.eml"


@pytest.fixture
def officers(office: Office) -> Office:
    """The fox has two officers, and a mail waits for both."""
    with writing(office.home, "g1") as game:
        enlist(game, "fox", Newcomer(public_line(key_of("second").wire), SECOND, "Second"))
    office.tick()
    office.empty()
    write(office)
    assert list(office.referee.register.mail_state.unsent) == [NAME]
    return office


def write(office: Office, *texts: str) -> None:
    """Mails to the fox."""
    with writing(office.home, "g1") as game:
        for text in texts or ("A word.\n",):
            note(game, ["fox"], text)


def bounced(office: Office) -> dict[str, str]:
    return office.referee.register.mail_state.bounced


def test_who_is_put_off_gets_the_mail_later_and_the_other_only_once(
    officers: Office, clock: Clock, smtpd: Start
) -> None:
    server = smtpd(second="450 4.2.0 greylisted")
    by_smtp(officers, server)
    ticked = officers.one()
    assert (ticked.sent, ticked.waiting, ticked.talk) == (0, 1, [])
    assert server.to == [[FOX]]
    clock.advance(minutes=6)
    assert officers.one().waiting == 1
    assert server.to == [[FOX]]
    server.script.clear()
    clock.advance(minutes=16)
    assert officers.one().sent == 1
    assert server.to == [[FOX], [SECOND]]
    assert len(set(server.mails)) == 1
    assert not bounced(officers)


def test_who_is_refused_for_good_keeps_nobody_else_from_the_mail(
    officers: Office, clock: Clock, smtpd: Start
) -> None:
    server = smtpd(rcpt="550 5.1.1 no such user", second="450 4.2.0 greylisted")
    by_smtp(officers, server)
    assert officers.one().waiting == 1
    server.script["second"] = "250 ok"
    clock.advance(minutes=6)
    ticked = officers.one()
    assert (ticked.sent, ticked.bounced) == (1, 1)
    assert server.to == [[SECOND]]
    assert bounced(officers) == {NAME: "550"}


def test_what_a_lost_memory_of_attempts_costs_is_a_second_copy(
    officers: Office, smtpd: Start
) -> None:
    server = smtpd(second="450 4.2.0 greylisted")
    by_smtp(officers, server)
    officers.one()
    (officers.referee.folder / "private" / "retries.json").write_bytes(b"[")
    server.script.clear()
    assert officers.one().sent == 1
    assert server.to == [[FOX], [FOX, SECOND]]
    assert len(set(server.mails)) == 1


def test_patience_is_asked_for_in_silence_and_then_told(
    officers: Office, clock: Clock, smtpd: Start
) -> None:
    by_smtp(officers, smtpd(rcpt="450 4.2.0 come back later", second="450 4.2.0 greylisted"))
    talk = []
    for minutes in (6, 16, 61):
        talk.append(officers.one().talk)
        clock.advance(minutes=minutes)
    assert talk == [[], [], ["g1: mail waits to be sent: 450 4.2.0 come back later"]]
    assert "1 mail waits, next attempt" in pbem("--home", officers.home, "status", "g1").out


def test_after_days_without_a_server_mail_leaves_within_a_quarter_of_an_hour(
    office: Office, clock: Clock, smtpd: Start
) -> None:
    """That nobody answers is no attempt of a mail's: what a server then asks for begins anew."""
    server = smtpd(end="451 later")
    by_smtp(office, server)
    way = office.home / "pbem.toml"
    up = way.read_text()
    way.write_text(up.replace(f"port = {server.port}", f"port = {free_port()}"))
    office.mail("fox", "help")
    for _ in range(12):
        assert (office.one().sent, office.one().waiting) == (0, 1)
        clock.advance(hours=6)
    way.write_text(up)
    assert office.one().waiting == 1
    clock.advance(minutes=16)
    server.script.clear()
    assert office.one().sent == 1


def test_a_server_that_hangs_up_after_some_mails_is_called_again(
    office: Office, smtpd: Start
) -> None:
    server = smtpd(most=2)
    by_smtp(office, server)
    write(office, *(f"{n}.\n" for n in range(5)))
    assert office.one().sent == 5
    assert (len(server.mails), server.connections) == (5, 3)
    assert len(set(server.mails)) == 5


def test_a_server_that_hangs_is_waited_for_once(office: Office, smtpd: Start) -> None:
    server = smtpd(end="hang")
    by_smtp(office, server, "timeout = 0.3\n")
    write(office, "1.\n", "2.\n", "3.\n")
    ticked = office.one()
    assert (ticked.sent, ticked.waiting) == (0, 3)
    assert (len(server.mails), server.connections) == (1, 1)
    assert "timed out" in ticked.talk[0]


def test_a_refused_sender_does_not_count_against_the_recipient(
    office: Office, clock: Clock, smtpd: Start
) -> None:
    """A provider that takes no empty sender: answers wait until the configuration is mended."""
    server = smtpd(mail="553 5.1.7 sender required")
    by_smtp(office, server)
    office.mail("fox", "help")
    (said,) = office.one().talk
    assert "the server refuses the sender <> (553 5.1.7 sender required)" in said
    assert "null_sender = false in pbem.toml" in said
    assert not bounced(office)
    server.script.clear()
    clock.advance(minutes=6)
    assert office.one().sent == 1


def test_the_moderator_reads_what_the_server_said_of_a_refused_mail(
    office: Office, smtpd: Start
) -> None:
    by_smtp(office, smtpd(rcpt="550 5.1.1 no such user"))
    write(office)
    (said,) = office.one().talk
    assert said == "g1: outbox/fox-0002-note.eml cannot be delivered"
    (alert,) = (office.home / ".pbem" / "outbox").glob("*.eml")
    assert "The server said: 550 5.1.1 no such user." in alert.read_text()
    assert "`pbem replace g1 SIDE --email ADDR`" in alert.read_text()


WAY = """kind = "smtp"
host = "127.0.0.1"
port = {port}
tls = "starttls"
ca = "{ca}"
user = "games@example.org"
password = {{ env = "{secret}" }}
"""


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"ca": ""}, "its certificate is not trusted (self-signed certificate); pbem.toml names"),
        ({"ca": "gone.pem"}, "gone.pem: No such file or directory"),
        ({"ca": "pbem.toml"}, "pbem.toml does not contain a certificate"),
        ({"secret": "WRONG"}, "127.0.0.1: 535 5.7.8"),
        ({"port": free_port()}, "127.0.0.1: [Errno 111] Connection refused"),
    ],
)
def test_a_server_that_takes_nothing_stops_no_game(
    wrong: dict[str, str],
    said: str,
    office: Office,
    servers: Servers,
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    smtpd: Start,
) -> None:
    """Postfix under TLS and with a log-in; then another server is found that does."""
    monkeypatch.setenv("WRONG", "secret word")
    right = {
        "port": servers.postfix.starttls,
        "ca": str(servers.certificate),
        "secret": "TEST_PASSWORD",
    }
    mailbox = CONFIG.partition("[delivery]")[0]
    (office.home / "pbem.toml").write_text(f"{mailbox}[delivery]\n{WAY.format(**right | wrong)}")
    for side in ("fox", "hunter"):
        office.orders(side)
    ticked = office.one()
    assert (ticked.closed, ticked.waiting, bounced(office)) == (1, 4, {})
    assert said in ticked.talk[0]
    assert "secret word" not in str(ticked.talk)
    assert "4 mails wait, next attempt" in pbem("--home", office.home, "status", "g1").out
    by_smtp(office, smtpd())
    clock.advance(minutes=6)
    assert office.one().sent == 4
