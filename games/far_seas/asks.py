"""The questions that the rules put to a side, and how doctrine answers those of a meeting.

By mail goes one question a meeting and side (`Meets`), and only in a game played `asked`. The rules
take everything else that happens in a meeting from its answer and from orders, whose actors are the
ship, its leader, its side, strongest first.
"""

from __future__ import annotations

from msgspec import Struct

from games.far_seas import verbs as v
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import InBattle
from pbem.model import Pace, Question

RUN, STAND = "RUN", "STAND"
TOGETHER, APART = "TOGETHER", "APART"
ALL, BEST, NONE = "ALL", "BEST", "NONE"
SPREAD, WEAKEST, SPLIT = "SPREAD", "WEAKEST", " SPLIT"
FIRE, HOLD = "FIRE", "HOLD"
MUST, DAMAGED = "MUST", "DAMAGED"
AIMS = (SPREAD, *(w + h for w in (BEST, WEAKEST, DAMAGED) for h in ("", SPLIT)))
"""K2 What `FireAt` may be answered with beside the name of an enemy."""


class Dispositions(Question, frozen=True):
    """M4 The Germans have named `about`: Allied orders given with this answer move ships."""

    choices: tuple[str, ...] = ("DONE",)
    default: str = "DONE"


class Meets(Question, frozen=True, kw_only=True):
    """R1, K5 How a side meets the enemy in area `about`, for the whole of the meeting.

    Choices and their meaning: `plans`. Everything here is seen by both sides but `usual`.
    """

    own: tuple[str, ...]
    """Its ships, by printed name."""
    foes: tuple[str, ...]
    """The enemy's."""
    speed: str
    """Of its slowest ship, as printed."""
    fastest: str
    """Of the fastest enemy."""
    odds: str
    """Enemy strength for one of its own."""
    german: bool
    """R2 Whether a die may surprise it as it turns to run."""
    may_run: bool
    """K5 Whether anybody may run: not where one side was surprised."""
    usual: str
    """What its orders say now: RUN, STAND, or SOME where some would run; empty where none may."""
    pace: Pace = "battle"


class Planned(InBattle, frozen=True):
    """A choice of a ship in a meeting. plan: what the side's answer for the meeting makes of it.

    The ship's own order of the mail with that answer is more precise and comes first.
    """

    plan: str = ""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By the ship's own order of this mail, the side's plan, or orders."""
        said = self.by_orders(book, facts)
        return said if not self.plan or self._same_mail(book, facts) else self.plan

    def by_orders(self, book: Book, facts: Facts) -> Value | None:
        """By the orders in force; None without one."""
        return super().answer(book, facts)

    def kinds(self, book: Book) -> dict[str, type[Struct]]:
        """The orders that answer, by verb."""
        assert self.order is not None
        return {book.verbs[self.order]: self.order}

    def _same_mail(self, book: Book, facts: Facts) -> bool:
        commands = book.commands(self.actors[0], self.kinds(book), facts)
        return any(c.fresh and c.window == book.window for c in commands)


class Runs(Planned, frozen=True):
    """R1, K5 Does the ship `about` try to run? An order to run and one to stand exclude each
    other: the first that binds counts."""

    def kinds(self, book: Book) -> dict[str, type[Struct]]:
        """RUN and STAND."""
        return {book.verbs[k]: k for k in (v.Run, v.Stand)}

    def by_orders(self, book: Book, facts: Facts) -> Value | None:
        """RUN or STAND."""
        for actor in self.actors:
            for command in book.commands(actor, self.kinds(book), facts):
                return RUN if isinstance(command.order, v.Run) else STAND
        return None


class RunsTo(Planned, frozen=True):
    """R9 The adjacent area to which a ship gets away."""

    order = v.Run

    def by_orders(self, book: Book, facts: Facts) -> Value | None:
        """The area of the RUN order, if it is one of the choices."""
        order = self.said(book, facts, v.Run)
        return order.area if order and order.area in self.choices else None


class BreaksUp(Planned, frozen=True):
    """R3 Does the ship run with the others, by itself, or with ships that it names?"""

    order = v.Split

    def by_orders(self, book: Book, facts: Facts) -> Value | None:
        """TOGETHER, APART, or the ids of those with whom it goes; only the ship's own order names
        them: what its leader or its side says of others is not about it."""
        for actor in self.actors:
            if order := book.find(actor, v.Split, facts):
                if not order.mates:
                    return order.what.upper()
                return list(order.mates) if actor == self.actors[0] else TOGETHER
        return None


class Follows(Planned, frozen=True):
    """R3 Whom of those that run does the ship pursue? ids: theirs."""

    order = v.Pursue
    ids: tuple[str, ...] = ()

    def by_orders(self, book: Book, facts: Facts) -> Value | None:
        """ALL, BEST, NONE or an id; None where the order names a ship that does not run."""
        order = self.said(book, facts, v.Pursue)
        if order is None or (order.ship and order.ship not in self.ids):
            return None
        return order.ship or (order.what or ALL).upper()


class FireAt(Planned, frozen=True):
    """K2 Whom does the ship `about` fire at? ids: of the enemies named in `choices`, in their
    order, by which orders call them."""

    order = v.Target
    ids: tuple[str, ...] = ()

    def by_orders(self, book: Book, facts: Facts) -> Value | None:
        """A TARGET order; None where it names a ship that is not there."""
        order = self.said(book, facts, v.Target)
        if order is None:
            return None
        if order.ship:
            return order.ship if order.ship in self.ids else None
        return (order.what or "best").upper() + (SPLIT if order.how == "split" else "")


class Torpedoes(Planned, frozen=True):
    """K6 Does the ship make torpedo attacks?"""

    order = v.Torpedo


class Retires(Planned, frozen=True):
    """K9 Does a ship that is damaged, but less than half, leave the war?"""

    order = v.Retire
