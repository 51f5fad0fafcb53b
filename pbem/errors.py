"""Errors that are shown to the user: each class has its exit code, and none prints a traceback."""

from __future__ import annotations


class PbemError(Exception):
    """An error for the user.

    message: what is wrong, where and why. hint: what to do next; may be empty.
    """

    exit_code = 1
    opening = "error: "
    """Printed before the message."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Findings(PbemError):  # noqa: N818
    """The command did its work and found faults: orders refused, an audit failed. Exit 1."""


class Usage(PbemError):  # noqa: N818
    """An argument or an input file that the command cannot use. Exit 2."""

    exit_code = 2


class Misprint(Usage):
    """A mistake at one place of an input file. Exit 2.

    The message begins with that place: `file:line:col: error CODE: text`, then the line and a
    caret.
    """

    opening = ""


class NotFound(PbemError):  # noqa: N818
    """A game, side, window or file that does not exist. Exit 3."""

    exit_code = 3


class Busy(PbemError):  # noqa: N818
    """Not possible now: another command is at work, nothing is due, the disk is full. Exit 4."""

    exit_code = 4


class Damaged(PbemError):  # noqa: N818
    """Stored data that differs from what was written. Exit 5."""

    exit_code = 5


class Diverged(Damaged):
    """A turn that was run again asked or rolled something else than its record says. Exit 5."""


class RulesFault(PbemError, ValueError):  # noqa: N818
    """A mistake in the code of a rule system, found while its rules were at work. Exit 5.

    place: the line of the rule system, `oak/game.py:112`; empty if it is not known. Nothing has
    been recorded: when the rules are repaired, the same command goes on.
    """

    exit_code = 5
    opening = "fault in the rules: "

    def __init__(self, message: str, hint: str = "", place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message, hint)
        self.place = place
