"""Judging orders by their sender's own report and the open board alone, never by the truth.

The rules themselves are in `courses`, which get what the report says.
"""

from __future__ import annotations

from msgspec import Struct, convert

from games.far_seas import courses
from games.far_seas import verbs as v
from games.far_seas.board import GERMAN, name, neighbours
from games.far_seas.courses import MOVES, Mover, Sea
from games.far_seas.report import OpenBoard, OwnShip
from games.far_seas.state import GRADES
from games.far_seas.tables import rules
from games.far_seas.verbs import GRAMMAR
from orders.model import Test
from pbem.kit import checks
from pbem.kit.checks import Checks, Refused
from pbem.model import Plain, Side

GERMAN_ONLY = (v.Raid, v.AttackConvoy, v.Capture, v.Surprise, v.Intern, v.Return)
SAILING = (v.Move, v.Cruise, v.Join, v.Part, v.River)
ALLIED_ONLY = (v.Hold, v.Convoy, v.Station, v.Support, v.Seek, v.Retire)

LEAVE = "leave this order out"


class Seen(checks.Seen, frozen=True):
    """The report, as far as one order is judged by it."""

    def ship(self) -> OwnShip | None:
        """The ship that acts; None for the side as a whole."""
        return self.own(self.actor, OwnShip)


CHECKS = Checks(GRAMMAR, Seen)


@CHECKS.note(v.Move, v.Raid, v.Station)
def goal(seen: Seen, order: Struct) -> str:
    """Where an order takes the ship: `to 29 Bay of Bengal`."""
    ship = seen.ship()
    return f"to {name(_destination(seen, ship, order))}" if ship and seen.now else ""


@CHECKS.note(v.Surprise)
def prey(seen: Seen, order: v.Surprise) -> str:
    """S11 What keeps the ship from a surprise search as she is now."""
    ship = seen.ship()
    if ship is None or order.what == "none":
        return ""
    company = [row for row in seen.report["units"] if _together(row, ship)]
    for row in company:
        if row["surprised"]:
            return f"not with {row['id']}, who has made her surprise search (S11)"
    for foe in seen.report["contacts"]:
        if foe["id"] == order.prey and len(company) == 1:
            if foe["leader"] != "" or any(
                c["leader"] == foe["id"] for c in seen.report["contacts"]
            ):
                return f"not while {order.prey} is in a squadron and {seen.actor} alone (S11)"
            most = ship.capacity + rules().surprise.margin
            if foe["capacity"] > most:
                return (
                    f"not alone: {order.prey} takes {foe['capacity']} points, at most {most} (S11)"
                )
    return ""


def _together(row: Plain, ship: OwnShip) -> bool:
    """M5 Is it the ship, or one of her squadron?"""
    lead = ship.leader if ship.leader != "" else ship.id
    return bool(row["id"] == lead or row["leader"] == lead)


@CHECKS.note(v.Surprise, v.Capture, v.AttackConvoy)
def inside(seen: Seen, order: Struct) -> str:
    """G2 What a ship in the river cannot do there."""
    ship = seen.ship()
    return "once she has come out of the river" if ship and ship.duty == "river" else ""


@CHECKS.note(v.Seek, v.Surprise)
def squadron(seen: Seen, order: Struct) -> str:
    """S3, S11 A squadron searches as one: what an order to one of its ships does."""
    ship = seen.ship()
    if ship is None or not ship.leader or not seen.now:
        return ""
    return f"for the whole squadron, if {ship.leader} has no such order herself"


@CHECKS.on(v.Run)
def refuge(seen: Seen, order: v.Run) -> None:
    """R9 Ships that get away from a meeting go to an area beside it."""
    ship = seen.ship()
    if ship is None or order.area == "" or not seen.now:
        return
    for asked in seen.report["questions"]:
        if asked["kind"] == "Meets" and ship.name in asked["own"]:
            near = neighbours(asked["about"], Side(seen.side))
            if order.area not in near:
                text = f"{name(order.area)} is not adjacent to {name(asked['about'])}"
                raise Refused("not-adjacent", "R9", text, f"adjacent: {', '.join(near)}", "area")


