"""Verbs of Battle and of leaders: doctrine, given in advance (R187-R208, R254)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from orders.declare import Contact, Place, Unit, keyword, number, units, verb


@verb(
    "R170",
    example="@TF2: if guns over 100 then skirmish fight else skirmish decline;",
    once="skirmish",
    setting=True,
)
class Skirmish(Struct, frozen=True):
    """Fight a Skirmish, or make do with a Contact."""

    what: Literal["fight", "decline"]


@verb("R178", example="@GERMAN: hit HOOD;", setting=True)
class Hit(Struct, frozen=True):
    """Which enemy ship takes a Hit or Damage on the map; one line for each, the best first.

    second: which takes the second of two results.
    """

    ship: Contact
    second: Annotated[Contact, keyword()] = ""


@verb("R171", example="@KG1: surprise near HOOD;", setting=True)
class Surprise(Struct, frozen=True):
    """Where enemy ships stand as a Battle begins in which they are surprised: one line for each
    ship, or one without a ship for all others."""

    zone: Literal["near", "far"]
    ship: Contact = ""


@verb("R190", example="@GERMAN: target convoys;", setting=True)
class Target(Struct, frozen=True):
    """Whom to fire at in a Battle: a ship, Convoys, the strongest, weakest or most damaged."""

    what: Literal["", "convoys", "strongest", "weakest", "damaged", "nobody"] = ""
    ship: Contact = ""


@verb("R195", example="@GERMAN: torpedo fire;", setting=True)
class Torpedo(Struct, frozen=True):
    """Make torpedo attacks, or hold them back.

    at: the target, if it is another one than that of `target`; one line for each, the best first.
    """

    what: Literal["fire", "hold"]
    ship: Annotated[Contact, keyword("at")] = ""


@verb("R198", example="@BRITISH: stance close;", once="stance", setting=True)
class Stance(Struct, frozen=True):
    """How a ship moves in a Battle: close in, keep its zone, or open the range."""

    what: Literal["close", "hold", "open"]


@verb("R198", example="@GERMAN: smoke outgunned;", once="smoke", setting=True)
class Smoke(Struct, frozen=True):
    """When a ship makes smoke, and which two other ships of its zone it obscures.

    cover: the ships, the first that are there; covering nobody: no other. Without either the most
    valuable.
    """

    what: Literal["always", "outgunned", "never"]
    ships: Annotated[tuple[str, ...], units(1, 9), keyword("cover")] = ()
    alone: Annotated[Literal["", "nobody"], keyword("covering")] = ""


@verb(
    "R202",
    example="@GERMAN: if guns under 60 then exit yes else exit no;",
    once="exit",
    setting=True,
)
class Exit(Struct, frozen=True):
    """Break away from a Battle."""

    what: Literal["yes", "no"]


@verb("R254", example="@TOVEY: use search at most 9;", setting=True)
class Use(Struct, frozen=True):
    """Use a leader's power at such an action, if the Trajectory Total or roll is at most, or at
    least, this.

    Rolls besides those of actions: `weather`, `lapse` (Time Lapse), `reinforce`, `interrupt`. way:
    what Tovey and Krancke do with the Trajectory Total. at, of: the hex and the Task Force whose
    Intel marker Gensoul takes off.
    """

    what: Literal[
        "search",
        "engage",
        "strike",
        "attack",
        "seize",
        "vie",
        "battle",
        "weather",
        "lapse",
        "reinforce",
        "interrupt",
        "never",
    ]
    most: Annotated[int, number(0, 99), keyword("at most")] = 99
    least: Annotated[int, number(0, 99), keyword("at least")] = 0
    way: Annotated[Literal["", "add", "subtract"], keyword("total")] = ""
    at: Annotated[Place, keyword()] = ""
    force: Annotated[Unit, keyword("of")] = ""


@verb("R186", example="@LUETJENS: transfer PRINZ EUGEN;", once="transfer", setting=True)
class Transfer(Struct, frozen=True):
    """To which ship a leader goes when his own is damaged or sunk: one of the Task Force, in a
    Battle one on its board; the first of those named that can."""

    ships: Annotated[tuple[str, ...], units(1, 9)]


@verb("R197", example="@BRITISH: sequence NORFOLK HOOD;", once="sequence", setting=True)
class Sequence(Struct, frozen=True):
    """In what order ships of one speed move in a Battle, and Task Forces perform Time Lapse; the
    others come after those named."""

    units: Annotated[tuple[str, ...], units(1, 15)]
