"""Victory points as they are written down, and the lines that a view shows of them."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct

from pbem.model import Side


class Fact(Struct):
    """One public fact of the turn in the report's head; without a name, the value alone."""

    name: str
    value: str


class Points(Struct):
    """Victory points of one side so far, under its printed name."""

    name: str
    points: int


class Score(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Points written down. turn: when; kind: a word by which a game tells them apart."""

    side: Side
    points: int
    kind: str = ""
    rule: str
    what: str
    turn: int


def total(scores: Iterable[Score], side: Side) -> int:
    """Points of a side so far."""
    return sum(score.points for score in scores if score.side == side)


def totals(scores: Iterable[Score], names: Mapping[Side, str]) -> list[Points]:
    """Points of every side so far. names: the sides' printed names, in the order shown."""
    written = list(scores)
    return [Points(name, total(written, side)) for side, name in names.items()]


class _Keeps(Protocol):
    """A state that keeps points."""

    turn: int
    scores: list[Score]


class Scoring(Struct):
    """Methods for a state with the fields `turn: int` and `scores: list[Score]`, which derives from
    this and from Struct."""

    def score(self: _Keeps, side: Side, points: int, kind: str, rule: str, what: str) -> None:
        """Write down points that a side has earned; nothing is written for none."""
        if points:
            self.scores.append(
                Score(side=side, points=points, kind=kind, rule=rule, what=what, turn=self.turn)
            )

    def total(self: _Keeps, side: Side) -> int:
        """Points of a side so far."""
        return total(self.scores, side)
