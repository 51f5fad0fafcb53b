"""The orders of BattleFleet Baltic. Numbers are those of RULES.md."""

from typing import Annotated, Literal

from msgspec import Struct

from games.baltic.facts import TERMS
from games.baltic.tables import weapon_ids
from orders.declare import (
    Contact,
    Unit,
    Units,
    bearing,
    grammar,
    keyword,
    number,
    point,
    points,
    rows,
    units,
    verb,
    word,
)
from orders.rows import Point
from orders.verbs import Arg

_CONTACT = Arg("", "contact")
"""An enemy that an order may leave out."""
Effect = Literal["bridge", "marines", "ammo", "weapon", "engine", "rudder", "fire"]
Mount = Annotated[str, word(*weapon_ids())]


# Preparation


@verb("215", example="VASA: deploy 66 20 heading 270;", once="deploy")
class Deploy(Struct, frozen=True):
    """Where a ship or a squadron's flagship begins, in inches from the south-west corner, and where
    its bow points."""

    at: Annotated[Point, point(0, 99, 2)]
    heading: Annotated[str, bearing(1), keyword()]


@verb("2.6", example="KALMAR: buy VASA ROVFAGEL SKARGARD BLEKINGE;", once="buy")
class Buy(Struct, frozen=True):
    """Buy these ships and squadrons of your own list, for the points of the scenario."""

    ships: Units


@verb("105", example="KRONAN: stock fighters 2 bombers 2 torpedo 2;", once="stock")
class Stock(Struct, frozen=True):
    """How many squadrons of each kind a carrier has aboard when the battle begins."""

    fighters: Annotated[int, number(0, 6), keyword()] = 0
    bombers: Annotated[int, number(0, 6), keyword()] = 0
    torpedo: Annotated[int, number(0, 6), keyword()] = 0


# 2.1, 2.2 Initiative and planning


@verb("23", example="VASA: speed full;", once="speed")
class Speed(Struct, frozen=True):
    """Move the engine telegraph by one setting."""

    setting: Literal["reverse", "stop", "crawl", "half", "full", "flank"]


@verb("48", example="ILMARINEN: down;", once="trim")
class Down(Struct, frozen=True):
    """Flood the hull: run hull-down this turn and on."""


@verb("48", example="ILMARINEN: up;", once="trim")
class Up(Struct, frozen=True):
    """Blow the tanks: run on the surface."""


@verb("27", example="TEUTONIC: bid 3 first;", once="bid")
class Bid(Struct, frozen=True):
    """Strategy points for the initiative, and the place to take: first, last, or a number."""

    points: Annotated[int, number(0, 999)]
    where: Literal["first", "last", ""] = ""
    place: Annotated[int, number(1, 4), keyword()] = 0


@verb("213", example="TEUTONIC: resign;")
class Resign(Struct, frozen=True):
    """Give the battle up: all that you have left counts as wrecked. The game ends when no two sides
    are left."""


@verb("33", example="TEUTONIC: stack GOTEN LOHENGRIN HOCHMEISTER;", once="stack")
class Stack(Struct, frozen=True):
    """The order in which ships and squadrons activate; those not named follow in the order of the
    list."""

    cards: Units


@verb("162", example="TEUTONIC: reserve HOCHMEISTER;", once="reserve")
class Reserve(Struct, frozen=True):
    """Set one card aside, to be played when you like (`play reserve`)."""

    card: Unit


@verb("32", example="TEUTONIC: if enemy cards left under 3 then play reserve;")
class PlayReserve(Struct, frozen=True):
    """Play the reserve instead of the top card, at the first turn at which the condition holds."""


@verb("34", example="TEUTONIC: if round at least 2 then dash GOTEN;", once="dash")
class Dash(Struct, frozen=True):
    """Draw this squadron out of the stack instead of the top card, once a turn."""

    card: Unit


# 3.1 Movement


class Leg(Struct, frozen=True):
    """A leg of a move."""

    way: Literal["ahead", "starboard", "port"]
    by: Annotated[str, number(0, 180, 2)]


