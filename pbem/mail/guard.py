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
        self._fresh = True

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()

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
        assert child.stdout
        child.stdin.write(len(raw).to_bytes(4, "big") + raw)
        child.stdin.flush()
        give_up = time.monotonic() + SECONDS + (START if self._fresh else 0.0)
        size = int.from_bytes(_read(child.stdout.fileno(), 4, give_up), "big")
        if size > LONGEST:
            raise EOFError
        self._fresh = False
        return msgspec.json.decode(_read(child.stdout.fileno(), size, give_up), type=_Said)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "pbem.mail.opener"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={k: v for k, v in os.environ.items() if k in KEPT},
            )  # fmt: skip
            self._fresh = True
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:
                    continue  # it was broken, and is closed now
        child.wait()


def _read(fd: int, size: int, give_up: float) -> bytes:
    """Exactly `size` bytes. Raises EOFError, TimeoutError."""
    found = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(fd, selectors.EVENT_READ)
        while len(found) < size:
            if not waiting.select(max(0.0, give_up - time.monotonic())):
                raise TimeoutError
            got = os.read(fd, size - len(found))
            if not got:
                raise EOFError
            found += got
    return bytes(found)
