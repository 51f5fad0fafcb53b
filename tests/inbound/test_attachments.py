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