@CHECKS.note(v.Run)
def surprised(seen: Seen, order: Struct) -> str:
    """K2, K5 Nobody runs from a surprise: what an order to run is worth in a meeting that its
    sender is asked about."""
    ship = seen.ship()
    if ship is None:
        return ""
    for asked in seen.report["questions"]:
        if asked["kind"] == "Meets" and not asked["may_run"] and ship.name in asked["own"]:
            return "not from this meeting: nobody can run from a surprise (K5)"
    return ""


@CHECKS.note(v.Run, v.Stand, v.Split, v.Pursue, v.Target)
def after_answer(seen: Seen, order: Struct) -> str:
    """R1, K2 In a mail with an answer only a ship's own orders come before it."""
    if not any(asked["kind"] == "Meets" for asked in seen.report["questions"]):
        return ""
    if seen.ship() is None:
        return "where the answer is ORDERS; another answer comes first"
    led = [row["id"] for row in seen.report["units"] if row["leader"] == seen.actor]
    return f"for her; for {', '.join(led)} where the answer is ORDERS" if len(led) > 0 else ""


@CHECKS.on(*GERMAN_ONLY)
def german(seen: Seen, order: Struct) -> None:
    """Verbs of the German side."""
    if seen.side != GERMAN:
        raise Refused("not-yours", seen.rule, f"'{seen.verb}' is for German ships", LEAVE)


@CHECKS.on(*ALLIED_ONLY)
def allied(seen: Seen, order: Struct) -> None:
    """Verbs of the Allies."""
    if seen.side == GERMAN:
        waits = f"{LEAVE}: a ship that is not named waits for the next segment"
        hint = waits if isinstance(order, v.Hold) else LEAVE
        raise Refused("not-yours", seen.rule, f"'{seen.verb}' is for Allied ships", hint)


MET = ("odds", "enemy ships", "enemy type", "round")
"""Terms that are known in a meeting alone."""


@CHECKS.on(*GERMAN_ONLY, *SAILING, v.Hold, v.Convoy, v.Station, v.Support, v.Seek)
def unmet(seen: Seen, order: Struct) -> None:
    """What only a meeting tells decides nothing that is done before or after it."""
    when = seen.order.when
    if when is None or not any(seen.verb == a.verb for a in seen.order.actions):
        return
    terms = [_met(test) for test in when.tests]
    found = [term for term in terms if term != ""]
    if len(found) > 0 and (when.joiner == "and" or len(found) == len(terms)):
        hint = f"{seen.actor}: surprise any odds 1" if isinstance(order, v.Surprise) else LEAVE
        raise checks.useless(seen, f"'{found[0]}' is known in a meeting alone", hint)


def _met(test: Test) -> str:
    """The term of a test that is known in a meeting alone, empty without one."""
    if test.left in MET:
        return test.left
    return str(test.right) if test.term and test.right in MET else ""


@CHECKS.on(v.Seek)
def seek(seen: Seen, order: v.Seek) -> None:
    """A word or a ship."""
    _one(seen, "ship", "any")


@CHECKS.on(v.Surprise)
def surprise(seen: Seen, order: v.Surprise) -> None:
    """A word or a ship; S11, K10 by a ship that may still make a surprise search."""
    _one(seen, "prey", "any")
    ship = seen.ship()
    if ship is None or order.what == "none":
        return
    if ship.surprised:
        text = "a ship makes one surprise search in a game, and she has made hers"
        raise checks.useless(seen, text, LEAVE, "S11")
    if seen.now and 2 * ship.damage >= ship.capacity:
        text = f"{seen.actor} is half damaged and can surprise nobody"
        raise Refused("half-damaged", "K10", text, LEAVE)


@CHECKS.on(v.Target)
def target(seen: Seen, order: v.Target) -> None:
    """A word or a ship, or how to fire."""
    if order.how and not order.what and not order.ship:
        return
    _one(seen, "ship", "best")


