"""From a mail as real programs write it to the orders in it."""

from __future__ import annotations

import base64
import quopri
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.inbound.arrival import Input
from pbem.inbound.attachments import unpack
from tests.counts import few
from tests.referee import Referee

LINES = "FOX: move A2;"


def mail(**more: str) -> EmailMessage:
    found = EmailMessage()
    found["From"], found["To"], found["Subject"] = "fox@example.org", "g1@example.org", "orders"
    for name, value in more.items():
        found[name] = value
    return found


def plain(text: str) -> bytes:
    found = mail()
    found.set_content(f"Hello,\n\n{text}\n-- \nthe fox\n")
    return bytes(found)


def quoted(text: str) -> bytes:
    return plain("> " + text.replace("\n", "\n> "))


def printable(text: str) -> bytes:
    body = quopri.encodestring(text.encode())
    return (
        b"From: fox@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + body
    )


def encoded(text: str) -> bytes:
    return (
        b"Received: from x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-16\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(text.encode("utf-16"))
    )


def attached(text: str) -> bytes:
    found = mail()
    found.set_content("My orders are attached.\n")
    found.add_attachment(text.encode(), "text", "plain", filename="orders.txt")
    return bytes(found)


def alternative(text: str) -> bytes:
    found = mail()
    found.set_content(text)
    found.add_alternative(f"<pre>{text}</pre>", subtype="html")
    return bytes(found)


def forwarded(text: str) -> bytes:
    inner = mail()
    inner.set_content(text)
    outer = mail()
    outer.set_content("see below")
    outer.add_attachment(inner)
    return bytes(outer)


@pytest.mark.parametrize(
    "wrap", [plain, quoted, printable, encoded, attached, alternative, forwarded]
)
def test_orders_are_found_once_in_every_kind_of_mail(wrap, referee: Referee) -> None:  # type: ignore[no-untyped-def]
    outcomes = referee.receive(wrap(referee.orders("fox", LINES)))
    assert [o.status for o in outcomes] == ["accepted"]


def test_input_that_is_not_a_mail_is_left_unchanged() -> None:
    arrived = Input("orders.txt", b"BEGIN ORDERS\nEND ORDERS\n")
    assert unpack(arrived) == [arrived]


def test_a_mail_keeps_for_whom_it_was_entered() -> None:
    (found,) = unpack(Input("mail", b"From: a@b\n\nBEGIN ORDERS END ORDERS", side="fox"))
    assert found.side == "fox"


@settings(max_examples=few(12))
@given(
    body=st.binary(max_size=300),
    head=st.sampled_from(
        [
            b"From: a\n",
            b"Received: x\nContent-Type: multipart/mixed; boundary=a\n",
            b"Subject: x\nContent-Type: text/plain; charset=none\n"
            b"Content-Transfer-Encoding: base64\n",
            b"To: x\nContent-Type: message/rfc822\n",
        ]
    ),
)
def test_no_mail_is_a_fault(body: bytes, head: bytes) -> None:
    assert unpack(Input("mail", head + b"\n" + body))


UNSIGNED = "there were other orders in the same mail, without a signature"


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("apart", [True, False])
def test_unsigned_orders_above_a_signed_set_are_told_of(
    known: bool, apart: bool, referee: Referee
) -> None:
    """A player who edits above his old set, and forgets to sign, must hear of it."""
    block, signed = referee.block("fox", "FOX: move A3;"), referee.orders("fox", LINES)
    if known:
        referee.receive(signed)
    quoted = "".join(f"> {line}\n" for line in signed.splitlines())
    if apart:
        found = mail()
        found.set_content(f"Please change:\n\n{block}\n")
        found.add_attachment(signed.encode(), "text", "plain", filename="orders.txt")
        (outcome,) = referee.receive(bytes(found))
    else:
        (outcome,) = referee.receive(plain(f"Please change:\n\n{block}\n\n{quoted}"))
    assert outcome.status == ("known" if known else "accepted")
    assert outcome.receipt["hint"].startswith(UNSIGNED)
    assert "Note: there were other orders" in " ".join(outcome.text.split())


def test_quotations_forms_and_copies_beside_a_signed_set_are_passed_over(referee: Referee) -> None:
    """The form of the report, a quoted block, and the same orders before they were signed."""
    signed = referee.orders("fox", LINES)
    copy, other = referee.block("fox", LINES), referee.block("fox", "FOX: move A3;")
    form = (referee.folder / "reports/fox/1/orders.txt").read_text()
    quoted = "".join(f"> {line}\n" for line in other.splitlines())
    (outcome,) = referee.receive(plain(f"{form}\n{copy}\n{quoted}\n{signed}"))
    assert (outcome.status, outcome.receipt["hint"]) == ("accepted", "")


def test_no_break_spaces_are_blanks(referee: Referee) -> None:
    """Some programs write every space as U+00A0."""
    text = referee.orders("fox", LINES).replace(" ", "\u00a0")
    (outcome,) = referee.receive(plain(text))
    assert outcome.status == "accepted"
