"""Judging orders by their sender's own report and the open board alone, never by the truth.

The rules themselves are in `courses`, which get what the report says.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import convert

from games.far_seas import courses
from games.far_seas import verbs as v
from games.far_seas.board import GERMAN, name
from games.far_seas.courses import MOVES, Mover, Sea
from games.far_seas.refusal import Refused
from games.far_seas.report import Outline, OwnShip, outline
from games.far_seas.state import GRADES
from orders.model import Action, Order
from pbem.model import Problem, Side

RULES = {verb.name: verb.rule for verb in v.GRAMMAR.verbs}
GERMAN_ONLY = ("raid", "attack convoy", "capture", "surprise", "intern", "return")
ALLIED_ONLY = ("hold", "convoy", "station", "support", "seek", "retire")
CHOICE = {"seek": ("what", "ship"), "surprise": ("what", "prey"), "target": ("what", "ship")}
"""Verbs that say either a word or a ship."""


def check(order: Order, report: Mapping[str, object]) -> Problem | None:
    """The first thing wrong with an order, None when it can stand."""
    seen = outline(report)
    for action in (*order.actions, *order.otherwise):
        try:
            _belongs(action, seen)
            _choice(order.actor, action)
            if action.verb in MOVES:
                _moving(order, action, seen)
        except Refused as no:
            return Problem(
                no.code, str(no), no.hint, no.rule, no.arg if no.arg in action.args else ""
            )
    return None


def note(order: Order, report: Mapping[str, object]) -> str:
    """Where an order takes the ship: `29 Bay of Bengal`; empty where there is nothing to say."""
    seen = outline(report)
    unit = seen.unit(order.actor)
    for action in order.actions:
        if unit is None or not _now(order, seen) or action.verb not in ("move", "raid", "station"):
            continue
        try:
            return f"to {name(_destination(unit, action, seen))}"
        except Refused:
            continue
    return ""


def _now(order: Order, seen: Outline) -> bool:
    """Does the order act in this segment, whatever happens?"""
    return not order.standing and order.turn in (None, seen.turn) and order.when is None


def _belongs(action: Action, seen: Outline) -> None:
    """Verbs of the other side are refused."""
    german = seen.side == GERMAN
    if action.verb in (ALLIED_ONLY if german else GERMAN_ONLY):
        whose = "Allied" if german else "German"
        raise Refused("not-yours", RULES[action.verb], f"'{action.verb}' is for {whose} ships")


def _choice(actor: str, action: Action) -> None:
    """An order that names a ship or a way to choose one says one of them."""
    names = CHOICE.get(action.verb)
    if names is None:
        return
    said = [n for n in names if n in action.args]
    if len(said) == 2:
        text = f"'{action.verb}' takes a word or a ship, not both"
        raise Refused("extra-words", RULES[action.verb], text, arg=names[1])
    if not said and not (action.verb == "target" and "how" in action.args):
        word = "best" if action.verb == "target" else "any"
        text = f"name a ship or write '{word}'"
        raise Refused(
            "missing-argument", RULES[action.verb], text, f"{actor}: {action.verb} {word}"
        )


def _moving(order: Order, action: Action, seen: Outline) -> None:
    """5.3, M5, G7 The ship may move now, and get there."""
    unit = seen.unit(order.actor)
    if unit is None:
        text = f"'{action.verb}' is an order for a ship"
        raise Refused("wrong-actor", RULES[action.verb], text, "name the ship")
    if action.verb == "join" and action.args["ship"] == order.actor:
        raise Refused("joins-itself", "M5", f"{order.actor} cannot join itself", arg="ship")
    if not _now(order, seen):
        return
    if not any(item.verb in MOVES for item in seen.offered(order.actor)):
        why = "has moved this turn" if unit.moved else "may move only in a turn's first segment"
        raise Refused("may-not-move", "5.3", f"{order.actor} {why}", "leave this order out")
    if action.verb == "join":
        return
    _destination(unit, action, seen)
    if action.verb in ("move", "cruise", "part") and unit.trapped:
        text = f"{order.actor} was found in the river and must remain there"
        raise Refused("trapped", "G7", text)


def _destination(unit: OwnShip, action: Action, seen: Outline) -> str:
    """Where an order takes the ship by the rules of `courses`."""
    mover = Mover(
        id=unit.id,
        side=Side(seen.side),
        nation=unit.nation,
        type=unit.type,
        gun=unit.gun,
        speed=GRADES.index(unit.speed),
        area=unit.place,
        start=unit.start,
        duty=unit.duty,
    )
    table = seen.board
    sea = Sea(seen.turn, table.areas, table.raided, table.options, seen.scenario == "war")
    return courses.destination(sea, mover, convert(action.args, MOVES[action.verb]))
