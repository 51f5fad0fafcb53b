"""61-82, 243-248, 6.11 CAP: patrols over bases and carriers, and how they attack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.second_fleet import bases, harm, orders_of, roster, storms, strengths, weather
from games.second_fleet import events as ev
from games.second_fleet import verbs as v
from games.second_fleet.advanced_tables import weather_chart
from games.second_fleet.board import BASES, NATO, SOVIET, ZONE_OF, distance
from games.second_fleet.knowledge import name_of
from games.second_fleet.orders_of import Books
from games.second_fleet.results import air_fight, cap_value
from games.second_fleet.state import Patrol, Squadron, War, enemy
from games.second_fleet.tables import D10, INT_ATK, cap_chart, limits
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

KINDS = {"cap": v.Cap}
ORDER = (SOVIET, NATO)
"""64 Who assigns patrols first."""
AWAY = {
    "mission": "on a mission",
    "box": "back from a mission",
    "cap": "on patrol",
    "return": "back from patrol",
}
"""230 Where a squadron is that is not at its base."""


def assign(table: TableLike, war: War, books: Books, sides: Sequence[Side] = ORDER) -> None:
    """61-64, 243 The patrols of these sides for this turn, the Soviets' first."""
    for side in sides:
        war.capped = [*war.capped, side]
        facts = v.GRAMMAR.knows(war, side)
        for actor in orders_of.programme(books[side], KINDS, facts):
            if actor in war.mourned:
                continue
            order = orders_of.orders(books[side], actor, KINDS, facts)[0]
            assert isinstance(order, v.Cap)
            try:
                _assign(war, side, actor, order)
            except Refused as no:
                table.tell([side], orders_of.unable(actor, no, order))
        _announce(table, war, side)


def _assign(war: War, side: Side, actor: str, order: v.Cap) -> None:
    """Raises Refused."""
    units = orders_of.squadrons(war, side, (actor, *order.mates))
    first = units[0]
    for unit in units:
        require_ready(war, unit)
    if no := storms.patrol(weather.storms(war), ZONE_OF[war.spot(first.base)]):
        raise no
    for unit in units:
        if unit.role not in roster.PATROLS:
            raise Refused("no-cap", "61", f"{unit.id} is no interceptor and gives no early warning")
        if not _together(war, first, unit):
            raise Refused("not-here", "62", f"{unit.id} is not ready at the base of {actor}")
    for base in dict.fromkeys(u.base for u in units):
        _room(war, base, [u for u in units if u.base == base])
    for unit in units:
        unit.at = "cap"
    war.patrols.append(
        Patrol(actor, side, first.base, [u.id for u in units], order.range, order.least)
    )


def _together(war: War, one: Squadron, other: Squadron) -> bool:
    """62, 245 Are they of one base, or of carriers in one hex?"""
    if one.base == other.base:
        return True
    return one.embarked and other.embarked and war.spot(one.base) == war.spot(other.base)


def _room(war: War, base: str, units: Sequence[Squadron]) -> None:
    """62-63 Three squadrons of a base are on patrol, two interceptors of a carrier. Raises
    Refused."""
    up = [war.squadrons[name] for p in war.patrols for name in p.units]
    flying = [u for u in (*up, *units) if u.base == base]
    fighters, most = sum(u.role == "INT" for u in flying), cap_chart().most
    if len(flying) > most:
        raise Refused("full-cap", "62", "no more than three squadrons of a base are on patrol")
    if units[0].embarked and fighters > most - 1:
        text = "no more than two interceptors of a carrier are on patrol"
        raise Refused("full-cap", "62", text)


def require_ready(war: War, unit: Squadron) -> None:
    """176, 264, 230, 6.5/4 A unit can act: at an undamaged base, and not away; a carrier needs fuel
    to fly it off. Raises Refused."""
    if unit.at != "base":
        raise Refused("is-away", "230", f"{unit.id} is {AWAY[unit.at]}")
    if not war.ready(unit.base):
        where, rule = (unit.base, "264") if unit.embarked else (BASES[unit.base].name, "176")
        raise Refused("damaged-base", rule, f"{where} is damaged")
    if unit.embarked and not strengths.stocked(war.vessels[unit.base], "fuel"):
        raise Refused("no-fuel", "6.5/4", f"{unit.base} has no fuel to fly off aircraft")


def ready(war: War, unit: Squadron) -> bool:
    """The same as a question."""
    try:
        require_ready(war, unit)
    except Refused:
        return False
    return True


def _announce(table: TableLike, war: War, side: Side) -> None:
    """6.16/11 How many fly over each base is open; over a group only if it is detected, and not
    over which of its carriers."""
    foe = enemy(side)
    counts: dict[str, int] = {}
    over: dict[str, int] = {}
    for patrol in war.patrols:
        if patrol.side == side:
            counts[patrol.base] = counts.get(patrol.base, 0) + len(patrol.units)
    for base, count in sorted(counts.items()):
        own, seen = place_names(war, base)
        table.tell([side], ev.CapSet(rule="64", side=side, at=own, count=count))
        if seen:
            over[seen] = over.get(seen, 0) + count
    for seen, count in sorted(over.items()):  # as the enemy calls them: not by names of carriers
        table.tell([foe], ev.CapSet(rule="64", side=side, at=seen, count=count))


