"""A table for battle tests: dice by label or by a seed, answers by question or by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, cast

from games.bismarck.facts import knows
from games.bismarck.game import SYSTEM
from games.bismarck.state import War
from orders.book import Book
from orders.model import Value
from pbem.model import Dice, Event, Item, Question, Side
from pbem.table import Table
from tests.bismarck.fake_table import FakeTable

Given = Mapping[tuple[str, Any], str]
"""(question kind, about) -> answer."""


class Deck(FakeTable):
    """Dice that `laid` does not hold come from a seed; questions that neither `given` nor
    `books` answer take their default, as at the real table.

    `asked`: the questions that may go by mail; `found`: those that orders alone answer.
    """

    def __init__(
        self,
        war: War,
        laid: Mapping[str, list[tuple[int, ...]]] | None = None,
        given: Given | None = None,
        books: Mapping[Side, Book] | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__()
        self.war = war
        self.laid = {label: list(rolls) for label, rolls in (laid or {}).items()}
        self.given, self.books, self.rng = dict(given or {}), books, Random(seed)
        self.asked: list[tuple[Side, Question]] = []
        self.found: list[tuple[Side, Question]] = []
        self.dice: list[tuple[str, tuple[int, ...], tuple[Side, ...]]] = []

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        laid = self.laid.get(label)
        faces = laid.pop(0) if laid else tuple(self._face(dice) for _ in range(dice.count))
        assert len(faces) == dice.count, f"{label} takes {dice}"
        self.labels.append(label)
        self.dice.append((label, faces, tuple(to)))
        return faces

    def _face(self, dice: Dice) -> int:
        return dice.low + self.rng.randrange(dice.sides)

    def pick(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> Item:
        if len(items) == 1:
            return items[0]
        return items[self.roll(label, Dice(1, len(items)), to)[0] - 1]

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        return Table.shuffle(cast(Table, self), label, items, to)

    def tell(self, to: Sequence[Side], event: Event) -> None:
        super().tell(to, event)
        for side in to:
            SYSTEM.learn(self.war, side, event)

    async def ask(
        self, side: Side, questions: Sequence[Question], owed: Sequence[Side] = ()
    ) -> list[Value]:
        return (await self.ask_each({side: questions}))[side]

    async def ask_each(
        self, asked: Mapping[Side, Sequence[Question]], owed: Sequence[Side] = ()
    ) -> dict[Side, list[Value]]:
        for side, questions in asked.items():
            for q in questions:
                (self.asked if q.source == "any" else self.found).append((side, q))
        return {side: [self._answer(side, q) for q in qs] for side, qs in asked.items()}

    def _answer(self, side: Side, question: Question) -> Value:
        key = (type(question).__name__, question.about)
        if key in self.given:
            answer: Value = self.given[key]
        else:
            book = self.books[side] if self.books else None
            found = question.answer(book, knows(self.war, side)) if book else None
            answer = question.default if found is None else found
        form = bool(question.form)
        assert form or not question.choices or answer in (*question.choices, ""), (
            f"{answer} to {question}"
        )
        return answer
