"""A limit on the processor time of a rule system, so that a loop without an end is found."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from pbem.rulecode import at_work, fault

MOST_SECONDS = 120.0
"""Processor time that the rules may take between two windows."""


@contextmanager
def limited(seconds: float = 0) -> Iterator[None]:
    """Raise RulesFault, naming the line at work, if the block takes more processor time.

    seconds: 0 stands for `MOST_SECONDS`.

    The time of a busy machine's other programs does not count. There is no limit in threads other
    than the main one, on Windows, and inside another limit. The error is raised again every second,
    in case the rules catch it.
    """
    if not _possible() or signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
        yield
        return

    most = seconds or MOST_SECONDS

    def stop(number: int, frame: FrameType | None) -> None:
        raise fault(
            f"no end after {most:g} seconds of processor time",
            "look for a loop without an end at this line or in its callers",
            at_work(frame),
        )

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, most, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _possible() -> bool:
    return hasattr(signal, "SIGVTALRM") and current_thread() is main_thread()
