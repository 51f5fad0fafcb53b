"""Whom an order is for, and why somebody cannot be given it now: orders that nothing would ever
carry out are refused, as their sender would count on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from games.second_fleet import advanced_verbs as av
from games.second_fleet import reasons, roster
from games.second_fleet import verbs as v
from games.second_fleet.board import NATO
from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen
from games.second_fleet.tables import counters, type_names
from pbem.kit.checks import Refused, useless
from pbem.kit.sorts import Sorts

SAILS = "group ship sub decoy"
WHOM = {
    "segment": "side", "form": "side", "losses": "side", "release": "side", "decoy": "side",
    "strategy": "side", "drop": "side", "array": "side group ship", "join": "group ship",
    "leave": "group ship", "move": SAILS, "go": SAILS, "attack": "group ship sub",
    "cruise": "group ship sub", "recon": "air", "intercept": "air", "coordinate": "air",
    "cap": "air", "strike": "air", "transfer": "air", "mine": "air sub", "deep": "sub",
    "surface": "sub", "land": "ship", "commando": "ship sub", "replenish": "ship",
    "withdraw": "group ship sub", "enter": "ship sub air", "station": "ship sub air",
    "wing": "ship", "shadow": "ship",
}  # fmt: skip
"""Verbs, and the sorts of actors that they are for."""
SORTS = Sorts(
    {
        "side": "the side as a whole",
        "group": "groups",
        "ship": "ships",
        "sub": "submarines",
        "air": "squadrons",
    },
    WHOM,
)
ORDERS = {
    "side": "the side as a whole: segment, form, array, losses",
    "group": "groups: move, go, attack, array",
    "ship": "ships: move, go, attack, join, leave",
    "sub": "submarines: move, go, attack",
    "air": "squadrons: recon, intercept, coordinate, cap, strike, transfer",
    "decoy": "decoys: move, go",
}
RULES = {
    "deep": "deep",
    "surface": "deep",
    "mine": "mines",
    "replenish": "logistics",
    "release": "nuclear",
    "cruise": "cruise",
    "wing": "wings",
    "shadow": "tattletales",
    "decoy": "decoys",
    "strategy": "advanced",
    "drop": "advanced",
    "land": "advanced",
    "commando": "advanced",
    "enter": "advanced",
    "withdraw": "advanced",
}
"""Verbs of optional rules and of the advanced level."""
MORNING = (
    "recon",
    "intercept",
    "coordinate",
    "strategy",
    "enter",
    "deep",
    "surface",
    "land",
    "drop",
    "commando",
)
"""3 What is done in the strategic cycle, in the morning, alone."""
EVER = ("form", "array", "losses", "release", "withdraw", "station", "wing", "shadow")
"""What may be ordered in every window in which the menu has it."""

LED = ("move", "go", "attack", "cruise")
"""85 What a ship in company does as her group does it."""


@cache
def types() -> dict[str, str]:
    """The sort of each type of counter, by its letters: `SN`: sub."""
    found = dict.fromkeys(roster.MISSIONS, "air")
    for sheet in counters().values():
        found[sheet.type] = "sub" if sheet.sub else "ship"
    return {**found, "DC": "decoy"}


@cache
def flights() -> dict[str, list[str]]:
    """44-51, 61 What each kind of squadron is for besides strikes, by the name of its type."""
    words = {"recon": "recon", "intercept": "intercept", "tac": "coordinate", "mine": "mine"}
    found = {type_names()[r]: [words[m] for m in ms] for r, ms in roster.MISSIONS.items()}
    for role in roster.PATROLS:
        found[type_names()[role]].append("cap")
    return found


def sort_of(seen: Seen, name: str) -> str:
    """`side`, or the sort of an own unit; empty for a name that no unit has yet."""
    if name == seen.side.upper():
        return "side"
    unit = seen.own(name, OwnUnit)
    if unit is None:
        return ""
    if unit.kind == "group":
        return "group"
    return types().get(unit.model, unit.kind)


def missing(seen: Seen) -> Sequence[str]:
    """220 Rules that the game is played without."""
    found: Sequence[str] = seen.report["board"].get("without", [])
    return found


def in_force(seen: Seen, order: Struct) -> None:
    """220 Orders of rules that the game is played with."""
    option = RULES.get(seen.verb, "")
    if option != "" and option in missing(seen):
        if option == "advanced":
            raise useless(seen, "this game is not played at the advanced level", rule="220")
        raise useless(seen, f"this game is played with {option}=no")


def in_force_too(seen: Seen, order: v.Move | v.Go | v.Attack | v.Strike) -> None:
    """220 The same for words of orders: close combat, high speed, nuclear weapons."""
    said = seen.action.args
    rules = {"close": "close", "high": "speed", "nuclear": "nuclear"}
    for arg in ("weapon", "speed", "warhead"):
        word = str(said.get(arg, ""))
        if word in rules and rules[word] in missing(seen):
            text = f"this game is played with {rules[word]}=no"
            raise Refused("no-effect", seen.rule, text, f"leave out {word}", arg)


def by_sort(seen: Seen, order: Struct) -> None:
    """219 Ships sail, aircraft fly, and sides decide."""
    sort, unit = sort_of(seen, seen.actor), seen.own(seen.actor, OwnUnit)
    if seen.verb == "enter" and unit is not None and unit.kind not in ("wait", "group"):
        raise useless(seen, "it is in play")
    meant = SORTS.meant(seen.verb, sort)
    if len(meant) > 0:
        raise SORTS.refusal(seen, meant, f"orders of {ORDERS[sort]}")


def by_type(seen: Seen, order: v.Recon | v.Intercept | v.Coordinate | av.Mine | v.Cap) -> None:
    """44-51, 61 What each kind of squadron is for."""
    unit = seen.own(seen.actor, OwnUnit)
    if unit is None or sort_of(seen, seen.actor) != "air":
        return
    able = flights().get(unit.type, [])
    if seen.verb not in able:
        rule = {"cap": "61", "mine": "50", "intercept": "44", "coordinate": "48"}
        text = f"a squadron of type {unit.type} does not fly it"
        rest = [one for one in able if RULES.get(one, "") not in missing(seen)]
        hint = f"it flies {', '.join([*rest, 'strike', 'transfer'])}"
        raise useless(seen, text, hint, rule.get(seen.verb, "51"))


def company(seen: Seen, order: v.Move | v.Go | v.Attack | v.Strike | v.Transfer | v.Cap) -> None:
    """85, 90, 92 Ships go along with ships, squadrons with squadrons, submarines with nobody."""
    flies = seen.verb in ("strike", "transfer", "cap")
    for item, name in enumerate(order.mates):
        sort = sort_of(seen, name)
        if flies and sort not in ("", "air"):
            text, hint = f"{name} is no squadron: aircraft fly with aircraft", f"leave {name} out"
            raise Refused("no-squadron", "92", text, hint, arg="mates", item=item)
        if not flies and sort in ("side", "air"):
            text = f"{name} is no ship: ships sail and attack with ships alone"
            hint = f"leave {name} out; it gets orders of its own"
            raise Refused("no-ship", "85", text, hint, arg="mates", item=item)
        if not flies and "sub" in (sort, sort_of(seen, seen.actor)):
            raise Refused("alone", "90", "submarines are activated one by one", arg="mates")


def weapons(seen: Seen, order: v.Attack) -> None:
    """89, 6.8/1 Torpedoes are for submarines, close combat is for ships."""
    sort = sort_of(seen, seen.actor)
    if order.weapon == "torpedo" and sort in ("group", "ship"):
        raise Refused("no-torpedo", "89", "torpedoes are for submarines", arg="weapon")
    if order.weapon == "close" and sort == "sub":
        raise Refused("no-close", "6.8/1", "close combat is for surface ships", arg="weapon")


def speeds(seen: Seen, order: v.Move | v.Go) -> None:
    """24, 6.7/6 Full speed is for submarines, high speed for ships."""
    sort = sort_of(seen, seen.actor)
    if order.speed == "high" and sort == "sub":
        raise Refused("no-high-speed", "6.7/6", "high speed is for ships", arg="speed")
    if order.speed == "full" and sort in ("group", "ship", "decoy"):
        raise Refused("no-full-speed", "24", "full speed is for submarines", arg="speed")


# The time of day


def dawn(turn: int) -> int:
    """3 The next morning after a turn."""
    return turn + 3 - (turn + 2) % 3


def in_the_morning(seen: Seen) -> bool:
    """3 Is it an order for the strategic cycle?"""
    mined = seen.verb == "mine" and sort_of(seen, seen.actor) == "air"
    return mined or seen.verb in MORNING


def in_time(seen: Seen, order: Struct) -> None:
    """3, 6.18 An order for a turn is carried out in its part of the day, if that is not over."""
    turn, stage = seen.order.turn, str(seen.report["board"]["stage"])
    if seen.verb in ("station", "wing", "shadow") and (stage != "set-up" or turn is not None):
        raise useless(seen, "it is for the set-up alone", rule="6.18")
    if turn is None or not in_the_morning(seen):
        return
    if turn % 3 != 1:
        part = "a Night" if turn % 3 == 0 else "a PM"
        text = f"turn {turn} is {part}, and it is done in the morning"
        raise useless(seen, text, f"turn {dawn(turn)} {seen.actor}: {seen.verb} ...", "3")
    if turn == seen.turn and stage in ("cap", "segment"):
        text = f"the morning of turn {turn} is over"
        raise useless(seen, text, f"turn {dawn(turn)} {seen.actor}: {seen.verb} ...", "3")


# Why not now


def free(seen: Seen, given: Struct) -> None:
    """6.13/5, 83, 230 Who cannot be given an order of this window is told why. An order that names
    the turn that is played is one of its segments' too."""
    order, unit = seen.order, seen.own(seen.actor, OwnUnit)
    stage = str(seen.report["board"]["stage"])
    named = order.turn == seen.turn and stage == "segment"
    if order.standing or not (named or order.turn is None):
        return
    if seen.verb in [one.verb for one in seen.offers(seen.actor)]:
        return
    if order.actor == seen.side.upper() and order.turn is None:
        reasons.of_side(seen)
    if unit is None:
        return
    hindered(seen, unit, stage)
    if named:
        text = f"{unit.id} cannot be given '{seen.verb}' in turn {seen.turn} any more"
        raise Refused("not-now", seen.rule, text)


