"""The questions that the rules put to a side in shadow, strike and battle, and how orders answer.

Every question names its actors, strongest first: the ship, its task force, the side. `fallback` is
the answer of a player who says nothing, chosen from what his side knows.
"""

from __future__ import annotations

from msgspec import field

from games.bismarck import verbs_battle as v
from orders.book import Book, Facts
from orders.model import Value
from pbem.kit.doctrine import NO, YES, Doctrine, InBattle, said, word, yes_no
from pbem.model import Question

NONE = "NONE"
NEXT = "NEXT"
"""9.62 Salvos beyond those designated go at the next target, not at the same."""


class ShadowBy(Question, frozen=True):
    """8.13 Which unit shadows the contact `about`. side: the asker's name as an actor."""

    side: str = ""
    called: tuple[str, ...] = ()
    """8.13 Every contact of a task force that one unit shadows."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A SHADOW order for one of these contacts, else one for all; where none of the units that
        it names can, the next order counts."""
        orders = book.every(self.side, v.Shadow, facts)
        for order in sorted(orders, key=lambda o: not o.contact):
            if order.contact in ("", self.about, *self.called):
                if order.what == "none":
                    return NONE
                unit = next((u for u in order.by if u in self.choices), None)
                if unit or not order.by:
                    return unit
        return None


class FastShadowBy(ShadowBy, frozen=True):
    """8.21 Which unit attempts the high-speed shadow."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A HIGH SPEED SHADOW order."""
        order = book.find(self.side, v.HighSpeed, facts)
        if order is None:
            return None
        if order.what == "off":
            return NONE
        return next((u for u in order.by if u in self.choices), None)


class Follow(Doctrine, frozen=True):
    """8.23 Does the unit `about` follow the ship into its zone? air: it is an air unit."""

    air: bool = False

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """What HIGH SPEED SHADOW says of followers."""
        order = self.said(book, facts, v.HighSpeed)
        if order is None:
            return None
        mine = "air" if self.air else "ships"
        return yes_no(order.follow in ("all", mine))


class StrikeAt(InBattle, frozen=True):
    """9.16, 9.17 Which type of ship a strike attacks, or which contact. number: 1 or 2 of the same
    bomber; choices: types, contacts, NONE."""

    number: int = 1
    called: tuple[str, ...] = ()
    """The contacts among the choices."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A STRIKE order; split: the second strike takes the next type."""
        order = self.said(book, facts, v.Strike)
        if order is None:
            return None
        if order.what == "none":
            return NONE
        wanted = order.contact or order.what.upper()
        if order.how == "split" and self.number == 2:
            return self._second(wanted)
        if wanted in ("", "ANY"):
            return self.choices[0]
        return wanted if wanted in self.choices else None

    def _second(self, wanted: str) -> Value:
        """The second strike of a split pair: the first other type, or contact, than the first's."""
        first = self.choices[0] if wanted in ("", "ANY") else wanted
        alike = [c for c in self.choices if (c in self.called) == (first in self.called)]
        others = [c for c in alike if c not in (first, NONE)]
        return others[0] if others else first if first in self.choices else self.choices[0]


class AttackWith(Question, frozen=True):
    """9.21, 9.241, 9.242 Whom to attack in the zone `about`, and with which type of group.

    choices: `BB WITH CA`. able: the own groups that could fulfil each choice, by its actors;
    eager: those that would without orders.
    """

    able: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    eager: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """ATTACK orders of the groups; where none of these wants to, what groups without one do;
        NONE when nobody does."""
        groups = {actors for able in self.able.values() for actors in able}
        orders = {actors: said(book, actors, v.Attack, facts) for actors in groups}
        if not any(orders.values()):
            return None
        for choice in self.choices:
            given = (orders[actors] for actors in self.able.get(choice, ()))
            if any(order and agrees(order, choice) for order in given):
                return choice
        for choice in self.choices:
            if any(orders[actors] is None for actors in self.eager.get(choice, ())):
                return choice
        return NONE


def agrees(order: v.Attack, choice: str) -> bool:
    """9.21 Does the order of a group allow an attack like `BB WITH CA`?"""
    target, _, own = choice.split()
    if order.what == "never" or order.kind not in ("any", target.lower()):
        return False
    return order.what == "always" or _RANK[own] < _RANK[target]


_RANK = {"BB": 0, "CA": 1, "CV": 2}


class AcceptFrom(InBattle, frozen=True):
    """9.222 Does the own group accept combat that a slower enemy offers?"""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """An ACCEPT order."""
        order = self.said(book, facts, v.Accept)
        return None if order is None else yes_no(order.what == "always")


class StayOut(InBattle, frozen=True):
    """9.271, 9.272 Does the ship `about` stay out of its task force's combat, if it comes to one?
    OUTGUNNED: where an enemy is of a heavier type."""

    order = v.Avoid


class SetUp(InBattle, frozen=True):
    """9.28 How a ship is set up. attacks: for the side that attacks."""

    attacks: bool = False


class Hex(SetUp, frozen=True):
    """9.28, 9.281 The number of the hex in which a ship begins; empty: as the others leave room."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A SET UP order."""
        order = self.said(book, facts, v.SetUp)
        return str(order.hex) if order and order.hex else None


class Bow(SetUp, frozen=True):
    """9.282 Where the bows point. The defender is set up before the edge is rolled, so that he can
    name compass points alone."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A SET UP order."""
        order = self.said(book, facts, v.SetUp)
        if order is None or not order.bow:
            return None
        return order.bow.upper() if self.attacks or order.bow in COMPASS else None


