"""Delivery by the `sendmail` command of a local mail server, or a compatible program."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from time import monotonic

from pbem.base.children import keep_exit_codes
from pbem.base.patience import Clock, Patience
from pbem.outbound.transports.interface import Later, Never, Outgoing, RecordSent, WasSent

PERMANENT = {65: "bad data", 67: "no such user"}
"""Exit codes of sysexits.h for which another attempt cannot succeed.

Not among them are 64 (usage: the command in pbem.toml is wrong, for every mail) and 68 (no such
host: so msmtp ends when no name server answers, whoever the mail is for).
"""


class Sendmail:
    """Runs `COMMAND -i -f SENDER -- RECIPIENT...` with the mail on standard input.

    Line ends are bare line feeds, as sendmail expects. `-i`: a line with a single dot does not end
    the mail. timeout, total: most seconds for one mail, and for all mails of a tick.
    """

    def __init__(
        self, command: Sequence[str], timeout: float, total: float = 300.0, clock: Clock = monotonic
    ) -> None:
        self._command, self._timeout = list(command), timeout
        self._patience = Patience(timeout, total, clock)
        self._down = ""

    def deliver(self, mail: Outgoing, record_sent: RecordSent) -> None:
        """Pass the mail to the command. Raises Later, Never by its exit code.

        After a timeout every further mail of this tick raises Later at once: each would wait as
        long, and the other games would wait with it.
        """
        if self._down:
            raise Later(self._down)
        keep_exit_codes()
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
        said = _said(done.stderr)
        if done.returncode in PERMANENT:
            raise Never(str(done.returncode), f"{PERMANENT[done.returncode]}{said}")
        if done.returncode:
            raise Later(f"{self._command[0]} ended with {done.returncode}{said}")
        record_sent()

    def finish(self, game: str, sent: WasSent) -> None:
        """Do nothing: a mail is recorded only after the command has accepted it."""

    def close(self) -> None:
        """Do nothing: there is no connection."""


def _said(stderr: bytes) -> str:
    """Return the last line that a failed command wrote, behind a colon; empty if it wrote none."""
    lines = stderr.decode("ascii", "replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return f": {' '.join(last.split())[:200]}" if last else ""
