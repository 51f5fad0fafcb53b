"""A mail server that refuses, breaks off or drips at each step of a mail: nothing is lost, no mail
is given up for what is no fault of its own, and none is sent twice but where nobody can know
whether the server took it."""

from __future__ import annotations

from time import monotonic

import pytest

from pbem.base.config import SmtpDelivery, Tls
from pbem.base.patience import Clock
from pbem.outbound.transports.interface import Later, Outgoing
from pbem.outbound.transports.smtp import Smtp
from tests.conftest import Clock as Calendar
from tests.mail.office import Office
from tests.mail.smtpd import Server, Start, by_smtp
from tests.mail.test_imap_faults import Ticks
from tests.mail.test_smtp_faults import FOX, SECOND, bounced, officers, write

__all__ = ["officers"]
ENTRY, MAIL, BEHIND = ("ehlo",), ("mail", "rcpt", "data"), ("end",)
PLAIN, SIZE = "250-here\r\n250 AUTH PLAIN", "250-here\r\n250 SIZE 20"
REFUSALS = (
    "421 4.3.2 going down",
    "450 4.2.0 later",
    "500 5.5.2 what?",
    "550 5.7.1 no",
    "x",
    "drop",
)
PERMANENT = {
    (step, how) for step in ("rcpt", "data", "end") for how in REFUSALS if how.startswith("5")
}
"""Where a refusal is of this mail, and for good (RFC 5321, 4.2.1); all others are tried again."""


def came(server: Server) -> list[bytes]:
    """What was handed over for the fox; alerts to the moderator go by the same server."""
    return [mail for mail, to in zip(server.mails, server.to, strict=True) if FOX in to]


@pytest.mark.parametrize("how", REFUSALS)
@pytest.mark.parametrize("step", [*ENTRY, *MAIL, *BEHIND])
def test_trouble_at_any_step_loses_no_mail(
    step: str, how: str, officers: Office, clock: Calendar, smtpd: Start
) -> None:
    """The moderator reads what was given up; everything else arrives by the next attempt."""
    script = {step: how, "helo": how} if step == "ehlo" else {step: how}
    server = smtpd(**script)
    by_smtp(officers, server)
    ticked = officers.one()
    final = (step, how) in PERMANENT
    assert (ticked.sent, ticked.bounced, ticked.waiting) == (0, int(final), int(not final))
    assert len(came(server)) == int(step == "end"), "it was handed over twice"
    server.script.clear()
    clock.advance(minutes=16)
    again = officers.one()
    assert (again.sent, again.waiting) == (int(not final), 0)
    assert len(came(server)) == int(step == "end") + int(not final)
    assert len(set(came(server))) <= 1
    assert bool(bounced(officers)) == final
    if final:
        assert ticked.talk == ["g1: outbox/fox-0004-note.eml cannot be delivered"]


@pytest.mark.parametrize("how", ["drop", "x"])
def test_a_mail_that_may_have_been_taken_is_not_handed_over_again_at_once(
    how: str, office: Office, clock: Calendar, smtpd: Start
) -> None:
    """The connection breaks between the end of the second mail and the answer: nobody knows."""
    server = smtpd()
    by_smtp(office, server)
    write(office, "1.\n")
    assert office.one().sent == 1
    write(office, "2.\n", "3.\n")
    server.broken = 2
    server.script["end"] = how
    ticked = office.one()
    assert ticked.sent == 1
    assert len(server.mails) == len(set(server.mails)) == 3
    server.script.clear()
    clock.advance(minutes=16)
    assert office.one().sent == 1
    assert (len(server.mails), len(set(server.mails))) == (4, 3)


def test_two_officers_at_one_address_get_a_mail_once(officers: Office, smtpd: Start) -> None:
    from pbem.admin.commands import readdress
    from pbem.store.game_dir import writing

    server = smtpd()
    by_smtp(officers, server)
    with writing(officers.home, "g1") as game:
        readdress(game, "fox", FOX, officer=2)
    officers.one()
    server.to.clear()
    write(officers)
    assert officers.one().sent == 1
    assert server.to == [[FOX]]


