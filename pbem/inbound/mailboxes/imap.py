"""An IMAP server as mailbox (RFC 3501), by the standard library's `imaplib`.

Fetching leaves a mail unseen (BODY.PEEK); a mail gets the flag Seen once it is stored. Mails are
named by UID, so that another client of the same mailbox does not shift their numbers. Responses
that do not name the UID asked for are ignored: if the wrong text were stored, the right mail would
be marked as seen and lost.
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
"""Bytes of a line, the limit of `imaplib` itself: the UIDs of a hundred thousand mails."""


class Answer(NamedTuple):
    """A server's response about one mail. said: all but the mail's text; raw: the text, None if the
    response has none."""

    said: bytes
    raw: bytes | None


class Imap:
    """A connection to one folder.

    ca: file of the certificates to trust, None for those of the system; clock: returns seconds. All
    calls fail when the server takes longer than the timeouts of `box`.
    """

    def __init__(
        self, box: ImapBox, password: str, ca: str | None = None, clock: Clock = monotonic
    ) -> None:
        self._box, self._password, self._ca = box, password, ca
        self._patience = Patience(box.timeout, box.total, clock)
        self._server: imaplib.IMAP4 | None = None
        self._why = ""
        self.left, self.strange = 0, list[str]()

    def __enter__(self) -> Imap:
        try:
            self._server = self._connect()
            self._server.login(self._box.user, self._password)
            self._ok(self._server.select(_quoted(self._box.folder)))
            self._require_seen_flag()
        except ERRORS as error:
            raise self._failed(error) from None
        return self

    def __exit__(self, *raised: object) -> None:
        self._drop()

    def mails(self, most: int) -> Iterator[Fetched]:
        """Yield unseen mails by UID. Raises FetchFailed.

        When half of the tick's time for the server is used, the rest waits for the next tick:
        those already fetched must still be marked.
        """
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
        """Set the flag Seen on these UIDs. Raises FetchFailed."""
        try:
            self._ok(self._open().uid("STORE", ",".join(keys), "+FLAGS.SILENT", "(\\Seen)"))
        except ERRORS as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> FetchFailed:
        """Give up the connection and return the reason as an error; later calls fail with the same
        reason."""
        server, self._server = self._server, None
        if server is not None:
            _hang_up(server)
        self._why = in_words(error)
        return FetchFailed(f"{self._box.host}: {self._why}")

    def _require_seen_flag(self) -> None:
        """Refuse a folder that cannot store the flag Seen: its mails would stay new for ever."""
        _, said = self._open().response("PERMANENTFLAGS")
        if said and said[0] and b"\\seen" not in said[0].lower():
            raise imaplib.IMAP4.error(f"{self._box.folder} keeps no flag Seen")

    def _fetch(self, number: int) -> Fetched | None:
        """Fetch one mail; None if another client has removed it. Raises IMAP4.error."""
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
        """Connect, under TLS as configured. Raises ERRORS."""
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
        """Return the open connection. Raises IMAP4.error with the reason it was given up."""
        if self._server is None:
            raise imaplib.IMAP4.error(self._why)
        return self._server

    def _drop(self) -> None:
        """Log out, unless the connection was given up before."""
        server, self._server = self._server, None
        if server is not None:
            try:
                server.logout()
            except ERRORS:
                _hang_up(server)

    @staticmethod
    def _ok(answer: tuple[str, Any]) -> list[Any]:
        """Return the data of a response. Raises IMAP4.error if it is not OK."""
        kind, data = answer
        if kind != "OK":
            raise imaplib.IMAP4.error(str(data[0])[:200] if data else kind)
        return list(data)


class _Patient(imaplib.IMAP4):
    """`imaplib` with limits on the time of waiting and on the bytes of a response."""

    def __init__(self, host: str, port: int, patience: Patience, **more: Any) -> None:
        self._patience = patience
        self._buffered: BufferedReader | None = None
        self._buffered_socket: socket | None = None
        super().__init__(host, port, **more)

    def read(self, size: int) -> bytes:
        if size > 2 * LARGEST:
            raise self.abort(f"it begins a text of {size} bytes; no mail asked for is so long")
        return self._reader().read(size)

    def readline(self) -> bytes:
        line = self._reader().readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise self.abort(f"it says a line of more than {LONGEST_LINE} bytes")
        return line

    def send(self, data: bytes) -> None:  # type: ignore[override]
        self._patience.send(data, super().send, self.sock)

    def _reader(self) -> BufferedReader:
        """Return a buffered reader of the present socket.

        STARTTLS replaces the socket; bytes buffered before it are dropped, since anybody on the
        way may have sent them.
        """
        if self._buffered is None or self._buffered_socket is not self.sock:
            self._buffered, self._buffered_socket = reader(self.sock, self._patience), self.sock
        return self._buffered


class _Imap(_Patient):
    """Without TLS, or with STARTTLS."""


class _ImapTls(_Patient, imaplib.IMAP4_SSL):
    """With TLS from the start."""


def _answers(parts: Sequence[Any]) -> Iterator[Answer]:
    """Divide a FETCH response into those of single mails.

    `imaplib` returns a pair for each literal (text with its length), then what follows it. Raises
    IMAP4.error if what follows shows that the length was wrong.
    """
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
    """Close a connection that may be broken already, without hiding the error that broke it."""
    with suppress(OSError):
        server.shutdown()


def _moment(text: str) -> str:
    """Convert ` 1-Dec-2026 08:03:04 +0100` to an ISO time in UTC. Raises ValueError."""
    day, month, rest = text.strip().split("-", 2)
    number = MONTHS.index(month) + 1
    when = datetime.strptime(f"{day}-{number}-{rest}", "%d-%m-%Y %H:%M:%S %z")
    return stamp(when.astimezone(UTC))


def _quoted(folder: str) -> str:
    """Quote a folder's name (RFC 3501, 4.3)."""
    escaped = folder.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
