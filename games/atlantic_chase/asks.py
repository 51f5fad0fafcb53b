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
from pbem.model import Pace, Side, Source

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

    def spender_of(self, book: Book, facts: Facts, use: str, able: list[str]) -> str | None:
        """R086 Whose marker orders spend on an initiative roll, empty for nobody's; None where they
        do not say. Orders of a Task Force about its own marker come before those of the side, which
        name one, or mean the first."""
        own = {f: {o.use for o in book.every(f, v.Spend, facts)} for f in able}
        if found := next((f for f in able if use in own[f] and "never" not in own[f]), ""):
            return found
        free = [f for f in able if "never" not in own[f]]
        spends = self.spends(book, facts, use, 0)
        if not spends:
            return None if spends is None and free == able else ""
        lines = [o for actor in self.actors for o in book.every(actor, v.Spend, facts)]
        named = [o.force for o in lines if o.use == use and o.force in free]
        return next(iter([*named, *free]), "")

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
        """By `support`: its word, or the first choice with all that it names, else with the
        coordinator, else with the air source alone."""
        order = self.said(book, facts, v.Support)
        if order is None:
            return None
        if order.what:
            return {"none": NONE, "free": self.free, "auto": self.auto}[order.what]
        flight = f"{order.air or NONE} {order.launch}".strip()
        for named in (
            f"{order.helper or NONE} {flight}",
            f"{order.helper} {NONE}",
            f"{NONE} {flight}",
        ):
            if found := next((c for c in self.choices if f"{c} ".startswith(f"{named} ")), ""):
                return found
        return self.free


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
        first, named = order.hexes[0], set(order.hexes)

        def fit(choice: str) -> tuple[int, int]:
            cells = choice.split()
            return len(named & set(cells)), -min(board.air_range(first, c) for c in cells)

        return max(self.choices, key=fit)


class SlipBy(Decisive, frozen=True, kw_only=True):
    """R072 A Slip: `EVASIVE`, or `TF HEX` for Signals. lengths: of the forces that may be named."""

    lengths: Mapping[str, int]

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `slip`: Signals against the longest of those long enough."""
        order = self.said(book, facts, v.Slip)
        if order is None:
            return None
        long = [c for c in self.choices if c != EVASIVE and self._length(c) >= order.length]
        if order.what == "signals" and order.against:
            long = [c for c in long if c.startswith(f"{order.against} ")]
        if order.what == "signals" and long:
            named = [c for cell in order.at for c in long if c.endswith(f" {cell}")]
            return named[0] if named else max(long, key=self._length)
        return EVASIVE if EVASIVE in self.choices else None

    def _length(self, choice: str) -> int:
        return self.lengths.get(choice.partition(" ")[0], 0)


class SlipLapse(Chase, frozen=True, kw_only=True):
    """Q22 Which Trajectory in the hex of a Slip's Signals performs Time Lapse; `NONE`: nobody."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `slip ... lapse`."""
        order = self.said(book, facts, v.Slip)
        return order.lapse if order and order.lapse in self.choices else None


class SeizeOr(Decisive, frozen=True, kw_only=True):
    """R097-R099 `TRY`, `TRY TF6` with that Task Force's marker, or the Task Force that gets one;
    where none could get one, `NONE` (R232).

    odds, better: chances in per cent without and with a marker.
    """

    odds: int
    better: int
    takers: tuple[str, ...] = ()
    """Who may get a marker, in the order of default."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `seize`, `spend seize` and `evade`."""
        order = self.said(book, facts, v.Seize)
        taker = self.taker(book, facts)
        spender = self.spender(book, facts)
        if order is None and taker is None:
            fit = bool(spender) and self.better >= v.Seize().least
            tries = spender is not None and (fit or str(self.default).startswith(TRY))
            return f"{TRY} {spender}".strip() if tries else None
        order = order or v.Seize()
        chance = self.better if spender else self.odds
        wanted = order.what == "always" or (order.what == "" and chance >= order.least)
        if wanted:
            return f"{TRY} {spender}" if spender else TRY
        return taker or next(iter(self.takers), NONE)

    def taker(self, book: Book, facts: Facts) -> str | None:
        """The first of `evade` that may get a marker."""
        order = self.said(book, facts, v.Evade)
        return next((f for f in order.forces if f in self.takers), None) if order else None

    def spender(self, book: Book, facts: Facts) -> str | None:
        """The Task Force whose marker `spend seize` spends, empty for none; None where orders do
        not say."""
        markers = [c.partition(" ")[2] for c in self.choices if c.startswith(f"{TRY} ")]
        return self.spender_of(book, facts, "seize", markers) if markers else None


class VieSpend(Chase, frozen=True, kw_only=True):
    """R095 Whose Evasive marker the Idle side spends on a Vie; `NONE`, or a Task Force."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `spend vie`."""
        forces = [c for c in self.choices if c != NONE]
        spender = self.spender_of(book, facts, "vie", forces)
        return NONE if spender == "" else spender


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
        plain = [c for c in self.choices if c not in self.limited]
        fit = limited or plain
        if there := [c for c in fit if left(c) == (order.station,)]:
            return there[0]
        goal = order.toward or self.goal
        if order.toward and not order.intel:  # a marker goes if the line is as near without it
            fit = [*limited, *plain]
        return min(fit, key=lambda c: _beyond(c, goal))


class ArcticBy(Chase, frozen=True, kw_only=True):
    """R056 `DIE` or `TABLE` for a line partly in Arctic hexes."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `lapse arctic`."""
        order = self.said(book, facts, v.LapseBy)
        return order.arctic.upper() if order and order.arctic else None


class HitShip(Chase, frozen=True, kw_only=True):
    """R178, R246 Which enemy ship takes a Hit or Damage on the map. second: is it the second of two
    equal results?"""

    second: bool = False

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `hit`, the first that may take it; of the second result by `hit ... second`."""
        for actor in self.actors:
            lines = book.every(actor, vb.Hit, facts)
            named = [o.second for o in lines if self.second] + [o.ship for o in lines]
            if found := next((ship for ship in named if ship in self.choices), None):
                return found
        return None


class TransfersTo(Chase, frozen=True, kw_only=True):
    """R186 To which ship the leader `about` goes."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `transfer`, the first that can take him."""
        order = self.said(book, facts, vb.Transfer)
        named = [s for s in order.ships if s in self.choices] if order else []
        return next(iter(named), None)


class NextOf(Chase, frozen=True, kw_only=True):
    """R197, R223 Which ship of a speed moves next, or which Task Force performs Time Lapse."""

    source: Source = "orders"

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """By `sequence`."""
        order = self.said(book, facts, vb.Sequence)
        named = [u for u in order.units if u in self.choices] if order else []
        return next(iter(named), None)


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
