"""An IMAP server as mailbox (RFC 3501), by the standard library's `imaplib`.

Fetching leaves a mail unseen (BODY.PEEK); what was put where it belongs gets the flag Seen. Mails
are known by UID, so that another client at the same mailbox disturbs nothing. Of what a server says
nothing is believed that does not name the mail asked for: marked Seen, it would be lost.
"""

from __future__ import annotations

import imaplib
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.base.clock import stamp
from pbem.base.config import ImapBox
from pbem.base.patience import Clock, Patience, reader
from pbem.base.tls import context_of, in_words
from pbem.inbound.letter import LARGEST
from pbem.inbound.mailboxes.interface import Fetched, FetchFailed
from pbem.outbound.mime import MONTHS

if TYPE_CHECKING:
    from io import BufferedReader
    from socket import socket

PORTS = {"implicit": 993, "starttls": 143, "none": 143}
UID = re.compile(rb"\bUID (\d{1,10})\b")
SIZE = re.compile(rb"RFC822\.SIZE (\d{1,10})\b")
DATE = re.compile(rb'INTERNALDATE "([^"]+)"')
ERRORS = (imaplib.IMAP4.error, OSError, ValueError)
LONGEST_LINE = 1_000_000
"""Bytes of a line, as `imaplib` has it: the numbers of a hundred thousand mails."""


class Answer(NamedTuple):
    """What a server says of one mail. said: all but the mail's text; raw: that, None where it is
    not told."""

    said: bytes
    raw: bytes | None


class Imap:
    """A connection to one folder. What a server asks to wait for longer than the timeout fails.
    clock: tells seconds."""

    def __init__(
        self, box: ImapBox, password: str, ca: str | None = None, clock: Clock = monotonic
    ) -> None:
        self._box, self._password, self._ca = box, password, ca
        self._patience = Patience(box.timeout, box.total, clock)
        self._server: imaplib.IMAP4 | None = None
        self._why = ""
        self.left = 0

    def __enter__(self) -> Imap:
        try:
            self._server = self._connect()
            self._server.login(self._box.user, self._password)
            self._ok(self._server.select(_quoted(self._box.folder)))
            self._require_marks()
        except ERRORS as error:
            raise self._failed(error) from None
        return self

    def __exit__(self, *raised: object) -> None:
        self._drop()

    def mails(self, most: int) -> Iterator[Fetched]:
        """Unseen mails by UID. When half of the time that a tick has for the server is gone the
        rest is left to the next one: these must still be marked. Raises FetchFailed."""
        try:
            (found, *_) = self._ok(self._open().uid("SEARCH", "UNSEEN"))
            numbers = sorted(int(n) for n in (found or b"").split())
            self.left = max(0, len(numbers) - most)
            for place, number in enumerate(numbers[:most]):
                if self._patience.half_used:
                    self.left = len(numbers) - place
                    return
                if mail := self._fetch(number):
                    yield mail
        except ERRORS as error:
            raise self._failed(error) from None

    def done(self, keys: Sequence[str]) -> None:
        """Set the flag Seen. Raises FetchFailed."""
        try:
            self._ok(self._open().uid("STORE", ",".join(keys), "+FLAGS.SILENT", "(\\Seen)"))
        except ERRORS as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> FetchFailed:
        """The connection is of no use any more; why, in words. Whatever is asked later fails of the
        same."""
        server, self._server = self._server, None
        if server is not None:
            _hang_up(server)
        self._why = in_words(error)
        return FetchFailed(f"{self._box.host}: {self._why}")

    def _require_marks(self) -> None:
        """A folder that forgets what was seen would give the same mails for ever."""
        _, said = self._open().response("PERMANENTFLAGS")
        if said and said[0] and b"\\seen" not in said[0].lower():
            raise imaplib.IMAP4.error(f"{self._box.folder} keeps no flag Seen")

    def _fetch(self, number: int) -> Fetched | None:
        """One mail; None when another client has taken it away."""
        asked = f"(INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.{LARGEST + 1}>)"
        answer = self._ok(self._open().uid("FETCH", str(number), asked))
        mine = [one for one in _answers(answer) if number in map(int, UID.findall(one.said))]
        if not mine:
            return None
        said = b" ".join(one.said for one in mine)
        texts = [one.raw for one in mine if one.raw is not None]
        date, size = DATE.search(said), SIZE.search(said)
        if not date or not size or len(texts) != 1:
            lacks = "text" if date and size else "date"
            raise imaplib.IMAP4.error(f"mail {number} has no {lacks}")
        return Fetched(str(number), _moment(date[1].decode("ascii")), int(size[1]), texts[0])

    def _connect(self) -> imaplib.IMAP4:
        box, port = self._box, self._box.port or PORTS[self._box.tls]
        context = context_of(box.tls, self._ca)
        with self._patience.waiting() as seconds:
            if box.tls == "implicit":
                return _ImapTls(
                    box.host, port, self._patience, ssl_context=context, timeout=seconds
                )
            server = _Imap(box.host, port, self._patience, timeout=seconds)
        try:
            if context:
                server.starttls(context)
        except ERRORS:
            _hang_up(server)
            raise
        return server

    def _open(self) -> imaplib.IMAP4:
        if self._server is None:
            raise imaplib.IMAP4.error(self._why)
        return self._server

    def _drop(self) -> None:
        """Say goodbye, where nothing went wrong before."""
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


class _Patient(imaplib.IMAP4):
    """`imaplib` that waits no longer, and hears no more, than it has patience for."""

    def __init__(self, host: str, port: int, patience: Patience, **more: Any) -> None:
        self._patience = patience
        self._ear: BufferedReader | None = None
        self._heard: socket | None = None
        super().__init__(host, port, **more)

    def read(self, size: int) -> bytes:
        if size > 2 * LARGEST:
            raise self.abort(f"it begins a text of {size} bytes; no mail asked for is so long")
        return self._hear().read(size)

    def readline(self) -> bytes:
        line = self._hear().readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise self.abort(f"it says a line of more than {LONGEST_LINE} bytes")
        return line

    def send(self, data: bytes) -> None:  # type: ignore[override]
        self._patience.send(data, super().send, self.sock)

    def _hear(self) -> BufferedReader:
        """What the server says on the socket of now: nothing said before TLS counts behind it."""
        if self._ear is None or self._heard is not self.sock:
            self._ear, self._heard = reader(self.sock, self._patience), self.sock
        return self._ear


class _Imap(_Patient):
    """In the open, or until STARTTLS."""


class _ImapTls(_Patient, imaplib.IMAP4_SSL):
    """Under TLS from the start."""


def _answers(parts: Sequence[Any]) -> Iterator[Answer]:
    """What a server said to FETCH, mail by mail: `imaplib` gives a pair for each text that came
    by its length, then what stands behind it. Raises IMAP4.error where that length was a lie."""
    said, raw = b"", None
    for part in parts:
        if isinstance(part, tuple):
            if raw is not None:
                raise imaplib.IMAP4.error("two texts of one mail")
            said, raw = said + part[0], part[1]
        elif isinstance(part, bytes):
            if raw is not None and part[:1] not in (b")", b" "):
                raise imaplib.IMAP4.error("a mail's text goes on behind its end")
            yield Answer(said + part, raw)
            said, raw = b"", None


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
