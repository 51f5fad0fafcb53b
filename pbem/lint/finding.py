"""Findings of the checks: what is wrong, at which line of the author's code, what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from pbem.errors import PbemError, RulesFault
from pbem.rulecode import Place, of_error


class Finding(Struct, frozen=True):
    """One mistake of an author."""

    code: str
    """The kind of mistake in one word: `view-changes-state`."""
    place: str
    """The line of the rule system, `games/toy/game.py:112`."""
    text: str
    """What is wrong, and why it matters."""
    hint: str = ""
    """What to do about it."""

    def __str__(self) -> str:
        said = f"{self.place}: {self.code}: {self.text}"
        return f"{said}\n  hint: {self.hint}" if self.hint else said


class Stopped(Exception):  # noqa: N818
    """A game cannot go on after a fault; its finding has been noted."""


class Notes:
    """The findings of a run, each kind once for each place."""

    def __init__(self) -> None:
        self.findings: dict[tuple[str, str], Finding] = {}
        self.remarks: list[str] = []
        """What is no mistake, but may be worth the author's while."""

    def add(self, code: str, place: Place | str, text: str, hint: str = "") -> None:
        """Note a finding, unless one of this kind is known for this place."""
        self.findings.setdefault((code, str(place)), Finding(code, str(place), text, hint))

    def error(self, code: str, error: Exception, place: Place, doing: str) -> None:
        """Note an error of the rules. place: if the error did not come through any line of theirs;
        doing: what the referee was about to do."""
        if isinstance(error, RulesFault):
            text = error.message.removeprefix(f"{error.place}: ")
            self.add(code, error.place or place, text, error.hint)
        else:
            said = error.message if isinstance(error, PbemError) else str(error)
            found = of_error(error) or place
            self.add(code, found, f"{type(error).__name__} while {doing}: {said}")

    def unknown(self, error: Exception, place: Place) -> tuple[str, str] | None:
        """The place of an error and what it says; None if a finding of whatever kind is known for
        that place, as another check has shown the same fault. place: as for `error`."""
        own = error.place if isinstance(error, RulesFault) else ""
        found = own or str(of_error(error) or place)
        if any(finding.place == found for finding in self.findings.values()):
            return None
        said = str(error).removeprefix(f"{own}: ") if own else f"{type(error).__name__}: {error}"
        return found, said

    @contextmanager
    def watching(self, code: str, place: Place, doing: str) -> Iterator[None]:
        """Note every error of the block as a finding, and go on behind the block."""
        try:
            yield
        except Stopped:
            raise
        except Exception as error:
            self.error(code, error, place, doing)

    @contextmanager
    def needing(self, code: str, place: Place, doing: str) -> Iterator[None]:
        """Note every error of the block as a finding. Raises Stopped then."""
        try:
            yield
        except Stopped:
            raise
        except Exception as error:
            self.error(code, error, place, doing)
            raise Stopped from error
