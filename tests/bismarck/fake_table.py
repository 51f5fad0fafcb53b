"""A table for rules tests: keeps what is told, and rolls what the test laid out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from games.bismarck import availability
from games.bismarck.game import SYSTEM
from games.bismarck.state import BRITISH, GERMAN, SIDES, War
from games.bismarck.verbs import GRAMMAR
from games.bismarck.view import view
from orders.book import Book, opened
from orders.model import OrderSet, Value
from pbem.model import Dice, Event, Item, Question, Side
from tests import casetable
from tests.clauses import clauses

CLAUSES = {n for row in clauses("bismarck") for n in re.findall(r"\d+\.\d+", row.number)}
CITED = CLAUSES | {n[:-1] for n in CLAUSES}
"""What events and questions may cite: every clause of RULES.md, and the headings above them."""


class FakeTable:
    """Stands in for pbem.table.Table where no question is asked."""

    sides: tuple[Side, ...] = SIDES
    options: Mapping[str, str] = {}

    def __init__(self, *rolls: tuple[int, ...]) -> None:
        self.told: list[tuple[tuple[Side, ...], Event]] = []
        self.rolls = list(rolls)
        self.labels: list[str] = []

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        self.labels.append(label)
        return self.rolls.pop(0)

    def tell(self, to: Sequence[Side], event: Event) -> None:
        assert event.rule in CITED, event
        self.told.append((tuple(to), event))

    def pick(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> Item:
        raise NotImplementedError

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        raise NotImplementedError

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        raise NotImplementedError

    async def ask(
        self, side: Side, questions: Sequence[Question], owed: Sequence[Side] = ()
    ) -> list[Value]:
        raise NotImplementedError

    async def ask_each(
        self, asked: Mapping[Side, Sequence[Question]], owed: Sequence[Side] = ()
    ) -> dict[Side, list[Value]]:
        raise NotImplementedError

    def heard(self, kind: type[Event], side: Side | None = None) -> list[Any]:
        return [e for to, e in self.told if isinstance(e, kind) and side in (None, *to)]


def begin() -> War:
    return availability.begin("basic", {}, {})


def report(war: War, side: Side) -> dict[str, Any]:
    """What the side's report.json holds, as far as orders are judged by it."""
    return {**to_builtins(view(war, side)), "side": side}


def read(war: War, side: Side, text: str, refused: Sequence[str] = ()) -> OrderSet:
    """Orders as they come in by mail; refused: the codes of what must be wrong with them."""
    return casetable.read(SYSTEM, war, side, text, refused)


def books(
    war: War,
    british: str = "",
    german: str = "",
    refused: Mapping[Side, Sequence[str]] | None = None,
) -> dict[Side, Book]:
    """Both sides' orders in force. refused: by side, as for `read`."""
    made = {}
    for side, text in ((BRITISH, british), (GERMAN, german)):
        made[side] = opened(GRAMMAR, war.turn)
        if text:
            made[side].take(read(war, side, text, (refused or {}).get(side, ())))
    return made