@CHECKS.on(v.Pursue)
def pursue(seen: Seen, order: v.Pursue) -> None:
    """A word or a ship."""
    _one(seen, "ship", "all")


def _one(seen: Seen, ship: str, word: str) -> None:
    """An order that names a ship or a way to choose one says one of them."""
    if seen.said("what") and seen.said(ship):
        text = f"'{seen.verb}' takes a word or a ship, not both"
        raise Refused("extra-words", seen.rule, text, arg=ship)
    if not seen.said("what") and not seen.said(ship):
        text = f"name a ship or write '{word}'"
        raise Refused("missing-argument", seen.rule, text, f"{seen.actor}: {seen.verb} {word}")


@CHECKS.on(*MOVES.values())
def moving(seen: Seen, order: Struct) -> None:
    """5.3, M5, G7 The ship may move now, and get there."""
    ship = seen.ship()
    if ship is None:
        text = f"'{seen.verb}' is an order for a ship"
        raise Refused("wrong-actor", seen.rule, text, "name the ship")
    if isinstance(order, v.Join) and order.ship == seen.actor:
        text = f"{seen.actor} cannot join itself"
        raise Refused("joins-itself", "M5", text, "name another ship", "ship")
    if not seen.now:
        return
    if not any(item.verb in MOVES for item in seen.offers(seen.actor)):
        raise _still(seen, ship)
    if ship.trapped and not isinstance(order, v.River):
        text = f"{seen.actor} was found in the river and must remain there"
        raise Refused("trapped", "G7", text, f"she stays there: {seen.actor}: river")
    if isinstance(order, v.Join):
        return
    _destination(seen, ship, order)
    if seen.side == GERMAN and isinstance(order, v.River):
        _river_free(seen)


def _still(seen: Seen, ship: OwnShip) -> Refused:
    """M4, 5.3 Why a ship does not move now."""
    segment = int(seen.report["board"]["segment"])
    if ship.moved:
        return _immobile(seen, "M3", "has moved this turn", "order it in the next turn")
    early = seen.side != GERMAN and (ship.type == "AMC" or ship.duty != "")
    if early and segment > 1:
        why = "may move only in a turn's first segment"
        return _immobile(seen, "5.3", why, "order it in the next turn")
    later = "order it in the next turn" if early else "order it when the next segment begins"
    if seen.side == GERMAN:
        why = "cannot be moved now: the Germans of this segment are named already"
        return _immobile(seen, "M4", why, later)
    return _immobile(seen, "M3", "cannot be moved now: the ships of this segment have met", later)


def _immobile(seen: Seen, rule: str, why: str, hint: str) -> Refused:
    return Refused("may-not-move", rule, f"{seen.actor} {why}", hint)


def _river_free(seen: Seen) -> None:
    """G2 One ship at a time lies in the Rufiji; its owner sees which. Who comes out has done so
    by the next segment."""
    for row in seen.report["units"]:
        if row["duty"] == "river" and row["id"] != seen.actor:
            text = f"{row['id']} lies in the Rufiji, where there is room for one ship"
            segment = int(seen.report["board"]["segment"])
            hint = f"once she is out: {seen.actor}: if segment over {segment} then river"
            raise Refused("river-taken", "G2", text, hint)


def _destination(seen: Seen, ship: OwnShip, order: Struct) -> str:
    """Where an order takes the ship by the rules of `courses`."""
    mover = Mover(
        id=ship.id,
        side=Side(seen.side),
        nation=ship.nation,
        type=ship.type,
        gun=ship.gun,
        speed=GRADES.index(ship.speed),
        area=ship.place,
        start=ship.start,
        duty=ship.duty,
    )
    table = convert(seen.report["board"], OpenBoard)
    landings = seen.report["scenario"] == "war"
    sea = Sea(seen.turn, table.areas, table.raided, table.options, landings)
    return courses.destination(sea, mover, order)
