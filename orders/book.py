"""The orders that bind a side at one moment: what the rules read.

Layers, the first that has an order counts: the set in force for this window; the sets of the turn's
earlier windows, for actors that later ones do not name; orders given earlier for this turn (`turn 7
CL1: ...`); standing orders. Settings stand by themselves: a later order of their actor replaces
those about the same matter alone (`orders.verbs.matters`). Conditions are judged by `facts`, which
knows what the side knows now.

Rules ask for the orders of an actor (`find`, `every`, `commands`), for those of all actors as one
list in the order in which they were written (`script`), or, when something happens that orders may
wait for, for the reactions to it (`reactions`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar, cast

from msgspec import Struct, field

from orders.conditions import holds
from orders.model import Action, Order, OrderSet, Value
from orders.rows import made
from orders.verbs import Grammar, Trigger, matters

VOID = "VOID"
"""The word of the set that the referee puts in place of one that is void for a window."""
Facts = Callable[[str, str], Value | None]
"""(term, actor) -> what the side knows of it, None when it does not know.

Of a system whose terms are about a unit, contact or place, it takes that as a third argument, empty
by default (`FactsAbout`).
"""

T = TypeVar("T", bound=Struct)


class FactsAbout(Protocol):
    """Facts of a system that has terms with `of`: `range of C3`."""

    def __call__(self, term: str, actor: str, of: str = "") -> Value | None:
        """What the side knows of the term. of: own unit, contact or place, by the name that the
        side's report has for it; empty for terms that are about none."""


class Command(Struct, Generic[T], frozen=True):
    """An action that binds, as its verb's struct; fresh: given in a set of this turn."""

    order: T
    fresh: bool
    actor: str = ""
    window: int = 0
    """The window whose set gave it; 0 for orders of earlier turns and for standing orders."""
    conditional: bool = False
    """Given under a condition, which may come true later than the order came in."""
    standing: bool = False
    said: Order | None = None
    """The order that it is of."""
    behind: tuple[Action, ...] = ()
    """That order's actions after it."""


class Standing(Struct):
    """What outlives a turn: standing orders by actor, and orders for later turns."""

    always: dict[str, list[Order]] = {}
    later: list[Order] = []

    def take(self, orders: OrderSet, settings: Mapping[str, str]) -> None:
        """Apply a set as its window closes: `@X:` replaces what X had, `@X: none` clears it.

        settings: the verbs that are settings, with their matters.
        """
        for actor in orders.cleared:
            self.always.pop(actor, None)
        for actor, given in _by_actor(o for o in orders.orders if o.standing).items():
            kept = left(self.always.pop(actor, []), given, settings)
            self.always[actor] = [*kept, *given]
        dated = [o for o in orders.orders if o.turn is not None and not o.standing]
        for turn in {o.turn for o in dated}:
            fresh = _by_actor(o for o in dated if o.turn == turn)
            self.later = [
                o
                for o in self.later
                if o.turn != turn or left((o,), fresh.get(o.actor, ()), settings)
            ]
        self.later += dated

    def expire(self, turn: int) -> None:
        """Forget orders for turns before `turn`."""
        self.later = [o for o in self.later if o.turn is not None and o.turn >= turn]


