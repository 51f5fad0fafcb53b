"""A driver and a table that note what a script does, each step with its line in the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from orders.model import Value
from pbem.engine.drive import Drive
from pbem.lint.finding import Notes
from pbem.model import Dice, Event, Question, Side, System
from pbem.rulecode import Place, caller, of_function
from pbem.table import Answers, Asked, Table

Item = TypeVar("Item")


class Step(NamedTuple):
    """Something that a script did at its table."""

    kind: str
    """`roll`, `tell` or `ask`."""
    said: str
    """The label of a roll, or the event or question as JSON."""
    to: tuple[Side, ...]
    place: Place | None
    """The line of the rules that did it."""


class Diary(Struct):
    """What a watched game noted."""

    steps: list[Step] = []
    """What happened since the last window closed."""
    asked: list[tuple[Side, Question, Place | None]] = []
    """The questions put since the last window closed, mailed or not."""
    answering: set[type] = set()
    """The structs of verbs by which orders answer questions with choices."""


class WatchedTable(Table):
    """A table that keeps a diary, and notes rolls without an audience."""

    def __init__(
        self, drive: Drive, sides: tuple[Side, ...], options: Mapping[str, str], notes: Notes
    ) -> None:
        super().__init__(drive, sides, options, drive.system.mailing)
        self.notes, self.diary = notes, Diary()

    def roll(self, label: str, dice: Dice, to: Sequence[Side] | None = None) -> tuple[int, ...]:
        """See Table.roll."""
        if to is None:
            self._no_audience(label)
        self.diary.steps.append(Step("roll", label, tuple(to or ()), caller()))
        return super().roll(label, dice, to or ())

    def pick(self, label: str, items: Sequence[Item], to: Sequence[Side] | None = None) -> Item:
        """See Table.pick."""
        if to is None:
            self._no_audience(label)
        return super().pick(label, items, to or ())

    def shuffle(
        self, label: str, items: Sequence[Item], to: Sequence[Side] | None = None
    ) -> list[Item]:
        """See Table.shuffle."""
        if to is None:
            self._no_audience(label)
        return super().shuffle(label, items, to or ())

    def tell(self, to: Sequence[Side], event: Event) -> None:
        """See Table.tell."""
        said = msgspec.json.encode(event, order="deterministic").decode()
        self.diary.steps.append(Step("tell", said, tuple(to), caller()))
        super().tell(to, event)

    async def ask_each(self, asked: Asked, owed: Sequence[Side] = ()) -> Answers:
        """See Table.ask_each."""
        here = caller()
        for side, questions in asked.items():
            for question in questions:
                said = f"{type(question).__name__} {question.about}"
                self.diary.steps.append(Step("ask", said, (side,), here))
                self.diary.asked.append((side, question, here))
        return await super().ask_each(asked, owed)

    def _with_default(self, side: Side, question: Question) -> Question:
        book: Any = _Listening(self._dealer.books[side], self.diary.answering)
        if question.choices:
            answer = question.answer(book, self._dealer.facts(side))
            self._require_answer(question, answer)
        return super()._with_default(side, question)

    def _require_answer(self, question: Question, answer: Value | None) -> None:
        if answer is not None and answer not in question.choices:
            kind = type(question)
            self.notes.add(
                "answer-outside-choices",
                of_function(kind.answer) or of_function(kind) or "",
                f"`answer` of {kind.__name__} about {question.about!r} gave {answer!r}, which is "
                "not among its choices",
                f"give None for an order that does not fit; choices: {', '.join(question.choices)}",
            )

    def _no_audience(self, label: str) -> None:
        self.notes.add(
            "no-audience",
            caller() or "",
            f"the roll {label} names no audience, so that only the referee sees it",
            "name the sides that see it, `to=table.sides`; if really nobody does, write `to=()`",
        )


class _Listening:
    """A book that notes which verbs' structs its caller looks for."""

    def __init__(self, book: object, heard: set[type]) -> None:
        self._book, self._heard = book, heard

    def __getattr__(self, name: str) -> object:
        found = getattr(self._book, name)
        if not callable(found):
            return found

        def call(*args: Any, **named: Any) -> object:
            for value in (*args, *named.values()):
                kinds = value if isinstance(value, (tuple, list)) else (value,)
                self._heard.update(kind for kind in kinds if isinstance(kind, type))
            return found(*args, **named)

        return call


def driver(notes: Notes) -> type[Drive]:
    """A class of drives whose tables note their findings in `notes`."""

    class WatchedDrive(Drive):
        """A drive with a watched table."""

        def __init__(
            self, system: System, sides: tuple[Side, ...], options: Mapping[str, str]
        ) -> None:
            super().__init__(system, sides, options)
            self.table = WatchedTable(self, sides, options, notes)

    return WatchedDrive


def diary(drive: Drive) -> Diary:
    """The diary of a watched drive."""
    assert isinstance(drive.table, WatchedTable)
    return drive.table.diary
