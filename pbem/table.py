"""The table: the four things a rules script may touch are state, orders, dice and events.

A script is straight-line `async` code without an event loop. `await` hands control to the
driver (`pbem.engine.drive`), which either answers at once from orders in force or closes the window
and comes back with the mailed answers. Nothing here knows a game, a file or a clock.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from math import factorial
from typing import TypeVar

from msgspec import Struct, structs

from orders.book import Book, Facts
from orders.model import Value
from pbem.model import Dice, Event, Question, Side, Window

Item = TypeVar("Item")
Asked = Mapping[Side, Sequence[Question]]
Answers = dict[Side, list[Value]]


class Pause(Struct, frozen=True):
    """Where a script waits for mail: a window opens for every side at once.

    asked: the questions each side reads; a turn's opening pause asks none, its form is the
    menu. opening: whether this is the turn's opening question.
    """

    asked: dict[Side, tuple[Question, ...]]
    opening: bool = False


class Dealer:
    """What the driver lends the table. The driver derives from it."""

    books: dict[Side, Book]
    window: Window

    def facts(self, side: Side) -> Facts:
        """The side's knowledge now, for conditions and standing answers."""
        raise NotImplementedError

    def fall(self, label: str, dice: Dice, to: tuple[Side, ...]) -> tuple[int, ...]:
        """Dice for that label stem, recorded with their audience."""
        raise NotImplementedError

    def told(self, to: tuple[Side, ...], event: Event) -> None:
        """Record the event and let its audience learn it."""
        raise NotImplementedError


class Table:
    """One table a game: sides in the scenario's order and the moderator's options."""

    def __init__(self, dealer: Dealer, sides: tuple[Side, ...], options: Mapping[str, str]) -> None:
        self.sides = sides
        self.options = options
        self._dealer = dealer

    async def orders(self) -> dict[Side, Book]:
        """The turn's opening question to all sides: their orders in force. Ask it once a
        turn, or where a turn has public segments once each: later sets add to the earlier."""
        await _Wait(Pause(dict.fromkeys(self.sides, ()), opening=True))
        return self._dealer.books

    async def ask(self, side: Side, questions: Sequence[Question]) -> list[Value]:
        """One side's answers, in the order asked; one exchange of mail at most."""
        return (await self.ask_each({side: questions})).get(side, [])

    async def ask_each(self, asked: Asked) -> Answers:
        """Simultaneous: no answer shows before all are in.

        Orders in force answer first. In a game played `asked` a question that may go by mail
        always does, with that answer as its default: whether a window opens is seen by all,
        so it may not depend on anybody's orders. The default answers what is left.
        """
        put = {side: [self._with_default(side, q) for q in qs] for side, qs in asked.items()}
        mailed = {s: tuple(q for q in put.get(s, ()) if self._mailable(q)) for s in self.sides}
        if any(mailed.values()):
            await _Wait(Pause(mailed))
        return {side: self._answers(side, qs) for side, qs in put.items()}

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        """Roll `dice` for PHASE/KIND/LOCUS/ROLLER, seen by `to`; none: the referee alone.

        LOCUS and ROLLER are printed names of the game. Raises ValueError for a label that one
        window uses for two audiences, and before window 1 is answered.
        """
        return self._dealer.fall(label, dice, tuple(to))

    def pick(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> Item:
        """One of `items` by a fair die; a single item needs none."""
        if len(items) == 1:
            return items[0]
        return items[self.roll(label, Dice(1, len(items)), to)[0] - 1]

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        """`items` in a fair order from one die of n! sides (n <= 20), read in factorial base."""
        rest = list(items)
        if len(rest) < 2:
            return rest
        code = self.roll(label, Dice(1, factorial(len(rest))), to)[0] - 1
        order = []
        for left in range(len(rest), 0, -1):
            at, code = divmod(code, factorial(left - 1))
            order.append(rest.pop(at))
        return order

    def tell(self, to: Sequence[Side], event: Event) -> None:
        """Tell an event to its audience, which learns it; an empty one: the referee alone."""
        self._dealer.told(tuple(to), event)

    def _with_default(self, side: Side, question: Question) -> Question:
        """The question, its default being what the side's orders answer, if they do."""
        answer = question.answer(self._dealer.books[side], self._dealer.facts(side))
        return question if answer is None else structs.replace(question, default=answer)

    def _mailable(self, question: Question) -> bool:
        return self.options.get("play") == "asked" and question.source == "any"

    def _answers(self, side: Side, questions: Sequence[Question]) -> list[Value]:
        """What came by mail under Q1, Q2 ... of this window, else the defaults."""
        given, number = self._dealer.books[side].answers, 0
        answers = []
        for question in questions:
            mailed = self._mailable(question)
            number += mailed
            name = f"Q{number}" if mailed else ""
            answers.append(given.get(name, question.default))
        return answers


class _Wait:
    def __init__(self, pause: Pause) -> None:
        self.pause = pause

    def __await__(self) -> Generator[Pause, None, None]:
        yield self.pause