def hindered(seen: Seen, unit: OwnUnit, stage: str) -> None:
    """What keeps a unit from an order of this window, if its report shows it. Raises Refused."""
    if unit.kind == "wait":
        text = f"{unit.id} waits for a place to enter"
        raise Refused("not-now", "6.4/4", text)
    if stage != "strategic" and in_the_morning(seen):
        text = f"'{seen.verb}' is ordered in the morning, before the segments"
        raise Refused("not-now", "3", text, later(seen, unit, dawn(seen.turn)))
    if stage != "segment":
        early(seen, unit, stage)
    elif unit.kind == "air":
        grounded(seen, unit)
    elif unit.group != "" and seen.verb not in ("leave", "join", "replenish", "withdraw"):
        grouped(seen, unit)
    else:
        spent(seen, unit)


def grouped(seen: Seen, unit: OwnUnit) -> None:
    """85 A ship does what her group does. The hint names what this window allows: an order to the
    group, and to leave it. What the group cannot do she could not either if she left, and the
    reason is that of the group."""
    group = seen.own(unit.group, OwnUnit)
    led = seen.verb in [one.verb for one in seen.offers(unit.group)]
    if group is not None and not led:
        spent(seen, group)
    hint = f"{unit.group}: {seen.verb} ..." if led else ""
    if led and "leave" in [one.verb for one in seen.offers(unit.id)]:
        hint = f"{hint}, or first {unit.id}: leave"
    raise Refused("not-now", "85", f"{unit.id} sails with {unit.group}", hint)


