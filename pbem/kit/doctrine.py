"""Questions that orders in force may answer before they are put to a player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, TypeVar

from msgspec import Struct

from orders.book import Book, Facts
from orders.model import Value
from pbem.model import Pace, Question

Kind = TypeVar("Kind", bound=Struct)
YES, NO = "YES", "NO"


def plays_asked(options: Mapping[str, str]) -> bool:
    """Is the game played `asked`, so that choices go by mail as they come up
    (`pbem.model.Mailing`)?"""
    return options.get("play") == "asked"


def yes_no(yes: bool) -> str:
    """YES or NO, as questions are answered and conditions are tested."""
    return YES if yes else NO


def actors(*names: str) -> tuple[str, ...]:
    """Whose orders bind, strongest first: a unit, its leader, its side. Empty names and repetitions
    are left out, and a side's word is written as orders write it: `british` is BRITISH."""
    return tuple(dict.fromkeys(name.upper() for name in names if name))


def said(book: Book, actors: tuple[str, ...], kind: type[Kind], facts: Facts) -> Kind | None:
    """The first order of that kind that binds one of the actors, strongest first."""
    for actor in actors:
        if found := book.find(actor, kind, facts):
            return found
    return None


class Worded(Protocol):
    """An order that is one word."""

    @property
    def what(self) -> str:
        """The word."""


def word(order: Worded | None) -> Value | None:
    """The word of an order as an answer, in upper case; None without an order."""
    return None if order is None else str(order.what).upper()


class Doctrine(Question, frozen=True):
    """A question that doctrine may answer: orders given in advance, with conditions.

    A class that only names its order is answered by that order's word in upper case:

        class Retires(Doctrine, frozen=True):
            order = Retire

    Others override `answer` and look orders up with `self.said`.
    """

    order: ClassVar[type[Any] | None] = None
    """The kind of order that answers; its field `what` holds the word."""
    actors: tuple[str, ...] = ()
    """Whose orders bind, strongest first (see `actors`)."""

    def said(self, book: Book, facts: Facts, kind: type[Kind]) -> Kind | None:
        """The first order of that kind that binds one of the question's actors."""
        return said(book, self.actors, kind, facts)

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The word of the binding order in upper case; None without one."""
        return word(self.said(book, facts, self.order)) if self.order else None


class InBattle(Doctrine, frozen=True):
    """A question of a fight: its window has the schedule's deadline for battles."""

    pace: Pace = "battle"
