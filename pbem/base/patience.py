"""Limit how long a tick waits for a mail server, and how much one answer may hold.

The timeout of a socket starts again with every byte, so a server that sends a byte now and then
could keep a tick waiting for ever. Therefore the seconds spent waiting are also added up. When they
are used up, the connection is given up as if the server had been silent.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socket import socket
from time import monotonic

MAX_RESPONSE = 4 << 20
"""Bytes that a server may send in answer to one command: at least twice the largest mail that is
fetched."""

PIECE = 16 << 10
"""Bytes sent in one call. Each call is timed by itself."""

READ_AT_ONCE = 8 << 10
"""Bytes that one read asks for at most, in every version of Python."""

Clock = Callable[[], float]


class Patience:
    """The time that a tick has for one server.

    each: seconds for one call in which no byte moves; total: seconds for all calls together; clock:
    returns seconds.
    """

    def __init__(self, each: float, total: float, clock: Clock = monotonic) -> None:
        self._each, self._total, self._clock = each, total, clock
        self._left = total
        self._received = 0

    @property
    def half_used(self) -> bool:
        """Whether to begin nothing new, so that time is left to finish what was begun."""
        return self._left < self._total / 2

    @contextmanager
    def waiting(self) -> Iterator[float]:
        """Time one call that waits: give the seconds it may take, and subtract those it took.

        Raises TimeoutError when none are left.
        """
        if self._left <= 0:
            raise TimeoutError(self._used_up())
        began = self._clock()
        try:
            yield min(self._each, self._left)
        except TimeoutError as error:
            used_up = self._clock() - began >= self._left
            raise TimeoutError(self._used_up() if used_up else str(error)) from None
        finally:
            self._left -= self._clock() - began

    def receive(self, sock: socket, buffer: memoryview) -> int:
        """Receive into `buffer`; return the number of bytes. Raises OSError."""
        with self.waiting() as seconds:
            sock.settimeout(seconds)
            size = sock.recv_into(buffer)
        self._received += size
        if self._received > MAX_RESPONSE:
            raise OSError(f"it sent more than {MAX_RESPONSE} bytes in answer to one command")
        return size

    def send(self, content: bytes, send: Callable[[bytes], object], sock: socket) -> None:
        """Pass `content` to `send` piece by piece. Raises OSError."""
        self._received = 0
        for at in range(0, len(content), PIECE):
            with self.waiting() as seconds:
                sock.settimeout(seconds)
                send(content[at : at + PIECE])

    def _used_up(self) -> str:
        return f"timed out: the {self._total:g} seconds that a tick has for it are used up"


class _SocketReader(io.RawIOBase):
    """A connection as a raw file whose reads are timed; `BufferedReader` calls `readinto`."""

    def __init__(self, sock: socket, patience: Patience) -> None:
        self._sock, self._patience = sock, patience

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        return self._patience.receive(self._sock, buffer)


def reader(sock: socket, patience: Patience) -> io.BufferedReader:
    """Return what a server sends as a file. Closing it leaves the connection open."""
    return io.BufferedReader(_SocketReader(sock, patience), READ_AT_ONCE)
