"""Whom an order is for, and who can never carry it out: orders that nothing would ever read are
refused, standing, later and conditional ones too, as their sender would count on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from games.baltic import hulls
from games.baltic import verbs as v
from games.baltic.gunnery import GUNS
from games.baltic.report import OwnVessel
from games.baltic.seen import Seen
from games.baltic.tables import SETTINGS, figures, sheets, telegraph, weapons
from pbem.kit.checks import Refused, useless
from pbem.kit.sorts import Sorts, addressed

WHOM = {
    "deploy": "ship squadron",
    "buy": "side",
    "stock": "ship",
    "speed": "ship squadron",
    "down": "ship squadron",
    "up": "ship squadron",
    "bid": "side",
    "resign": "side",
    "stack": "side",
    "reserve": "side",
    "play reserve": "side",
    "dash": "side",
    "move": "ship squadron",
    "steer": "ship squadron",
    "glide": "squadron",
    "force": "side ship squadron vessel",
    "evade": "side ship squadron vessel",
    "fire": "ship squadron vessel",
    "hold fire": "ship squadron vessel",
    "aa": "side ship squadron vessel",
    "torpedo": "ship squadron vessel",
    "beam": "ship squadron vessel",
    "bomb": "ship squadron vessel",
    "board": "ship",
    "launch": "ship",
    "fly": "marker",
    "attack": "marker",
    "escort": "marker",
    "cap": "marker",
    "break": "marker",
    "home": "marker",
    "group": "marker",
    "force bombers": "side",
    "lose": "side",
    "repair": "side ship",
    "choose": "side ship",
}
"""Verbs, and the sorts of actors that they are for."""
SORTS = Sorts(
    {
        "side": "the side as a whole",
        "ship": "ships of the line",
        "squadron": "squadrons",
        "vessel": "vessels of squadrons",
        "marker": "aeroplanes",
    },
    WHOM,
)
ARMS = {
    "fire": ("gun", GUNS, "66"),
    "torpedo": ("torpedo tube", ("torp",), "101"),
    "beam": ("beam", ("beam",), "93"),
    "bomb": ("bomb bay", ("bomb",), "99"),
}
"""Verbs of weapons: what the weapon is called, its kinds, the rule."""
STAGES = {"planning": 0, "all": 0, "place": 1, "stack": 1, "orders": 2, "air": 3, "between": 4}
"""The windows of a turn in their order."""
UNTIL = {
    "speed": 0,
    "down": 0,
    "up": 0,
    "bid": 0,
    "resign": 0,
    "stack": 2,
    "reserve": 2,
    "play reserve": 2,
    "dash": 2,
    "move": 2,
    "steer": 2,
    "glide": 2,
    "fire": 2,
    "hold fire": 2,
    "aa": 2,
    "torpedo": 2,
    "beam": 2,
    "bomb": 2,
    "board": 2,
    "launch": 2,
    "repair": 4,
    "choose": 4,
}
"""Verbs, and the last window of a turn in which they can be ordered for it."""


@cache
def arms() -> dict[str, dict[str, list[str]]]:
    """The weapons of each sheet by the verb that uses them."""
    return {
        sheet: {
            verb: [one.id for one in weapons(sheet) if one.kind in kinds]
            for verb, (_, kinds, _) in ARMS.items()
        }
        for sheet in sheets()
    }


@cache
def settings() -> dict[str, list[str]]:
    """40 The telegraph of each sheet."""
    return {
        name: list(SETTINGS[: len(telegraph(hulls.column(sheet)))])
        for name, sheet in sheets().items()
    }


@cache
def traits() -> dict[str, str]:
    """What sets each sheet apart: `aerial`, `hull-down`, `carrier` ..."""
    return {name: sheet.trait for name, sheet in sheets().items()}


@cache
def choosers() -> dict[str, bool]:
    """152 Does who has this sheet choose between two critical hits?"""
    return {n: sheet.cls == "B" and sheet.trait != "carrier" for n, sheet in sheets().items()}


@cache
def least_hand() -> int:
    """35 A battle of so many cards a side or fewer has neither reserve nor dash."""
    return figures().small_fleet


def sort_of(seen: Seen, name: str) -> str:
    """`side`, or the sort of an own unit; empty for a name that no unit has."""
    if name == seen.side.upper():
        return "side"
    unit = seen.own(name, OwnVessel)
    if unit is None:
        return ""
    if unit.kind != "vessel":
        return unit.kind
    return "vessel" if unit.leader != "" else "ship"


def by_sort(seen: Seen, order: Struct) -> None:
    """2 Ships and squadrons sail and fire, aeroplanes fly, and sides decide."""
    sort, unit = sort_of(seen, seen.actor), seen.own(seen.actor, OwnVessel)
    meant = SORTS.meant(seen.verb, sort)
    if len(meant) == 0:
        return
    if sort == "vessel" and unit is not None and "squadron" in meant:
        raise useless(seen, "her squadron sails as one", addressed(seen, unit.leader))
    name = example(seen, meant)
    hint = f"order it to each of them: {addressed(seen, name)}" if name != "" else ""
    raise SORTS.refusal(seen, meant, hint)


def example(seen: Seen, sorts: Sequence[str]) -> str:
    """An own unit of one of these sorts that can act; empty without any."""
    for row in seen.report["units"]:
        if row.get("state", "") != "wreck" and sort_of(seen, row["id"]) in sorts:
            return str(row["id"])
    return ""


def afloat(seen: Seen, order: Struct) -> None:
    """88 A wreck does nothing more."""
    unit = seen.ship
    if unit is not None and unit.state == "wreck":
        raise useless(seen, "she is a wreck", "leave her out", "88")


def in_time(seen: Seen, order: Struct) -> None:
    """22, 215 A set-up is over when the first turn begins, planning when the cards are played, and
    nothing is done after the last turn."""
    turn, last = seen.order.turn, int(seen.report["board"].get("turns", 0))
    if turn is not None and last > 0 and turn > last:
        raise useless(seen, f"the game ends with turn {last}", rule="213")
    if seen.verb in ("deploy", "buy", "stock"):
        if seen.turn > 0 or (turn is not None and turn > 0):
            raise useless(seen, "it is for the set-up alone")
        return
    offered = [one.verb for one in seen.offers(seen.actor)]
    if seen.turn == 0 and turn is None and not seen.order.standing and seen.verb not in offered:
        text = f"this window is for the set-up, and '{seen.verb}' for the turns after it"
        raise Refused("not-now", "22", text, f"turn 1 {seen.actor}: {seen.verb} ...")
    stage = STAGES.get(str(seen.report["board"]["stage"]), 0)
    late = seen.verb not in offered if turn is None else turn == seen.turn
    if seen.turn == 0 or seen.order.standing or not late:
        return
    if stage > UNTIL.get(seen.verb, 3):
        text = f"it is too late for it in turn {seen.turn}"
        raise useless(seen, text, f"turn {seen.turn + 1} {seen.actor}: {seen.verb} ...", "21")


def telegraphed(seen: Seen, order: v.Speed) -> None:
    """39, 40 The settings that her telegraph has."""
    unit = seen.ship
    if unit is None or unit.sheet == "":
        return
    if traits()[unit.sheet] == "aerial":
        raise useless(seen, "aerial corvettes have no telegraph", rule="44")
    able = settings()[unit.sheet]
    if order.setting not in able:
        text = f"her telegraph has no '{order.setting}'"
        raise useless(seen, text, f"it has {', '.join(able)}", "40", "setting")


def hull_down(seen: Seen, order: v.Down | v.Up) -> None:
    """48 Who can flood her hull."""
    unit = seen.ship
    if unit is not None and unit.sheet != "" and traits()[unit.sheet] != "hull-down":
        raise useless(seen, "she cannot run with her hull down")


def sails(seen: Seen, order: v.Move | v.Steer | v.Glide) -> None:
    """44 Aerial corvettes glide, and nobody else does."""
    unit = seen.ship
    if unit is None or unit.sheet == "":
        return
    if traits()[unit.sheet] == "aerial" and seen.verb != "glide":
        hint = f"{seen.actor}: glide 30 20 heading 90"
        raise useless(seen, "aerial corvettes glide", hint, "44")
    if traits()[unit.sheet] != "aerial" and seen.verb == "glide":
        raise useless(seen, "only aerial corvettes glide", "move, or steer", "44")


def armed(seen: Seen, order: v.Fire | v.Torpedo | v.Beam | v.Bomb) -> None:
    """66, 93, 99, 101 The weapons of her sheet."""
    unit = seen.ship
    if unit is None or unit.sheet == "":
        return
    what, _, rule = ARMS[seen.verb]
    able = arms()[unit.sheet][seen.verb]
    if len(able) == 0:
        raise useless(seen, f"she has no {what}", rule=rule)
    named = str(seen.action.args.get("weapon", "ALL"))
    if named != "ALL" and named not in able:
        text, hint = f"she has no {what} {named}", f"her sheet has {', '.join(able)}"
        raise useless(seen, text, hint, rule, "weapon")


def equipped(seen: Seen, order: v.Launch | v.Stock | v.Choose | v.Board) -> None:
    """102, 105, 106, 152 What only some ships can do."""
    unit = seen.ship
    if unit is None or unit.sheet == "":
        return
    if seen.verb in ("launch", "stock") and traits()[unit.sheet] != "carrier":
        raise useless(seen, "she carries no aeroplanes")
    if seen.verb == "choose" and not choosers()[unit.sheet]:
        raise useless(seen, "of two critical hits only battleships choose")
    if seen.verb == "board" and unit.ram == 0:
        raise useless(seen, "she has no troopers left")


def fighters(seen: Seen, order: v.Escort | v.Cap | v.Break) -> None:
    """132-134 Who guards."""
    unit = seen.ship
    if unit is not None and unit.kind == "marker" and unit.type != "fighter squadron":
        raise useless(seen, "only fighters guard")


def cards(seen: Seen, order: v.Stack | v.Reserve | v.Dash) -> None:
    """31, 34 Ships of the line and squadrons have cards; squadrons dash."""
    for arg in ("cards", "card"):
        said = seen.action.args.get(arg, [])
        names = said if isinstance(said, list) else [str(said)]
        for item, name in enumerate(names):
            unit = seen.own(str(name), OwnVessel)
            sort = sort_of(seen, str(name))
            if unit is not None and sort == "vessel":
                text = f"{name} has no card of her own: {unit.leader} is played as one"
                raise Refused("no-card", "31", text, f"write {unit.leader}", arg, item)
            if sort == "marker":
                text = f"{name} has no card: aeroplanes act after all cards"
                raise Refused("no-card", "31", text, "leave it out", arg, item)
            if sort == "ship" and seen.verb == "dash":
                text = f"{name} is a ship of the line, and only squadrons dash"
                raise Refused("no-dash", "34", text, "name a squadron", arg, item)


def many(seen: Seen, order: v.Reserve | v.PlayReserve | v.Dash) -> None:
    """35, B51 A small battle has neither reserve nor dash."""
    if bool(seen.report["board"].get("small", False)):
        text = f"no side began this battle with more than {least_hand()} cards"
        raise useless(seen, text, rule="35")