def place_names(war: War, base: str) -> tuple[str, str]:
    """What its owner calls a base or carrier, and what the enemy does: empty if she is not
    detected, also where the enemy sees that somebody is there (6.16/1)."""
    if base.isdigit():
        return BASES[base].name, BASES[base].name
    ship = war.vessels[base]
    return ship.id, name_of(war, enemy(ship.side), ship.key) if ship.level else ""


def value(war: War, units: Sequence[Squadron], hex_: str, role: str = "") -> int:
    """244, 271 Air-to-air points of units in a hex; role ATK: interceptors and attackers fight as
    attackers (126)."""
    found = 0
    for unit in units:
        points = unit.now.a2a
        if role == "ATK" and unit.role in INT_ATK:
            points = limits().attacker
        if unit.side == SOVIET and unit.role in INT_ATK and war.dark(hex_):
            points = max(1, points - 1)
        found += points
    return found


def strength(war: War, patrol: Patrol, hex_: str, electronic: bool) -> int:
    """74, 75, 247 What a patrol is worth against aircraft in a hex."""
    units = [war.squadrons[name] for name in patrol.units]
    spot = war.spot(patrol.base)
    total = value(war, units, spot)
    if weather.bad(war, spot, hex_):
        worst = weather_chart().cap
        total = sum(max(1, value(war, [u], spot) + worst) for u in units)
    if patrol.base.isdigit():
        return max(1, total - cap_chart().electronic) if electronic else total
    models = [u.sheet.id for u in units if u.role == "AEW"]
    warning = min(models, key=lambda model: model in cap_chart().helicopters, default="")
    return cap_value(total, distance(hex_, spot), warning, electronic)


def known(war: War, side: Side) -> list[Patrol]:
    """6.16/11 The enemy's patrols that a side knows: over bases and carriers that it holds."""
    foes = [patrol for patrol in war.patrols if patrol.side != side and not patrol.home]
    return [patrol for patrol in foes if place_names(war, patrol.base)[1]]


def reacting(war: War, side: Side, hex_: str, stack: Sequence[Squadron]) -> Iterator[Patrol]:
    """67-71, 6.11 The enemy patrols that attack a stack as it enters a hex, in the order in which
    their owner named them: each by what earlier ones have left of the stack; 6.2/3, 6.2/5 none in a
    storm."""
    if weather.storm(war, hex_):
        return
    for patrol in war.patrols:
        if patrol.side == side or patrol.home or patrol.met:
            continue
        left = sum(not u.lost for u in stack)
        away = distance(hex_, war.spot(patrol.base))
        if left >= patrol.least and 1 <= away <= min(patrol.range, cap_chart().range):
            yield patrol


def ground(war: War) -> None:
    """6.2/5 Patrols of carriers that have sailed into a storm come down, and wait for Land CAP."""
    for patrol in war.patrols:
        if weather.storm(war, war.spot(patrol.base)):
            patrol.home = True


def fight(
    table: TableLike,
    war: War,
    patrol: Patrol,
    stack: Sequence[Squadron],
    hex_: str,
    escorts: Sequence[str],
) -> bool:
    """246, 161 A patrol attacks a stack; True if the stack must go home."""
    patrol.met = True
    side = stack[0].side
    fighting = value(war, [u for u in stack if u.id in escorts], hex_)
    fighting += value(war, [u for u in stack if u.id not in escorts], hex_, "ATK")
    electronic = any(u.role == "EW" for u in stack)
    attack = strength(war, patrol, hex_, electronic)
    (die,) = table.roll(f"AIR/PATROL/{hex_}/DIE", D10, to=table.sides)
    outcome = air_fight(die, attack, fighting, cap=True)
    back = outcome.defender_back and any(u.role == "INT" for u in stack)
    flying = [war.squadrons[name] for name in patrol.units]
    types = tuple(sorted({u.sheet.aircraft for u in flying}))  # 6.16/11 told after a combat alone
    own, seen = place_names(war, patrol.base)
    for told, ours, over, what in ((patrol.side, True, own, ()), (side, False, seen, types)):
        met = ev.CapMet(
            rule="246", why=f"die {die}", at=hex_, cap=over, ours=ours, cap_lost=outcome.attacker,
            lost=outcome.defender, cap_back=outcome.attacker_back, back=back, types=what,
        )  # fmt: skip
        table.tell([told], met)
    harm.thin(table, war, flying, outcome.attacker, doctrine(war, patrol.side), "246")
    harm.thin(table, war, stack, outcome.defender, doctrine(war, side), "246")
    if outcome.attacker_back:
        patrol.home = True
    return back


def doctrine(war: War, side: Side) -> str:
    """6.14/13 Whose steps go first."""
    return war.losses.get(side, "damaged")


def land(table: TableLike, war: War) -> None:
    """79-81, 228, 6.11/3 Patrols come down, on damaged fields too; those of a destroyed field and
    those for whom no room is left go elsewhere."""
    for patrol in war.patrols:
        for name in list(patrol.units):
            unit = war.squadrons[name]
            if bases.takes_back(war, unit):
                unit.at = "base"
                continue
            base = "" if unit.embarked else bases.in_zone(war, unit, ZONE_OF[unit.base], up=True)
            if base:
                unit.base, unit.at = base, "base"
            else:
                harm.lose(table, war, [unit], "80", harm.HOMELESS)
    war.patrols = []
