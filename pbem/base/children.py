"""Child processes: what must hold before one is started."""

from __future__ import annotations

import signal
from threading import current_thread, main_thread


def keep_exit_codes() -> None:
    """Let the system keep the exit code of a child until it is asked for. Call it before a start.

    Whoever started this program may have had SIGCHLD ignored (`trap '' CHLD`, some supervisors),
    which is inherited. Then the code is dropped as the child ends, and Python takes it for 0: a
    sendmail that failed would count as one that has sent.
    """
    if not hasattr(signal, "SIGCHLD") or current_thread() is not main_thread():
        return  # Windows; a thread, which another start has preceded
    if signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
