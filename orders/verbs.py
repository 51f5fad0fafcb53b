"""The verb table: how a game declares its order language.

A game declares each verb once (`orders.declare`); the parser, the printer, the checker, the order
form, the menu in report.json and `pbem rules` all read this one table.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from orders.model import Order, Value

Kind = Literal[
    "place",
    "path",
    "places",
    "unit",
    "units",
    "contact",
    "word",
    "number",
    "name",
    "direction",
    "bearing",
    "point",
    "row",
    "rows",
]
"""What an argument is.

place: one zone or port. path: zones entered in order. places: a list of zones, `F19-F21`
being a range. unit: one of the side's own. units: one or more own. contact: an enemy as this
side knows it. word: one of `choices`. number: `[0-9]{1,4}`, with decimals where `decimals`
says so. name: a new name that the player chooses (`AS TF6`). direction: a compass point.
bearing: degrees from 0 to 359, which may be written as one of the 16 compass points. point: two
numbers, `12.5 30`. row: several values side by side, `harpoon 4`. rows: one row after another,
`ahead 2.5 starboard 45 ahead 1`; a path of points is rows of one point each.
"""


class DeclarationError(ImportError):
    """A verb, term, grammar or menu item that is declared wrongly, with the place in the source.

    An ImportError, because a module with such a mistake cannot be imported.
    """


class Arg(Struct, frozen=True):
    """One argument of a verb."""

    name: str
    kind: Kind
    keyword: str = ""
    """The word that introduces it (`speed` in `speed full`); without one it is positional."""
    optional: bool = False
    """It may be left out."""
    choices: tuple[str, ...] = ()
    """For kind `word`: the words in canonical lower case."""
    least: int = 0
    """Lower bound of a number, of both numbers of a point, or of how many items a list holds."""
    most: int = 9999
    """Upper bound."""
    decimals: int = 0
    """Digits allowed behind the point, of a number, a bearing or both numbers of a point."""
    of: tuple["Arg", ...] | UnsetType = UNSET
    """For kinds `row` and `rows`: the parts of a row, in the order in which they are written. Each
    is one value: a place, unit, contact, word, number, direction, bearing or point."""


class Verb(Struct, frozen=True):
    """One verb of a game."""

    name: str
    type: type[Struct]
    """The struct that rules read it as; its fields are the argument names."""
    args: tuple[Arg, ...] = ()
    help: str = ""
    """One sentence."""
    example: str = ""
    """A whole order that must parse (`orders.declare.check_examples`)."""
    rule: str = ""
    """The rulebook's number."""
    synonyms: tuple[str, ...] = ()
    """Other words for it; they are listed because abbreviations are never guessed."""
    once: str = ""
    """Orders whose verbs share a word here contradict each other: of those that one actor gets for
    one time, the first alone would ever be carried out. Several words stand with spaces between
    them. Empty: the verb contradicts no other."""
    setting: bool = False
    """It says how its actor acts, not what it does next: `torpedo hold`, `retire damaged`. Settings
    stand beside the other orders of their actor until one about the same matter comes."""


TermKind = Literal["number", "rank", "word", "flag"]
About = Literal["", "unit", "contact", "either", "place"]
"""What a term is about."""


class Term(Struct, frozen=True):
    """A word that conditions may test: `visibility`, `contact`, `enemy evasion`.

    kind: `number` compares by size; `rank` by the order of `values` (weakest first); `word`
    and `flag` only with `is`. of: what stands behind the term, `range of C3`, where the name is
    `range of`: an own unit, a contact, either of them, or a place; empty for terms about the
    actor or the whole game.
    """

    name: str
    kind: TermKind
    values: tuple[str, ...] = ()
    help: str = ""
    of: About = ""


class Trigger(Struct, frozen=True):
    """Something that orders may wait for: `when sighted then ...`.

    The script asks `orders.book.Book.reactions` where it happens, for a side that knows of it.
    """

    name: str
    help: str = ""
    """One sentence on when it happens."""


class Grammar(Struct, frozen=True):
    """A game's whole order language."""

    verbs: tuple[Verb, ...]
    terms: tuple[Term, ...] = ()
    places: frozenset[str] = frozenset()
    aliases: dict[str, str] = {}
    """Printed names of places (`SCAPA FLOW`) to their zone."""
    place: Callable[[str], bool] = lambda _: False
    """Is an upper-case token shaped like a place of this board? The board's own list decides
    whether it exists."""
    between: Callable[[str, str], tuple[str, ...] | None] = lambda _a, _b: None
    """The zones of a range `F19-F21` in order, None when it has none."""
    knows: Callable[[Any, str], Callable[[str, str], Value | None]] = lambda _s, _side: _unknown
    """(state, side) -> (term, actor) -> what the side knows of the term, None if it does not."""
    triggers: tuple[Trigger, ...] = ()
    """What orders may wait for; without any, `when` is a word like others."""

    def exclusive(self) -> tuple[frozenset[str], ...]:
        """The verbs of which an actor carries out one, in groups (`Verb.once`)."""
        words = sorted({word for verb in self.verbs for word in verb.once.split()})
        return tuple(
            frozenset(v.name for v in self.verbs if word in v.once.split()) for word in words
        )

    def verb(self, name: str) -> Verb:
        """The verb of that canonical name. Raises KeyError."""
        return {v.name: v for v in self.verbs}[name]

    def settings(self) -> dict[str, str]:
        """The verbs that are settings, each with its matter: verbs with one `once` share it."""
        return {v.name: v.once or v.name for v in self.verbs if v.setting}


def matters(order: Order, settings: Mapping[str, str]) -> frozenset[str]:
    """What an order is about: the matters of its settings, and the empty text if it says anything
    else. An order replaces its actor's earlier ones that share a matter with it.

    settings: as `Grammar.settings` gives them.
    """
    return frozenset(settings.get(a.verb, "") for a in (*order.actions, *order.otherwise))


def _unknown(term: str, actor: str) -> None:
    """What a side knows of terms that nobody answers."""