COMPASS = ("e", "se", "sw", "w", "nw", "ne")


class Enter(InBattle, frozen=True):
    """9.41, 9.44 Does the group roll for entry at the end of the round, and enter: YES; roll and
    wait: HOLD; or neither: NO?

    enemies: general types of the enemies; own: the group's.
    """

    round: int = 0
    action: int = 1
    enemies: tuple[str, ...] = ()
    own: str = ""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A REINFORCE order; without one, NO for who is ordered to attack no such enemy."""
        order = self.said(book, facts, v.Reinforce)
        if order is None:
            attack = self.said(book, facts, v.Attack)
            shy = attack and not any(agrees(attack, f"{e} WITH {self.own}") for e in self.enemies)
            return NO if shy else None
        here = order.action in (0, self.action)
        if order.what == "no" or not here or self.round < order.round:
            return NO
        return YES if order.what == "yes" and self.round + 1 >= order.enter else "HOLD"


class Assign(InBattle, frozen=True):
    """9.45 Which of two actions in its zone a group may reinforce."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The action that a REINFORCE order names."""
        order = self.said(book, facts, v.Reinforce)
        number = str(order.action) if order else ""
        return number if number in self.choices else None


class Handle(InBattle, frozen=True):
    """9.5, 9.94 How the ship `about` is handled in the round: a range to seek, or WITHDRAW.

    hits, evasion: its own, now; round: the one that begins; mood: the range it seeks unless
    ordered.
    """

    mood: str = "B"
    hits: int = 0
    evasion: int = 0
    round: int = 1

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """WITHDRAW when its conditions are met, else RANGE and ASPECT orders.

        A ship that is ordered to withdraw later, or whose course is ordered, does not withdraw now.
        """
        order = self.said(book, facts, v.Withdraw)
        now = order and due(order, self.hits, self.evasion, self.round)
        if now and "WITHDRAW" in self.choices:
            return "WITHDRAW"
        sought = self.said(book, facts, v.Range)
        shown = self.said(book, facts, v.Aspect)
        stays = self.mood == "WITHDRAW" and (order or self.said(book, facts, v.Course))
        if sought is None and shown is None:
            return "OPEN" if stays else None
        word = sought.what.upper() if sought else "OPEN" if stays else self.mood
        bow = f"{word} BOW"
        return bow if shown and shown.what == "bow" and bow in self.choices else word


def due(order: v.Withdraw, hits: int, evasion: int, round_: int) -> bool:
    """9.94 Is the time come at which the order withdraws a ship? hits, evasion: hers now."""
    if not (order.midships or order.evasion or order.round):
        return True
    hit = bool(order.midships) and hits >= order.midships
    slow = bool(order.evasion) and evasion <= order.evasion
    return hit or slow or (bool(order.round) and round_ >= order.round)


class Steer(InBattle, frozen=True):
    """9.52, 9.57 The course that the ship `about` was ordered for this round: `AHEAD 1 PORT 1`.

    first: the first round that the last window decided.
    """

    round: int = 1
    first: int = 1

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A COURSE order for the round, else in a window's first round one that names none.

        One of an earlier window has been steered, or was given for the first round of all.
        """
        for actor in self.actors:
            orders = list(book.commands(actor, {"course": v.Course}, facts))
            now = [c.order for c in orders if c.order.round == self.round]
            if self.round == self.first:
                open_ = [c for c in orders if not c.order.round]
                now += [c.order for c in open_ if self.first == 1 or c.window == book.window]
            if now:
                return " ".join(f"{step.way} {step.by}" for step in now[0].steps).upper()
        return None


class FireAt(InBattle, frozen=True):
    """9.62 Which enemy the ship `about` fires at first: a ship's name, or a way to choose.

    types, called: general type and contact of each enemy named, in the order of `choices`.
    """

    types: tuple[str, ...] = ()
    called: tuple[str, ...] = ()

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A TARGET order."""
        order = self.said(book, facts, v.Target)
        if order is None:
            return None
        word, split = order.contact or order.what.upper(), " SPLIT" if order.how else ""
        if word in self.choices:
            return word + split
        named = zip(self.choices, self.types, self.called, strict=False)
        return next((name + split for name, type_, id_ in named if word in (type_, id_)), None)


class Divide(InBattle, frozen=True):
    """9.62 The salvos that the ship `about` is to fire at each target: `HOOD=9;BB=4`, by name,
    type or way to choose; `HOOD=9;NEXT` for the rest at the next. ships: ids by contact."""

    ships: dict[str, str] = field(default_factory=dict)

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A DESIGNATE order as far as its contacts are here, else the salvos of TARGET."""
        for actor in self.actors:
            if order := book.find(actor, v.Designate, facts):
                here = [s for s in order.shares if s.ship in self.ships]
                return ";".join(f"{self.ships[s.ship]}={s.salvos}" for s in here) or None
            target = book.find(actor, v.Target, facts)
            if target and target.salvos:
                first = self.ships.get(target.contact, target.what.upper() or "STRONGEST")
                return f"{first}={target.salvos};{NEXT}"
        return None


class Agree(Question, frozen=True):
    """9.92 Would the side end the battle if the enemy would?"""

    side: str = ""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """A BREAK OFF order."""
        return word(book.find(self.side, v.BreakOff, facts))
