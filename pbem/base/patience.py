"""How long a tick waits for a mail server, and how much it lets one say.

The timeout of a socket begins anew with every byte: a server that sends one now and then would hold
a tick for ever. So the seconds spent waiting are added up as well, and when they are used up the
connection is given up as if it had been silent.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socket import socket
from time import monotonic

MOST_SAID = 4 << 20
"""Bytes that a server may say to one command. No mail that is asked for is half as long."""

PIECE = 16 << 10
"""Bytes sent in one go: each is waited for by itself."""

Clock = Callable[[], float]


class Patience:
    """The seconds that a tick has for a server. each: for one call without a byte; total: for all
    calls together; clock: tells seconds."""

    def __init__(self, each: float, total: float, clock: Clock = monotonic) -> None:
        self._each, self._total, self._clock = each, total, clock
        self._left = total
        self._said = 0

    @property
    def half_gone(self) -> bool:
        """Whether it is time to come to an end: what is begun must still be finished."""
        return self._left < self._total / 2

    @contextmanager
    def waiting(self) -> Iterator[float]:
        """For one call that waits: gives the seconds it may take, and counts those it took.
        Raises TimeoutError when none are left."""
        if self._left <= 0:
            raise TimeoutError(self._spent())
        began = self._clock()
        try:
            yield min(self._each, self._left)
        except TimeoutError as error:
            used_up = self._clock() - began >= self._left
            raise TimeoutError(self._spent() if used_up else str(error)) from None
        finally:
            self._left -= self._clock() - began

    def hear(self, sock: socket, room: memoryview) -> int:
        """Receive into `room`; how many bytes. Raises OSError."""
        with self.waiting() as seconds:
            sock.settimeout(seconds)
            got = sock.recv_into(room)
        self._said += got
        if self._said > MOST_SAID:
            raise OSError(f"it said more than {MOST_SAID} bytes to one command")
        return got

    def tell(self, content: bytes, send: Callable[[bytes], object], sock: socket) -> None:
        """Hand `content` to `send` piece by piece. Raises OSError."""
        self._said = 0
        for at in range(0, len(content), PIECE):
            with self.waiting() as seconds:
                sock.settimeout(seconds)
                send(content[at : at + PIECE])

    def _spent(self) -> str:
        return f"timed out: the {self._total:g} seconds that a tick has for it are used up"


class _Ear(io.RawIOBase):
    """A connection as a file: what reads from it calls `readinto`."""

    def __init__(self, sock: socket, patience: Patience) -> None:
        self._sock, self._patience = sock, patience

    def readable(self) -> bool:
        return True

    def readinto(self, room: memoryview) -> int:  # type: ignore[override]
        return self._patience.hear(self._sock, room)


def ear(sock: socket, patience: Patience) -> io.BufferedReader:
    """What a server says, as a file. It does not own the connection."""
    return io.BufferedReader(_Ear(sock, patience))