@pytest.mark.parametrize(
    ("tls", "user", "script", "says"),
    [
        ("starttls", "", {}, "STARTTLS extension not supported"),
        ("starttls", "", {"ehlo": "250-here\r\n250 STARTTLS", "starttls": "454 no"}, "454 no"),
        ("starttls", "", {"ehlo": "250-here\r\n250 STARTTLS", "starttls": "501 no"}, "501 no"),
        ("starttls", "", {"ehlo": "250-here\r\n250 STARTTLS", "starttls": "220 go on"}, "[SSL"),
        ("none", "a", {}, "SMTP AUTH extension not supported"),
        (
            "none",
            "a",
            {"ehlo": PLAIN, "auth": "535 5.7.8 no"},
            "535 5.7.8 no",
        ),
        (
            "none",
            "a",
            {"ehlo": PLAIN, "auth": "drop"},
            "unexpectedly closed",
        ),
        ("none", "a", {"ehlo": "250-here\r\n250 AUTH X-OTHER"}, "No suitable authentication"),
    ],
)
def test_a_server_that_takes_away_tls_or_the_log_in_gets_no_mail_and_no_password(
    tls: Tls, user: str, script: dict[str, str], says: str, smtpd: Start
) -> None:
    """A man in the middle strips STARTTLS from what the server offers: nothing goes in the open."""
    server = smtpd(**script)
    way = SmtpDelivery("127.0.0.1", server.port, tls=tls, timeout=5.0, user=user)
    with pytest.raises(Later) as raised:
        Smtp(way, "secret word").deliver(LETTER, lambda: pytest.fail("it was sent"))
    assert says in str(raised.value)
    assert not server.senders
    assert not server.mails


@pytest.mark.parametrize(
    "script",
    [
        {"ehlo": SIZE, "mail": "552 5.3.4 too big"},
        {"data": "552 5.3.4 too big"},
        {"end": "552 5.3.4 too big"},
    ],
)
def test_a_mail_that_is_too_large_is_given_up_and_said(
    script: dict[str, str], office: Office, smtpd: Start
) -> None:
    by_smtp(office, smtpd(**script))
    write(office)
    ticked = office.one()
    assert (ticked.bounced, ticked.waiting) == (1, 0)
    (alert,) = (office.home / ".pbem" / "outbox").glob("*.eml")
    assert "The server said: 552 5.3.4 too big." in alert.read_text()


@pytest.mark.some(1)
@pytest.mark.parametrize("step", ["ehlo", "rcpt", "end"])
def test_an_answer_without_an_end_is_a_broken_connection(step: str, smtpd: Start) -> None:
    server = smtpd(**{step: "550 " + "x" * 9000, "helo": "550 " + "x" * 9000})
    with pytest.raises(Later, match="a line without an end"):
        sender(server).deliver(LETTER, lambda: pytest.fail("it was sent"))
    server.script.clear()
    server.script[step] = "250-" + "go on\r\n250-" * 500_000 + "\r\n250 ok"
    with pytest.raises(Later, match="it sent more than"):
        sender(server).deliver(LETTER, lambda: pytest.fail("it was sent"))


def test_a_server_that_drips_is_given_up_when_its_time_is_over(smtpd: Start) -> None:
    """Every line comes in time; only the sum is too long. The mails behind it do not wait anew."""
    server, clock = smtpd(rcpt="250-" + "go on\r\n250-" * 40_000 + "\r\n250 ok"), Ticks()
    way = sender(server, total=40, clock=clock)
    for _ in range(3):
        with pytest.raises(Later, match="the 40 seconds that a tick has for it are used up"):
            way.deliver(LETTER, lambda: pytest.fail("it was sent"))
    assert clock.now < 100
    assert server.connections == 1


def test_a_tick_ends_though_its_server_never_does(office: Office, smtpd: Start) -> None:
    """A byte just within each timeout, through the whole tick."""
    server = smtpd(rcpt="drip")
    by_smtp(office, server, "timeout = 0.4\ntotal = 0.5\n")
    write(office, "1.\n", "2.\n")
    ticked = office.one()
    assert (ticked.sent, ticked.waiting) == (0, 2)
    assert "the 0.5 seconds that a tick has for it are used up" in ticked.talk[0]


LETTER = Outgoing(
    "a.b.g1", "games@example.org", (FOX, SECOND), b"To: a\r\n\r\n" + b"hi\r\n" * 40_000
)


def sender(server: Server, total: float = 300.0, clock: Clock = monotonic) -> Smtp:
    way = SmtpDelivery("127.0.0.1", server.port, tls="none", timeout=20.0, total=total)
    return Smtp(way, "", clock=clock)


def test_a_long_mail_goes_in_pieces_and_arrives_whole(smtpd: Start) -> None:
    server, told = smtpd(), list[int]()
    way = sender(server)
    way.deliver(LETTER, lambda: told.append(1))
    way.close()
    assert (server.mails, told) == ([LETTER.content], [1])
