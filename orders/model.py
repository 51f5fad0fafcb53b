"""What an order file says once it is understood: typed, immutable, free of any game.

`Action` is generic on purpose: it can be stored, printed and compared without knowing the
system. Rules read it through the struct that the verb declares (`orders.book.Book.find`).
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Value = str | int | list[str]
"""A name, zone, contact or word is `str`; a whole number is `int`; a path or list is
`list[str]`. Numbers with decimals stay canonical text, so that no float is ever compared. A point
or a row is `str`, and rows are `list[str]` (`orders.rows`)."""


class Span(Struct, frozen=True):
    """A stretch of the text as the player wrote it: offsets into it, end exclusive."""

    start: int
    end: int


class Action(Struct, frozen=True, dict=True):
    """One verb with its arguments by name; absent optional arguments are left out.

    `orders.rows.made` caches it as the struct of its verb, in its `__dict__`.
    """

    verb: str
    args: dict[str, Value] = {}


Comparison = Literal["is", "over", "under", "at least", "at most"]


class Test(Struct, frozen=True):
    """One comparison of a condition: `enemy evasion over own`, `contact at least BB`.

    A bare flag (`night`) has op `is` and right `YES`.
    """

    left: str
    """A term."""
    op: Comparison
    """The canonical comparison."""
    right: Value
    """A literal, or the name of another term when `term` says so."""
    negated: bool = False
    term: bool = False
    scale: tuple[str, ...] = ()
    """The values of a rank, weakest first, so that a stored test needs no grammar to be judged."""
    of: str | UnsetType = UNSET
    """What the left term is about: the unit, contact or place of `range of C3`."""
    other: str | UnsetType = UNSET
    """What the right term is about."""


class Condition(Struct, frozen=True):
    """Tests joined by one joiner; `and` and `or` never mix (docs/orders.md)."""

    tests: tuple[Test, ...]
    joiner: Literal["and", "or"] = "and"


class Order(Struct, frozen=True, dict=True):
    """One instruction to one actor. `orders.show.line` keeps its text in its `__dict__`."""

    actor: str
    actions: tuple[Action, ...]
    """Several where `also` joins them."""
    when: Condition | None = None
    """The condition that chooses `actions` or `otherwise`."""
    otherwise: tuple[Action, ...] = ()
    standing: bool = False
    """Written with `@`: stays until replaced."""
    turn: int | None = None
    """Written with `turn N`: kept for that turn of the system; None is the turn being played."""
    trigger: str | UnsetType = UNSET
    """Written with `when`: binds only as a reaction to that trigger."""


class OrderSet(Struct, frozen=True):
    """Everything one signed file orders, without its header.

    orders: in the order written. answers: question id (`Q1`) to the answer as listed in the
    question. cleared: actors whose standing orders `@X: none` removes. words: FINAL, ABSENT,
    RESIGN, CONSENT, RUN, LINKS, PREFER, with the rest of their order as value.
    """

    orders: tuple[Order, ...] = ()
    answers: dict[str, Value] = {}
    cleared: tuple[str, ...] = ()
    words: dict[str, str] = {}


class Header(Struct, frozen=True):
    """The header of an order file; hex fields are lower-case digits without spaces."""

    game: str
    setup: str
    window: int
    side: str
    seq: int
    report: str
    link: str
    moderator: str
    anchor: str = ""
