"""The orders of 2nd Fleet. Numbers are those of RULES.md.

The orders of one unit in a segment are its activation, carried out in the order written; units
follow each other in the order in which they are first named.
"""

from typing import Annotated, Literal

from msgspec import Struct

from games.second_fleet import advanced_verbs
from games.second_fleet.board import BASES, HEXES
from games.second_fleet.facts import TERMS
from orders.declare import (
    Name,
    Path,
    Units,
    grammar,
    keyword,
    number,
    path,
    rows,
    units,
    verb,
)
from orders.verbs import Arg

_CONTACT = Arg("", "contact")
"""An enemy that an order may leave out."""
_HEX = Arg("", "place")
ZoneWord = Literal["ls", "na", "bi", "ic", "ns", "gs", "sv", "bs"]
Prey = Literal["cv", "tf", "tg", "single", "sub"]
Optional = Literal["cv", "tf", "tg", "single", "sub", ""]
Layers = Literal["air", "sub", "surf", "pass"]
LaterLayers = Literal["air", "sub", "surf", "pass", ""]
Speed = Literal["full", "high", ""]
Warhead = Literal["nuclear", ""]
Mates = Annotated[tuple[str, ...], units(1, 12), keyword("with")]
Aimed = Literal[
    "top", "all", "field", "port",
    "cv", "bb", "aa", "cr", "cs", "am", "st", "tk", "cg", "cl", "dd", "ff", "pc",
]  # fmt: skip
Listed = Literal[
    "cv", "bb", "aa", "cr", "cs", "am", "st", "tk", "cg", "cl", "dd", "ff", "pc", "",
]  # fmt: skip


class Aim(Struct, frozen=True):
    """A target by its type, and how many shares of the points it gets."""

    what: Aimed
    share: Annotated[int, number(1, 9)]


Aims = Annotated[tuple[Aim, ...], rows(1, 5), keyword("at")]


# Strategic air missions


@verb("98", example="USP3A: recon ns cv sub;", once="mission")
class Recon(Struct, frozen=True):
    """Look for ships, or for a submarine, all over a zone; name what to look for first."""

    zone: ZoneWord
    first: Optional = ""
    second: Optional = ""
    third: Optional = ""
    near: Annotated[str, _HEX, keyword()] = ""


@verb("44", example="USF15A: intercept ns;", once="mission")
class Intercept(Struct, frozen=True):
    """Fight enemy interceptors over a zone and drive other missions out of it."""

    zone: ZoneWord


@verb("48", example="USP3A: coordinate ns;", synonyms=("tac",), once="mission")
class Coordinate(Struct, frozen=True):
    """Guide attacks in a zone: each squadron adds 1 to one of them."""

    zone: ZoneWord


# Air patrols


@verb("61", example="USF15A: cap range 4 least 1;", once="strike")
class Cap(Struct, frozen=True):
    """Patrol over the base, with up to two more squadrons from it, or others from carriers of the
    same hex; attack aircraft that come within range, if at least so many fly together."""

    mates: Mates = ()
    range: Annotated[int, number(1, 4), keyword()] = 4
    least: Annotated[int, number(1, 4), keyword()] = 1


# Segments


@verb("12", example="NATO: segment air surf sub;", once="segment", setting=True)
class Segment(Struct, frozen=True):
    """What to activate in this segment, and in those after it."""

    first: Layers
    second: LaterLayers = ""
    third: LaterLayers = ""


@verb("83", example="NATO: form HAMMER with YORK, SHFLD;")
class Form(Struct, frozen=True):
    """Make ships of one hex a group: a Task Force of four or more combat ships, else a Task Group.
    It is done as your surface segment begins."""

    name: Name
    ships: Annotated[tuple[str, ...], units(2, 40), keyword("with")]


@verb("83", example="SCOTT: join ANVIL;", once="group")
class Join(Struct, frozen=True):
    """Sail with a group of the same hex from the start of your surface segment."""

    group: Annotated[str, Arg("", "unit")]


@verb("83", example="SCOTT: leave;", once="group")
class Leave(Struct, frozen=True):
    """Sail alone from the start of your surface segment."""


@verb("86", example="ANVIL: move 2929 2828;", once="move")
class Move(Struct, frozen=True):
    """Sail through these hexes. A submarine at full speed makes one more, and is found by it."""

    path: Path
    speed: Speed = ""
    mates: Mates = ()


@verb("86", example="ANVIL: go 2820;", once="move")
class Go(Struct, frozen=True):
    """Sail for a hex, or for a contact, as far as the speed allows, by the shortest way."""

    hex: Annotated[str, _HEX] = ""
    contact: Annotated[str, _CONTACT] = ""
    speed: Speed = ""
    mates: Mates = ()


@verb("86", example="ANVIL: attack asw 2830 tac 1;")
class Attack(Struct, frozen=True):
    """Attack a contact, or all that is in a hex, or a base.

    at: types and their shares of the points, `at cv 2 dd 1`; by default all go to the highest. tac:
    squadrons of the zone that guide it. nuclear: with nuclear weapons. with: others of the hex.
    """

    weapon: Literal["asw", "ssm", "torpedo", "close"]
    contact: Annotated[str, _CONTACT] = ""
    hex: Annotated[str, _HEX] = ""
    aims: Aims = ()
    tac: Annotated[int, number(0, 3), keyword()] = 0
    warhead: Warhead = ""
    mates: Mates = ()


@verb("93", example="SOT26A: strike ssm 2830 tac 1;", once="strike")
class Strike(Struct, frozen=True):
    """Fly to a contact, a hex or a base, attack, and land.

    with: others from the same place, four in all; escort: which of them fight patrols instead of
    attacking; load: special missiles; by: hexes on the way; land: where, if not at the base.
    """

    weapon: Literal["bomb", "ssm", "asw"]
    contact: Annotated[str, _CONTACT] = ""
    hex: Annotated[str, _HEX] = ""
    load: Literal["harpoon", "maverick", "seaeagle", ""] = ""
    aims: Aims = ()
    tac: Annotated[int, number(0, 3), keyword()] = 0
    warhead: Warhead = ""
    mates: Annotated[tuple[str, ...], units(1, 3), keyword("with")] = ()
    escort: Annotated[tuple[str, ...], units(1, 3), keyword()] = ()
    by: Annotated[tuple[str, ...], path(1, 20), keyword()] = ()
    land: Annotated[str, _HEX, keyword()] = ""


@verb("93", example="USF15A: transfer 3733;", once="strike")
class Transfer(Struct, frozen=True):
    """Fly to another airfield of ours, or from carrier to carrier, and land there."""

    hex: Annotated[str, _HEX]
    mates: Annotated[tuple[str, ...], units(1, 3), keyword("with")] = ()


# Standing orders


@verb("141", example="@ANVIL: array cv ff dd;", once="array", setting=True)
class Array(Struct, frozen=True):
    """How ships stand under attack, from the top: each covers the one above it. Types that are not
    named follow in the usual order."""

    first: Listed
    second: Listed = ""
    third: Listed = ""
    fourth: Listed = ""
    fifth: Listed = ""


@verb("6.14/13", example="@NATO: losses weakest;", once="losses", setting=True)
class Losses(Struct, frozen=True):
    """Which aircraft of ours suffer first in the air: damaged ones, the weakest, the strongest."""

    what: Literal["damaged", "weakest", "strongest"]


GRAMMAR = grammar(
    __name__,
    advanced_verbs.__name__,
    terms=TERMS,
    places=HEXES,
    aliases={part.upper(): hex_ for hex_, base in BASES.items() for part in base.name.split("/")},
)
__all__ = ["GRAMMAR", "Units"]
