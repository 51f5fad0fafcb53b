"""The table: the orders, answers, dice and events that a turn script uses besides its state.

A script is straight-line `async` code without an event loop. `await` hands control to the runner
(`pbem.engine.runner`), which either answers at once from orders in force, or closes the window and
comes back with the answers that were mailed. This module does not know games, files or clocks.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from math import factorial
from typing import TypeVar

from msgspec import Struct, structs

from orders.book import Book, Facts
from orders.model import Value
from pbem.model import Dice, Event, Mailing, Question, Side, Window
from pbem.rulecode import fault

Item = TypeVar("Item")
ALL_ASKED = Mailing()
MOST_SHUFFLED = 20
"""The most items of a shuffle: 20! is below 2^64, of which rolls are made."""
Asked = Mapping[Side, Sequence[Question]]
"""Side -> the questions put to it, in order."""
Answers = dict[Side, list[Value]]
"""Side -> its answers, in the order of its questions."""


class Pause(Struct, frozen=True):
    """The point at which a script waits for mail: a window opens for every side at once."""

    asked: dict[Side, tuple[Question, ...]]
    """Side -> the questions in its report. The opening question of a turn puts none: its answer
    is a whole set of orders, made from the menu."""
    opening: bool = False
    """Whether this is the opening question of a turn."""
    owed: tuple[Side, ...] = ()
    """The sides that must answer, in the scenario's order; the others may. Empty: every side."""


class Dealer:
    """What a table needs from the runner. `pbem.engine.runner.Runner` implements it."""

    books: dict[Side, Book]
    """The orders in force of each side."""
    window: Window
    """The window that was closed last; its dice are rolled."""

    def facts(self, side: Side) -> Facts:
        """What the side knows now, for conditions and for answers from orders."""
        raise NotImplementedError

    def roll(self, label: str, dice: Dice, to: tuple[Side, ...]) -> tuple[int, ...]:
        """Roll dice under PHASE/KIND/LOCUS/ROLLER, and record them with their audience.

        The driver adds ordinal and dice to the label. Raises ValueError.
        """
        raise NotImplementedError

    def tell(self, to: tuple[Side, ...], event: Event) -> None:
        """Record the event, and add it to what its audience knows."""
        raise NotImplementedError