@verb("165", example="VASA: move ahead 2.5 starboard 45 ahead 1;", once="move")
class Move(Struct, frozen=True):
    """Sail these legs: inches ahead (in Reverse: astern), degrees to starboard or port."""

    legs: Annotated[tuple[Leg, ...], rows(1, 12)]


@verb("39", example="VASA: steer HOCHMEISTER keep 8;", once="move")
class Steer(Struct, frozen=True):
    """Turn towards an enemy, a point (`steer to 12.5 30`) or a bearing (`steer bearing 90`) and go
    on straight; `speed` limits the inches of the move, `keep` is how far from it to stop, from
    middle to middle."""

    contact: Annotated[str, _CONTACT] = ""
    to: Annotated[Point | None, point(0, 99, 2), keyword()] = None
    course: Annotated[str, bearing(1), keyword("bearing")] = ""
    keep: Annotated[str, number(0, 99, 2), keyword()] = ""
    speed: Annotated[str, number(0, 20, 2), keyword()] = ""


@verb("44", example="LOUHI: glide 30 20 heading 90;", once="move")
class Glide(Struct, frozen=True):
    """Aerial corvettes: where the flagship ends, 10 to 20 inches away, where it then points, and
    what it flies by (`by 25 20 28 24`)."""

    to: Annotated[Point, point(0, 99, 2)]
    heading: Annotated[str, bearing(1), keyword()]
    by: Annotated[tuple[Point, ...], points(point(0, 99, 2), 1, 6), keyword()] = ()


@verb("51", example="GOTEN: force VASA;", once="collision", setting=True)
class Force(Struct, frozen=True):
    """Ram: try to force a collision with this enemy, or with any that comes in the way."""

    contact: Annotated[str, _CONTACT] = ""


@verb("50", example="GOTEN: evade;", once="collision", setting=True)
class Evade(Struct, frozen=True):
    """Avoid collisions, as ships without orders do."""


# 3.2 to 3.5 What a ship does when she has moved


@verb("66", example="VASA: fire A at HOCHMEISTER within 20;")
class Fire(Struct, frozen=True):
    """Fire a weapon at an enemy, or at the `nearest`, `weakest` or `best` target in its arc; `all`
    fires every weapon that bears. `together` combines weapons of a kind at one target."""

    weapon: Annotated[str, word("ALL", *weapon_ids())]
    pick: Literal["nearest", "weakest", "best", ""] = ""
    at: Annotated[str, _CONTACT, keyword()] = ""
    within: Annotated[str, number(0, 99, 2), keyword()] = ""
    together: Literal["together", ""] = ""


@verb(
    "176",
    example="VASA: if range to HOCHMEISTER over 25 then hold fire;",
    name="hold fire",
    setting=True,
)
class HoldFire(Struct, frozen=True):
    """Fire no guns and drop no bombs. AA fires all the same (136)."""


@verb("136", example="VASA: aa torpedo;", once="aa")
class Aa(Struct, frozen=True):
    """At what AA fires first of what flies within 5 inches: a kind, or one by name (`aa at HT1`);
    else at the nearest."""

    first: Literal["fighter", "bomber", "torpedo", "corvette", ""] = ""
    at: Annotated[str, _CONTACT, keyword()] = ""


@verb("101", example="GOTEN: torpedo TO;")
class Torpedo(Struct, frozen=True):
    """Launch a salvo of torpedoes dead ahead, or square off a broadside."""

    weapon: Mount
    side: Literal["port", "starboard", ""] = ""


@verb("93", example="VAINAMOINEN: beam BP at HOCHMEISTER;")
class Beam(Struct, frozen=True):
    """Fire a beam along a bearing, or at an enemy and whatever else lies in its path."""

    weapon: Mount
    along: Annotated[str, bearing(1)] = ""
    at: Annotated[str, _CONTACT, keyword()] = ""


@verb("99", example="ROVFAGEL: bomb HOCHMEISTER;")
class Bomb(Struct, frozen=True):
    """Bomb this enemy when the move passes over her."""

    contact: Contact


@verb("102", example="VASA: board HOCHMEISTER 4;")
class Board(Struct, frozen=True):
    """Send so many rocket troopers to an enemy within 5 inches."""

    contact: Contact
    troopers: Annotated[int, number(1, 20)]


