"""What bots share: luck that repeats, what the menu offers, steps, and order text from structs.

A bot reads one side's report as anybody else does, converted to the game's own structs, and returns
order text. It has no `random`: all that varies comes from the text `luck`.

    def orders(side: str, report: Mapping[str, object], luck: str) -> str:
        seen = convert(report, Report)
        return written(lines(seen, Luck(luck)), GRAMMAR)

    def lines(seen: Report, luck: Luck) -> Lines:
        for ship in seen.units:
            goals = values(seen.menu, ship.id, "move", "to")
            if goals:
                yield ship.id, Move(to=luck.choice(f"goal {ship.id}", goals))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Protocol, TypeVar

from msgspec import Struct, structs

from orders.model import Action, Order, Value
from orders.rows import text_of
from orders.show import show_content
from orders.verbs import Grammar
from pbem.model import MenuItem

Lines = Iterator[tuple[str, Struct | str]]
"""Actor (`@` before it makes the order a standing one) and order: the struct of a verb, or text
where it has a condition. A verb's struct cannot be misspelt. Words of the set, as `RUN 3`, have no
actor and come first."""
Menu = Mapping[str, Sequence[MenuItem]]
T = TypeVar("T")


class Luck:
    """Numbers that depend on the bot's luck, and on what they are for, alone.

    Each `what` is a die of its own: one more or one fewer shifts no other. Put into it what makes
    it differ, as the turn and the unit.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def game(self) -> Luck:
        """The luck of the whole game, for what a side decides once and keeps to, as its plan: that
        of the text without its last word, which names the window."""
        return Luck(self.text.rpartition(" ")[0])

    @property
    def lot(self) -> int:
        """One large number for the whole window."""
        return _number(self.text)

    def of(self, what: str, below: int) -> int:
        """A number from 0 to `below` - 1, always the same for the same `what`."""
        return _number(f"{self.text} {what}") % below

    def choice(self, what: str, values: Sequence[T]) -> T:
        """One of the values. Raises ValueError if there are none."""
        if not values:
            raise ValueError(f"the luck of {what!r} chooses from an empty list")
        return values[self.of(what, len(values))]

    def weighted(self, what: str, weights: Mapping[T, int]) -> T:
        """One of the keys, each as likely as its weight, in the order of the mapping. Raises
        ValueError if the weights sum up to nothing."""
        most = sum(weights.values())
        if not most:
            raise ValueError(f"the weights of {what!r} sum up to nothing")
        left = self.of(what, most)
        for value, weight in weights.items():
            left -= weight
            if left < 0:
                return value
        raise AssertionError("weights below zero")


def _number(text: str) -> int:
    return int(sha256(text.encode()).hexdigest()[:8], 16)


# What a report offers


def may(menu: Menu, actor: str, verb: str) -> bool:
    """Does the menu offer that verb to the actor?"""
    return any(item.verb == verb for item in menu.get(actor, ()))


def values(menu: Menu, actor: str, verb: str, arg: str) -> list[str]:
    """What the menu offers for an argument: empty where it lists nothing or the verb is missing."""
    items = [item for item in menu.get(actor, ()) if item.verb == verb]
    return [value for item in items for one in item.args if one.name == arg for value in one.values]


class Aged(Protocol):
    """A contact in a report."""

    @property
    def age(self) -> int:
        """Turns since it was placed."""


Contact = TypeVar("Contact", bound=Aged)


def freshest(
    contacts: Iterable[Contact], within: int, rank: Callable[[Contact], int] = lambda _: 0
) -> Contact | None:
    """The contact placed last, not more than `within` turns ago; of several the lowest in rank,
    then the first. None without one."""
    seen = [contact for contact in contacts if contact.age <= within]
    return min(seen, key=lambda contact: (contact.age, rank(contact)), default=None)


# Steps


def towards(near: Iterable[str], far: Callable[[str], int], here: str = "") -> str:
    """The cell of `near` with the least distance `far`, the first of several; `here` without any.

    With the distances from a goal (`pbem.kit.grids.distances`) it is the first step of a shortest
    way.
    """
    return min(near, key=far, default=here)


def away(near: Iterable[str], far: Callable[[str], int], here: str = "") -> str:
    """The cell of `near` with the greatest distance `far`, the first of several; `here` without."""
    return max(near, key=far, default=here)


# Order text


def written(lines: Iterable[tuple[str, Struct | str]], grammar: Grammar) -> str:
    """Lines of a bot as order text. Raises ValueError for a struct that is no verb's."""
    told = [(actor, o if isinstance(o, str) else content(o, grammar)) for actor, o in lines]
    return "\n".join(f"{actor}: {text};" if actor else f"{text};" for actor, text in told)


def content(order: Struct, grammar: Grammar) -> str:
    """An order as text, as receipts print it: `move E19 C17 speed full`.

    order: the struct of a verb; arguments with their usual values are left out. Raises ValueError
    for a struct that is no verb's.
    """
    return show_content(Order("", (action(order, grammar),)), grammar)


def action(order: Struct, grammar: Grammar) -> Action:
    """The struct of a verb as the parser gives it. Raises ValueError if no verb has that struct."""
    verb = next((verb for verb in grammar.verbs if verb.type is type(order)), None)
    if verb is None:
        name = type(order).__qualname__
        raise ValueError(f"a bot wrote {name}, which is the struct of no verb of its grammar")
    usual = _usual(type(order))
    given = [(arg.name, getattr(order, arg.name)) for arg in verb.args]
    args = {name: _value(value) for name, value in given if value != usual[name]}
    return Action(verb.name, args)


@cache
def _usual(kind: type[Struct]) -> Mapping[str, object]:
    return {field.name: field.default for field in structs.fields(kind)}


def _value(value: object) -> Value:
    if isinstance(value, list | tuple):
        return [_text(item) for item in value]
    return value if isinstance(value, int) else _text(value)


def _text(value: object) -> str:
    return text_of(value) if isinstance(value, Struct) else str(value)


def unoffered(lines: Iterable[tuple[str, Struct | str]], menu: Menu, grammar: Grammar) -> list[str]:
    """What is wrong with a bot's lines: orders for now that the menu does not offer to their actor,
    one sentence each. Text, and standing orders, are left to the referee's own checks.

    For a bot's tests: `assert not unoffered(lines(seen, luck), seen.menu, GRAMMAR)`.
    """
    found = []
    for actor, order in lines:
        if isinstance(order, str) or actor.startswith("@"):
            continue
        done, text = action(order, grammar), content(order, grammar)
        if not may(menu, actor, done.verb):
            offered = ", ".join(item.verb for item in menu.get(actor, ())) or "nothing"
            found.append(f"{actor}: {text}: the menu offers {offered}")
            continue
        for name, value in done.args.items():
            listed = values(menu, actor, done.verb, name)
            odd = [one for one in _several(value) if listed and one not in listed]
            found += [f"{actor}: {text}: not {one}, but {', '.join(listed)}" for one in odd]
    return found


def _several(value: Value) -> list[str]:
    return value if isinstance(value, list) else [str(value)]
