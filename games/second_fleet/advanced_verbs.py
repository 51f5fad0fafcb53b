"""The orders of the advanced level and of the options. Numbers are those of RULES.md."""

from typing import Annotated, Literal

from msgspec import Struct

from orders.declare import keyword, number, rows, verb
from orders.verbs import Arg

_HEX = Arg("", "place")
_UNIT = Arg("", "unit")
Row = Literal["fuel", "ssm", "asw", "aaa", "torpedo", "bomb"]


class Boxes(Struct, frozen=True):
    """A row of a ship's stores, and how many of its boxes."""

    what: Row
    count: Annotated[int, number(1, 4)]


# Set-up


@verb("6.18", example="HAWES: station 3736;", once="station", setting=True)
class Station(Struct, frozen=True):
    """Begin the campaign in this hex; aircraft at this base."""

    hex: Annotated[str, _HEX]


@verb("6.7/3", example="CRSEA: wing strike;", once="wing")
class Wing(Struct, frozen=True):
    """Take one A-6 and one F-14 aboard in place of two F-18."""

    what: Literal["strike"]


@verb("6.7/5", example="NKTMY: shadow;", once="station", setting=True)
class Shadow(Struct, frozen=True):
    """Begin the campaign beside a NATO group, which is Strategic then."""


# The strategic cycle


@verb("3.13", example="SOVIET: strategy up;", once="strategy")
class Strategy(Struct, frozen=True):
    """Raise the Soviet strategy by a step; it is told to all and never lowered."""

    what: Literal["up"]


@verb("6.4", example="CRSEA: enter 2641;", once="enter")
class Enter(Struct, frozen=True):
    """Come into play in this hex; aircraft at this base."""

    hex: Annotated[str, _HEX]


@verb("197", example="LNSKY: deep;", once="mode")
class Deep(Struct, frozen=True):
    """Go deep, until a morning on which it surfaces."""


@verb("200", example="LNSKY: surface;", once="mode")
class Surface(Struct, frozen=True):
    """Leave deep mode."""


@verb("207", example="USP3A: mine 3605;", once="mission")
class Mine(Struct, frozen=True):
    """Lay a mine marker in a coastal hex: aircraft anywhere in a zone that they reach, Soviet
    submarines beside them, for three boxes of torpedoes."""

    hex: Annotated[str, _HEX]


@verb("6.3/4", example="BELOY: land 3311;", once="land")
class Land(Struct, frozen=True):
    """Put troops ashore at a base, all of them or so many points."""

    hex: Annotated[str, _HEX]
    points: Annotated[int, number(1, 99), keyword()] = 0


@verb("6.3/6", example="SOVIET: drop 3411 battalions 2;")
class Drop(Struct, frozen=True):
    """Drop battalions by parachute on an airfield or landing strip."""

    hex: Annotated[str, _HEX]
    battalions: Annotated[int, number(1, 3), keyword()] = 1


@verb("6.3/8", example="MKALN: commando 3412;", once="commando")
class Commando(Struct, frozen=True):
    """Send a commando against a base: it may silence its guns before an assault."""

    hex: Annotated[str, _HEX]


# A turn


@verb("6.5/6", example="WLMET: replenish HAWES with fuel 2;")
class Replenish(Struct, frozen=True):
    """Give a ship of the same hex boxes of fuel and ammunition; both lose a hex this turn."""

    unit: Annotated[str, _UNIT]
    boxes: Annotated[tuple[Boxes, ...], rows(1, 4), keyword("with")]


@verb("6.7/1", example="IOWA: cruise 3605;")
class Cruise(Struct, frozen=True):
    """Fire a salvo of cruise missiles at a base, in place of an attack with missiles.

    part: its airfield or its port, where it has both; by default the airfield.
    """

    hex: Annotated[str, _HEX]
    part: Literal["", "field", "port"] = ""


@verb("6.19", example="NATO: decoy ANVIL;")
class Decoy(Struct, frozen=True):
    """Make a decoy in the hex of a group at sea, out of sight of enemy ships. It takes orders from
    the next report on."""

    group: Annotated[str, _UNIT]


# Standing orders


@verb("6.3/13", example="@OSLO: withdraw 3207;", once="withdraw", setting=True)
class Withdraw(Struct, frozen=True):
    """Where ships go if the base in which they lie falls: a hex that they can reach in a turn. By
    default they go to the nearest that is free."""

    hex: Annotated[str, _HEX]


@verb("6.6", example="@NATO: release reply;", once="release", setting=True)
class Release(Struct, frozen=True):
    """Nuclear weapons: hold them, release them if the enemy has fired one, or go."""

    what: Literal["hold", "reply", "go"]