class Table:
    """The table of one game: its sides in the scenario's order, and the moderator's options.

    mailing: the system's, which says what questions go by mail. late: whether orders of the set
    that comes with questions answer them too.
    """

    def __init__(
        self,
        dealer: Dealer,
        sides: tuple[Side, ...],
        options: Mapping[str, str],
        mailing: Mailing = ALL_ASKED,
        late: bool = True,
    ) -> None:
        self.sides = sides
        self.options = options
        self._dealer = dealer
        self._mailed = mailing.kinds_by(options)
        self._late = late

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        """The turn's opening question to all sides; returns the orders in force of each.

        Call it once in a turn; in a turn with public segments, once in each segment. Sets of later
        segments add to those of earlier ones. Turn 0 may call it too, as a set-up that asks.

        owed: the sides that must send orders; empty: every side. All sides get reports and may
        write, but only these hold the window open, are reminded and count as missing. All sides are
        told who they are, so name them only where the rules make it public whose turn it is.
        Raises RulesFault for an unknown side.
        """
        await _Wait(Pause(dict.fromkeys(self.sides, ()), True, self._owing(owed)))
        return self._dealer.books

    async def ask(
        self, side: Side, questions: Sequence[Question], owed: Sequence[Side] = ()
    ) -> list[Value]:
        """Ask one side; returns its answers in the order of the questions.

        Takes one exchange of mail at most. See `ask_each`.
        """
        return (await self.ask_each({side: questions}, owed)).get(side, [])

    async def ask_each(self, asked: Asked, owed: Sequence[Side] = ()) -> Answers:
        """Ask several sides simultaneously: no answer is shown before all are in.

        An answer comes from mail (only if the question goes by mail: `System.mailing`), else from
        the orders in force, those that come in the window of the question included, else it is the
        question's default. A mailed answer that only repeats the default, as the order form has it,
        gives way to orders of the same set.

        owed: the sides that must answer, as for `orders`, and only if it is public who is asked;
        empty: every side, so that nobody learns who was asked.

        A question that may go by mail always does, even if orders answer it already; their answer
        becomes its default. All sides see whether a window opens, so this must not depend on
        anybody's orders.

        Raises RulesFault if a side is unknown, or asked by mail and not among those that must
        answer, or if a default is not among the choices.
        """
        self._require_sides(asked, "asks")
        for questions in asked.values():
            for question in questions:
                _require_default(question)
        put = self._with_defaults(asked)
        mailed = {s: tuple(q for q in put.get(s, ()) if self._mailable(q)) for s in self.sides}
        if any(mailed.values()):
            await _Wait(Pause(mailed, owed=self._owing(owed, [s for s in mailed if mailed[s]])))
        # What a side ordered before and takes back now answers nothing any more.
        left = self._with_defaults(asked) if self._late and any(mailed.values()) else put
        return {side: self._answers(side, put[side], left[side]) for side in put}

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        """Roll `dice` under the label PHASE/KIND/LOCUS/ROLLER; returns the faces.

        to: the sides that see the roll; empty: only the referee does. LOCUS and ROLLER must be
        names that all of `to` know. Each roll is drawn from its label, so that a hidden roll cannot
        change a visible one.

        Raises RulesFault if a side is unknown, if a label is used for two audiences in one window,
        or if the game has not closed window 1 yet.
        """
        self._require_sides(to, f"rolls {label} for")
        return self._dealer.roll(label, dice, tuple(to))

    def pick(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> Item:
        """One of `items`, chosen by a fair die; no die is rolled for a single item. Raises
        RulesFault without any."""
        if not items:
            hint = "say in the rules what happens when there is nothing to choose from"
            raise fault(f"{label} picks one of an empty list", hint)
        if len(items) == 1:
            return items[0]
        return items[self.roll(label, Dice(1, len(items)), to)[0] - 1]

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        """`items` in a random order, every order equally likely; 20 items at most.

        Rolls one die with n! sides and reads it in the factorial number system, so that one label
        and one proof cover the whole order. Raises RulesFault for more items: 21! sides are more
        than a roll has values.
        """
        rest = list(items)
        if len(rest) > MOST_SHUFFLED:
            raise fault(
                f"{label} shuffles {len(rest)} items, and one roll can order {MOST_SHUFFLED}",
                "shuffle them in portions, or pick one after the other",
            )
        if len(rest) < 2:
            return rest
        code = self.roll(label, Dice(1, factorial(len(rest))), to)[0] - 1
        order = []
        for left in range(len(rest), 0, -1):
            at, code = divmod(code, factorial(left - 1))
            order.append(rest.pop(at))
        return order

    def tell(self, to: Sequence[Side], event: Event) -> None:
        """Tell an event to its audience, which knows it from now on; empty: the referee alone.

        Raises RulesFault if a side is unknown.
        """
        self._require_sides(to, f"tells {type(event).__name__} to")
        self._dealer.tell(tuple(to), event)

    def _require_sides(self, sides: Iterable[Side], does: str) -> None:
        """Raise RulesFault if any is not a side of the scenario. does: for the message."""
        for side in sides:
            if side not in self.sides:
                raise fault(
                    f"the script {does} {side!r}, which is no side of this scenario",
                    f"sides: {', '.join(self.sides)}",
                )

    def _with_defaults(self, asked: Asked) -> dict[Side, list[Question]]:
        return {side: [self._with_default(side, q) for q in qs] for side, qs in asked.items()}

    def _with_default(self, side: Side, question: Question) -> Question:
        """The question; if the side's orders answer it, with their answer as its default."""
        answer = question.answer(self._dealer.books[side], self._dealer.facts(side))
        return question if answer is None else structs.replace(question, default=answer)

    def _owing(self, owed: Sequence[Side], asked: Sequence[Side] = ()) -> tuple[Side, ...]:
        """The sides that must answer, in the scenario's order; empty if that is every side.

        asked: the sides with questions in their reports. Raises RulesFault.
        """
        if unknown := ", ".join(repr(side) for side in owed if side not in self.sides):
            raise fault(f"owed names {unknown}; the sides are {', '.join(self.sides)}")
        if silent := ", ".join(side for side in asked if owed and side not in owed):
            raise fault(f"{silent} is asked by mail and must be named in owed as well")
        found = tuple(side for side in self.sides if side in owed)
        return () if found == self.sides else found

    def _mailable(self, question: Question) -> bool:
        return question.source == "any" and isinstance(question, self._mailed)

    def _answers(
        self, side: Side, put: Sequence[Question], left: Sequence[Question]
    ) -> list[Value]:
        """The answers mailed in this window as Q1, Q2 ..., and the defaults of the rest.

        put: the questions as they were mailed; left: the same, with the defaults that orders of
        the window's set have changed. Only questions that were mailed have a number.
        """
        given, number = self._dealer.books[side].answers, 0
        answers = []
        for was, now in zip(put, left, strict=True):
            mailed = self._mailable(was)
            number += mailed
            said = given.get(f"Q{number}") if mailed else None
            if said is None or (said == was.default != now.default and self._ordered(side, now)):
                said = now.default
            answers.append(said)
        return answers

    def _ordered(self, side: Side, question: Question) -> bool:
        """Do orders of the set that came with the question answer it?"""
        alone = self._dealer.books[side].newest()
        return question.answer(alone, self._dealer.facts(side)) is not None


def _require_default(question: Question) -> None:
    """Raise RulesFault if the question has choices and its default is none of them.

    An empty default is the answer of a side that gives none.
    """
    if question.choices and question.default not in (*question.choices, ""):
        raise fault(
            f"the default of {type(question).__name__} about {question.about!r} is "
            f"{question.default!r}, which is not among its choices",
            f"choices: {', '.join(question.choices)}",
        )


class _Wait:
    """What `await` waits for: hands the pause to the driver, which calls the script again."""

    def __init__(self, pause: Pause) -> None:
        self.pause = pause

    def __await__(self) -> Generator[Pause, None, None]:
        yield self.pause