def later(seen: Seen, unit: OwnUnit, turn: int) -> str:
    """The same order for another turn."""
    return f"turn {turn} {unit.id}: {seen.verb} ..."


def early(seen: Seen, unit: OwnUnit, stage: str) -> None:
    """3, 64 The window is for strategic missions, or for patrols; the segments come after it."""
    if unit.kind == "air" and (unit.away != "" or shut(seen, unit)):
        grounded(seen, unit)
    if stage == "cap" and seen.verb == "cap":
        if seen.side == NATO:
            text = "the Soviets assign patrols in this window, NATO in the next"
            raise Refused("not-now", "64", text)
    elif not in_the_morning(seen) and seen.verb not in EVER:
        raise reasons.not_yet(seen, unit.group if seen.verb in LED else "")
    else:
        reasons.lacking(seen, unit)


def grounded(seen: Seen, unit: OwnUnit) -> None:
    """13, 64, 176, 230, 264 Why a squadron does not take off."""
    if unit.away != "":
        patrol = unit.away in ("on patrol", "back from patrol")
        mission = "" if patrol or unit.away == "back from a mission" else "on a mission: "
        free_again = seen.turn + 1 if patrol else dawn(seen.turn)
        text = f"{unit.id} is {mission}{unit.away}"
        raise Refused("not-now", "230", text, later(seen, unit, free_again))
    if unit.acted:
        text = f"{unit.id} has flown in this turn"
        raise Refused("not-now", "6.13/5", text, later(seen, unit, seen.turn + 1))
    if shut(seen, unit):
        rule = "176" if unit.base.isdigit() else "264"
        raise Refused("not-now", rule, f"{unit.base} is damaged: nobody takes off from it")
    if seen.verb == "cap":
        text = "patrols take off before the first segment"
        raise Refused("not-now", "64", text, later(seen, unit, seen.turn + 1))
    if "air" in seen.report["board"]["used"]:
        text = "your aircraft have had their segment in this turn"
        raise Refused("not-now", "13", text, later(seen, unit, seen.turn + 1))
    reasons.lacking(seen, unit)


def shut(seen: Seen, unit: OwnUnit) -> bool:
    """176, 264 Is the airfield or the carrier of a squadron damaged?"""
    for row in seen.report["board"].get("hurt", []):
        if row["hex"] == unit.base and row["air"] > 0:
            return True
    carrier = seen.own(unit.base, OwnUnit)
    return carrier is not None and carrier.damaged


def spent(seen: Seen, unit: OwnUnit) -> None:
    """13, 6.13/5 Ships and submarines are activated once a turn, by what they have."""
    if seen.verb == "replenish":
        reasons.lacking(seen, unit)
    layer = "sub" if unit.kind == "sub" else "surf"
    if unit.acted:
        text = f"{unit.id} has been activated in this turn"
        raise Refused("not-now", "6.13/5", text, later(seen, unit, seen.turn + 1))
    if layer in seen.report["board"]["used"]:
        who = "submarines" if layer == "sub" else "surface ships"
        text = f"your {who} have had their segment in this turn"
        raise Refused("not-now", "13", text, later(seen, unit, seen.turn + 1))
    reasons.lacking(seen, unit)
