"""What a unit can never do, by its counter or because others do it: refused whenever it is for."""

from __future__ import annotations

from functools import cache

from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.able import sort_of
from games.second_fleet.advanced_tables import deep_chart, optional_chart
from games.second_fleet.board import NATO
from games.second_fleet.logistics import full
from games.second_fleet.reasons import LACKS
from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen
from games.second_fleet.tables import aircraft, ships
from pbem.kit.checks import useless


def one_by_one(seen: Seen, order: v.Leave | v.Join) -> None:
    """83 Ships leave and join, not their group as a whole."""
    unit = seen.own(seen.actor, OwnUnit)
    if unit is None or unit.kind != "group":
        return
    said, verb = seen.order, seen.verb
    scope = "@" if said.standing else "" if said.turn is None else f"turn {said.turn} "
    whom = f" {seen.action.args['group']}" if verb == "join" else ""
    hint = f"{scope}{unit.ships[0]}: {verb}{whom}" if len(unit.ships) > 0 else ""
    raise useless(seen, f"the ships of {unit.id} {verb} one by one", hint)


def by_counter(
    seen: Seen,
    order: av.Cruise | av.Replenish | v.Strike | av.Deep | av.Land | av.Commando | av.Mine,
) -> None:
    """93, 198, 209, 6.3, 6.5/6, 6.7/1 What the counter of a unit does not let it do."""
    name, verb, matter = seen.actor, seen.verb, ""
    unit, sort = seen.own(name, OwnUnit), sort_of(seen, name)
    if verb == "cruise" and sort != "group" and name not in cruisers():
        matter = "cruise"
    elif verb == "replenish" and name not in givers():
        matter = "replenish"
    elif verb == "strike" and name in unarmed():
        matter = "strike"
    elif verb in ("land", "commando") and sort == "ship" and unit is not None:
        matter = "" if unit.model == "AA" else "no landing ship"
    elif verb == "deep" and name in slow():
        matter = "slow"
    elif verb == "mine" and sort == "sub" and seen.side == NATO:
        matter = "no layer"
    if sort != "" and matter != "":
        rule, text = LACKS[matter]
        raise useless(seen, f"{name} {text}", rule=rule)


@cache
def cruisers() -> list[str]:
    """205 Ships and submarines with cruise missiles."""
    return sorted(optional_chart().cruise_units)


@cache
def givers() -> list[str]:
    """6.5/6 Ships with stores to give."""
    stores = {name: full(name) for name in ships()}
    return sorted(name for name, one in stores.items() if one.ammunition or one.oil)


@cache
def unarmed() -> list[str]:
    """93 Squadrons that can never attack with anything."""
    fronts = {n: sheet.front for n, sheet in aircraft().items() if not sheet.special}
    return sorted(n for n, front in fronts.items() if not (front.bomb or front.ssm or front.asw))


@cache
def slow() -> list[str]:
    """198 Submarines that are too slow to go deep."""
    least = deep_chart().least_ma
    return sorted(n for n, sheet in ships().items() if sheet.sub and sheet.front.ma < least)
