"""Parse mail in a child process with limits on memory and time.

Mail comes from anybody, and may be made to cost its parser minutes or gigabytes. The child
(`parse_mail`) returns data only; whatever a mail does to it, the parent goes on with the next mail.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress

import msgspec

from pbem.base.children import keep_exit_codes
from pbem.errors import Busy
from pbem.inbound.letter import LARGEST, SECONDS, Letter, Unreadable

START = 20.0
"""Seconds for a child to start, and more seconds for a mail whose child got no processor time."""

HARMLESS = b"From: a@example.org\n\nhello\n"
"""A mail that every child can read: a child that fails on it failed for another reason."""

CHILD_FAILED = (OSError, EOFError, msgspec.DecodeError)
"""What the parent sees of a child that dies, hangs (TimeoutError) or answers nonsense."""

MAIN = "from pbem.inbound.parse_mail import main; main()"
PIECE = 1 << 16
LONGEST = 16 * LARGEST
"""Bytes of the longest answer: every part of a mail, as text and as bytes, in JSON."""

INHERITED = frozenset(("PATH", "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "LANG", "LC_ALL"))
"""Environment variables that the child inherits: passwords in others must not reach it."""


class _Verdict(msgspec.Struct):
    """The child's answer to one mail: a letter, or why there is none."""

    letter: Letter | None = None
    unreadable: str = ""


class Sandbox:
    """One child process: `with Sandbox() as sandbox: sandbox.open(raw)`.

    The child reads many mails; one that dies or hangs is replaced. It inherits no open file, and
    only the environment variables that Python needs.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._waiting = selectors.DefaultSelector()
        self._pipe, self._fresh, self._used = -1, True, 0.0

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()
        self._waiting.close()

    def start(self) -> None:
        """Start the child ahead of its first mail, since a start takes a tenth of a second.

        An error is ignored here; `open` meets it again and raises Busy.
        """
        with suppress(OSError):
            self._started()

    def open(self, raw: bytes) -> Letter:
        """Read a mail.

        Raises Unreadable when the mail exceeds a limit, or makes the child die or hang; Busy when
        no child can work on this machine, which is not the mail's fault.
        """
        if len(raw) > LARGEST:
            raise Unreadable(f"{len(raw)} bytes, {LARGEST} at most")
        try:
            said = self._ask_twice(raw)
        except CHILD_FAILED as error:
            self._end()
            slow = isinstance(error, TimeoutError)
            raise Unreadable(f"its reader {'took too long' if slow else 'broke down'}") from None
        if said.letter is None:
            raise Unreadable(said.unreadable)
        return said.letter

    def _ask_twice(self, raw: bytes) -> _Verdict:
        """Ask a second child, with more time, if the first one timed out but computed little.

        Such a child got no processor time: the machine was busy, and the mail may be harmless.
        """
        try:
            return self._ask(raw, SECONDS)
        except TimeoutError:
            if self._end() > SECONDS / 2:
                raise
            return self._ask(raw, SECONDS + START)

    def _ask(self, raw: bytes, seconds: float) -> _Verdict:
        if self._fresh:
            self._check_start()
        return self._exchange(raw, seconds)

    def _check_start(self) -> None:
        """Let a new child read a harmless mail first. Raises Busy.

        So a child that cannot start is not taken for a mail that kills its reader.
        """
        try:
            if self._exchange(HARMLESS, START).letter is None:
                raise EOFError
        except CHILD_FAILED as error:
            self._end()
            why = str(error) or "it ends at once"
            raise Busy(
                f"mail cannot be opened: its reader does not start ({why})",
                "is there memory left, and is pbem installed whole?",
            ) from None
        self._fresh = False

    def _exchange(self, raw: bytes, seconds: float) -> _Verdict:
        """Send one mail to the child and return its answer. Raises CHILD_FAILED."""
        child = self._started()
        assert child.stdin
        child.stdin.write(len(raw).to_bytes(4, "big") + raw)
        child.stdin.flush()
        said = self._answer(time.monotonic() + seconds)
        self._used = int.from_bytes(said[:4], "big") / 1000
        return msgspec.json.decode(said[4:], type=_Verdict)

    def _answer(self, give_up: float) -> bytes:
        """Read the child's answer to one mail: milliseconds computed (4 bytes), then JSON.

        give_up: the monotonic time to stop at. Raises EOFError, TimeoutError.
        """
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
            keep_exit_codes()
            self._child = subprocess.Popen(
                [sys.executable, "-c", MAIN],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={k: v for k, v in os.environ.items() if k in INHERITED},
            )
            assert self._child.stdout
            self._pipe = self._child.stdout.fileno()
            self._waiting.register(self._pipe, selectors.EVENT_READ)
        return self._child

    def _end(self) -> float:
        """Kill the child; return the processor seconds it has used since its last answer."""
        child, self._child, self._fresh = self._child, None, True
        if child is None:
            return 0.0
        self._waiting.unregister(self._pipe)
        os.kill(child.pid, signal.SIGKILL)  # Popen.kill may reap the child, and then wait4 fails
        for pipe in (child.stdin, child.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:
                    continue  # flushing failed; the pipe is closed all the same
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        used, self._used = self._used, 0.0
        return usage.ru_utime + usage.ru_stime - used
