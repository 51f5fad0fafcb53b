"""The orders that bind a side at one moment: what the rules read.

Layers, the first that has an order counts: the set in force for this window; the sets of the turn's
earlier windows, for actors that later ones do not name; orders given earlier for this turn (`turn 7
CL1: ...`); standing orders. Conditions are judged by `facts`, which knows what the side knows now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct, field

from orders.conditions import holds
from orders.model import Action, Order, OrderSet, Value

VOID = "VOID"
"""The word of the set that the referee puts in place of one that is void for a window."""
Facts = Callable[[str, str], Value | None]
"""(term, actor) -> what the side knows of it, None when it does not know."""

T = TypeVar("T", bound=Struct)


class Command(Struct, Generic[T], frozen=True):
    """An action that binds, as its verb's struct; fresh: given in a set of this turn."""

    order: T
    fresh: bool


class Standing(Struct):
    """What outlives a turn: standing orders by actor, and orders for later turns."""

    always: dict[str, list[Order]] = {}
    later: list[Order] = []

    def take(self, orders: OrderSet) -> None:
        """Apply a set as its window closes: `@X:` replaces all of X's, `@X: none` clears them."""
        for actor in {*orders.cleared, *(o.actor for o in orders.orders if o.standing)}:
            self.always.pop(actor, None)
        for order in orders.orders:
            if order.standing:
                self.always.setdefault(order.actor, []).append(order)
        named = {(o.actor, o.turn) for o in orders.orders if o.turn is not None}
        self.later = [o for o in self.later if (o.actor, o.turn) not in named]
        self.later += [o for o in orders.orders if o.turn is not None and not o.standing]

    def expire(self, turn: int) -> None:
        """Forget orders for turns before `turn`."""
        self.later = [o for o in self.later if o.turn is not None and o.turn >= turn]


class Book(Struct):
    """One side's orders in force."""

    turn: int
    given: dict[str, list[Order]] = {}
    standing: Standing = field(default_factory=Standing)
    answers: dict[str, Value] = {}
    words: dict[str, str] = {}
    verbs: dict[type[Struct], str] = {}
    """The verb's name by its struct."""

    def take(self, orders: OrderSet) -> None:
        """Apply the set of a window that closes; actors it does not name keep what they had."""
        self.standing.take(orders)
        fresh: dict[str, list[Order]] = {}
        for order in orders.orders:
            if not order.standing and order.turn in (None, self.turn):
                fresh.setdefault(order.actor, []).append(order)
        self.given.update(fresh)
        self.answers = dict(orders.answers)
        self.words = dict(orders.words)

    def layers(self, actor: str) -> Iterator[list[Order]]:
        """The orders that may bind `actor`, strongest layer first; none in a void window."""
        if VOID in self.words:
            return
        yield self.given.get(actor, [])
        yield [o for o in self.standing.later if o.actor == actor and o.turn == self.turn]
        yield self.standing.always.get(actor, [])

    def actions(self, actor: str, facts: Facts) -> Iterator[Action]:
        """Every action whose condition holds now, in binding order."""
        for layer in self.layers(actor):
            for order in layer:
                yield from chosen(order, facts)

    def find(self, actor: str, kind: type[T], facts: Facts) -> T | None:
        """The binding action of that kind for `actor`, as the verb's struct; None without one."""
        verb = self.verbs[kind]
        for action in self.actions(actor, facts):
            if action.verb == verb:
                return msgspec.convert(action.args, kind)
        return None

    def every(self, actor: str, kind: type[T], facts: Facts) -> list[T]:
        """All actions of that kind from the strongest layer that has any."""
        verb = self.verbs[kind]
        for layer in self.layers(actor):
            found = [a for o in layer for a in chosen(o, facts) if a.verb == verb]
            if found:
                return [msgspec.convert(a.args, kind) for a in found]
        return []

    def commands(
        self, actor: str, kinds: Mapping[str, type[T]], facts: Facts
    ) -> Iterator[Command[T]]:
        """Every binding action of these kinds (verb to struct), strongest first."""
        for layer in self.layers(actor):
            fresh = layer is self.given.get(actor)
            for order in layer:
                for action in chosen(order, facts):
                    if action.verb in kinds:
                        yield Command(msgspec.convert(action.args, kinds[action.verb]), fresh)

    def actors(self) -> list[str]:
        """Every actor with an order of any layer, sorted."""
        later = (o.actor for o in self.standing.later if o.turn == self.turn)
        return sorted({*self.given, *later, *self.standing.always})


def chosen(order: Order, facts: Facts) -> Iterable[Action]:
    """The branch of `order` that holds by the side's knowledge at this moment."""
    if order.when is None or holds(order.when, lambda term: facts(term, order.actor)):
        return order.actions
    return order.otherwise
