"""What all parts of the parser share: the tokens with the words they may be, and a mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from orders.canon import Fault, Token, words
from orders.model import Span
from orders.reading import plain
from orders.vocabulary import Phrases, Vocabulary

_SHOWN = 40
_HINTED = 24
_PARTS = 6
"""Words into which a name may be broken."""
_ALIKE = 0.8
"""How close several words must be to a name; more of them are alike by chance than single ones."""


Hint = str | Callable[[], str]


class Mistake(Exception):  # noqa: N818  a player makes it, not the program
    """One order cannot be understood. start, end: token indices, end exclusive.

    hint may be a function, because looking for similar words is slow and only the first mistakes of
    a hopeless text are shown.
    """

    def __init__(self, code: str, text: str, start: int, end: int, hint: Hint = "") -> None:
        super().__init__(text)
        self.code, self.text, self.start, self.end, self.hint = code, text, start, end, hint


class Cursor(Struct, frozen=True):
    """The tokens of one block, as bare texts and with their places, and the vocabulary.

    declared: the new names that orders of the set have given so far (`as TF6`).
    """

    text: str
    tokens: Sequence[Token]
    texts: Sequence[str]
    vocabulary: Vocabulary
    declared: list[str] = []

    def span(self, start: int, end: int) -> Span:
        """Where tokens[start:end] stand; an empty stretch points behind the token before it."""
        if end > start:
            return Span(self.tokens[start].start, self.tokens[end - 1].end)
        at = self.tokens[start - 1].end
        return Span(at - 1, at)

    def said(self, start: int, end: int) -> str:
        """Those tokens as the player wrote them, printable and short, in quotes."""
        span = self.span(start, end)
        shown = plain(self.text[span.start : span.end])
        if "[" in shown or "\n" in self.text[span.start : span.end]:
            shown = " ".join(plain(self.text[t.start : t.end]) for t in self.tokens[start:end])
        shown = shown.strip('" ') or shown
        return f"'{shown if len(shown) <= _SHOWN else shown[: _SHOWN - 3] + '...'}'"

    def gone(self, start: int, end: int, fate: str) -> Mistake:
        """The mistake of naming a unit that is gone; fate: what became of it."""
        text = f"{self.said(start, end)} {fate}"
        return Mistake("unknown-unit", text, start, end, "leave it out")

    def fault(self, mistake: Mistake) -> Fault:
        """The mistake with its place in the text."""
        span = self.span(mistake.start, mistake.end)
        hint = mistake.hint if isinstance(mistake.hint, str) else mistake.hint()
        return Fault(mistake.code, mistake.text, span, hint)

    def named(self, names: Phrases, at: int, end: int) -> tuple[str, int] | None:
        """The name at `at`, in quotes or bare: its meaning and where it ends."""
        if self.texts[at] != '"':
            return names.match(self.texts, at, end)
        close = self.closing(at, end)
        meaning = names.exact.get(tuple(self.texts[at + 1 : close]))
        return None if meaning is None else (meaning, close + 1)

    def closing(self, at: int, end: int) -> int:
        """The quote that closes the one at `at`. Raises Mistake without one."""
        for i in range(at + 1, end):
            if self.texts[i] == '"':
                return i
        raise Mistake("open-quote", "this quote is not closed", at, at + 1, 'write "NAME"')

    def extent(self, at: int, end: int) -> int:
        """The index behind the word or quoted name at `at`, to point at all of it."""
        if self.texts[at] != '"':
            return min(at + 1, end)
        return next((i + 1 for i in range(at + 1, end) if self.texts[i] == '"'), end)


def some(values: Sequence[str]) -> str:
    """The first eight, and dots where there are more."""
    return ", ".join(values[:8]) + (" ..." if len(values) > 8 else "")


def beyond(place: str, known: Iterable[str]) -> str:
    """`row E ends at E19` for a place E22; empty for one that is not outside a numbered row."""
    letters = place.rstrip("0123456789")
    row = {int(rest) for name in known if (rest := _number(name, letters))}
    wanted = int(_number(place, letters) or 0)
    if not letters or not row or min(row) <= wanted <= max(row):
        return ""
    ends, at = ("ends", max(row)) if wanted > max(row) else ("begins", min(row))
    return f"row {letters} {ends} at {letters}{at}"


def _number(place: str, letters: str) -> str:
    """The digits that follow the letters of a row; empty for a place elsewhere."""
    rest = place.removeprefix(letters)
    return rest if rest != place and rest.isascii() and rest.isdigit() and len(rest) < 5 else ""


def parted(texts: Sequence[str], known: Iterable[str]) -> str:
    """`did you mean 'st johns'?` where the first texts are a known name, but for the gaps between
    its words: `St. John's`, `STJOHNS`, `St-Johns`, or nearly one of several words: `Saint Johns`;
    empty where they are not."""
    split = {name: [word for word in words(name) if word != "-"] for name in known}
    said = [text for text in texts if text != "-"][:_PARTS]
    meant = {"".join(parts): name for name, parts in split.items()}
    for i in range(len(said)):
        if name := meant.get("".join(said[: i + 1])):
            return f"did you mean '{name}'?"
    several = {" ".join(parts): name for name, parts in split.items() if len(parts) > 1}
    for i in range(1, len(said)):
        if close := closest(" ".join(said[: i + 1]), several, _ALIKE):
            return f"did you mean '{several[close]}'?"
    return ""


def near(word: str, known: Iterable[str]) -> str:
    """`did you mean 'move'?` from the listed words alone, empty when none is close."""
    close = closest(word, known)
    return f"did you mean '{close}'?" if close else ""


def closest(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """The listed word that is most like this one, empty when none is close. alike: how close, at
    most 1."""
    import difflib

    folded = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.strip("'\" ").lower()[:_HINTED], folded, 1, alike)
    return folded[close[0]] if close else ""
