"""Errors meant for the person who meets them. Each owns its exit code; none needs a traceback."""

from __future__ import annotations


class PbemError(Exception):
    """What went wrong, where and why, in `message`; what to do next in `hint` (may be empty)."""

    exit_code = 1
    opening = "error: "

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Findings(PbemError):  # noqa: N818
    """The work was done and found fault: orders refused, an audit failed. Exit 1."""


class Usage(PbemError):  # noqa: N818
    """The command was given something it cannot use. Exit 2."""

    exit_code = 2


class Misprint(Usage):
    """A file that somebody wrote is wrong at a place, which its message begins with:
    `file:line:col: error CODE: text`, the line, a caret. Exit 2."""

    opening = ""


class NotFound(PbemError):  # noqa: N818
    """A game, side, window or file that is not there. Exit 3."""

    exit_code = 3


class Busy(PbemError):  # noqa: N818
    """Not now: another run holds the game, it is not due, the disk is full. Exit 4."""

    exit_code = 4


class Damaged(PbemError):  # noqa: N818
    """Stored data is not what was written. Exit 5."""

    exit_code = 5


class Diverged(Damaged):
    """A re-run asked or rolled something that differs from its record. Exit 5."""
