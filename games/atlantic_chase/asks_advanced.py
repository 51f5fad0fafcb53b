"""The questions of the advanced Battle (8.3), and how doctrine answers them."""

from __future__ import annotations

from games.atlantic_chase import verbs_advanced as va
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.asks_battle import CLOSE, HOLD, NO, NOBODY, OPEN, YES, ByDoctrine, Moves
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import InBattle

CLOSING, ACQUIRING, RUNNING = "CLOSING", "ACQUIRING", "RUNNING"
ATTITUDE = {"CLOSE": CLOSING, "HOLD": ACQUIRING, "OPEN": RUNNING}
"""The attitude of a ship that moves so."""
GUNS, HELM = "GUNS", "HELM"


class Takes(ByDoctrine, frozen=True, kw_only=True):
    """Which attitude the ship `about` takes."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `attitude`, else by `stance`, as far as it may."""
        if order := self.said(book, facts, va.Attitude):
            return self.fit(order.what.upper())
        stance = self.said(book, facts, vb.Stance)
        return self.fit(ATTITUDE[stance.what.upper()]) if stance else None

    def fit(self, wanted: str) -> str | None:
        """The attitude itself, if it is one of the choices; who cannot be acquiring is closing."""
        if wanted in self.choices:
            return wanted
        return CLOSING if wanted == ACQUIRING and CLOSING in self.choices else None


WAY = {CLOSING: CLOSE, ACQUIRING: HOLD, RUNNING: OPEN}
"""How a ship of that attitude moves."""


class MovesBy(Moves, frozen=True, kw_only=True):
    """Where the ship moves, in the direction of its attitude or not at all."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `stance`, else by what `attitude` wants."""
        order = self.said(book, facts, va.Attitude)
        if order is None or self.said(book, facts, vb.Stance):
            return super().answer(book, facts)
        wanted = WAY[order.what.upper()]
        return wanted if wanted in self.choices else HOLD


class Steers(Takes, frozen=True, kw_only=True):
    """What the enemy ship `about` does, which this side commands: an attitude, or how it moves."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `steer`."""
        for actor in self.actors:
            for order in book.every(actor, va.Steer, facts):
                if order.ship == self.about:
                    way = order.way.upper()
                    return way if way in self.choices else self.fit(ATTITUDE[way])
        return None


class SteersSmoke(ByDoctrine, frozen=True, kw_only=True):
    """Does the enemy ship `about`, which this side commands, make smoke?"""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `steer ... smoke`."""
        for actor in self.actors:
            for order in book.every(actor, va.Steer, facts):
                if order.ship == self.about and order.smoke:
                    return order.smoke.upper()
        return None


class Divides(ByDoctrine, frozen=True, kw_only=True):
    """At which two ships the ship `about` fires: `HOOD 2 / SUFFOLK 0`, or NOBODY."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `divide`, the first line that is possible; the share as far as it goes."""
        for actor in self.actors:
            for order in book.every(actor, va.Divide, facts):
                fit = [c for c in self.choices if c != NOBODY and names(c) == pair(order)]
                if fit:
                    return min(fit, key=lambda c: abs(parted(c)[0][1] - order.share))
        return None


def pair(order: va.Divide) -> tuple[str, str]:
    """The ships of an order of `divide`."""
    return order.ship, order.other


def parted(choice: str) -> list[tuple[str, int]]:
    """Ships and gunnery values of a choice of Divides."""
    parts = (part.rpartition(" ") for part in choice.split(" / "))
    return [(ship, int(value)) for ship, _, value in parts]


def names(choice: str) -> tuple[str, ...]:
    """The ships of a choice of Divides."""
    return tuple(ship for ship, _ in parted(choice))


class Pursues(ByDoctrine, frozen=True, kw_only=True):
    """Which enemy the ship `about` draws nearer, or NOBODY."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `pursue`: the first line of which the enemy can be drawn."""
        for actor in self.actors:
            for order in book.every(actor, va.Pursue, facts):
                if order.what == "any":
                    return next(iter(self.choices))
                found = NOBODY if order.what == "nobody" else order.ship
                if found in self.choices:
                    return found
        return None


class Screens(ByDoctrine, frozen=True, kw_only=True):
    """Which own ship the ship `about` screens, or NOBODY."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `screen`."""
        for actor in self.actors:
            for order in book.every(actor, va.Screen, facts):
                if order.ship in self.choices:
                    return order.ship
        return None


class Repairs(ByDoctrine, frozen=True, kw_only=True):
    """Which effect the ship `about` sees to, or NO; the first effect is the usual one."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `repair`."""
        order = self.said(book, facts, va.Repair)
        if order is None:
            return None
        if order.what == "no":
            return NO
        named = [c for c in self.choices if order.first and c.startswith(order.first.upper())]
        return next(iter(named), self.choices[1])


class OnBridge(ByDoctrine, frozen=True, kw_only=True):
    """Does the ship `about`, whose bridge is hit, fire in this round (GUNS) or move (HELM)?"""

    order = va.Bridge


class Hinders(ByDoctrine, frozen=True, kw_only=True):
    """Which enemy ship a Snafu Check strikes."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `hinder`, the first that may be named."""
        for actor in self.actors:
            for order in book.every(actor, va.Hinder, facts):
                if order.ship in self.choices:
                    return order.ship
        return None


class Confuses(ByDoctrine, frozen=True, kw_only=True):
    """Is the Confusion marker spent on the ship `about`? what: `hit`, `attitude` or `move`. The
    answer: NOBODY, YES, or the ship that takes the result."""

    what: str

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `confuse`."""
        for actor in self.actors:
            for order in book.every(actor, va.Confuse, facts):
                if order.what == "never":
                    return NOBODY
                named = order.sparing if self.what == "hit" else order.ship
                if order.what != self.what or named not in ("", self.about):
                    continue
                found = order.onto if order.what == "hit" else YES
                if found in self.choices:
                    return found
        return None


class Runs(InBattle, frozen=True, kw_only=True):
    """Does the running ship `about` try to break away?"""

    order = vb.Exit
