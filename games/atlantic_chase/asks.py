"""The questions of the map, and how standing orders answer them. Battle has its own: `asks_battle`.

Everything that a question offers is public, so any of them may go by mail. The actors are the Task
Force concerned, then the side.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.atlantic_chase import board
from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.state import TaskForce
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import Doctrine, actors
from pbem.model import Pace, Side

NONE, KEEP, SPEND = "NONE", "KEEP", "SPEND"
TRY = "TRY"
LEAVES = "LEAVES"
"""Between the hexes that go by a Time Lapse and those that are left."""
SIGNALS, EVASIVE = "SIGNALS", "EVASIVE"


def of(force: TaskForce) -> tuple[str, ...]:
    """Whose orders bind for a Task Force, strongest first."""
    return actors(force.id, force.side)


def whole(side: Side) -> tuple[str, ...]:
    """Whose orders bind for a side."""
    return actors(side)


class Chase(Doctrine, frozen=True, kw_only=True):
    """A question that orders answer at once in plotted games."""

    pace: Pace = "quick"

    def spends(self, book: Book, facts: Facts, use: str, total: int) -> bool | None:
        """R086 Do orders spend an Evasive marker on this use? None where they do not say."""
        found: bool | None = None
        for actor in self.actors:
            for order in book.every(actor, v.Spend, facts):
                if order.use == "never":
                    return False
                if order.use == use:
                    return total <= order.total
                found = False
        return found


class Decisive(Chase, frozen=True, kw_only=True):
    """A question on which much hangs: of games played `asked` it goes by mail in all."""


class Support(Chase, frozen=True, kw_only=True):
    """R163, R157 Whom the Idle side names against an action. choices: `NONE` or `HELPER AIR HEX`,
    with `NONE` for what is not named; free, auto: the choices that these words stand for."""

    free: str = NONE
    auto: str = NONE

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `support`."""
        order = self.said(book, facts, v.Support)
        if order is None:
            return None
        return {"none": NONE, "free": self.free, "auto": self.auto}[order.what]


class SpendOn(Chase, frozen=True, kw_only=True):
    """R089 Does the target spend its Evasive marker against the action? deed: which one."""

    deed: str
    total: int

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `spend`."""
        spends = self.spends(book, facts, self.deed, self.total)
        return None if spends is None else SPEND if spends else KEEP


class ChooseInstead(Chase, frozen=True, kw_only=True):
    """R088 Does the Idle side spend the target's marker to choose the segments itself?"""

    lost: int
    """How many segments are at stake."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `spend choose`."""
        spends = self.spends(book, facts, "choose", 0)
        return None if spends is None else SPEND if spends else KEEP


class KeepLine(Chase, frozen=True, kw_only=True):
    """R173, R175 Which segments stay; each choice is the hexes that are kept, in their order."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `keep`: the choice with most of the hexes named, then the nearest to the first."""
        order = self.said(book, facts, v.Keep)
        if order is None:
            return None
        return max(self.choices, key=lambda c: len(set(c.split()) & set(order.hexes)))


