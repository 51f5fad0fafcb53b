"""18, 6.3/1-8 Who lands: troops of amphibious ships, battalions by parachute, commandos."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.second_fleet import advanced_events as ev
from games.second_fleet import advanced_verbs as av
from games.second_fleet import bases, combat, harm, orders_of, patrols, weather
from games.second_fleet import verbs as v
from games.second_fleet.advanced_state import LADDER
from games.second_fleet.advanced_tables import invasion_chart, lift
from games.second_fleet.board import (
    BASES,
    COAST,
    HEXES,
    SOVIET,
    around,
    closed,
    distance,
    steps,
    wet,
)
from games.second_fleet.results import air_fight, defence
from games.second_fleet.state import Patrol, Squadron, Vessel, War, enemy
from games.second_fleet.tables import D10, cap_chart
from orders.book import Book
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

KINDS: Mapping[str, type[Struct]] = {
    "commando": av.Commando,
    "land": av.Land,
    "drop": av.Drop,
}


def targets(war: War, side: Side, *, raised: bool = False) -> tuple[str, ...]:
    """6.3/1-2 Bases at which a side may land: of NATO those that the Soviet strategy in force
    allows, or that NATO has lost; and its own. raised: with the strategy a step higher."""
    at = LADDER.index(war.politics.strategy) + raised
    lists = invasion_chart().targets[LADDER[min(at, len(LADDER) - 1)]]
    found = []
    for hex_, base in BASES.items():
        if base.nation == "SO":
            continue
        lost = war.fields[hex_].side == SOVIET
        allowed = lost or base.strategy in lists
        if allowed if side == SOVIET else True:
            found.append(hex_)
    return tuple(found)


def beaches(hex_: str) -> tuple[str, ...]:
    """6.3/3 Invasion hexes: the base's own if it holds water, and coastal ones beside it."""
    found = [h for h in around(hex_) if HEXES[h] in COAST and not closed(hex_, h)]
    return (hex_, *found) if wet(hex_) else tuple(found)


def carried(ship: Vessel) -> int:
    """6.3/4, 5.8/7 Points aboard; half, down, when she is damaged."""
    if ship.landed:
        return 0
    points = lift().get(ship.id, 0)
    return points // 2 if ship.damaged else points


def made(table: TableLike, war: War, book: Book, side: Side) -> None:
    """6.3/4-8 The landings of one side: commandos first, then troops and battalions."""
    boats: list[str] = []  # 6.3/8 submarines that have landed one
    facts = v.GRAMMAR.knows(war, side)
    for kind in KINDS:
        for command in list(book.script({kind: KINDS[kind]}, facts)):
            try:
                if kind == "commando" and command.actor in boats:
                    text = f"{command.actor} lands one commando a morning"
                    raise Refused("too-many", "6.3/8", text)
                _one(table, war, side, command.actor, command.order)
            except Refused as no:
                table.tell([side], orders_of.unlanded(command.actor, no, command.order))
                continue
            if kind == "commando" and war.vessels[command.actor].sub:
                boats.append(command.actor)


def _one(table: TableLike, war: War, side: Side, actor: str, order: Struct) -> int:
    """Raises Refused."""
    assert isinstance(order, av.Land | av.Drop | av.Commando)
    if order.hex not in targets(war, side):
        raise Refused("no-target", "6.3/1", f"nobody may land in {order.hex} now")
    ships = [] if isinstance(order, av.Drop) else orders_of.ships_of(war, side, actor)
    if weather.storm(war, order.hex, *(s.hex for s in ships)):
        raise Refused("storm", "6.2/5", "nobody lands in a storm")
    if isinstance(order, av.Drop):
        points = _drop(table, war, side, order)
    else:
        orders_of.require_entered(war, side, actor)
        if len(ships) != 1:
            raise Refused("no-ship", "6.3/4", f"{actor} is no ship")
        if isinstance(order, av.Land):
            points = _land(war, side, ships[0], order)
        else:
            return _commando(table, war, side, ships[0], order)
    _ashore(table, war, side, order.hex, points)
    return points


def _ashore(table: TableLike, war: War, side: Side, hex_: str, points: int) -> None:
    field = war.fields[hex_]
    field.ashore[side] = field.ashore.get(side, 0) + points
    if points:
        told = ev.Landed(rule="6.3", side=side, base=BASES[hex_].name, points=points)
        table.tell(table.sides, told)


def _land(war: War, side: Side, ship: Vessel, order: av.Land) -> int:
    """6.3/4 From an invasion hex without enemy combat ships. Raises Refused."""
    if ship.type != "AA" or not carried(ship):
        raise Refused("no-troops", "6.3/4", f"{ship.id} has no troops to land")
    if ship.hex not in beaches(order.hex):
        text = f"{ship.hex} is no invasion hex of {BASES[order.hex].name}"
        raise Refused("no-beach", "6.3/3", text)
    if any(s.sheet.combat for s in war.surface(enemy(side), ship.hex)):
        raise Refused("enemy-there", "6.3/4", f"enemy ships are in {ship.hex}")
    points = min(order.points or 99, carried(ship))
    ship.landed = True
    return points


