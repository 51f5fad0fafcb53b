"""The questions of a meeting, and how doctrine answers them.

Actors are the ship, its leader, its side, strongest first. Orders alone answer whether a ship runs
at the start of a meeting, and where to; a round's choices go by mail in a game played `asked`.
"""

from __future__ import annotations

from msgspec import Struct

from games.far_seas import verbs as v
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import InBattle

RUN, STAND = "RUN", "STAND"
TOGETHER, APART = "TOGETHER", "APART"
ALL, BEST, NONE = "ALL", "BEST", "NONE"
SPREAD, WEAKEST, SPLIT = "SPREAD", "WEAKEST", " SPLIT"
FIRE, HOLD = "FIRE", "HOLD"
MUST, DAMAGED = "MUST", "DAMAGED"
AIMS = (SPREAD, *(w + h for w in (BEST, WEAKEST, DAMAGED) for h in ("", SPLIT)))
"""K2 What `FireAt` may be answered with beside the name of an enemy."""


class Runs(InBattle, frozen=True):
    """R1, K5 Does the ship `about` try to run? An order to run and one to stand exclude each
    other: the first that binds counts."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """RUN or STAND."""
        kinds: dict[str, type[Struct]] = {book.verbs[k]: k for k in (v.Run, v.Stand)}
        for actor in self.actors:
            for command in book.commands(actor, kinds, facts):
                return RUN if isinstance(command.order, v.Run) else STAND
        return None


class RunsTo(InBattle, frozen=True):
    """R9 The adjacent area to which a ship gets away."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The area of the RUN order, if it is adjacent."""
        order = self.said(book, facts, v.Run)
        return order.area if order and order.area in self.choices else None


class BreaksUp(InBattle, frozen=True):
    """R3 Do ships that run stay together?"""

    order = v.Split


class Follows(InBattle, frozen=True):
    """R3 How are the ships that run pursued?"""

    order = v.Pursue


class FireAt(InBattle, frozen=True):
    """K2 Whom does the ship `about` fire at? ids: of the enemies named in `choices`, in their
    order, by which orders call them."""

    ids: tuple[str, ...] = ()

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A TARGET order; None where it names a ship that is not there."""
        order = self.said(book, facts, v.Target)
        if order is None:
            return None
        if order.ship:
            return order.ship if order.ship in self.ids else None
        return (order.what or "best").upper() + (SPLIT if order.how == "split" else "")


class Torpedoes(InBattle, frozen=True):
    """K6 Does the ship make torpedo attacks?"""

    order = v.Torpedo


class Retires(InBattle, frozen=True):
    """K9 Does a ship that is damaged, but less than half, leave the war?"""

    order = v.Retire
