"""Judging orders by their sender's own report and the open board alone, never by the truth.

The rules themselves are in `courses`, which get what the report says.
"""

from __future__ import annotations

from msgspec import Struct, convert

from games.far_seas import courses
from games.far_seas import verbs as v
from games.far_seas.board import GERMAN, name
from games.far_seas.courses import MOVES, Mover, Sea
from games.far_seas.report import OpenBoard, OwnShip
from games.far_seas.state import GRADES
from games.far_seas.verbs import GRAMMAR
from pbem.kit import checks
from pbem.kit.checks import Checks, Refused
from pbem.model import Side

GERMAN_ONLY = (v.Raid, v.AttackConvoy, v.Capture, v.Surprise, v.Intern, v.Return)
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


@CHECKS.note(v.Seek, v.Surprise)
def squadron(seen: Seen, order: Struct) -> str:
    """S3, S11 A squadron searches as one: what an order to one of its ships does."""
    ship = seen.ship()
    if ship is None or not ship.leader or not seen.now:
        return ""
    return f"for the whole squadron, if {ship.leader} has no such order herself"


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


@CHECKS.on(*GERMAN_ONLY)
def german(seen: Seen, order: Struct) -> None:
    """Verbs of the German side."""
    if seen.side != GERMAN:
        raise Refused("not-yours", seen.rule, f"'{seen.verb}' is for German ships", LEAVE)


@CHECKS.on(*ALLIED_ONLY)
def allied(seen: Seen, order: Struct) -> None:
    """Verbs of the Allies."""
    if seen.side == GERMAN:
        raise Refused("not-yours", seen.rule, f"'{seen.verb}' is for Allied ships", LEAVE)


@CHECKS.on(v.Seek)
def seek(seen: Seen, order: v.Seek) -> None:
    """A word or a ship."""
    _one(seen, "ship", "any")


@CHECKS.on(v.Surprise)
def surprise(seen: Seen, order: v.Surprise) -> None:
    """A word or a ship."""
    _one(seen, "prey", "any")


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
    if isinstance(order, v.Join):
        return
    _destination(seen, ship, order)
    if ship.trapped and isinstance(order, v.Move | v.Cruise | v.Part):
        text = f"{seen.actor} was found in the river and must remain there"
        raise Refused("trapped", "G7", text, f"she stays there: {seen.actor}: river")
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
