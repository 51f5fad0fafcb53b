"""The order language of the cruiser war: verbs, condition terms, places.

Orders for one side as a whole have the side's own name as actor (`BRITISH: seek any;`). An order
for a ship that leads a squadron is for all of it; doctrine orders of the ship count before those of
its leader, and those before its side's.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.far_seas import board
from games.far_seas.board import GERMAN
from games.far_seas.setup import rows
from orders.verbs import Arg, Grammar, Term, Verb

# Movement, both sides


class Move(Struct, frozen=True):
    """M5 Go to an adjacent area; by: through the Panama Canal, which is declared (G1)."""

    area: str
    by: Literal["", "canal"] = ""


class Cruise(Struct, frozen=True):
    """M5 Move within the area where it is: from the Start box to the Moved box."""


class Join(Struct, frozen=True):
    """M5 (S) Move with that ship's squadron, and be of it."""

    ship: str


class Part(Struct, frozen=True):
    """M5 Leave the squadron; its own orders then move it."""


class River(Struct, frozen=True):
    """G2, G3 (D) A German enters the Rufiji; an Ally watches beside it."""


# Germans


class Raid(Struct, frozen=True):
    """M5 (R) Go to a station and raid it."""

    station: str


class AttackConvoy(Struct, frozen=True):
    """Found f: fall on the merchants that a convoy ship covers, where the move ends."""


class Capture(Struct, frozen=True):
    """E1, found g: take merchants at the end of the segment, or lie low."""

    what: Literal["all", "none"] = "all"


class Surprise(Struct, frozen=True):
    """S11 Surprise search: any prey, none, or this ship; odds: at most this much enemy strength
    for one of its own."""

    what: Literal["", "any", "none"] = ""
    prey: str = ""
    odds: str = ""


class Intern(Struct, frozen=True):
    """Found b: the liner gives herself up to a neutral port."""


class Return(Struct, frozen=True):
    """G9 Try to get home to Germany from area 2."""


# Allies


class Hold(Struct, frozen=True):
    """M3 Stay in the Start box: neither moves nor searches."""


class Convoy(Struct, frozen=True):
    """M6 Cover the merchants of an area: here, or of an adjacent one."""

    area: str = ""


class Station(Struct, frozen=True):
    """M7 Cover a station, in this area or an adjacent one."""

    station: str


class Support(Struct, frozen=True):
    """Found c: support a landing this turn, in its area or an adjacent one."""

    landing: str


class Seek(Struct, frozen=True):
    """S3, S4 Whom to search for: any German, none, or this ship."""

    what: Literal["", "any", "none"] = ""
    ship: str = ""


class Retire(Struct, frozen=True):
    """K9 Whether a damaged ship leaves the war after a fight: when it must, or at any damage."""

    what: Literal["must", "damaged"] = "must"


# Doctrine of both sides in a meeting


class Run(Struct, frozen=True):
    """R1, R2 Try to run, to that area if it is adjacent."""

    area: str = ""


class Stand(Struct, frozen=True):
    """R1 Do not run."""


class Split(Struct, frozen=True):
    """R3 What a running squadron does: stay together, or break up into single ships."""

    what: Literal["together", "apart"] = "together"


class Pursue(Struct, frozen=True):
    """R3 How ships follow a squadron that breaks up: spread over all, together after the most
    valuable, or not at all."""

    what: Literal["all", "best", "none"] = "all"


class Target(Struct, frozen=True):
    """K2 Whom to fire at: the most valuable enemy, the weakest, the most damaged, or this ship;
    split: no two ships at one target while there are others."""

    what: Literal["", "best", "weakest", "damaged"] = ""
    ship: str = ""
    how: Literal["", "concentrate", "split"] = ""


class Torpedo(Struct, frozen=True):
    """K6 Make torpedo attacks, or none."""

    what: Literal["fire", "hold"] = "fire"


def _one(name: str, *choices: str, keyword: str = "", optional: bool = True) -> Arg:
    return Arg(name, "word", keyword, optional, choices)


_STATIONS = tuple(sorted(station.lower() for station in board.STATIONS))
LANDINGS = ("tsingtao", "kamerun", "samoa", "new guinea")

