"""An IMAP server as mailbox (RFC 3501), by the standard library's `imaplib`.

Fetching leaves a mail unseen (BODY.PEEK); what was put where it belongs gets the flag Seen. Mails
are known by UID, so that another client at the same mailbox disturbs nothing.
"""

from __future__ import annotations

import imaplib
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from pbem.clock import stamp
from pbem.config import ImapBox
from pbem.mail.letter import LARGEST
from pbem.mail.tls import context_of, in_words
from pbem.mailboxes import Fetched, FetchFailed
from pbem.post import MONTHS

PORTS = {"implicit": 993, "starttls": 143, "none": 143}
SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
DATE = re.compile(rb'INTERNALDATE "([^"]+)"')
ERRORS = (imaplib.IMAP4.error, OSError, ValueError)


class Imap:
    """A connection to one folder. What a server asks to wait for longer than the timeout fails."""

    def __init__(self, box: ImapBox, password: str, ca: str | None = None) -> None:
        self._box, self._password, self._ca = box, password, ca
        self._server: imaplib.IMAP4 | None = None
        self.left = 0

    def __enter__(self) -> Imap:
        try:
            self._server = self._connect()
            self._server.login(self._box.user, self._password)
            self._ok(self._server.select(_quoted(self._box.folder)))
            self._require_marks()
        except ERRORS as error:
            self._drop()
            raise FetchFailed(f"{self._box.host}: {in_words(error)}") from None
        return self

    def __exit__(self, *raised: object) -> None:
        self._drop()

    def mails(self, most: int) -> Iterator[Fetched]:
        """Unseen mails by UID. Raises FetchFailed."""
        try:
            (found, *_) = self._ok(self._open().uid("SEARCH", "UNSEEN"))
            numbers = sorted(int(n) for n in (found or b"").split())
            self.left = max(0, len(numbers) - most)
            for number in numbers[:most]:
                if mail := self._fetch(number):
                    yield mail
        except ERRORS as error:
            raise FetchFailed(f"{self._box.host}: {in_words(error)}") from None

    def done(self, keys: Sequence[str]) -> None:
        """Set the flag Seen. Raises FetchFailed."""
        try:
            self._ok(self._open().uid("STORE", ",".join(keys), "+FLAGS.SILENT", "(\\Seen)"))
        except ERRORS as error:
            raise FetchFailed(f"{self._box.host}: {in_words(error)}") from None

    def _require_marks(self) -> None:
        """A folder that forgets what was seen would give the same mails for ever."""
        _, said = self._open().response("PERMANENTFLAGS")
        if said and said[0] and b"\\seen" not in said[0].lower():
            raise imaplib.IMAP4.error(f"{self._box.folder} keeps no flag Seen")

    def _fetch(self, number: int) -> Fetched | None:
        """One mail; None when another client has taken it away."""
        asked = f"(INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.{LARGEST + 1}>)"
        answer = self._ok(self._open().uid("FETCH", str(number), asked))
        if answer == [None]:
            return None
        raw, said = b"", b""
        for part in answer:
            if isinstance(part, tuple):
                said, raw = said + part[0], part[1]
            elif isinstance(part, bytes):
                said += part
        date, size = DATE.search(said), SIZE.search(said)
        if not date or not size:
            raise imaplib.IMAP4.error(f"mail {number} has no date")
        return Fetched(str(number), _moment(date[1].decode("ascii")), int(size[1]), raw)

    def _connect(self) -> imaplib.IMAP4:
        box, port = self._box, self._box.port or PORTS[self._box.tls]
        context = context_of(box.tls, self._ca)
        if box.tls == "implicit":
            return imaplib.IMAP4_SSL(box.host, port, ssl_context=context, timeout=box.timeout)
        server = imaplib.IMAP4(box.host, port, timeout=box.timeout)
        try:
            if context:
                server.starttls(context)
        except ERRORS:
            _hang_up(server)
            raise
        return server

    def _open(self) -> imaplib.IMAP4:
        assert self._server is not None
        return self._server

    def _drop(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            try:
                server.logout()
            except ERRORS:
                _hang_up(server)

    @staticmethod
    def _ok(answer: tuple[str, Any]) -> list[Any]:
        kind, data = answer
        if kind != "OK":
            raise imaplib.IMAP4.error(str(data[0])[:200] if data else kind)
        return list(data)


def _hang_up(server: imaplib.IMAP4) -> None:
    """Let go of a connection that is broken perhaps already: what broke it is what is told."""
    with suppress(OSError):
        server.shutdown()


def _moment(text: str) -> str:
    """` 1-Dec-2026 08:03:04 +0100` as an ISO time in UTC."""
    day, month, rest = text.strip().split("-", 2)
    number = MONTHS.index(month) + 1
    when = datetime.strptime(f"{day}-{number}-{rest}", "%d-%m-%Y %H:%M:%S %z")
    return stamp(when.astimezone(UTC))


def _quoted(folder: str) -> str:
    escaped = folder.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
