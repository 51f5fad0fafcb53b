"""Verbs of the advanced Battle (8.3): doctrine, given in advance."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from orders.declare import Contact, Unit, keyword, number, verb

Way = Literal["close", "hold", "open"]


@verb("8.3", example="@BISMARCK: attitude acquiring;", once="attitude", setting=True)
class Attitude(Struct, frozen=True):
    """What a ship of an advanced Battle is in the next rounds: closing, acquiring or running.

    Without it the order of `stance` says: close, hold or open. Where a ship moves, `stance` says.
    """

    what: Literal["closing", "acquiring", "running"]


@verb("8.3", example="@BISMARCK: divide HOOD beside SUFFOLK share 1;", setting=True)
class Divide(Struct, frozen=True):
    """Fire at two ships at the same range, if the ship is acquiring and its gunnery value is 1 or
    more.

    share: the part of the gunnery value that counts against the first; the rest counts against the
    other. Without it all counts against the first.
    """

    ship: Contact
    other: Annotated[Contact, keyword("beside")]
    share: Annotated[int, number(0, 9), keyword()] = 9


@verb("8.3", example="@HOOD: pursue BISMARCK;", setting=True)
class Pursue(Struct, frozen=True):
    """Draw a slower enemy one zone nearer in place of moving, from Near or Close, if the ship is
    closing; an acquiring enemy need not be slower, but may not be faster.

    One line for each enemy, the best first; any: whichever can be drawn.
    """

    what: Literal["", "any", "nobody"] = ""
    ship: Contact = ""


@verb("8.3", example="@NORFOLK: screen SUFFOLK;", setting=True)
class Screen(Struct, frozen=True):
    """Stand before another ship, so that nobody fires at it: both acquiring, in Far."""

    ship: Unit


@verb("8.3", example="@HOOD: repair yes;", once="repair", setting=True)
class Repair(Struct, frozen=True):
    """Damage control: an effect is rolled for with three dice, of which the highest two count, and
    the ship does not fire in the next round.

    first: which effect, if its bridge is not hit; without a word of it what stops the ship, then
    the first.
    """

    what: Literal["yes", "no"]
    first: Annotated[
        Literal["", "fire", "flooding", "rudder", "batteries", "communications"], keyword()
    ] = ""


@verb("8.3", example="@HOOD: bridge helm;", once="bridge", setting=True)
class Bridge(Struct, frozen=True):
    """What a ship whose bridge is hit does in a round: it fires (guns) or may move (helm)."""

    what: Literal["guns", "helm"]


@verb("8.3", example="@GERMAN: hinder HOOD;", setting=True)
class Hinder(Struct, frozen=True):
    """Which enemy ship a Snafu Check keeps from the beginning of a Battle, or leaves without radar;
    one line for each, the best first."""

    ship: Contact


@verb("8.3", example="@GERMAN: steer HOOD close;", setting=True)
class Steer(Struct, frozen=True):
    """What an enemy ship does while you command it, by its rudder, a Surprise or Confusion.

    Its attitude (close: closing, hold: acquiring, open: running), and where it moves. smoke:
    whether it makes smoke, if it can.
    """

    ship: Contact
    way: Way
    smoke: Annotated[Literal["", "yes", "no"], keyword()] = ""


@verb("8.3", example="@GERMAN: confuse attitude HOOD;", setting=True)
class Confuse(Struct, frozen=True):
    """What the Confusion marker is spent on, once in a Battle.

    hit: the next result against an own ship goes to another, the one behind `onto`; sparing: only
    one against this ship. attitude, move: an enemy ship does as `steer` says. One line for each
    use.
    """

    what: Literal["hit", "attitude", "move", "never"]
    ship: Contact = ""
    sparing: Annotated[Unit, keyword()] = ""
    onto: Annotated[Unit, keyword()] = ""
