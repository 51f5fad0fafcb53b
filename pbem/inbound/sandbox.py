"""The guarded child from outside: mail goes in, a Letter comes out, nothing else can happen."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress

import msgspec

from pbem.errors import Busy
from pbem.inbound.letter import LARGEST, SECONDS, Letter, Unreadable

START = 20.0
"""Seconds that a child may take to start, or to answer, on a loaded machine."""

HARMLESS = b"From: a@example.org\n\nhello\n"
BROKEN = (OSError, EOFError, msgspec.DecodeError)
"""What a child that dies, hangs or lies looks like from outside."""

MAIN = "from pbem.inbound.parse_mail import main; main()"
PIECE = 1 << 16
LONGEST = 16 * LARGEST
"""The longest verdict: every part of a mail, as text and as bytes, in JSON."""

KEPT = frozenset(("PATH", "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "LANG", "LC_ALL"))
"""The environment of the child: no password gets near a stranger's mail."""


class _Said(msgspec.Struct):
    letter: Letter | None = None
    unreadable: str = ""


class Guard:
    """`with Guard() as guard: guard.open(raw)`. One child for many mails; one that a mail kills
    is replaced. The child inherits no file, and no environment but what Python needs."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._waiting = selectors.DefaultSelector()
        self._pipe, self._fresh, self._used = -1, True, 0.0

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()
        self._waiting.close()

    def start(self) -> None:
        """Start the child, which takes a tenth of a second, before there is a mail for it; what
        keeps it from starting is said when there is one."""
        with suppress(OSError):
            self._started()

    def open(self, raw: bytes) -> Letter:
        """Read a mail. Raises Unreadable, whatever the mail does to its reader; Busy when the
        machine lets no reader work, which is no mail's fault."""
        if len(raw) > LARGEST:
            raise Unreadable(f"{len(raw)} bytes, {LARGEST} at most")
        try:
            said = self._ask_twice(raw)
        except BROKEN as error:
            self._end()
            slow = isinstance(error, TimeoutError)
            raise Unreadable(f"its reader {'took too long' if slow else 'broke down'}") from None
        if said.letter is None:
            raise Unreadable(said.unreadable)
        return said.letter

    def _ask_twice(self, raw: bytes) -> _Said:
        """A reader that took too long and computed little stood still with the whole machine:
        another gets more time."""
        try:
            return self._ask(raw, SECONDS)
        except TimeoutError:
            if self._end() > SECONDS / 2:
                raise
            return self._ask(raw, SECONDS + START)

    def _ask(self, raw: bytes, seconds: float) -> _Said:
        if self._fresh:
            self._prove()
        return self._put(raw, seconds)

    def _prove(self) -> None:
        """Let a child that has just started read what harms nobody. Raises Busy."""
        try:
            if self._put(HARMLESS, START).letter is None:
                raise EOFError
        except BROKEN as error:
            self._end()
            why = str(error) or "it ends at once"
            raise Busy(
                f"mail cannot be opened: its reader does not start ({why})",
                "is there memory left, and is pbem installed whole?",
            ) from None
        self._fresh = False

    def _put(self, raw: bytes, seconds: float) -> _Said:
        child = self._started()
        assert child.stdin
        child.stdin.write(len(raw).to_bytes(4, "big") + raw)
        child.stdin.flush()
        said = self._answer(time.monotonic() + seconds)
        self._used = int.from_bytes(said[:4], "big") / 1000
        return msgspec.json.decode(said[4:], type=_Said)

    def _answer(self, give_up: float) -> bytes:
        """What the child says of one mail, of the length that it begins with. Raises EOFError,
        TimeoutError."""
        found, size = bytearray(), 4
        while len(found) < size:
            if not self._waiting.select(max(0.0, give_up - time.monotonic())):
                raise TimeoutError
            got = os.read(self._pipe, PIECE)
            found += got
            if len(found) >= 4:
                size = 8 + int.from_bytes(found[:4], "big")
            if not got or size > LONGEST:
                raise EOFError
        return bytes(found[4:])

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._child = subprocess.Popen(
                [sys.executable, "-c", MAIN],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={k: v for k, v in os.environ.items() if k in KEPT},
            )
            assert self._child.stdout
            self._pipe = self._child.stdout.fileno()
            self._waiting.register(self._pipe, selectors.EVENT_READ)
        return self._child

    def _end(self) -> float:
        """End the child; the seconds that it has computed since its last verdict."""
        child, self._child, self._fresh = self._child, None, True
        if child is None:
            return 0.0
        self._waiting.unregister(self._pipe)
        os.kill(child.pid, signal.SIGKILL)  # Popen's own way would take away what `wait4` asks for
        for pipe in (child.stdin, child.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:
                    continue  # it was broken, and is closed now
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        used, self._used = self._used, 0.0
        return usage.ru_utime + usage.ru_stime - used
