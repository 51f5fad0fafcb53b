"""Terms of conditions, each declared by the function that answers it.

    TERMS = Terms[War]()

    @TERMS.number
    def fuel(war: War, side: Side, actor: str) -> int | None:
        \"\"\"Own fuel left (5.2).\"\"\"
        ...

    GRAMMAR = grammar(__name__, terms=TERMS)

The name of the term is that of the function, with spaces (`enemy_ships`: `enemy ships`), its help
the docstring. The function gets the truth and may answer only what `side` has been told; None is
what the side does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Literal, TypeVar

from orders.book import Facts
from orders.model import Value
from orders.verbs import About, DeclarationError, Term, TermKind

S = TypeVar("S")
A = TypeVar("A", bound=Callable[..., Value | None])
F = TypeVar("F", bound=Callable[..., bool | None])


class Terms(Generic[S]):
    """The terms of a system whose state is `S`, in the order in which help lists them."""

    def __init__(self) -> None:
        self._terms: dict[str, Term] = {}
        self._answers: dict[str, Callable[..., Value | None]] = {}
        self._of: About = ""

    def of(self, what: About) -> Terms[S]:
        """The same terms; those that are declared through it are about something.

            @TERMS.of("contact").number
            def range_of(war: War, side: Side, actor: str, contact: str) -> int | None:

        declares `range of C3`. The function gets the name that the side's report has for it.
        """
        same = Terms[S]()
        same._terms, same._answers, same._of = self._terms, self._answers, what
        return same

    def __iter__(self) -> Iterator[Term]:
        """The terms, for a grammar."""
        return iter(self._terms.values())

    def number(self, answer: A) -> A:
        """Declare a function (state, side, actor) as a term that is a number."""
        self.add(_named(answer), "number", answer, help=_help(answer))
        return answer

    def flag(self, answer: F) -> F:
        """Declare a function (state, side, actor) as a term that holds or not: it gives a bool."""
        self.add(_named(answer), "flag", answer, help=_help(answer))
        return answer

    def rank(self, *values: str) -> Callable[[A], A]:
        """Declare a function (state, side, actor) as a term with these values, weakest first."""
        return self._one_of("rank", values)

    def word(self, *values: str) -> Callable[[A], A]:
        """Declare a function (state, side, actor) as a term with these values."""
        return self._one_of("word", values)

    def add(
        self,
        name: str,
        kind: TermKind,
        answer: Callable[..., Value | bool | None],
        values: tuple[str, ...] = (),
        help: str = "",
    ) -> None:
        """Declare a term by a function without a name of its own, such as a lambda.

        Raises DeclarationError if there is such a term already, or it has no values.
        """
        if name in self._terms:
            raise _wrong(answer, f"there are two terms {name!r}")
        if kind in ("rank", "word") and not values:
            raise _wrong(answer, f"the term {name!r} is a {kind}: list its values")
        self._terms[name] = Term(name, kind, values, help, self._of)
        self._answers[name] = _as_value(answer) if kind == "flag" else answer

    def facts(self, state: S, side: str) -> Facts:
        """What `side` knows: a function (term, actor) -> value, None for what it does not know.

        Of a term that is about something (`range of C3`), the function takes that as a third
        argument, and so does the term's own function, as its fourth.
        """

        def fact(term: str, actor: str, *of: str) -> Value | None:
            answer = self._answers.get(term)
            return answer(state, side, actor, *of) if answer else None

        return fact

    def _one_of(self, kind: Literal["rank", "word"], values: tuple[str, ...]) -> Callable[[A], A]:
        def declare(answer: A) -> A:
            self.add(_named(answer), kind, answer, values, _help(answer))
            return answer

        return declare


def _named(answer: Callable[..., object]) -> str:
    """The term of a function: `enemy_ships` as `enemy ships`."""
    return answer.__name__.replace("_", " ")


def _help(answer: Callable[..., object]) -> str:
    """The first paragraph of the function's docstring. Raises DeclarationError without one."""
    text = " ".join((answer.__doc__ or "").partition("\n\n")[0].split())
    if not text:
        raise _wrong(answer, f"the term {_named(answer)!r} has no docstring, which is its help")
    return text


def _wrong(answer: Callable[..., object], text: str) -> DeclarationError:
    """The error, with the place of the function in the source."""
    code = getattr(answer, "__code__", None)
    return DeclarationError(f"{code.co_filename}:{code.co_firstlineno}: {text}" if code else text)


def _as_value(answer: Callable[..., Value | bool | None]) -> Callable[..., Value | None]:
    """The answer of a flag as the words that conditions compare."""

    def worded(*asked: object) -> Value | None:
        holds = answer(*asked)
        return None if holds is None else "YES" if holds else "NO"

    return worded
