"""Sequence numbers of sets: the field `seq` of their headers. A side's highest number is in force.

The number is the time of signing in seconds, unless the clock is implausible. A wrong clock must
not shut out later sets of its side: numbers far in the future are refused, so that a number that
is high enough and not refused always exists.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from pbem.base.clock import parse

if TYPE_CHECKING:
    from pbem.base.report_json import Report
    from pbem.model import Side
    from pbem.store.register import Register

DAY = 86_400
"""Seconds of a day."""

PLAUSIBLE = 90 * DAY
"""Seconds after the opening of its window for which the clock is believed."""

BOUNDED = 2
"""The first protocol version under which no set may have a number beyond `latest`. Audits check
this in games of this version and later."""


def sequence(report: Report, now: datetime) -> int:
    """The number of a set that is signed at `now` in answer to `report`.

    The time in seconds since 1970 (UTC). If the clock cannot be right: the least number that the
    report permits, plus the seconds since midnight. Later sets of a day then have higher numbers,
    whatever year the clock shows, and no number is more than a day past the report's.
    """
    first, clock = report.seq, int(now.timestamp())
    return clock if first <= clock <= first + PLAUSIBLE else first + clock % DAY


def least(register: Register, side: Side, opened: str = "") -> int:
    """The least number that a new set of `side` may have.

    The time at which the open window (or, if given, a window that opens at `opened`) opened, or one
    more than the highest number accepted, whichever is higher.
    """
    return max(register.last_seq(side) + 1, _seconds(opened or register.opened_at))


def latest(register: Register, side: Side, arrival: str) -> int:
    """The highest number that a set that came at `arrival` may have: a day past the arrival or past
    the least number, whichever is later. So a valid number always exists."""
    return max(least(register, side), _seconds(arrival)) + DAY


def _seconds(moment: str) -> int:
    return int(parse(moment).timestamp())