@verb("106", example="KRONAN: launch KB1 KB2 port;")
class Launch(Struct, frozen=True):
    """Launch squadrons, at most what the flight deck handles; she fires no guns then."""

    markers: Annotated[tuple[str, ...], units(1, 6)]
    side: Literal["port", "starboard", ""] = ""


# 4 Aeroplanes


@verb("122", example="KB1: fly 30 20 40 24 attack ADLER;", once="fly")
class Fly(Struct, frozen=True):
    """Fly by these points, then attack; `all` drops every bomb at once (129), `within` says from
    how far torpedoes are launched, if not from 15 inches."""

    points: Annotated[tuple[Point, ...], points(point(0, 99, 2), 1, 8)]
    attack: Annotated[str, _CONTACT, keyword()] = ""
    load: Literal["all", ""] = ""
    within: Annotated[str, number(0, 99, 2), keyword()] = ""


@verb("128", example="KB1: attack ADLER;", once="fly")
class Attack(Struct, frozen=True):
    """Fly straight at an enemy and attack her: bombs, torpedoes, a dogfight or strafing. `within`
    says from how far torpedoes are launched, if not only from 15 inches, their run."""

    contact: Contact
    load: Literal["all", ""] = ""
    within: Annotated[str, number(0, 99, 2), keyword()] = ""


@verb("132", example="KF1: escort KB1;", once="fly")
class Escort(Struct, frozen=True):
    """Join a bomber squadron and guard it."""

    marker: Unit


@verb("133", example="KF1: cap KRONAN;", once="fly")
class Cap(Struct, frozen=True):
    """Fly to a ship of the line and patrol over her."""

    ship: Unit


@verb("134", example="KF1: break;", once="fly")
class Break(Struct, frozen=True):
    """Leave the ship that is patrolled over."""


@verb("107", example="KB1: home;", once="fly")
class Home(Struct, frozen=True):
    """Fly to the carrier, or to the edge by which it came (110)."""


@verb("120", example="KB1: group KB2;", once="group")
class Group(Struct, frozen=True):
    """Fly as one with these squadrons, all in contact, at the speed of the slowest."""

    markers: Annotated[tuple[str, ...], units(1, 5)]


@verb(
    "113",
    example="KALMAR: force bombers;",
    name="force bombers",
    once="force bombers",
    setting=True,
)
class ForceBombers(Struct, frozen=True):
    """When your last bomber squadron has acted, make the others act with all of theirs at once."""


@verb("131", example="KALMAR: lose fighter;", once="lose", setting=True)
class Lose(Struct, frozen=True):
    """Which aeroplanes of yours go first when several squadrons are shot at in a dogfight: a kind,
    or squadrons by name (`lose KB2 KB1`)."""

    first: Literal["fighter", "bomber", "torpedo", ""] = ""
    markers: Annotated[tuple[str, ...], units(1, 6)] = ()


# 5 Between turns


@verb("138", example="HOCHMEISTER: repair rudder engine weapon spend 3;")
class Repair(Struct, frozen=True):
    """What to repair first; `spend 3` strategy points to repair the first of them for sure."""

    first: Literal["weapon", "engine", "rudder", "fire"]
    second: Literal["weapon", "engine", "rudder", "fire", ""] = ""
    third: Literal["weapon", "engine", "rudder", "fire", ""] = ""
    fourth: Literal["weapon", "engine", "rudder", "fire", ""] = ""
    spend: Annotated[int, number(0, 99), keyword()] = 0


@verb("152", example="HOCHMEISTER: choose bridge marines;", once="choose", setting=True)
class Choose(Struct, frozen=True):
    """Battleships: of two critical hits, which effects to suffer sooner than others."""

    first: Effect
    second: Literal["bridge", "marines", "ammo", "weapon", "engine", "rudder", "fire", ""] = ""
    third: Literal["bridge", "marines", "ammo", "weapon", "engine", "rudder", "fire", ""] = ""


GRAMMAR = grammar(__name__, terms=TERMS)
