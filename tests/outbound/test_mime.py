"""Outgoing mail: read back by the standard library, deterministic, with its fixed headers."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.outbound.mime import Part, date, message
from tests.conftest import Clock
from tests.counts import few
from tests.referee import Referee

HEADERS = ["Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "MIME-Version"]


def made(bodies: list[Part], attachments: list[Part] | None = None, thread: str = "") -> bytes:
    return message(
        to=["a@example.org"],
        sender="g1 <g1@pbem.invalid>",
        subject="g1 turn 3",
        message_id="<1@g1>",
        sent="2026-11-20T12:00:00Z",
        bodies=bodies,
        attachments=attachments or [],
        thread=thread,
    )


@settings(max_examples=few(40))
@given(
    text=st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n"), max_size=300),
    data=st.binary(max_size=300),
)
def test_what_is_put_in_comes_out(text: str, data: bytes) -> None:
    mail = message_from_bytes(
        made(
            [Part("text/plain; charset=us-ascii", text.encode())],
            [Part("application/json", data, "report.json")],
        ),
        policy=policy.default,
    )
    body, attached = mail.iter_parts()
    assert body.get_content().replace("\r\n", "\n").rstrip("\n") == text.rstrip("\n")
    assert (attached.get_filename(), attached.get_content()) == ("report.json", data)
    assert not mail.defects


@pytest.mark.parametrize(
    ("page", "name", "coding"),
    [
        ("<p>Hood</p>\n", "", "7bit"),
        ("<p>K\u00f6ln</p>\n", "", "quoted-printable"),
        ("<p>" + 999 * "x" + "\n", "", "quoted-printable"),
        ("<p>Hood</p>\n", "order-page.html", "quoted-printable"),
    ],
    ids=["as it is", "letters", "a long line", "a file"],
)
def test_a_page_is_sent_as_it_is_where_mail_allows(page: str, name: str, coding: str) -> None:
    mail = message_from_bytes(
        made([Part("text/html; charset=utf-8", page.encode(), name)]), policy=policy.default
    )
    assert mail["Content-Transfer-Encoding"] == coding
    assert mail.get_content().replace("\r\n", "\n") == page


def test_the_headers_are_a_fixed_set() -> None:
    part = [Part("text/plain; charset=us-ascii", b"x\n")]
    mail = message_from_bytes(made(part))
    assert list(mail.keys())[: len(HEADERS)] == HEADERS
    assert mail["Auto-Submitted"] == "auto-generated"
    threaded = message_from_bytes(made(part, thread="<0@g1>"))
    assert (threaded["In-Reply-To"], threaded["References"]) == ("<0@g1>", "<0@g1>")


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_no_value_makes_a_header_of_its_own(end: str) -> None:
    part = [Part("text/plain; charset=us-ascii", b"x\n")]
    with pytest.raises(ValueError, match="line break"):
        made(part, thread=f"<0@g1>{end}Bcc: wolf@example.org")


def test_lines_end_in_crlf_alone() -> None:
    raw = made(
        [
            Part("text/plain; charset=us-ascii", b"a\nb\r\nc\n"),
            Part("text/html; charset=utf-8", "ä".encode()),
        ]
    )
    assert b"\r\r" not in raw
    assert raw.count(b"\n") == raw.count(b"\r\n")


@pytest.mark.parametrize("iso", ["2026-11-20T12:00:00Z", "2024-02-29T23:59:59Z"])
def test_dates_are_read_back(iso: str) -> None:
    assert parsedate_to_datetime(date(iso)).strftime("%Y-%m-%dT%H:%M:%SZ") == iso


def test_the_same_mail_is_the_same_bytes() -> None:
    parts = [Part("text/plain; charset=us-ascii", b"x\n"), Part("text/html", b"<p>x")]
    assert made(parts) == made(parts)


def test_every_mail_of_a_game_is_read_by_the_strict_parser(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.toy(tmp_path, play="asked")
    referee.go("fox", "hunter")
    referee.order("fox", "BEAR: move A1;")
    seen = set()
    for path in sorted((referee.folder / "outbox").iterdir()):
        raw = path.read_bytes()
        mail = message_from_bytes(raw, policy=policy.default)
        assert not mail.defects
        assert mail["To"]
        assert mail["Message-ID"] not in seen
        seen.add(mail["Message-ID"])
        assert max(map(len, raw.splitlines())) < 998
        assert all(
            part.get_content() is not None for part in mail.walk() if not part.is_multipart()
        )