class Book(Struct):
    """One side's orders in force."""

    turn: int
    given: dict[str, list[Order]] = {}
    """Of this turn's sets, by actor."""
    sets: list[tuple[int, list[Order]]] = []
    """The same orders as they were written: window and orders of each set, the oldest first."""
    since: dict[tuple[str, str], int] = {}
    """Actor and verb -> the window whose set gave the actor its orders of that verb."""
    standing: Standing = field(default_factory=Standing)
    answers: dict[str, Value] = {}
    words: dict[str, str] = {}
    verbs: dict[type[Struct], str] = {}
    """The verb's name by its struct."""
    settings: Mapping[str, str] = {}
    """The verbs that are settings, with their matters (`Grammar.settings`)."""
    window: int = 0
    """The window that closed last."""
    latest: OrderSet = OrderSet()
    """The set of that window."""

    def take(self, orders: OrderSet, window: int = 0) -> None:
        """Apply the set of a window that closes; actors it does not name keep what they had."""
        self.standing.take(orders, self.settings)
        now = [o for o in orders.orders if not o.standing and o.turn in (None, self.turn)]
        fresh = _by_actor(now)
        for actor, given in fresh.items():
            self.given[actor] = [*left(self.given.get(actor, ()), given, self.settings), *given]
        self.since.update({(o.actor, verb): window for o in now for verb in _verbs(o)})
        kept = [
            (w, [o for o in given if left((o,), fresh.get(o.actor, ()), self.settings)])
            for w, given in self.sets
        ]
        self.sets, self.window = [*kept, (window, now)], window
        self.answers = dict(orders.answers)
        self.words = dict(orders.words)
        self.latest = orders

    def newest(self) -> Book:
        """The book with nothing in it but the set of the window that closed last."""
        alone = Book(self.turn, verbs=self.verbs, settings=self.settings)
        alone.take(self.latest, self.window)
        return alone

    def layers(self, actor: str) -> list[list[Order]]:
        """The orders that may bind `actor`, strongest layer first; none in a void window."""
        if VOID in self.words:
            return []
        found = []
        if given := self.given.get(actor):
            found.append(given)
        if later := self.standing.later:
            found.append([o for o in later if o.actor == actor and o.turn == self.turn])
        if always := self.standing.always.get(actor):
            found.append(always)
        return found

    def actions(self, actor: str, facts: Facts) -> Iterator[Action]:
        """Every action whose condition holds now, in binding order."""
        for layer in self.layers(actor):
            for order in layer:
                yield from chosen(order, facts)

    def find(self, actor: str, kind: type[T], facts: Facts) -> T | None:
        """The binding action of that kind for `actor`, as the verb's struct; None without one."""
        verb = self.verbs[kind]
        for layer in self.layers(actor):
            for order in layer:
                for action in chosen(order, facts) if _has(order, (verb,)) else ():
                    if action.verb == verb:
                        return made(action, kind)
        return None

    def every(self, actor: str, kind: type[T], facts: Facts) -> list[T]:
        """All actions of that kind from the strongest layer that has any."""
        verb = self.verbs[kind]
        for layer in self.layers(actor):
            able = [order for order in layer if _has(order, (verb,))]
            found = [a for o in able for a in chosen(o, facts) if a.verb == verb]
            if found:
                return [made(a, kind) for a in found]
        return []

    def commands(
        self, actor: str, kinds: Mapping[str, type[T]], facts: Facts
    ) -> Iterator[Command[T]]:
        """Every binding action of these kinds (verb to struct), strongest first."""
        for given in self._given(actor, kinds):
            yield from _commands(given, chosen(given.order, facts), kinds)

    def script(self, kinds: Mapping[str, type[T]], facts: Facts) -> Iterator[Command[T]]:
        """The binding actions of these kinds (verb to struct) of all actors as one list: layer by
        layer, the strongest first, and in each in the order in which they were written. Standing
        orders come last, by the names of their actors.

        An actor with an action from one layer has none from the layers below it. A condition is
        judged when its order is reached, so that it may test what earlier orders have done. A new
        set of the turn is a new script: ask again, and compare `Command.window` with the book's
        `window` to tell new orders from what is left of earlier ones.
        """
        served: set[str] = set()
        for layer in self._written(kinds):
            active: set[str] = set()
            for given in layer:
                if given.order.actor not in served:
                    for command in _commands(given, chosen(given.order, facts), kinds):
                        active.add(command.actor)
                        yield command
            served |= active

    def reactions(
        self, trigger: Trigger, actor: str, kinds: Mapping[str, type[T]], facts: Facts
    ) -> Iterator[Command[T]]:
        """Every action of these kinds by which `actor` answers a trigger (`when sighted then ...`),
        strongest first.

        Ask where it happens, and only for a side that has been told of it: otherwise what the
        reaction does would tell it.
        """
        for given in self._given(actor, kinds):
            if given.order.trigger == trigger.name:
                yield from _commands(given, branch(given.order, facts), kinds)

    def actors(self) -> list[str]:
        """Every actor with an order of any layer, sorted."""
        later = (o.actor for o in self.standing.later if o.turn == self.turn)
        return sorted({*self.given, *later, *self.standing.always})

    def _given(self, actor: str, kinds: Container[str]) -> Iterator[_Given]:
        """The orders with an action of these kinds that may bind `actor`, strongest layer first."""
        now = self.given.get(actor)
        for layer in self.layers(actor):
            fresh = layer is now
            for order in layer:
                if _has(order, kinds):
                    window = self.since.get((actor, next(_verbs(order))), 0) if fresh else 0
                    yield _Given(order, fresh, window)

    def _written(self, kinds: Container[str]) -> Iterator[list[_Given]]:
        """The layers of all actors, strongest first, with the orders that have an action of these
        kinds; none in a void window."""
        if VOID in self.words:
            return
        for window, orders in reversed(self.sets):
            yield [_Given(order, True, window) for order in orders if _has(order, kinds)]
        if self.standing.later:
            # An order for this turn that a set of this turn brings stands in both.
            again = {o.actor for _, orders in self.sets for o in orders if o.turn is not None}
            later = (o for o in self.standing.later if o.turn == self.turn)
            able = (o for o in later if o.actor not in again and _has(o, kinds))
            yield [_Given(order, False, 0) for order in able]
        always = self.standing.always
        able = (o for actor in sorted(always) for o in always[actor] if _has(o, kinds))
        yield [_Given(order, False, 0) for order in able]


