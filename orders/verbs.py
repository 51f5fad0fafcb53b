"""The verb table: how a game declares its order language.

A game lists its verbs once; the parser, the printer, the checker, the order form, the menu
in report.json and `pbem rules` all read this one table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

Kind = Literal[
    "place", "path", "places", "unit", "units", "contact", "word", "number", "name", "direction"
]
"""What an argument is.

place: one zone or port. path: zones entered in order. places: a list of zones, `F19-F21`
being a range. unit: one of the side's own. units: one or more own. contact: an enemy as this
side knows it. word: one of `choices`. number: `[0-9]{1,4}`, with decimals where `decimals`
says so. name: a new name that the player chooses (`AS TF6`). direction: a compass point.
"""


class Arg(Struct, frozen=True):
    """One argument of a verb.

    keyword: the word that introduces it (`speed` in `speed full`); without one it is
    positional. optional: may be left out. choices: for kind `word`, the words in canonical
    lower case. least, most: bounds of a number, or of how many zones or units a list holds.
    decimals: digits allowed behind the point.
    """

    name: str
    kind: Kind
    keyword: str = ""
    optional: bool = False
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 9999
    decimals: int = 0


class Verb(Struct, frozen=True):
    """One verb of a game.

    type: the struct that rules read it as; its fields are the argument names.
    help: one sentence. example: a whole order that must parse. rule: the rulebook's number.
    synonyms: other words for it, listed because prefixes are never guessed.
    """

    name: str
    type: type[Struct]
    args: tuple[Arg, ...] = ()
    help: str = ""
    example: str = ""
    rule: str = ""
    synonyms: tuple[str, ...] = ()


class Term(Struct, frozen=True):
    """A word that conditions may test: `visibility`, `contact`, `enemy evasion`.

    kind: `number` compares by size; `rank` by the order of `values` (weakest first); `word`
    and `flag` only with `is`. rule: why it matters.
    """

    name: str
    kind: Literal["number", "rank", "word", "flag"]
    values: tuple[str, ...] = ()
    help: str = ""


class Grammar(Struct, frozen=True):
    """A game's whole order language.

    place: tells whether an upper-case token is shaped like a place of this board; the board's
    own list decides whether it exists. aliases: printed names of places (`SCAPA FLOW`) to
    their zone. between: the zones of a range `F19-F21` in order, or None when it has none.
    """

    verbs: tuple[Verb, ...]
    terms: tuple[Term, ...] = ()
    places: frozenset[str] = frozenset()
    aliases: dict[str, str] = {}
    place: Callable[[str], bool] = lambda _: False
    between: Callable[[str, str], tuple[str, ...] | None] = lambda _a, _b: None

    def verb(self, name: str) -> Verb:
        """The verb of that canonical name. Raises KeyError."""
        return {v.name: v for v in self.verbs}[name]
