"""The order language of shadow, air strikes and battle: verbs for every interactive step.

A ship, its task force, or the side's own name may be the actor; the ship's own order wins.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from orders.verbs import Arg, Term, Verb

Kind = Literal["any", "bb", "ca", "cv"]


class Shadow(Struct, frozen=True):
    """8.13 Who shadows a located ship: the best unit, none, or the first of these that can."""

    what: Literal["", "auto", "none"] = ""
    contact: str = ""
    by: tuple[str, ...] = ()


class Intercept(Struct, frozen=True):
    """8.11 Go to where the contact is known to be this turn; without one, to the nearest."""

    contact: str = ""
    within: int = 99


class HighSpeed(Struct, frozen=True):
    """8.2 High-speed shadow: attempt it or not, and which units follow when it holds."""

    what: Literal["on", "off"] = "on"
    follow: Literal["all", "none", "ships", "air"] = "all"
    by: tuple[str, ...] = ()


class Strike(Struct, frozen=True):
    """9.1 What bombers attack first; `split`: two strikes on two ships where there are two."""

    what: Literal["any", "none", "bb", "ca", "cv"] = "any"
    how: Literal["", "split"] = ""


class Attack(Struct, frozen=True):
    """9.21 Whether to attack located ships: always, never, or the weaker type; and which type."""

    what: Literal["always", "never", "weaker"]
    kind: Kind = "any"


class Accept(Struct, frozen=True):
    """9.222 Whether to accept combat that a slower enemy offers."""

    what: Literal["always", "never"]


class Avoid(Struct, frozen=True):
    """9.271, 9.272 Whether a ship stays out of its task force's combat where it may."""

    what: Literal["yes", "no"]


class Reinforce(Struct, frozen=True):
    """9.4 Whether to enter a battle in the zone, from which round on, and which action (9.45)."""

    what: Literal["yes", "no"]
    round: int = 3
    action: int = 0


class Withdraw(Struct, frozen=True):
    """9.94 Withdraw at once, or when midships hits, evasion, or the round have come so far."""

    midships: int = 0
    evasion: int = 0
    round: int = 0


class Range(Struct, frozen=True):
    """9.5 The range a ship seeks: close in, A range, B range, or open it."""

    what: Literal["close", "a", "b", "open"]


class Aspect(Struct, frozen=True):
    """9.67 What a ship tries to show: its broadside, or its bow."""

    what: Literal["broadside", "bow"]


class Target(Struct, frozen=True):
    """9.62 Which enemy it fires at first; split: turrets take two targets."""

    what: Literal["nearest", "weakest", "strongest", "bb", "ca", "cv"]
    how: Literal["", "split"] = ""


class BreakOff(Struct, frozen=True):
    """9.92 Agree to end the battle when the enemy agrees too."""

    what: Literal["yes", "no"]


_YES = Arg("what", "word", "", False, ("yes", "no"))
_BY = Arg("by", "units", "by", True, least=1, most=12)

VERBS = (
    Verb(
        "shadow",
        Shadow,
        (
            Arg("what", "word", "", True, ("auto", "none")),
            Arg("contact", "contact", "", True),
            _BY,
        ),
        "Who shadows what was located last turn; auto takes the unit that holds best.",
        "BRITISH: shadow auto;",
        "8.13",
    ),
    Verb(
        "intercept",
        Intercept,
        (
            Arg("contact", "contact", "", True),
            Arg("within", "number", "within", True, least=0, most=40),
        ),
        "Go to the zone in which the contact was found this turn, before the unit moves.",
        "HOOD: intercept EN1;",
        "8.11",
        ("follow",),
    ),
    Verb(
        "high speed shadow",
        HighSpeed,
        (
            Arg("what", "word", "", False, ("on", "off")),
            Arg("follow", "word", "follow", True, ("all", "none", "ships", "air")),
            _BY,
        ),
        "Whether to shadow ships that only passed a searched zone, and who follows them.",
        "BRITISH: high speed shadow on follow ships;",
        "8.21",
        ("hss",),
    ),
    Verb(
        "strike",
        Strike,
        (
            Arg("what", "word", "", False, ("any", "none", "bb", "ca", "cv")),
            Arg("how", "word", "", True, ("split",)),
        ),
        "What bombers attack first in their zone, by type.",
        "BRITISH: strike bb;",
        "9.16",
    ),
    Verb(
        "attack",
        Attack,
        (
            Arg("what", "word", "", False, ("always", "never", "weaker")),
            Arg("kind", "word", "", True, ("any", "bb", "ca", "cv")),
        ),
        "Whether to attack located enemy ships in the zone: always, never, or only a weaker type.",
        "HOOD: attack always bb;",
        "9.21",
    ),
    Verb(
        "accept",
        Accept,
        (Arg("what", "word", "", False, ("always", "never")),),
        "Whether to accept combat that a slower enemy offers.",
        "BISMARCK: accept never;",
        "9.222",
    ),
    Verb(
        "avoid",
        Avoid,
        (_YES,),
        "Whether the ship stays out of its task force's combat where the rules let it.",
        "NORFOLK: avoid yes;",
        "9.272",
    ),
    Verb(
        "reinforce",
        Reinforce,
        (
            _YES,
            Arg("round", "number", "round", True, least=3, most=99),
            Arg("action", "number", "action", True, least=1, most=9),
        ),
        "Whether to enter a battle in the zone, from which round on, and which of two actions.",
        "NORFOLK: reinforce yes round 4;",
        "9.41",
    ),
    Verb(
        "withdraw",
        Withdraw,
        (
            Arg("midships", "number", "midships", True, least=1, most=20),
            Arg("evasion", "number", "evasion", True, least=1, most=40),
            Arg("round", "number", "round", True, least=1, most=99),
        ),
        "Withdraw from battle: at once, or from so many midships hits, evasion, or a round on.",
        "BISMARCK: withdraw midships 5;",
        "9.94",
    ),
    Verb(
        "range",
        Range,
        (Arg("what", "word", "", False, ("close", "a", "b", "open")),),
        "The range to seek in battle.",
        "BISMARCK: range b;",
        "9.61",
    ),
    Verb(
        "aspect",
        Aspect,
        (Arg("what", "word", "", False, ("broadside", "bow")),),
        "What to show the enemy in battle.",
        "HOOD: aspect bow;",
        "9.67",
    ),
    Verb(
        "target",
        Target,
        (
            Arg("what", "word", "", False, ("nearest", "weakest", "strongest", "bb", "ca", "cv")),
            Arg("how", "word", "", True, ("split",)),
        ),
        "Which enemy to fire at first in battle.",
        "BISMARCK: target strongest;",
        "9.62",
    ),
    Verb(
        "break off",
        BreakOff,
        (_YES,),
        "Whether to end the battle when the enemy wants it too.",
        "GERMAN: break off yes;",
        "9.92",
    ),
)

TERMS = (
    Term("shadowed", "flag", help="is the unit being shadowed this turn, before it moves (8.11)"),
    Term("evasion", "number", help="own evasion now, in a task force the slowest (9.72)"),
    Term("hits", "number", help="own midships boxes hit, in a task force the most (9.7)"),
)
