"""Delivery by a local mail server's own command (`sendmail`, and what answers to that name)."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from time import monotonic

from pbem.base.patience import Clock, Patience
from pbem.outbound.transports.interface import Later, Never, Once, Outgoing, Sent

PERMANENT = {64: "usage", 65: "bad data", 67: "no such user", 68: "no such host"}
"""sysexits.h: what another attempt would not mend."""


class Sendmail:
    """`command -i -f SENDER -- RECIPIENT...`, the mail on standard input with bare line feeds."""

    def __init__(
        self, command: Sequence[str], timeout: float, total: float = 300.0, clock: Clock = monotonic
    ) -> None:
        self._command, self._timeout = list(command), timeout
        self._patience = Patience(timeout, total, clock)
        self._down = ""

    def deliver(self, mail: Outgoing, once: Once) -> None:
        """Hand the mail over. Raises Later, Never by the command's exit code; a command that never
        ends is not waited for again this time."""
        if self._down:
            raise Later(self._down)
        command = [*self._command, "-i", "-f", mail.sender or "<>", "--", *mail.to]
        try:
            with self._patience.waiting() as seconds:
                done = subprocess.run(
                    command,
                    input=mail.content.replace(b"\r\n", b"\n"),
                    capture_output=True,
                    timeout=seconds,
                    check=False,
                )
        except TimeoutError as error:
            self._down = f"{self._command[0]}: {error}"
            raise Later(self._down) from None
        except subprocess.TimeoutExpired:
            self._down = f"{self._command[0]} did not end within {self._timeout:g} seconds"
            raise Later(self._down) from None
        except OSError as error:
            raise Later(f"{self._command[0]}: {error.strerror}") from None
        if done.returncode in PERMANENT:
            raise Never(str(done.returncode), PERMANENT[done.returncode])
        if done.returncode:
            raise Later(f"{self._command[0]} ended with {done.returncode}")
        once()

    def finish(self, game: str, sent: Sent) -> None:
        """What was recorded was handed over before; nothing is left to do."""

    def close(self) -> None:
        """Nothing is held."""
