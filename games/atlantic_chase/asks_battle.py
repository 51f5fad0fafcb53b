"""The questions of Battle, and how doctrine answers them: by orders of the ship, then of its Task
Force, then of its side. Only whether to break away goes by mail; orders of that mail bind the next
round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.asks import Chase, Decisive
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import Doctrine, InBattle
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
    """R195 At whom the ship makes a torpedo attack, or NOBODY; named: as of FireAt."""

    named: Mapping[str, str]

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `torpedo`, else by the first `target` that it can reach, name or word."""
        order = self.said(book, facts, vb.Torpedo)
        if order and order.what == "hold":
            return NOBODY
        for actor in self.actors:
            for line in book.every(actor, vb.Torpedo, facts):
                if line.ship in self.choices:
                    return line.ship
        for actor in self.actors:
            for aim in book.every(actor, vb.Target, facts):
                found = aim.ship or self.named.get(aim.what, "")
                if found in self.choices:
                    return found
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


class Covers(ByDoctrine, frozen=True, kw_only=True):
    """R199 Which other ships of its zone the smoke of the ship `about` obscures: up to two, as
    `HOOD + KENT`, or NOBODY."""

    able: tuple[str, ...]
    """All that it could obscure."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `smoke ... cover`: the first of those named that are there."""
        order = self.said(book, facts, vb.Smoke)
        if order is None or not (order.ships or order.alone):
            return None
        named = [s for s in order.ships if s in self.able and s != self.about][:COVERED]
        return covered(named)


COVERED = 2
"""R199 Other ships that one smoke obscures."""


def covered(ships: Iterable[str]) -> str:
    """Ships that a smoke obscures, as a choice."""
    return " + ".join(sorted(ships)) or NOBODY


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
        """By `spend exit ship`, else the usual ship; by other lines of `spend` alone: nobody."""
        others = False
        for actor in self.actors:
            uses = {order.use: order for order in book.every(actor, v.Spend, facts)}
            if "never" in uses:
                return NOBODY
            if "exit" in uses:
                named = uses["exit"].ship
                return named if named in self.choices else None
            others |= bool(uses)
        return NOBODY if others else None


class ByLeader(Doctrine, frozen=True, kw_only=True):
    """About the power of the leader `about`; what: the action or roll."""

    what: str

    def use(self, book: Book, facts: Facts) -> vb.Use | None:
        """The order of `use` for this action or roll, or that which forbids any."""
        for actor in self.actors:
            for order in book.every(actor, vb.Use, facts):
                if order.what in ("never", self.what):
                    return order
        return None


class UsesPower(ByLeader, Decisive, frozen=True, kw_only=True):
    """R254 Does the leader use his power at an action or a Seize? value: the Trajectory Total, or
    the dice as they lie, by which his order judges."""

    value: int

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `use`."""
        order = self.use(book, facts)
        if order is None:
            return None
        return YES if order.what != "never" and order.least <= self.value <= order.most else NO


class UsesAtRoll(UsesPower, frozen=True, kw_only=True):
    """R254 The same at other rolls, of which there are many: by orders alone."""

    source: Source = "orders"


class TotalBy(ByLeader, Chase, frozen=True, kw_only=True):
    """R254 Does Tovey or Krancke ADD the dice to the Trajectory Total, or SUBTRACT them?"""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `use ... total`."""
        order = self.use(book, facts)
        return order.way.upper() if order and order.way else None


class IntelOff(ByLeader, Chase, frozen=True, kw_only=True):
    """R254 Which Intel marker Gensoul takes off: `TF HEX`."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `use ... at ... of`."""
        order = self.use(book, facts)
        if order is None or not (order.at or order.force):
            return None
        named = [c for c in self.choices if c.endswith(f" {order.at}") or not order.at]
        named = [c for c in named if c.startswith(f"{order.force} ") or not order.force]
        return next(iter(named), None)