class SlipBy(Decisive, frozen=True, kw_only=True):
    """R072 A Slip: `EVASIVE`, or `TF HEX` for Signals. lengths: of the forces that may be named."""

    lengths: Mapping[str, int]

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `slip`: Signals against the longest of those long enough."""
        order = self.said(book, facts, v.Slip)
        if order is None:
            return None
        long = [c for c in self.choices if c != EVASIVE and self._length(c) >= order.length]
        if order.what == "signals" and long:
            return max(long, key=self._length)
        return EVASIVE if EVASIVE in self.choices else None

    def _length(self, choice: str) -> int:
        return self.lengths.get(choice.partition(" ")[0], 0)


class SeizeOr(Decisive, frozen=True, kw_only=True):
    """R097-R099 `TRY`, `TRY TF6` with that Task Force's marker, or the Task Force that gets one.

    odds, with: chances in per cent without and with a marker.
    """

    odds: int
    better: int
    takers: tuple[str, ...] = ()
    """Who may get a marker, in the order of default."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `seize`, `spend seize` and `evade`."""
        order = self.said(book, facts, v.Seize)
        taker = self.taker(book, facts)
        if order is None and taker is None:
            return None
        order = order or v.Seize()
        spender = self.spender(book, facts)
        chance = self.better if spender else self.odds
        wanted = order.what == "always" or (order.what == "" and chance >= order.least)
        if wanted or not self.takers:
            return f"{TRY} {spender}" if spender else TRY
        return taker or self.takers[0]

    def taker(self, book: Book, facts: Facts) -> str | None:
        """The first of `evade` that may get a marker."""
        order = self.said(book, facts, v.Evade)
        return next((f for f in order.forces if f in self.takers), None) if order else None

    def spender(self, book: Book, facts: Facts) -> str:
        """The Task Force whose marker `spend seize` spends, empty for none."""
        markers = [c.partition(" ")[2] for c in self.choices if c.startswith(f"{TRY} ")]
        return markers[0] if markers and self.spends(book, facts, "seize", 0) else ""


class VieSpend(Chase, frozen=True, kw_only=True):
    """R095 Whose Evasive marker the Idle side spends on a Vie; `NONE`, or a Task Force."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `spend vie`."""
        spends = self.spends(book, facts, "vie", 0)
        forces = [c for c in self.choices if c != NONE]
        return None if spends is None else forces[0] if spends and forces else NONE


class EvasiveTo(Chase, frozen=True, kw_only=True):
    """R083 Which Task Force gets an Evasive marker."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `evade`."""
        order = self.said(book, facts, v.Evade)
        return next((f for f in order.forces if f in self.choices), None) if order else None


class LapseTo(Chase, frozen=True, kw_only=True):
    """R047-R058 Time Lapse: `GONE LEAVES LEFT` with the hexes that go, and those left, or that of
    the Station.

    limited: the choices that use the Intel Limit; goal: the hex that it makes for without orders.
    """

    goal: str
    limited: tuple[str, ...] = ()

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `lapse`: `shed` exactly, else the rest nearest to `toward`."""
        order = self.said(book, facts, v.LapseBy)
        if order is None:
            return None
        if order.shed:
            same = [c for c in self.choices if set(gone(c)) == set(order.shed)]
            if same:
                return _station(same, order.station)
        limited = list(self.limited) if order.intel != "no" else []
        fit = limited or [c for c in self.choices if c not in self.limited]
        if order.station and (there := _station(fit, order.station)) != fit[0]:
            return there
        goal = order.toward or self.goal
        return min(fit, key=lambda c: _beyond(c, goal))


class ArcticBy(Chase, frozen=True, kw_only=True):
    """R056 `DIE` or `TABLE` for a line partly in Arctic hexes."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `lapse arctic`."""
        order = self.said(book, facts, v.LapseBy)
        return order.arctic.upper() if order and order.arctic else None


class HitShip(Chase, frozen=True, kw_only=True):
    """R178 Which enemy ship takes a Hit or Damage on the map."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `hit`, the first that may take it."""
        for actor in self.actors:
            for order in book.every(actor, vb.Hit, facts):
                if order.ship in self.choices:
                    return order.ship
        return None


class FightOr(Decisive, frozen=True, kw_only=True):
    """R170 `FIGHT` a Skirmish, or `DECLINE`."""

    order = vb.Skirmish


def gone(choice: str) -> tuple[str, ...]:
    """The hexes that go by a choice of Time Lapse."""
    return tuple(choice.partition(LEAVES)[0].split())


def left(choice: str) -> tuple[str, ...]:
    """The hexes that are left by it, or the Station's."""
    return tuple(choice.partition(LEAVES)[2].split())


def _beyond(choice: str, goal: str) -> int:
    """How far what a choice leaves lies from a hex."""
    return min(board.air_range(goal, cell) for cell in left(choice))


def _station(choices: list[str], wanted: str) -> str:
    """The choice whose Station is there, else the first."""
    return next((c for c in choices if left(c) == (wanted,)), choices[0])
