"""The order language of the cruiser war: its verbs, and the whole grammar.

Orders for one side as a whole have the side's own name as actor (`BRITISH: seek any;`). An order
for a ship that leads a squadron is for all of it; doctrine orders of the ship count before those of
its leader, and those before its side's.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from games.far_seas import board
from games.far_seas.facts import TERMS
from orders.declare import Contact, Place, Unit, Units, grammar, keyword, number, verb, word

LANDINGS = ("tsingtao", "kamerun", "samoa", "new guinea")
StationName = Annotated[str, word(*sorted(station.lower() for station in board.STATIONS))]

# Movement, both sides


@verb("M5", example="EMDEN: move 29;", synonyms=("sail", "go"), once="move")
class Move(Struct, frozen=True):
    """Go to an adjacent area; say `by canal` for the Panama Canal.

    G1 The canal is declared.
    """

    area: Place
    by: Annotated[Literal["", "canal"], keyword()] = ""


@verb("M5", example="EMDEN: cruise;", synonyms=("stay",), once="move")
class Cruise(Struct, frozen=True):
    """Move within the area: the ship may search and be searched for.

    From the Start box to the Moved box.
    """


@verb("M5", example="GNEISENAU: join SCHARNHORST;", once="move")
class Join(Struct, frozen=True):
    """Join that ship's squadron and move with it."""

    ship: Unit


@verb("M5", example="GNEISENAU: part;", synonyms=("leave",), once="move")
class Part(Struct, frozen=True):
    """Leave the squadron.

    The ship's own orders then move it.
    """


@verb("G2", example="KONIGSBERG: river;", synonyms=("enter river", "watch river"), once="move seek")
class River(Struct, frozen=True):
    """Enter the Rufiji, or stay in it; an Allied ship watches beside it."""


# Germans


@verb("M5", example="EMDEN: raid madras;", once="move prey")
class Raid(Struct, frozen=True):
    """Raid a station in this area or an adjacent one."""

    station: StationName


@verb("found f", example="EMDEN: attack convoy;", once="prey")
class AttackConvoy(Struct, frozen=True):
    """Attack the convoy where the move ends."""


@verb("E1", example="EMDEN: capture none;", once="capture", setting=True)
class Capture(Struct, frozen=True):
    """Take merchants at the end of the segment, or none."""

    what: Literal["all", "none"] = "all"


@verb("S11", example="EMDEN: surprise any odds 0.8;", setting=True)
class Surprise(Struct, frozen=True):
    """Fall on an Allied ship in the Moved box; `odds 0.8` only on weaker ones.

    A squadron does so as one: its leader's order counts, else that of another of its ships.

    odds: at most this much enemy strength for one of its own.
    """

    what: Literal["", "any", "none"] = ""
    prey: Contact = ""
    odds: Annotated[str, number(0, 99, decimals=1), keyword()] = ""


@verb("found b", example="CORMORAN: intern;", once="move")
class Intern(Struct, frozen=True):
    """Give the liner up to a neutral port of the area."""


@verb("G9", example="DRESDEN: return;", synonyms=("return home",), once="move")
class Return(Struct, frozen=True):
    """Try to get home to Germany from area 2."""


# Allies


@verb("M3", example="KENT: hold;", once="move")
class Hold(Struct, frozen=True):
    """Stay in the Start box.

    The ship neither moves nor searches.
    """


@verb("M6", example="FOX: convoy 30;", once="move seek")
class Convoy(Struct, frozen=True):
    """Cover the merchants here, or of an adjacent area."""

    area: Place = ""


@verb("M7", example="PEGASUS: station zanzibar;", synonyms=("guard",), once="move seek")
class Station(Struct, frozen=True):
    """Cover a station here or in an adjacent area."""

    station: StationName


@verb("found c", example="TRIUMPH: support tsingtao;", once="move seek")
class Support(Struct, frozen=True):
    """Support a landing this turn, here or in an adjacent area."""

    landing: Annotated[str, word(*LANDINGS)]


@verb("S3", example="HAMPSHIRE: seek EMDEN;", synonyms=("search",), once="seek", setting=True)
class Seek(Struct, frozen=True):
    """Whom to search for where the ship is: any German, none, or one by name.

    A squadron does so as one: its leader's order counts, else that of another of its ships.
    """

    what: Literal["", "any", "none"] = ""
    ship: Contact = ""


@verb("K9", example="BRITISH: retire must;", once="retire", setting=True)
class Retire(Struct, frozen=True):
    """When a damaged ship leaves the war: half damaged, or with any damage."""

    what: Literal["must", "damaged"] = "must"


# Doctrine of both sides in a meeting


@verb("R1", example="EMDEN: if odds over 1.5 then run else stand;", once="run", setting=True)
class Run(Struct, frozen=True):
    """Try to run from the enemy.

    R2 To that area if it is adjacent.
    """

    area: Annotated[Place, keyword("to")] = ""


@verb("R1", example="GERMAN: stand;", synonyms=("fight",), once="run", setting=True)
class Stand(Struct, frozen=True):
    """Do not run."""


@verb("R3", example="SCHARNHORST: split apart;", once="split", setting=True)
class Split(Struct, frozen=True):
    """How ships that run break up: together, each apart, or this ship with those named."""

    what: Literal["together", "apart"] = "together"
    mates: Annotated[Units, keyword("with")] = ()


@verb("R3", example="BRITISH: pursue all;", once="pursue", setting=True)
class Pursue(Struct, frozen=True):
    """How to follow ships that run, or which of them.

    all: spread over them. best: together after the most valuable.
    """

    what: Literal["", "all", "best", "none"] = ""
    ship: Contact = ""


@verb(
    "K2",
    example="GERMAN: target weakest concentrate;",
    synonyms=("fire at",),
    once="target",
    setting=True,
)
class Target(Struct, frozen=True):
    """Whom to fire at.

    best: the most valuable. weakest, damaged: the weakest, the most damaged. split: no two ships at
    one target while there are others.
    """

    what: Literal["", "best", "weakest", "damaged"] = ""
    ship: Contact = ""
    how: Literal["", "concentrate", "split"] = ""


@verb("K6", example="GERMAN: torpedo fire;", once="torpedo", setting=True)
class Torpedo(Struct, frozen=True):
    """Make torpedo attacks, or none."""

    what: Literal["fire", "hold"] = "fire"


def _aliases() -> dict[str, str]:
    """Names of areas, as reports print them and by each of their halves: `Bay of Bengal`,
    `Newfoundland`; with their numbers: `17 Cape Horn (Pacific side)`, `area 18`."""
    found: dict[str, str] = {}
    for area in board.AREAS.values():
        whole, _, inner = area.name.replace(")", "").partition(" (")
        parts = [whole, *whole.split(" & ")]
        found |= {part.replace("&", "and").upper(): area.id for part in parts}
        found |= {f"{whole} {inner.split()[0]}".upper(): area.id} if "side" in inner else {}
        if inner:
            found |= {inner.upper(): area.id} if "side" not in inner else {}
            found |= {f"{part} {inner}".replace("&", "and").upper(): area.id for part in parts}
        if area.id.isdigit():
            printed = f"{area.id} {whole} {inner}".replace("&", "and").strip().upper()
            found |= {f"AREA {area.id}": area.id, printed: area.id}
    return {name: id_ for name, id_ in found.items() if name != "CAPE HORN"}  # there are two


GRAMMAR = grammar(
    __name__,
    terms=TERMS,
    places=frozenset(board.AREAS) - {board.GERMANY},
    aliases=_aliases(),
)