VERBS = (
    Verb(
        "move",
        Move,
        (Arg("area", "place"), _one("by", "canal", keyword="by")),
        "Go to an adjacent area; say `by canal` for the Panama Canal.",
        "EMDEN: move 29;",
        "M5",
        ("sail", "go"),
    ),
    Verb(
        "cruise",
        Cruise,
        (),
        "Move within the area: the ship may search and be searched for.",
        "EMDEN: cruise;",
        "M5",
        ("stay",),
    ),
    Verb(
        "join",
        Join,
        (Arg("ship", "unit"),),
        "Join that ship's squadron and move with it.",
        "GNEISENAU: join SCHARNHORST;",
        "M5",
    ),
    Verb("part", Part, (), "Leave the squadron.", "GNEISENAU: part;", "M5", ("leave",)),
    Verb(
        "river",
        River,
        (),
        "Enter the Rufiji; an Allied ship watches beside it.",
        "KONIGSBERG: river;",
        "G2",
        ("enter river", "watch river"),
    ),
    Verb(
        "raid",
        Raid,
        (_one("station", *_STATIONS, optional=False),),
        "Raid a station in this area or an adjacent one.",
        "EMDEN: raid madras;",
        "M5",
    ),
    Verb(
        "attack convoy",
        AttackConvoy,
        (),
        "Attack the convoy where the move ends.",
        "EMDEN: attack convoy;",
        "found f",
    ),
    Verb(
        "capture",
        Capture,
        (_one("what", "all", "none"),),
        "Take merchants at the end of the segment, or none.",
        "EMDEN: capture none;",
        "E1",
    ),
    Verb(
        "surprise",
        Surprise,
        (
            _one("what", "any", "none"),
            Arg("prey", "contact", optional=True),
            Arg("odds", "number", "odds", True, least=0, most=99, decimals=1),
        ),
        "Fall on an Allied ship in the Moved box; `odds 0.8` only on weaker ones.",
        "EMDEN: surprise any odds 0.8;",
        "S11",
    ),
    Verb(
        "intern",
        Intern,
        (),
        "Give the liner up to a neutral port of the area.",
        "CORMORAN: intern;",
        "found b",
    ),
    Verb(
        "return",
        Return,
        (),
        "Try to get home to Germany from area 2.",
        "DRESDEN: return;",
        "G9",
        ("return home",),
    ),
    Verb("hold", Hold, (), "Stay in the Start box.", "KENT: hold;", "M3"),
    Verb(
        "convoy",
        Convoy,
        (Arg("area", "place", optional=True),),
        "Cover the merchants here, or of an adjacent area.",
        "FOX: convoy 30;",
        "M6",
    ),
    Verb(
        "station",
        Station,
        (_one("station", *_STATIONS, optional=False),),
        "Cover a station here or in an adjacent area.",
        "PEGASUS: station zanzibar;",
        "M7",
        ("guard",),
    ),
    Verb(
        "support",
        Support,
        (_one("landing", *LANDINGS, optional=False),),
        "Support a landing this turn, here or in an adjacent area.",
        "TRIUMPH: support tsingtao;",
        "found c",
    ),
    Verb(
        "seek",
        Seek,
        (_one("what", "any", "none"), Arg("ship", "contact", optional=True)),
        "Whom to search for where the ship is: any German, none, or one by name.",
        "HAMPSHIRE: seek EMDEN;",
        "S3",
        ("search",),
    ),
    Verb(
        "retire",
        Retire,
        (_one("what", "must", "damaged"),),
        "When a damaged ship leaves the war: half damaged, or with any damage.",
        "BRITISH: retire must;",
        "K9",
    ),
    Verb(
        "run",
        Run,
        (Arg("area", "place", "to", True),),
        "Try to run from the enemy.",
        "EMDEN: if odds over 1.5 then run else stand;",
        "R1",
    ),
    Verb("stand", Stand, (), "Do not run.", "GERMAN: stand;", "R1", ("fight",)),
    Verb(
        "split",
        Split,
        (_one("what", "together", "apart"),),
        "Whether a running squadron breaks up.",
        "SCHARNHORST: split apart;",
        "R3",
    ),
    Verb(
        "pursue",
        Pursue,
        (_one("what", "all", "best", "none"),),
        "How to follow ships that run.",
        "BRITISH: pursue all;",
        "R3",
    ),
    Verb(
        "target",
        Target,
        (
            _one("what", "best", "weakest", "damaged"),
            Arg("ship", "contact", optional=True),
            _one("how", "concentrate", "split"),
        ),
        "Whom to fire at.",
        "GERMAN: target weakest concentrate;",
        "K2",
        ("fire at",),
    ),
    Verb(
        "torpedo",
        Torpedo,
        (_one("what", "fire", "hold"),),
        "Make torpedo attacks, or none.",
        "GERMAN: torpedo fire;",
        "K6",
    ),
)

TYPES = ("AMC", "CR", "CL", "AC", "BB", "BC")
"""Weakest first."""

TERMS: tuple[Term, ...] = (
    Term("turn", "number", help="number of the half-month, 1 is 1 to 15 August"),
    Term("segment", "number", help="number of the segment in this turn (E4)"),
    Term("damage", "number", help="own damage in per cent of capacity; a squadron's worst"),
    Term("alone", "flag", help="is the ship without a squadron"),
    Term("odds", "number", help="in a meeting: enemy strength for one of our own"),
    Term("enemy ships", "number", help="in a meeting: enemy ships"),
    Term("enemy type", "rank", TYPES, help="in a meeting: strongest enemy type"),
    Term("round", "number", help="in a meeting: rounds fought so far"),
)


NAMED = {f"{row.name} moves".lower(): row.id for row in rows() if row.side == GERMAN}
"""M4 Terms that tell whether a German was named this turn, with its id: `emden moves`."""
TERMS += tuple(
    Term(term, "flag", help="was the ship named to move this turn (M4)") for term in NAMED
)


def _aliases() -> dict[str, str]:
    """Names of areas, also by each of their halves: `Bay of Bengal`, `Newfoundland`."""
    found: dict[str, str] = {}
    for area in board.AREAS.values():
        whole, _, inner = area.name.replace(")", "").partition(" (")
        parts = [whole, *whole.split(" & ")]
        found |= {part.replace("&", "and").upper(): area.id for part in parts}
        found |= {f"{whole} {inner.split()[0]}".upper(): area.id} if "side" in inner else {}
        if inner and "side" not in inner:
            found[inner.upper()] = area.id
    return {name: id_ for name, id_ in found.items() if name != "CAPE HORN"}  # there are two


GRAMMAR = Grammar(
    verbs=VERBS,
    terms=TERMS,
    places=frozenset(board.AREAS) - {board.GERMANY},
    aliases=_aliases(),
    place=lambda token: token.isdigit() and len(token) <= 2,
)
