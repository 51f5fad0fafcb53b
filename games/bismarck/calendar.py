"""11 Time: the turns, their clock and date, C turns, night. Turns carry their printed numbers."""

from __future__ import annotations

from functools import cache

FIRST, LAST = 4, 34
"""11.23 The Basic Game runs from 1200 May 22 to 1200 May 27."""
X = 9
"""7.17 The ninth visibility level, printed X; levels are numbers from 1."""
CLOCK = ("2400", "0400", "0800", "1200", "1600", "2000")
SOUTH = "L"
"""11.11 The first row south of the 55-degree line."""


def clock(turn: int) -> str:
    """11.2 The hour of a turn; turn 1 is 2400, which opens its date."""
    return CLOCK[(turn - 1) % 6]


def day(turn: int) -> int:
    """11.2 The day of May."""
    return 22 + (turn - 1) // 6


@cache
def label(turn: int) -> str:
    """11.2 How the time record names a turn: `1200 May 22`."""
    return f"{clock(turn)} May {day(turn)}"


def c_turn(turn: int) -> bool:
    """5.24 Is the turn marked C, when ships in emergency movement may move?"""
    return turn % 2 == 0


def night(turn: int, zone: str) -> bool:
    """11.11 Is it night in a zone: at 2400 everywhere, at 2000 south of 55 degrees?"""
    return zone[0] >= dark_rows(turn)


@cache
def dark_rows(turn: int) -> str:
    """11.11 The first row of the board in which it is night; `~`, behind all of them, by day."""
    return {"2400": "A", "2000": SOUTH}.get(clock(turn), "~")


def first(turn: int) -> bool:
    """11.23 The turn of the breakout (5.28) and of automatic weather (7.13)."""
    return turn == FIRST


def last(turn: int) -> bool:
    """12.14 Is this the last turn?"""
    return turn >= LAST


def level_name(level: int) -> str:
    """7.12 A visibility level as printed: 1 to 8, or X."""
    return "X" if level >= X else str(level)
