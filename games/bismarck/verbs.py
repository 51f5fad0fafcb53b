"""The order language of the search board: verbs, condition terms, places.

Orders for one side as a whole have the side's own name as actor (`BRITISH: search all;`).
Verbs of shadow (8), strikes (9.1) and battle (9.2) are in `verbs_battle`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.bismarck import board, verbs_battle
from games.bismarck.board import Zone
from orders.verbs import Arg, Grammar, Term, Verb

Path = tuple[Zone, ...]


class Move(Struct, frozen=True):
    """5.1 Ships: sail through these zones; what is left of the path follows in later turns."""

    path: Path
    speed: Literal["full", "economical"] = "full"


class Patrol(Struct, frozen=True):
    """5.3, 6.32 Turn to patrol here, or, when zones are named, where they end."""

    path: Path = ()


class Hold(Struct, frozen=True):
    """5.16 Stay; an unfinished path is dropped, a patrol ends."""


class Form(Struct, frozen=True):
    """5.41 The actor and these ships sail as one."""

    ships: tuple[str, ...]
    name: str


class Join(Struct, frozen=True):
    """5.41 The actor enters a task force in its zone."""

    force: str


class Detach(Struct, frozen=True):
    """5.44 These ships leave the acting task force, alone or together as a new one."""

    ships: tuple[str, ...]
    name: str = ""


class Break(Struct, frozen=True):
    """5.44 The acting task force is dissolved."""


class Fly(Struct, frozen=True):
    """6.1, 6.3 Fly through these zones; a mode is chosen where the counter has two."""

    path: Path
    mode: Literal["", "attack", "recon", "patrol", "move"] = ""
    back: Literal["", "return"] = ""


class Return(Struct, frozen=True):
    """6.2 Fly home by the shortest way."""


class Search(Struct, frozen=True):
    """7.21, 7.22 Which zones the side calls; `found`: only where its own ships were found."""

    what: Literal["zones", "all", "none", "found"] = "zones"
    zones: Path = ()


class HuffDuff(Struct, frozen=True):
    """10.22 Which zone the German names: his own, one by a die, or this one."""

    how: Literal["", "exact", "random"] = ""
    zone: Zone = Zone("")


class Convoy(Struct, frozen=True):
    """10.25 What German ships do with a convoy they meet."""

    what: Literal["attack", "spare"]


class Mobilise(Struct, frozen=True):
    """12.42 A convoy escort leaves its convoy."""

    ship: str


class Enter(Struct, frozen=True):
    """4.1 The turn in which a ship comes into play, where its owner may choose (note 13)."""

    ship: str
    turn: int


_SHIPS = Arg("ships", "units", least=1, most=30)
_PATH = Arg("path", "path", least=1, most=60)

VERBS = (
    Verb(
        "move",
        Move,
        (_PATH, Arg("speed", "word", "speed", True, ("full", "economical"))),
        "Sail through these zones, the shortest way between them; what is left is done next turn.",
        "BISMARCK: move E19 C17 speed full;",
        "5.1",
        ("sail", "proceed"),
    ),
    Verb(
        "patrol",
        Patrol,
        (Arg("path", "path", optional=True, least=1, most=60),),
        "Patrol here, or sail there first; an LR recon unit flies in patrol mode.",
        "SUFFOLK: patrol;",
        "5.3",
    ),
    Verb("hold", Hold, (), "Stay in this zone, ready to move.", "HOOD: hold;", "5.16", ("stay",)),
    Verb(
        "form",
        Form,
        (_SHIPS, Arg("name", "name", "as")),
        "Form a task force with ships in the same zone.",
        "HOOD: form PRINCE OF WALES as TF1;",
        "5.41",
    ),
    Verb(
        "join",
        Join,
        (Arg("force", "unit"),),
        "Join a task force in the same zone.",
        "NORFOLK: join TF1;",
        "5.41",
    ),
    Verb(
        "detach",
        Detach,
        (_SHIPS, Arg("name", "name", "as", True)),
        "Send ships out of the task force, alone or as a new one.",
        "TF1: detach NORFOLK, SUFFOLK as TF6;",
        "5.44",
    ),
    Verb("break", Break, (), "Dissolve the task force.", "TF1: break;", "5.44", ("dissolve",)),
    Verb(
        "fly",
        Fly,
        (
            _PATH,
            Arg("mode", "word", "mode", True, ("attack", "recon", "patrol", "move")),
            Arg("back", "word", "", True, ("return",)),
        ),
        "Fly through these zones; `return` lands after this turn's air attacks.",
        "SCAPA1: fly F20 mode move;",
        "6.1",
    ),
    Verb(
        "return",
        Return,
        (),
        "Fly home by the shortest way.",
        "SCAPA1: return;",
        "6.2",
        ("land", "return to base"),
    ),
    Verb(
        "search",
        Search,
        (
            Arg("what", "word", "", True, ("all", "none", "found")),
            Arg("zones", "places", "", True, least=1, most=200),
        ),
        "Which zones to call: all, none, these, or only where your own ships were found.",
        "BRITISH: search all;",
        "7.21",
    ),
    Verb(
        "huffduff",
        HuffDuff,
        (Arg("how", "word", "", True, ("exact", "random")), Arg("zone", "place", "", True)),
        "What to answer to radio direction finding: your zone, one by a die, or a named neighbour.",
        "GERMAN: huffduff random;",
        "10.22",
    ),
    Verb(
        "convoy",
        Convoy,
        (Arg("what", "word", "", False, ("attack", "spare")),),
        "Attack a convoy that is met, or let it go unseen.",
        "GERMAN: convoy spare;",
        "10.25",
    ),
    Verb(
        "mobilise",
        Mobilise,
        (Arg("ship", "unit"),),
        "Call an escort away from its convoy (1 point to the German).",
        "BRITISH: mobilise RODNEY;",
        "12.42",
        ("mobilize",),
    ),
    Verb(
        "enter",
        Enter,
        (Arg("ship", "unit"), Arg("turn", "number", "turn", least=4, most=34)),
        "Choose the turn in which the ship comes into play.",
        "BRITISH: enter REVENGE turn 19;",
        "4.1",
    ),
)

TERMS = (
    Term("visibility", "number", help="level of the turn, 1 best, 9 for X (7.12)"),
    Term("night", "flag", help="is it night where the unit is (11.11)"),
    Term("fog", "flag", help="is there fog this turn (7.31)"),
    Term("turn", "number", help="printed number of the turn, 4 to 34 (11.2)"),
    Term(
        "contact",
        "rank",
        ("none", "CL", "CA", "CV", "BC", "BB"),
        "strongest enemy type seen this turn or last (7.23)",
    ),
    Term("fuel", "number", help="own factors left, in a task force the fewest (5.2)"),
    Term("located", "flag", help="was the unit found by the enemy this turn or last (7.23)"),
)


def shaped(token: str) -> bool:
    """Is an upper-case token shaped like a zone: a letter and one or two digits?"""
    return 2 <= len(token) <= 3 and "A" <= token[0] <= "Z" and token[1:].isdigit()


def between(first: str, last: str) -> tuple[str, ...] | None:
    """The zones of `F19-F21`: one row from west to east, None where there is no such line."""
    if first[0] != last[0]:
        return None
    zones = tuple(f"{first[0]}{c}" for c in range(int(first[1:]), int(last[1:]) + 1))
    return zones if zones and all(z in board.SEA or z in board.LAND for z in zones) else None


def _aliases() -> dict[str, str]:
    named = {**board.PORTS, **board.BASES}
    short = {"SCAPA": "Scapa Flow", "HVALFJORD": "Hvalfiord", "NAZAIRE": "St Nazaire"}
    return {name.upper(): str(port.zone) for name, port in named.items()} | {
        word: str(named[name].zone) for word, name in short.items()
    }


GRAMMAR = Grammar(
    verbs=(*VERBS, *verbs_battle.VERBS),
    terms=(*TERMS, *verbs_battle.TERMS),
    places=frozenset(str(z) for z in board.SEA | board.LAND),
    aliases=_aliases(),
    place=shaped,
    between=between,
)
