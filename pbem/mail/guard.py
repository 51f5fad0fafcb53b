"""The guarded child from outside: mail goes in, a Letter comes out, nothing else can happen."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time

import msgspec

from pbem.mail.letter import LARGEST, SECONDS, Letter, Unreadable

START = 20.0
"""Seconds that a child may take to start on a loaded machine, beside those for the mail."""

MAIN = "from pbem.mail.opener import main; main()"
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
        self._pipe, self._fresh = -1, True

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()
        self._waiting.close()

    def start(self) -> None:
        """Start the child, which takes a tenth of a second, before there is a mail for it."""
        self._started()

    def open(self, raw: bytes) -> Letter:
        """Read a mail. Raises Unreadable, whatever the mail does to its reader."""
        if len(raw) > LARGEST:
            raise Unreadable(f"{len(raw)} bytes, {LARGEST} at most")
        try:
            said = self._ask(raw)
        except (OSError, EOFError, TimeoutError, msgspec.DecodeError) as error:
            self._end()
            slow = isinstance(error, TimeoutError)
            raise Unreadable(f"its reader {'took too long' if slow else 'broke down'}") from None
        if said.letter is None:
            raise Unreadable(said.unreadable)
        return said.letter

    def _ask(self, raw: bytes) -> _Said:
        child = self._started()
        assert child.stdin
        child.stdin.write(len(raw).to_bytes(4, "big") + raw)
        child.stdin.flush()
        give_up = time.monotonic() + SECONDS + (START if self._fresh else 0.0)
        said = self._answer(give_up)
        self._fresh = False
        return msgspec.json.decode(said, type=_Said)

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
                size = 4 + int.from_bytes(found[:4], "big")
            if not got or size > LONGEST:
                raise EOFError
        return bytes(found[4:])

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._child = subprocess.Popen(
                [sys.executable, "-c", MAIN], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={k: v for k, v in os.environ.items() if k in KEPT},
            )  # fmt: skip
            assert self._child.stdout
            self._pipe = self._child.stdout.fileno()
            self._waiting.register(self._pipe, selectors.EVENT_READ)
            self._fresh = True
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        self._waiting.unregister(self._pipe)
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:
                    continue  # it was broken, and is closed now
        child.wait()