# Parachutes


def _drop(table: TableLike, war: War, side: Side, order: av.Drop) -> int:
    """6.3/6-7 Battalions, less those that patrols and guns destroy. Raises Refused."""
    chart, troops = invasion_chart(), war.landings[side]
    if BASES[order.hex].kind == "PT":
        raise Refused("no-drop", "6.3/6", f"{BASES[order.hex].name} has no airfield")
    if order.battalions > troops.battalions:
        raise Refused("no-battalion", "6.3/6", f"{troops.battalions} battalions are left")
    if troops.dropped + order.battalions > chart.most_battalions:
        raise Refused("too-many", "6.3/6", "three battalions are dropped a morning")
    if not any(
        bases.usable(war, h, side)
        and war.ready(h)
        and not weather.storm(war, h)
        and distance(h, order.hex) <= chart.drop_range
        for h in war.fields
    ):
        raise Refused("too-far", "6.3/6", "no undamaged airfield of ours is near, out of storms")
    troops.battalions -= order.battalions
    troops.dropped += order.battalions
    left = order.battalions
    left = max(0, left - _patrols(table, war, side, order.hex, left))
    if left and not war.holds(side, order.hex):
        left = max(0, left - _guns(table, war, order.hex))
    told = ev.Dropped(
        rule="6.3", side=side, base=BASES[order.hex].name, sent=order.battalions, left=left
    )
    table.tell(table.sides, told)
    return left * chart.battalion


def _patrols(table: TableLike, war: War, side: Side, hex_: str, count: int) -> int:
    """6.3/7 Interceptors within range attack once, base by base; battalions that they destroy.

    Patrols come down at the end of a turn and go up after the landings: those that stand ready at
    their bases, as many as could be on patrol, count as one.
    """
    lost = 0
    for base in bases.all_bases(war, enemy(side)):
        units = _ready(war, enemy(side), base)
        away = distance(hex_, war.spot(base))
        if not units or away > cap_chart().range or lost >= count:
            continue
        names = [u.id for u in units]
        patrol = Patrol("", enemy(side), base, names, cap_chart().range, 1)
        attack = patrols.strength(war, patrol, hex_, electronic=False)
        (die,) = table.roll(f"INVASION/PATROL/{hex_}/DIE", D10, to=table.sides)
        fought = air_fight(die, attack, invasion_chart().a2a * (count - lost), cap=True)
        lost += fought.defender
        doctrine = patrols.doctrine(war, enemy(side))
        harm.thin(table, war, units, fought.attacker, doctrine, "6.3/7")
    return min(lost, count)


def _ready(war: War, side: Side, base: str) -> list[Squadron]:
    """62, 6.2/5, 6.5/4 Interceptors of a base that could be on patrol: three, of a carrier two,
    none in a storm."""
    if weather.storm(war, war.spot(base)):
        return []
    able = [u for u in war.flying(side) if u.base == base and u.role == "INT"]
    most = cap_chart().most - (not base.isdigit())
    return [u for u in able if patrols.ready(war, u)][:most]


def _guns(table: TableLike, war: War, hex_: str) -> int:
    """6.3/7 The base's Close AA; each full 4 points destroy a battalion."""
    total = combat.base_guns(war, hex_, electronic=False)
    if not total:
        return 0
    (die,) = table.roll(f"INVASION/GUNS/{hex_}/DIE", D10, to=table.sides)
    return defence(die, total) // invasion_chart().kill


# Commandos


def raided_from(hex_: str, sub: bool) -> frozenset[str]:
    """6.3/8 Where a commando of a base comes from: its invasion hexes, of submarines those beside
    them too."""
    near = beaches(hex_)
    return frozenset(h for beach in near for h in ((beach, *steps(beach)) if sub else (beach,)))


def _commando(table: TableLike, war: War, side: Side, ship: Vessel, order: av.Commando) -> int:
    """6.3/8 A die: at work, nothing, lost. Raises Refused."""
    chart, troops, field = invasion_chart(), war.landings[side], war.fields[order.hex]
    if field.side == side:
        raise Refused("no-target", "6.3/8", f"{BASES[order.hex].name} is ours")
    if troops.commandos < 1:
        raise Refused("no-commando", "6.3/8", "no commando is left")
    if ship.hex not in raided_from(order.hex, ship.sub) or not (ship.sub or ship.type == "AA"):
        raise Refused("no-beach", "6.3/8", f"{ship.id} is not near enough to land a commando")
    if field.commandos >= chart.most_commandos:
        raise Refused("too-many", "6.3/8", "two commandos are sent against a base a morning")
    field.commandos += 1
    (die,) = table.roll(f"INVASION/COMMANDO/{order.hex}/{side.upper()}", D10, to=[side])
    works, lost = die <= chart.works, die >= chart.lost
    if works or lost:
        troops.commandos -= 1
    told = ev.CommandoSent(
        rule="6.3", why=f"die {die}", base=BASES[order.hex].name, works=works, lost=lost
    )
    table.tell([side], told)
    if works:
        field.cut = True
        _ashore(table, war, side, order.hex, chart.commando)
    return chart.commando if works else 0
