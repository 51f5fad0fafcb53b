"""40-60, 98-104, 230-242 Strategic air: allocation, interception, bounce, detection, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from games.second_fleet import advanced_verbs as av
from games.second_fleet import (
    bases,
    decoys,
    detection,
    harm,
    ice,
    mines,
    orders_of,
    patrols,
    roster,
    storms,
    weather,
)
from games.second_fleet import events as ev
from games.second_fleet import verbs as v
from games.second_fleet.advanced_tables import weather_chart
from games.second_fleet.board import (
    ZONE_NAMES,
    ZONE_OF,
    Zone,
    called,
    distance,
    zones_from,
)
from games.second_fleet.knowledge import name_of
from games.second_fleet.orders_of import Books
from games.second_fleet.results import air_fight, bounce
from games.second_fleet.state import Mission, Squadron, Vessel, War, enemy
from games.second_fleet.tables import ARRAY, D10, INT_ATK, counters, finding, reach, zone_order
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

KINDS: Mapping[str, type[Struct]] = {
    "recon": v.Recon,
    "intercept": v.Intercept,
    "coordinate": v.Coordinate,
    "mine": av.Mine,
}
USUAL = ("cv", "tf", "tg", "single", "sub")


def phase(table: TableLike, war: War, books: Books) -> None:
    """7 Allocation, interception and bounce zone by zone, mining, detection."""
    for side in table.sides:
        allocation(table, war, books, side)
    for zone in zone_order():
        winner = interception(table, war, zone)
        if winner:
            _bounce(table, war, zone, winner)
        for unit in _on(war, zone, "intercept"):
            unit.at = "box"  # 45, 237
    mines.laying(table, war)
    for side in reversed(table.sides):  # 239 the Soviets first
        recon(table, war, side)


# Allocation


def allocation(table: TableLike, war: War, books: Books, side: Side) -> None:
    """42 Who flies which mission; sealed."""
    facts = v.GRAMMAR.knows(war, side)
    for rank, actor in enumerate(orders_of.programme(books[side], KINDS, facts)):
        if actor in war.mourned or actor in counters():  # 209 submarines lay mines in a segment
            continue
        order = orders_of.orders(books[side], actor, KINDS, facts)[0]
        try:
            _send(war, side, actor, order)
            war.squadrons[actor].rank = rank
        except Refused as no:
            table.tell([side], orders_of.unable(actor, no, order))
    sent: dict[tuple[str, str], list[str]] = {}
    for unit in war.flying(side):
        if unit.at == "mission":
            sent.setdefault((unit.zone, unit.mission), []).append(unit.id)
    for (zone, mission), units in sorted(sent.items()):
        told = ev.MissionsSent(rule="42", zone=zone, mission=mission, units=tuple(units))
        table.tell([side], told)


def _send(war: War, side: Side, actor: str, order: object) -> None:
    """Raises Refused."""
    (unit,) = orders_of.squadrons(war, side, (actor,))
    patrols.require_ready(war, unit)
    mission, zone = _wanted(order)
    if isinstance(order, av.Mine):
        if not war.on("mines"):
            raise Refused("no-mines", "207", "this game is played without mines")
        mines.require(war, side, order.hex)
    may(war, unit, mission, zone)
    if unit.embarked and any(u.base == unit.base and u.at == "mission" for u in war.flying(side)):
        raise Refused("carrier-full", "166", f"{unit.base} has sent a squadron already")
    unit.at, unit.mission, unit.zone = "mission", mission, zone
    if isinstance(order, v.Recon):
        wish = [w for w in (order.first, order.second, order.third) if w]
        unit.seek = [*wish, *([order.near] if order.near else [])]
    elif isinstance(order, av.Mine):
        unit.seek = [order.hex]


def _wanted(order: object) -> tuple[Mission, Zone]:
    """The mission and zone of an order."""
    missions: dict[type, Mission] = {
        v.Recon: "recon", v.Intercept: "intercept", v.Coordinate: "tac",
    }  # fmt: skip
    if isinstance(order, av.Mine):
        return "mine", ZONE_OF[order.hex]
    assert isinstance(order, v.Recon | v.Intercept | v.Coordinate)
    zone = next(z for z in ZONE_NAMES if z.lower() == order.zone)
    return missions[type(order)], zone


def may(war: War, unit: Squadron, mission: Mission, zone: Zone) -> None:
    """44, 46, 48, 51, 58, 6.2/5-6 Is a mission for this unit, the zone near enough, and the weather
    fit for it? Raises Refused."""
    if mission not in missions_of(unit):
        raise Refused("no-mission", "3.9", f"{unit.id} does not fly such missions")
    away = zones_from(ZONE_OF[war.spot(unit.base)])[zone]
    if away > reach(unit.sheet.ma):
        raise Refused("too-far", "58", f"{unit.id} does not reach {called(zone)}")
    over, home = weather.storms(war), ZONE_OF[war.spot(unit.base)]
    looks = unit.role if mission == "recon" else ""
    if no := storms.mission(over, unit.base, home, looks, zone):
        raise no


def missions_of(unit: Squadron) -> tuple[Mission, ...]:
    """What a kind of aircraft may do."""
    return roster.MISSIONS[unit.role]


def in_reach(war: War, unit: Squadron) -> list[Zone]:
    """58 The zones that a unit can be sent to, in the order of the rules."""
    far = zones_from(ZONE_OF[war.spot(unit.base)])
    return [zone for zone in zone_order() if far[zone] <= reach(unit.sheet.ma)]


def _on(war: War, zone: Zone, mission: Mission, side: Side | None = None) -> list[Squadron]:
    return [
        u
        for u in war.squadrons.values()
        if u.at == "mission" and u.zone == zone and u.mission == mission and not u.lost
        if side is None or u.side == side
    ]


# Interception and bounce


def interception(table: TableLike, war: War, zone: Zone) -> Side | None:
    """53-55, 233-235 Interceptors against interceptors; who may bounce, None for nobody."""
    there = {side: _on(war, zone, "intercept", side) for side in table.sides}
    if not all(there.values()):
        return next((side for side in table.sides if there[side]), None)
    (first,) = table.roll(f"STRATEGIC/INTERCEPTION/{zone}/ATTACKER", D10, to=table.sides)
    (die,) = table.roll(f"STRATEGIC/INTERCEPTION/{zone}/FIGHT", D10, to=table.sides)
    attacker = table.sides[first % 2]  # 54 even NATO, odd Soviet
    defender = enemy(attacker)
    values = {side: patrols.value(war, there[side], _middle(zone)) for side in table.sides}
    found = air_fight(die, values[attacker], values[defender], cap=False)
    lost = {attacker: found.attacker, defender: found.defender}
    back = {attacker: found.attacker_back, defender: found.defender_back}
    stands = [side for side in table.sides if not back[side]]
    winner = stands[0] if len(stands) == 1 else None
    for side in table.sides:
        foe = enemy(side)
        told = ev.Intercepted(
            rule="53", why=f"die {die}", zone=zone, attacker=attacker, ours=len(there[side]),
            theirs=len(there[foe]), lost=lost[side], killed=lost[foe], winner=winner or "",
        )  # fmt: skip
        table.tell([side], told)
    for side in table.sides:
        harm.thin(table, war, there[side], lost[side], patrols.doctrine(war, side), "53")
        if back[side]:
            for unit in there[side]:
                unit.at = "box"
    return winner


def _middle(zone: Zone) -> str:
    """A hex of a zone, for its light."""
    return next(h for h, z in ZONE_OF.items() if z == zone)


def _bounce(table: TableLike, war: War, zone: Zone, winner: Side) -> None:
    """56-57, 236 The winner's interceptors against all other missions of the loser."""
    loser = enemy(winner)
    if not _on(war, zone, "intercept", winner):
        return
    missions: tuple[Mission, ...] = ("recon", "tac", "mine")
    prey = [unit for mission in missions for unit in _on(war, zone, mission, loser)]
    if not prey:
        return
    (die,) = table.roll(f"STRATEGIC/BOUNCE/{zone}/DIE", D10, to=table.sides)
    found = bounce(die)
    counts = {mission: len(_on(war, zone, mission, loser)) for mission in missions}
    off = tuple(f"{what} {count}" for what, count in counts.items() if count)
    told = ev.Bounced(
        rule="56", why=f"die {die}", zone=zone, winner=winner, lost=found.defender,
        back=found.defender_back, missions=off if found.defender_back else (),
    )  # fmt: skip
    table.tell(table.sides, told)
    harm.thin(table, war, prey, found.defender, patrols.doctrine(war, loser), "56")
    if found.defender_back:
        for unit in prey:
            unit.at = "box"


