"""Test cases of rules as TOML files, for any rule system, and the table on which they run."""

from __future__ import annotations

import tomllib
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from orders.book import Book, Facts
from orders.model import OrderSet, Value
from pbem.model import Dice, Event, Item, Question, Side, System
from pbem.testing.orders import shown, submitted

Case = Mapping[str, Any]
Result = TypeVar("Result")


def cases(folder: Path, *names: str) -> list[dict[str, Any]]:
    """The cases of all files in a folder whose names begin with one of `names`, in that order."""
    paths = (path for name in names for path in sorted(folder.glob(f"{name}*.toml")))
    return [case for path in paths for case in tomllib.loads(path.read_text("utf-8"))["case"]]


def named(case: Case) -> str:
    """The test id of a case: its rule and name."""
    return f"{case['rule']} {case['name']}"


def every(found: Sequence[Case], failing: Mapping[str, str] | None = None) -> pytest.MarkDecorator:
    """Parametrize a test with these cases, whose ids must be unique.

    failing: test id -> the fault of the product for which the case must fail, until it is mended.
    """
    faults, names = failing or {}, [named(case) for case in found]
    assert len(set(names)) == len(names)
    assert faults.keys() <= set(names)
    marks = {name: pytest.mark.xfail(reason=why, strict=True) for name, why in faults.items()}
    made = [
        pytest.param(case, id=name, marks=marks.get(name, ()))
        for case, name in zip(found, names, strict=True)
    ]
    return pytest.mark.parametrize("case", made)


def read(
    system: System, state: object, side: Side, text: str, refused: Sequence[str] = ()
) -> OrderSet:
    """Orders as they come in by mail, judged by the report that the side has of the position.

    refused: the codes of what must be wrong with them, in the order in which they are written.
    """
    return submitted(system, shown(system, state, side), text, refused)


def follow(thing: Any, way: Sequence[str]) -> Any:
    """What stands at the end of a path of keys, fields and numbers."""
    for step in way:
        if isinstance(thing, list):
            thing = thing[int(step)]
        else:
            thing = thing[step] if isinstance(thing, dict) else getattr(thing, step)
    return thing


def put(state: object, values: Mapping[str, object]) -> None:
    """Set what stands at the end of each path, `ships.HOOD.zone`."""
    for path, value in values.items():
        *way, last = path.split(".")
        thing = follow(state, way)
        if isinstance(thing, dict):
            thing[last] = value
        else:
            setattr(thing, last, value)


def run(coroutine: Coroutine[Any, None, Result]) -> Result:
    """What a script returns that never waits for mail."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    raise AssertionError("the script waits")


class CaseTable:
    """A table that answers questions from its case and collects the events that are told.

    A system's subclass supplies dice, orders and facts.
    """

    sides: tuple[Side, ...]
    options: Mapping[str, str] = {}

    def __init__(self, case: Case) -> None:
        self.case = case
        self.books: dict[Side, Book] = {}
        self.told: list[tuple[tuple[Side, ...], Event]] = []

    def facts(self, side: Side) -> Facts:
        """What the side knows now, for conditions."""
        raise NotImplementedError

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        raise NotImplementedError

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        return self.books

    async def ask(
        self, side: Side, questions: Sequence[Question], owed: Sequence[Side] = ()
    ) -> list[Value]:
        return (await self.ask_each({side: questions}))[side]

    async def ask_each(
        self, asked: Mapping[Side, Sequence[Question]], owed: Sequence[Side] = ()
    ) -> dict[Side, list[Value]]:
        """The answers of the case (key `Kind about`), else of the orders, else the defaults."""
        return {side: [self.answer(side, q) for q in qs] for side, qs in asked.items()}

    def answer(self, side: Side, question: Question) -> Value:
        given = self.case.get("answers", {}).get(f"{type(question).__name__} {question.about}")
        if given is not None:
            assert given in question.choices or question.form, f"{given} to {question}"
            return str(given)
        found = question.answer(self.books[side], self.facts(side))
        return question.default if found is None else found

    def pick(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> Item:
        if len(items) == 1:
            return items[0]
        return items[(self.roll(label, Dice(1, len(items)), to)[0] - 1) % len(items)]

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        raise AssertionError("no rule here shuffles")

    def tell(self, to: Sequence[Side], event: Event) -> None:
        self.told.append((tuple(to), event))


def learning(system: System, state: Any, to: Sequence[Side], event: Event) -> None:
    """Add an event to the knowledge of the sides that are told."""
    for side in to:
        system.learn(state, side, event)
