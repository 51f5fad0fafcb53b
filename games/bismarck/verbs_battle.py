"""The order language of shadow, air strikes and battle: verbs for every interactive step.

A ship, its task force, or the side's own name may be the actor; the ship's own order wins.
"""

from typing import Annotated, Literal

from msgspec import Struct

from orders.declare import Contact, keyword, number, rows, units, verb

Kind = Literal["any", "bb", "ca", "cv"]
YesNo = Literal["yes", "no"]
Bow = Literal[
    "", "clockwise", "counterclockwise", "inwards", "outwards", "e", "se", "sw", "w", "nw", "ne"
]
By = Annotated[tuple[str, ...], units(most=12), keyword()]


@verb("8.13", example="BRITISH: shadow auto;", setting=True)
class Shadow(Struct, frozen=True):
    """Who shadows what was located last turn; auto takes the unit that holds best.

    Of the units named with `by`, the first that can. Contacts that name units choose first.
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
    once="high speed shadow",
    setting=True,
)
class HighSpeed(Struct, frozen=True):
    """Whether to shadow ships that only passed a searched zone, and who follows them."""

    what: Literal["on", "off"]
    follow: Annotated[Literal["all", "none", "ships", "air"], keyword()] = "all"
    by: By = ()


@verb("9.16", example="BRITISH: strike bb;", once="strike", setting=True)
class Strike(Struct, frozen=True):
    """What bombers attack first in their zone: a type, or the counter of one contact.

    9.17 The counters lie face down, but a contact tells them apart. `split`: two strikes on two
    ships where there are two.
    """

    what: Literal["", "any", "none", "bb", "ca", "cv"] = ""
    contact: Contact = ""
    how: Literal["", "split"] = ""


@verb("9.21", example="HOOD: attack always bb;", once="attack", setting=True)
class Attack(Struct, frozen=True):
    """Whether to attack located enemy ships in the zone: always, never, or only a weaker type.

    9.242 Of several of the type that attacks one is drawn by lot, whatever its own order.
    """

    what: Literal["always", "never", "weaker"]
    kind: Kind = "any"


@verb("9.222", example="BISMARCK: accept never;", once="accept", setting=True)
class Accept(Struct, frozen=True):
    """Whether to accept combat that a slower enemy offers."""

    what: Literal["always", "never"]


@verb("9.272", example="NORFOLK: avoid yes;", once="avoid", setting=True)
class Avoid(Struct, frozen=True):
    """Whether the ship stays out of its task force's combat where the rules let it.

    `outgunned`: only where an enemy is of a heavier type.
    """

    what: Literal["yes", "no", "outgunned"]


@verb(
    "9.28", example="HOOD: set up hex 4 bow clockwise;", name="set up", once="set up", setting=True
)
class SetUp(Struct, frozen=True):
    """Where the ship begins a battle, and where the bows of its side point.

    An attacker or a reinforcement (9.42) takes hexes 1 to 7 along the edge that the die gives,
    counted clockwise; of more than two defenders the others lie in hexes 1 to 6 around the centre,
    clockwise from the east. The bow points to a hex side, or along that edge, or away from it; the
    first ship of a side that has an order decides for all of them.
    """

    hex: Annotated[int, number(1, 7), keyword()] = 0
    bow: Annotated[Bow, keyword()] = ""


@verb("9.41", example="NORFOLK: reinforce yes round 4;", once="reinforce", setting=True)
class Reinforce(Struct, frozen=True):
    """Whether to roll for entry to a battle in the zone, from which round on, and when to enter.

    `hold` rolls and waits until it is told `yes`; `enter 6` waits for round 6 at least. 9.45 The
    number of the action.
    """

    what: Literal["yes", "hold", "no"]
    round: Annotated[int, number(3, 99), keyword()] = 3
    enter: Annotated[int, number(2, 99), keyword()] = 0
    action: Annotated[int, number(1, 9), keyword()] = 0


@verb("9.94", example="BISMARCK: withdraw midships 5;", once="withdraw", setting=True)
class Withdraw(Struct, frozen=True):
    """Withdraw from battle: at once, or from so many midships hits, evasion, or a round on.

    Until then the ship stays in it.
    """

    midships: Annotated[int, number(1, 20), keyword()] = 0
    evasion: Annotated[int, number(1, 40), keyword()] = 0
    round: Annotated[int, number(1, 99), keyword()] = 0


@verb("9.61", example="BISMARCK: range b;", once="range", setting=True)
class Range(Struct, frozen=True):
    """The range to seek in battle."""

    what: Literal["close", "a", "b", "open"]


class Step(Struct, frozen=True):
    """9.52, 9.57 A part of a course: hexes ahead, or hex sides to turn."""

    way: Literal["ahead", "port", "starboard"]
    by: Annotated[int, number(0, 3)]


@verb("9.52", example="HOOD: course ahead 1 starboard 1 ahead 1 round 2;")
class Course(Struct, frozen=True):
    """What to steer in one round of battle: hexes ahead and hex sides to turn, in their order.

    Without a round: in the next one that is fought. `ahead 0` stays. In rounds without a course the
    ship goes by its range and aspect.
    """

    steps: Annotated[tuple[Step, ...], rows(1, 6)]
    round: Annotated[int, number(1, 99), keyword()] = 0


@verb("9.67", example="HOOD: aspect bow;", once="aspect", setting=True)
class Aspect(Struct, frozen=True):
    """What to show the enemy in battle."""

    what: Literal["broadside", "bow"]


@verb("9.62", example="BISMARCK: target strongest;", once="target", setting=True)
class Target(Struct, frozen=True):
    """Which enemy to fire at first in battle: the nearest ..., a type, or one contact.

    `split`: its turrets take two targets. `salvos 9`: so many at the first, the rest at the next.
    """

    what: Literal["", "nearest", "weakest", "strongest", "bb", "ca", "cv"] = ""
    contact: Contact = ""
    how: Literal["", "split"] = ""
    salvos: Annotated[int, number(1, 40), keyword()] = 0


class Share(Struct, frozen=True):
    """9.62 The salvos for one enemy."""

    ship: Contact
    salvos: Annotated[int, number(1, 40)]


@verb("9.62", example="BISMARCK: designate EN1 9 EN2 4;", once="designate", setting=True)
class Designate(Struct, frozen=True):
    """How many salvos to fire at which enemies in battle, of one gun section or of several.

    Salvos beyond these go where `target` sends them.
    """

    shares: Annotated[tuple[Share, ...], rows(1, 6)]


@verb("9.92", example="GERMAN: break off yes;", once="break off", setting=True)
class BreakOff(Struct, frozen=True):
    """Whether to end the battle when the enemy wants it too."""

    what: YesNo