# Detection


def recon(table: TableLike, war: War, side: Side) -> None:
    """98-104, 239 One hex of ships, or one submarine, for each squadron, which then returns."""
    for zone in zone_order():
        for unit in sorted(_on(war, zone, "recon", side), key=lambda u: u.rank):
            found = _look(table, war, unit, zone)
            unit.at = "box"
            told = ev.ReconDone(rule="98", unit=unit.id, zone=zone, found=found or "nothing")
            table.tell([side], told)


def _look(table: TableLike, war: War, unit: Squadron, zone: Zone) -> str:
    """6.16/7 The best by its order, then by the usual one; what the side calls it, empty for
    nothing."""
    foe = enemy(unit.side)
    first = [w for w in unit.seek if not w.isdigit()]
    wish = [*first, *[w for w in USUAL if w not in first]]
    near = next((w for w in unit.seek if w.isdigit()), "")
    for prey in wish:
        if prey == "sub":
            if blind(unit):
                continue
            return _submarine(table, war, unit, zone)
        ships = [
            s for s in war.afloat(foe)
            if not s.sub and s.zone == zone and s.level < 2 and _is(war, s, prey)
        ]  # fmt: skip
        if ships:
            ship = _nearest(table, unit, ships, near)
            detection.mark(table, war, [ship], 2, "recon")
            name = name_of(war, unit.side, ship.key)
            decoys.seen_through(table, war)
            return name
    return ""