class _Given(Struct, frozen=True):
    """An order of some layer; fresh: of a set of this turn; window: of that set, else 0."""

    order: Order
    fresh: bool
    window: int


def opened(grammar: Grammar, turn: int, standing: Standing | None = None) -> Book:
    """A side's book at the beginning of a turn; standing: what it has from earlier turns."""
    verbs = {verb.type: verb.name for verb in grammar.verbs}
    return Book(
        turn=turn, standing=standing or Standing(), verbs=verbs, settings=grammar.settings()
    )


def left(
    earlier: Iterable[Order], fresh: Sequence[Order], settings: Mapping[str, str]
) -> list[Order]:
    """Those of an actor's earlier orders that stay in force beside fresh ones.

    settings: the verbs that are settings, with their matters.
    """
    if not fresh:
        return [*earlier]
    if not settings:
        return []
    said = frozenset[str]().union(*(matters(order, settings) for order in fresh))
    return [order for order in earlier if said.isdisjoint(matters(order, settings))]


def _by_actor(orders: Iterable[Order]) -> dict[str, list[Order]]:
    found: dict[str, list[Order]] = {}
    for order in orders:
        found.setdefault(order.actor, []).append(order)
    return found


def _verbs(order: Order) -> Iterator[str]:
    """The verbs of an order, one at least."""
    return (action.verb for action in (*order.actions, *order.otherwise))


def _has(order: Order, kinds: Container[str]) -> bool:
    """Whether the order has an action of these kinds in any branch. If not, its condition need not
    be judged."""
    for action in order.actions:
        if action.verb in kinds:
            return True
    return bool(order.otherwise) and any(action.verb in kinds for action in order.otherwise)


def _commands(
    given: _Given, actions: Iterable[Action], kinds: Mapping[str, type[T]]
) -> Iterator[Command[T]]:
    """Those of an order's actions that are of these kinds, as structs."""
    said, picked = given.order, tuple(actions)
    actor, waited = said.actor, said.when is not None
    for i, action in enumerate(picked, 1):
        if action.verb in kinds:
            yield Command(
                made(action, kinds[action.verb]),
                given.fresh,
                actor,
                given.window,
                waited,
                said.standing,
                said,
                picked[i:],
            )


def chosen(order: Order, facts: Facts) -> Iterable[Action]:
    """What `order` binds its actor to now; a reaction binds only at its trigger."""
    if order.trigger:
        return ()
    return order.actions if order.when is None else branch(order, facts)


def branch(order: Order, facts: Facts) -> Iterable[Action]:
    """The branch of `order` that holds by the side's knowledge at this moment."""

    def known(term: str, of: str = "") -> Value | None:
        if of:
            return cast(FactsAbout, facts)(term, order.actor, of)
        return facts(term, order.actor)

    return order.actions if order.when is None or holds(order.when, known) else order.otherwise
