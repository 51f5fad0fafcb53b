"""The numbers of sets: `seq` in their headers, by which the newest set of a side counts.

It is the time of signing, as far as a clock can be believed. What a wrong clock said once must put
no later set out of reach: no set may be numbered far ahead, and the least number always will do.
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
"""Seconds."""

PLAUSIBLE = 90 * DAY
"""How long after its report opened a set may well be signed."""

BOUNDED = 2
"""The first protocol of whose sets none is numbered beyond `latest`: audits hold them to it."""


def sequence(report: Report, now: datetime) -> int:
    """The number of a set that is signed now to answer `report`: the time in UTC seconds, or, where
    the clock cannot be right, the number that the report names and the time of day. So later sets
    of a day have higher numbers whatever year the clock is in, and none of these lies more than a
    day past the report.
    """
    first, clock = report.seq, int(now.timestamp())
    return clock if first <= clock <= first + PLAUSIBLE else first + clock % DAY


def least(register: Register, side: Side, opened: str = "") -> int:
    """The least number of a new set of `side`: what its report of the open window names (of one
    that opens at `opened`), or one above what was accepted since."""
    return max(register.last_seq(side) + 1, _seconds(opened or register.opened_at))


def latest(register: Register, side: Side, arrival: str) -> int:
    """The highest number of a set that came at `arrival`: a day past that, and past the least that
    will do, so that some number always does."""
    return max(least(register, side), _seconds(arrival)) + DAY


def _seconds(moment: str) -> int:
    return int(parse(moment).timestamp())
