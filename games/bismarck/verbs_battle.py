"""The order language of shadow, air strikes and battle: verbs for every interactive step.

A ship, its task force, or the side's own name may be the actor; the ship's own order wins.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from orders.declare import Contact, keyword, number, units, verb

Kind = Literal["any", "bb", "ca", "cv"]
YesNo = Literal["yes", "no"]
By = Annotated[tuple[str, ...], units(most=12), keyword()]


@verb("8.13", example="BRITISH: shadow auto;")
class Shadow(Struct, frozen=True):
    """Who shadows what was located last turn; auto takes the unit that holds best.

    Of the units named with `by`, the first that can.
    """

    what: Literal["", "auto", "none"] = ""
    contact: Contact = ""
    by: By = ()


@verb("8.11", example="HOOD: intercept EN1;", synonyms=("follow",))
class Intercept(Struct, frozen=True):
    """Go to the zone in which the contact was found this turn, before the unit moves.

    Without a contact: to the nearest.
    """

    contact: Contact = ""
    within: Annotated[int, number(0, 40), keyword()] = 99


@verb(
    "8.21",
    example="BRITISH: high speed shadow on follow ships;",
    name="high speed shadow",
    synonyms=("hss",),
)
class HighSpeed(Struct, frozen=True):
    """Whether to shadow ships that only passed a searched zone, and who follows them."""

    what: Literal["on", "off"]
    follow: Annotated[Literal["all", "none", "ships", "air"], keyword()] = "all"
    by: By = ()


@verb("9.16", example="BRITISH: strike bb;")
class Strike(Struct, frozen=True):
    """What bombers attack first in their zone, by type.

    `split`: two strikes on two ships where there are two.
    """

    what: Literal["any", "none", "bb", "ca", "cv"]
    how: Literal["", "split"] = ""


@verb("9.21", example="HOOD: attack always bb;")
class Attack(Struct, frozen=True):
    """Whether to attack located enemy ships in the zone: always, never, or only a weaker type."""

    what: Literal["always", "never", "weaker"]
    kind: Kind = "any"


@verb("9.222", example="BISMARCK: accept never;")
class Accept(Struct, frozen=True):
    """Whether to accept combat that a slower enemy offers."""

    what: Literal["always", "never"]


@verb("9.272", example="NORFOLK: avoid yes;")
class Avoid(Struct, frozen=True):
    """Whether the ship stays out of its task force's combat where the rules let it."""

    what: YesNo


@verb("9.41", example="NORFOLK: reinforce yes round 4;")
class Reinforce(Struct, frozen=True):
    """Whether to enter a battle in the zone, from which round on, and which of two actions.

    9.45 The number of the action.
    """

    what: YesNo
    round: Annotated[int, number(3, 99), keyword()] = 3
    action: Annotated[int, number(1, 9), keyword()] = 0


@verb("9.94", example="BISMARCK: withdraw midships 5;")
class Withdraw(Struct, frozen=True):
    """Withdraw from battle: at once, or from so many midships hits, evasion, or a round on."""

    midships: Annotated[int, number(1, 20), keyword()] = 0
    evasion: Annotated[int, number(1, 40), keyword()] = 0
    round: Annotated[int, number(1, 99), keyword()] = 0


@verb("9.61", example="BISMARCK: range b;")
class Range(Struct, frozen=True):
    """The range to seek in battle."""

    what: Literal["close", "a", "b", "open"]


@verb("9.67", example="HOOD: aspect bow;")
class Aspect(Struct, frozen=True):
    """What to show the enemy in battle."""

    what: Literal["broadside", "bow"]


@verb("9.62", example="BISMARCK: target strongest;")
class Target(Struct, frozen=True):
    """Which enemy to fire at first in battle.

    `split`: its turrets take two targets.
    """

    what: Literal["nearest", "weakest", "strongest", "bb", "ca", "cv"]
    how: Literal["", "split"] = ""


@verb("9.92", example="GERMAN: break off yes;")
class BreakOff(Struct, frozen=True):
    """Whether to end the battle when the enemy wants it too."""

    what: YesNo
