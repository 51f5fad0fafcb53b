"""A scripted IMAP server on loopback: it has a few mails, keeps the flag Seen, and gives any answer
that its script sets."""

from __future__ import annotations

import re
import socketserver
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

Twist = Callable[[str, bytes], bytes]
"""What is said instead of the answer to a command (`GREETING`, `LOGIN`, `FETCH`, ...)."""

DATE = '" 1-Dec-2026 08:03:04 +0100"'


def as_it_is(word: str, answer: bytes) -> bytes:
    return answer


class ImapServer(socketserver.ThreadingTCPServer):
    """mails: UID to text; gone: those that another client has deleted since they were listed;
    twist: see above; once: the connection breaks behind an answer that was twisted; drips: the
    command that is answered by a byte now and then, for ever; heard: the commands."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, mails: Mapping[int, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.mails, self.seen, self.gone = dict(mails), set[int](), set[int]()
        self.twist: Twist = as_it_is
        self.once, self.drips = True, ""
        self.heard: list[str] = []
        self.closed = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def fetch(self, number: int) -> bytes:
        if number in self.gone or number not in self.mails:
            return b""
        text = self.mails[number]
        head = f"* {number} FETCH (UID {number} INTERNALDATE {DATE} RFC822.SIZE {len(text)} "
        return head.encode() + b"BODY[]<0> {%d}\r\n%s)\r\n" % (len(text), text)


class _Session(socketserver.StreamRequestHandler):
    server: ImapServer

    def handle(self) -> None:
        with suppress(OSError):
            if self._says("GREETING", b"* OK here\r\n"):
                while (line := self.rfile.readline().decode()) and self._answers(line):
                    pass

    def _answers(self, line: str) -> bool:
        """Answer a command; return whether the connection stays open."""
        tag, word, *rest = line.split()
        word = rest[0] if word == "UID" else word
        self.server.heard.append(word)
        numbers = (
            [int(n) for n in re.findall(r"\d+", rest[1])] if word in ("FETCH", "STORE") else []
        )
        untagged = getattr(self, f"_{word.lower()}", lambda numbers: b"")(numbers)
        return self._says(word, untagged + f"{tag} OK done\r\n".encode()) and word != "LOGOUT"

    def _says(self, word: str, answer: bytes) -> bool:
        while word == self.server.drips and not self.server.closed.wait(0.02):
            self.wfile.write(b"*")
        said = self.server.twist(word, answer)
        self.wfile.write(said)
        return said == answer or not self.server.once

    def _capability(self, numbers: list[int]) -> bytes:
        return b"* CAPABILITY IMAP4rev1\r\n"

    def _select(self, numbers: list[int]) -> bytes:
        return b"* %d EXISTS\r\n* OK [PERMANENTFLAGS (\\Seen)] kept\r\n" % len(self.server.mails)

    def _search(self, numbers: list[int]) -> bytes:
        unseen = sorted(self.server.mails.keys() - self.server.seen)
        return f"* SEARCH {' '.join(map(str, unseen))}\r\n".encode()

    def _fetch(self, numbers: list[int]) -> bytes:
        return b"".join(map(self.server.fetch, numbers[:1]))

    def _store(self, numbers: list[int]) -> bytes:
        self.server.seen.update(numbers)
        return b""

    def _logout(self, numbers: list[int]) -> bytes:
        return b"* BYE\r\n"


@contextmanager
def imapd(mails: Mapping[int, bytes]) -> Iterator[ImapServer]:
    """A context in which such a server runs."""
    server = ImapServer(mails)
    try:
        yield server
    finally:
        server.closed.set()
        server.shutdown()
        server.server_close()
