"""Test cases of rules as TOML files, for any rule system, and the table on which they run."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from orders.book import Book, Facts
from orders.canon import streams
from orders.diagnose import judge
from orders.model import OrderSet, Value
from orders.parse import understand
from orders.verbs import Grammar
from orders.vocabulary import Vocabulary
from pbem.model import Dice, Event, Item, Question, Side, System

Case = Mapping[str, Any]


def cases(folder: Path, *names: str) -> list[dict[str, Any]]:
    """The cases of all files in a folder whose names begin with one of `names`, in that order."""
    paths = (path for name in names for path in sorted(folder.glob(f"{name}*.toml")))
    return [case for path in paths for case in tomllib.loads(path.read_text("utf-8"))["case"]]


def named(case: Case) -> str:
    """The test id of a case: its rule and name."""
    return f"{case['rule']} {case['name']}"


def every(found: Sequence[Case]) -> pytest.MarkDecorator:
    """Parametrize a test with these cases, whose ids must be unique."""
    assert len({named(case) for case in found}) == len(found)
    return pytest.mark.parametrize("case", found, ids=named)


def read(grammar: Grammar, report: Mapping[str, Any], text: str) -> OrderSet:
    """Parse orders with the real grammar and the side's own report; they must have no errors."""
    (unit,) = streams(f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
    reading = understand(unit, grammar, Vocabulary.of(report, grammar))
    assert not reading.diagnostics, reading.diagnostics
    return reading.orders


def mailed(system: System, report: Mapping[str, Any], text: str) -> OrderSet:
    """The same, of a set that passes all checks that a mailed set passes."""
    (unit,) = streams(f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
    reading = understand(unit, system.grammar, Vocabulary.of(report, system.grammar))
    judged = judge(reading, report, system.check, system.after)
    assert not judged.diagnostics, judged.diagnostics
    return judged.orders


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
