"""A tiny rule system made of any script, for the tests of table and driver."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from orders.book import Book, Facts
from orders.model import Action, Order, OrderSet, Value
from orders.verbs import Arg, Grammar, Verb
from pbem import model as m
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive
from pbem.model import Side, TableLike

RED, BLUE = Side("red"), Side("blue")
DICE = Seeded("seed", b"")


class Board(Struct):
    """The truth: the turn, what happened, and what each side knows."""

    turn: int
    log: list[str] = []
    known: dict[str, list[str]] = {}


class Say(Struct):
    """An order of one word."""

    word: str


class Heard(m.Event, frozen=True):
    """Something told."""

    what: str = ""


class Which(m.Question, frozen=True):
    """A question that a `say` order answers."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        order = book.find("X", Say, facts)
        return order.word if order and order.word in self.choices else None


Script = Callable[[TableLike, Board], Awaitable[Any]]


class Tiny(m.System):
    """The system around a script."""

    name, title, edition, state = "tiny", "Tiny", "1", Board
    scenarios = (m.Scenario("one", "One", (RED, BLUE)),)
    grammar = Grammar(
        verbs=(Verb("say", Say, (Arg("word", "word"),), "say", "X: say A;", "1"),),
    )

    def __init__(self, script: Script) -> None:
        self._script = script

    async def turn(self, table: TableLike, state: Board) -> Any:
        return await self._script(table, state)

    def begin(self, scenario: str, options: Mapping[str, str], referee: Mapping[str, str]) -> Board:
        return Board(1)

    def learn(self, state: Board, side: Side, event: m.Event) -> None:
        assert isinstance(event, Heard)
        state.known.setdefault(side, []).append(event.what)

    def facts(self, state: Board, side: Side) -> Facts:
        return lambda term, actor: state.known.get(side, [None])[-1]

    def view(self, state: Board, side: Side) -> m.View:
        return m.View(turn=state.turn, label=str(state.turn), units=[])


def drive(script: Script, play: str = "asked") -> Drive:
    """A game of that script, standing at window 1."""
    return Drive.start(Tiny(script), (RED, BLUE), {"play": play}, Board(1))


def say(word: str, standing: bool = False, turn: int | None = None) -> OrderSet:
    """`X: say WORD`"""
    return OrderSet((Order("X", (Action("say", {"word": word}),), standing=standing, turn=turn),))


def answers(*given: Value) -> OrderSet:
    """Q1, Q2 ..."""
    return OrderSet(answers={f"Q{i}": a for i, a in enumerate(given, 1)})


def which(choices: Sequence[str] = ("A", "B", "C"), **more: Any) -> Which:
    """A question with the default of its first choice."""
    return Which(about="X", choices=tuple(choices), default=choices[0], rule="1", **more)