def blind(unit: Squadron) -> bool:
    """102 Who cannot find submarines."""
    return unit.role in INT_ATK or unit.sheet.id in finding().blind


def _is(war: War, ship: Vessel, prey: str) -> bool:
    """Is she what is sought?"""
    if prey == "cv":
        return ship.type == "CV"
    return war.marker(ship.key).lower() == prey


def _nearest(table: TableLike, unit: Squadron, ships: Sequence[Vessel], near: str) -> Vessel:
    """Of equals the nearest to a hex, the highest type, then by a hidden die."""
    ranked = [(distance(near, s.hex) if near else 0, ARRAY.index(s.type)) for s in ships]
    best = [s for s, rank in zip(ships, ranked, strict=True) if rank == min(ranked)]
    return table.pick(f"STRATEGIC/RECON/{unit.zone}/{unit.id}", best, to=())


def _submarine(table: TableLike, war: War, unit: Squadron, zone: Zone) -> str:
    """99-101, 6.16/8 A die of the referee's, rolled whether or not there is one."""
    foe = enemy(unit.side)
    subs = [
        s for s in war.afloat(foe)
        if s.sub and s.zone == zone and not ice.packed(war, s.hex) and s.level < 2
    ]  # fmt: skip
    (die,) = table.roll(f"STRATEGIC/SUB DETECTION/{zone}/{unit.id}", D10, to=())
    if not subs:
        return ""
    subs = [s for s in subs if not s.deep] or subs  # 6.16/7
    sub = table.pick(f"STRATEGIC/SUB CHOICE/{zone}/{unit.id}", subs, to=())
    if weather.over(war, zone) == "storm":
        die += weather_chart().finding
    if die > detection.chance(sub):
        return ""
    detection.mark(table, war, [sub], 2, "recon")
    return name_of(war, unit.side, sub.key)


# The end of missions


def termination(table: TableLike, war: War) -> None:
    """59-60, 228, 242 At Night all land: where they left if there is room, else on another field
    of that zone, else of the zone of the mission; from a carrier that sank, nowhere."""
    for unit in list(war.squadrons.values()):
        if unit.lost or unit.at not in ("mission", "box"):
            continue
        zone = unit.zone
        unit.mission, unit.zone, unit.seek, unit.rank = "", "", [], 0
        if bases.takes_back(war, unit):
            unit.at = "base"
            continue
        home = "" if unit.embarked else bases.in_zone(war, unit, ZONE_OF[unit.base], zone)
        if home:
            unit.base, unit.at = home, "base"
        else:
            harm.lose(table, war, [unit], "242", harm.HOMELESS)
