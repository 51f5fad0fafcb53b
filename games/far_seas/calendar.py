"""Turns of half a month from 1 August 1914 (ruling), so that the landings fit history."""

from __future__ import annotations

MONTHS = ("Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = {"Aug": 31, "Sep": 30, "Oct": 31, "Nov": 30, "Dec": 31}


def label(turn: int) -> str:
    """How a turn is called: `1-15 Aug 1914`."""
    month = MONTHS[(turn - 1) // 2 % len(MONTHS)]
    return f"1-15 {month} 1914" if turn % 2 else f"16-{_DAYS[month]} {month} 1914"
