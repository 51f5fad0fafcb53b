"""What both sides want in encounters and battles: by orders in force, and by answers mailed before.

An `asked` game mails as few questions as it can. So an answer that differs from what orders said
holds on, until its question is mailed again or orders say something else than they did then.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from games.bismarck.facts import knows
from games.bismarck.state import War
from orders.book import Book
from pbem.kit.doctrine import Kind, said
from pbem.model import Question, Side, TableLike

Asked = Mapping[Side, Mapping[str, Question]]
"""The questions of each side, by a key of the rules' own: `HANDLE HOOD`."""
Said = Mapping[Side, Mapping[str, str]]
"""What each side wants, by the same keys."""


class Answers:
    """The answers of one turn's encounters."""

    def __init__(self, table: TableLike, books: Mapping[Side, Book] | None = None) -> None:
        """books: the orders in force, by which an owner hears what of them cannot be done."""
        self._table = table
        self.books = books or {}
        self._held: dict[tuple[Side, str], tuple[str, str]] = {}
        """What orders said when the answer came, and the answer."""

    async def mail(self, asked: Asked) -> None:
        """Put questions to both sides at once, by mail where the game is `asked`.

        Orders that come with the answers count; an answer counts more.
        """
        before = await self._ordered(asked)
        mailed = await self._table.ask_each({s: [*asked[s].values()] for s in asked})
        after = await self._ordered(asked)
        for side, questions in asked.items():
            for (key, question), answer in zip(questions.items(), mailed[side], strict=True):
                self._held.pop((side, key), None)
                if answer != (before[side][key] or question.default):
                    self._held[side, key] = after[side][key], str(answer)

    def explicit(
        self, war: War, side: Side, actors: tuple[str, ...], kind: type[Kind]
    ) -> Kind | None:
        """The order in force that a side wrote for one of these units, whatever was answered."""
        book = self.books.get(side)
        return said(book, actors, kind, knows(war, side)) if book else None

    async def find(self, asked: Asked) -> dict[Side, dict[str, str]]:
        """What the sides want now; no mail is waited for."""
        ordered = await self._ordered(asked)
        return {
            side: {key: self._now(side, key, q, ordered[side][key]) for key, q in questions.items()}
            for side, questions in asked.items()
        }

    def _now(self, side: Side, key: str, question: Question, ordered: str) -> str:
        then, answer = self._held.get((side, key), ("", ""))
        if answer and then == ordered and (not question.choices or answer in question.choices):
            return answer
        return ordered or str(question.default)

    async def _ordered(self, asked: Asked) -> dict[Side, dict[str, str]]:
        """What orders in force say; empty where they say nothing."""
        found = await self._table.ask_each(
            {
                side: [replace(q, source="orders", default="") for q in questions.values()]
                for side, questions in asked.items()
            }
        )
        return {
            side: dict(zip(asked[side], map(str, answers), strict=True))
            for side, answers in found.items()
        }
