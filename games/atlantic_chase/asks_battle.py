"""The questions of Battle, and how doctrine answers them: by orders of the ship, then of its Task
Force, then of its side. Only whether to break away goes by mail; orders of that mail bind the next
round.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_battle as vb
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import InBattle
from pbem.model import Source

NOBODY, YES, NO = "NOBODY", "YES", "NO"
CLOSE, HOLD, OPEN = "CLOSE", "HOLD", "OPEN"
NEAR, FAR = "NEAR", "FAR"


class ByDoctrine(InBattle, frozen=True, kw_only=True):
    """Answered by orders in force alone."""

    source: Source = "orders"


class SetsUp(ByDoctrine, frozen=True, kw_only=True):
    """R171 Where the Active side places the enemy ship `about` that is surprised: NEAR or FAR."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `surprise`: the line of this ship, else the line of all."""
        for actor in self.actors:
            said = {order.ship: order.zone for order in book.every(actor, vb.Surprise, facts)}
            if zone := said.get(self.about, said.get("")):
                return zone.upper()
        return None


class FireAt(ByDoctrine, frozen=True, kw_only=True):
    """R190 At whom the ship `about` fires; named: what the words of the order stand for."""

    named: Mapping[str, str]

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `target`: the first line that names a ship that is there."""
        for actor in self.actors:
            for order in book.every(actor, vb.Target, facts):
                found = order.ship or self.named.get(order.what, "")
                if found in self.choices:
                    return found
        return None


class TorpedoAt(ByDoctrine, frozen=True, kw_only=True):
    """R195 At whom the ship makes a torpedo attack, or NOBODY."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `torpedo hold`, else by the first `target` that it can reach."""
        order = self.said(book, facts, vb.Torpedo)
        if order and order.what == "hold":
            return NOBODY
        for actor in self.actors:
            for aim in book.every(actor, vb.Target, facts):
                if aim.ship in self.choices:
                    return aim.ship
        return None


class Moves(ByDoctrine, frozen=True, kw_only=True):
    """R198 Where the ship moves: CLOSE, HOLD or OPEN."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `stance`, as far as it can."""
        order = self.said(book, facts, vb.Stance)
        if order is None:
            return None
        wanted = order.what.upper()
        return wanted if wanted in self.choices else HOLD


class MakesSmoke(ByDoctrine, frozen=True, kw_only=True):
    """R198 Does the ship make smoke? weaker: are its side's guns the weaker?"""

    weaker: bool

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `smoke`."""
        order = self.said(book, facts, vb.Smoke)
        if order is None:
            return None
        return YES if order.what == "always" or (order.what == "outgunned" and self.weaker) else NO


class Disperses(ByDoctrine, frozen=True, kw_only=True):
    """R208 Does the Convoy disperse in its Maneuver?"""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By a standing order to disperse."""
        return YES if self.said(book, facts, v.Disperse) else None


class Exits(InBattle, frozen=True, kw_only=True):
    """R201 Does the Task Force announce that it breaks away?"""

    order = vb.Exit


class ExitOne(ByDoctrine, frozen=True, kw_only=True):
    """R204 The ship in Far that gets away by the Evasive marker, or NOBODY."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `spend exit`: the usual ship; `spend never`: nobody."""
        order = self.said(book, facts, v.Spend)
        return NOBODY if order and order.use == "never" else None


class UsesPower(ByDoctrine, frozen=True, kw_only=True):
    """R254 Does the leader `about` use his power? what: the action or roll; value: the Trajectory
    Total, or the dice as they lie, by which his order judges."""

    what: str
    value: int

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `use`."""
        for actor in self.actors:
            for order in book.every(actor, vb.Use, facts):
                if order.what == "never":
                    return NO
                if order.what == self.what:
                    return YES if self.value <= order.most else NO
        return None
