"""What a rule system says of an enemy that a side looks for.

A particle filter (`pbem.belief.filter`) finds with it where the enemy may be. A guess is one way
in which things may stand with the enemy: its place, what is left of its orders, its fuel. It is
made, moved and judged from the side's own reports and public facts alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct


class Draws(Protocol):
    """Where chance comes from: rules have none of their own."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""


Item = TypeVar("Item")


def pick(draws: Draws, items: Sequence[Item]) -> Item:
    """One of the items, each as likely. Raises IndexError if there are none."""
    return items[int(draws.random() * len(items))]


def weighted(draws: Draws, weights: Mapping[Item, float]) -> Item:
    """One of the keys, each as likely as its weight. Raises ValueError if there are none."""
    left = draws.random() * sum(weights.values())
    for item, weight in weights.items():
        left -= weight
        if left < 0:
            return item
    if not weights:
        raise ValueError("no weights")
    return list(weights)[-1]  # what rounding left over


class Told(Struct, frozen=True, kw_only=True):
    """What a side was told in one turn; a game derives its own."""

    turn: int
    fix: str = ""
    """The cell in which the side was told that the enemy is; empty where it was not."""


Guess = TypeVar("Guess")
News = TypeVar("News", bound=Told)


class Quarry(Generic[Guess, News]):
    """An enemy unit or group that a side looks for. A game derives its own."""

    id: str
    """A word: the contact's id, or the name of a unit that both sides know to be in play."""
    name: str
    """What pictures call it."""
    called: tuple[str, str] = ("cell", "cells")
    """What the rules call a cell of the board, and several."""
    told: Sequence[News]
    """What the side was told, turn by turn, beginning with the first turn in which it may move."""
    styles: Mapping[str, float]
    """Ways in which the enemy may be led, each with its share of the guesses."""

    def place(self, style: str, draws: Draws) -> Guess:
        """A guess before the first turn of `told`, as public facts allow."""
        raise NotImplementedError

    def move(self, guess: Guess, told: News, draws: Draws) -> Guess:
        """The guess after the turn, led in its own style."""
        raise NotImplementedError

    def stray(self, guess: Guess, told: News, draws: Draws) -> Guess:
        """The guess after any legal move: for whoever does what no style foresees."""
        raise NotImplementedError

    def likelihood(self, guess: Guess, told: News) -> float:
        """How likely the side is told that, from 0 to 1, if the guess after its move is right."""
        raise NotImplementedError

    def cell(self, guess: Guess) -> str:
        """The cell of the chart in which the guess is."""
        raise NotImplementedError

    def near(self, cell: str) -> Sequence[str]:
        """The cells beside a cell, into which a part of what is believed of it runs over: guesses
        are rarely right to the cell. Default: none."""
        return ()

    def sure(self, guess: Guess) -> bool:
        """Whether the side knows the cell if the guess is right, as that of a contact on the board
        that it takes the enemy for: nothing runs over then. Default: no."""
        return False

    def put(self, guess: Guess, cell: str) -> Guess:
        """The guess in another cell, at rest."""
        raise NotImplementedError

    def within(self, cells: frozenset[str], told: News) -> frozenset[str]:
        """Where it may be after the turn by its moves alone, if it was in one of these cells
        before: whatever was told of it since. How likely even chances made what was told is
        reckoned by it. Default: `reach`, by which searches in vain teach less."""
        return self.reach(cells, told)

    def reach(self, cells: frozenset[str], told: News) -> frozenset[str]:
        """Where it may be after the turn if it was in one of these cells before: every legal move,
        without the cells in which it would have been found. Empty where nothing is left."""
        raise NotImplementedError


AnyQuarry: TypeAlias = Quarry[Any, Any]
"""One whose guesses only its game knows."""
