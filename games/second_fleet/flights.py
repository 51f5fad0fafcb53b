"""92-95, 6.12 Aircraft: out to a target, one attack, home; patrols meet them on the way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial

from msgspec import Struct

from games.second_fleet import (
    bases,
    combat,
    harm,
    ice,
    orders_of,
    patrols,
    storms,
    strengths,
    weather,
)
from games.second_fleet import events as ev
from games.second_fleet import verbs as v
from games.second_fleet.advanced_tables import optional_chart
from games.second_fleet.board import (
    BASES,
    FJORD,
    HEXES,
    LATTICE,
    NATO,
    around,
    by_air,
    distance,
    zone_within,
)
from games.second_fleet.goals import Goal, aim
from games.second_fleet.state import Squadron, War
from games.second_fleet.tables import INT_ATK, cap_chart, finding, limits, loads
from games.second_fleet.targets import Assault
from pbem.kit.checks import Refused
from pbem.kit.grids import safest
from pbem.model import Side, TableLike

SHIPS = 1000
"""6.12/3 More than all that covers the longest way: a hex of ships, whose guns reach it."""


class Flight(Struct):
    """A stack in the air."""

    side: Side
    units: list[Squadron]
    escorts: tuple[str, ...]
    base: str
    origin: str
    here: str
    flown: int = 0
    """Hexes entered."""
    crossed: list[str] = []
    light: tuple[str, ...] = ()

    @property
    def left(self) -> list[Squadron]:
        """Those that still fly."""
        return [u for u in self.units if not u.lost]

    @property
    def fuel(self) -> int:
        """6.12/3 Hexes that those who are left can still fly."""
        return min((self.reach(u) for u in self.left), default=self.flown) - self.flown

    def reach(self, unit: Squadron) -> int:
        """6.7/7 Land aircraft without bombs and missiles fly farther, where the option says so."""
        return farther(unit) if unit.id in self.light else unit.sheet.ma

    @property
    def early(self) -> bool:
        """76 Has it flown no more than half of what it can?"""
        return self.flown <= self.fuel


def farther(unit: Squadron) -> int:
    """6.7/7 Five quarters of its MA, down, for land aircraft."""
    times, by = optional_chart().farther
    return unit.sheet.ma if unit.embarked else unit.sheet.ma * times // by


def strike(table: TableLike, war: War, side: Side, actor: str, order: v.Strike) -> None:
    """93, 6.12 A stack flies, attacks and lands. Raises Refused if it cannot take off."""
    units = orders_of.squadrons(war, side, (actor, *order.mates, *order.escort))
    flight = _taken_off(war, side, units, order.escort)
    if war.on("range"):
        light = units if order.weapon == "asw" else [u for u in units if _bare(u, order.escort)]
        flight.light = tuple(u.id for u in light)
    aimed = aim(war, side, order.contact, order.hex)
    goal = aimed.hex
    attackers = [u for u in units if u.id not in order.escort and u.role != "EW"]
    most = _range(war, attackers, order)
    path = _path(war, flight, goal, order.by, most)
    _weather_allows(war, flight, (*path[-1:], goal))
    _in_reach(war, flight, path, order)
    _count(war, flight, attackers, order)
    for squadron in units:
        squadron.acted = True
    wish, homeward = order.land, True
    if _fly(table, war, flight, path):
        _attack(table, war, flight, order, aimed, attackers)
    else:
        homeward = flight.early
        wish = "" if homeward else wish
    _home(table, war, flight, goal, wish, path if order.by else (), homeward)


def _bare(unit: Squadron, escorts: Sequence[str]) -> bool:
    """6.7/7 Does it carry neither bombs nor missiles: an escort, or one that has none?"""
    return unit.id in escorts or not (unit.sheet.front.bomb or unit.sheet.front.ssm)


def transfer(table: TableLike, war: War, side: Side, actor: str, order: v.Transfer) -> None:
    """251 Aircraft move to another field or carrier. Raises Refused if they cannot take off."""
    units = orders_of.squadrons(war, side, (actor, *order.mates))
    flight = _taken_off(war, side, units, tuple(u.id for u in units))  # 126 no attack: as INT
    if war.on("range"):
        flight.light = tuple(u.id for u in units)
    for unit in units:
        if weather.storm(war, flight.origin):
            raise storms.take_off(unit.base, flight.origin)
        if unit.embarked and weather.storm(war, order.hex):
            raise storms.touch_down()
        if not any(bases.welcome(war, unit, b) for b in bases.wished(war, unit, order.hex)):
            if bases.crowded(war, unit, order.hex):
                raise Refused("no-landing", "35", f"{order.hex} is full: no room for {unit.id}")
            raise Refused("no-landing", "6.12/7", f"{unit.id} cannot land in {order.hex}")
    if late := bases.too_many(war, units, order.hex):
        raise Refused("no-landing", "35", f"no room for all in {order.hex}: none for {late[0].id}")
    path = _way(war, side, flight.here, order.hex)
    if len(path) > flight.fuel:
        raise Refused("too-far", "6.12/3", f"{order.hex} is {len(path)} hexes away")
    _active(war, units)
    for unit in units:
        unit.acted = True
    arrived = _fly(table, war, flight, path)
    homeward = arrived or flight.early
    wish = "" if homeward and not arrived else order.hex
    _home(table, war, flight, order.hex, wish, (), homeward)


def _taken_off(war: War, side: Side, units: Sequence[Squadron], escorts: tuple[str, ...]) -> Flight:
    """92, 94-95, 167-168, 176, 187 May they be activated together? Raises Refused."""
    first, chart = units[0], limits()
    spot = war.spot(first.base)
    if len(units) > chart.stack:
        raise Refused("too-many", "92", "at most four squadrons fly as one stack")
    if sum(u.role == "EW" for u in units) > 1:
        raise Refused("too-many", "168", "at most one of a stack is for electronic warfare")
    for unit in units:
        patrols.require_ready(war, unit)
        if unit.acted:
            raise Refused("has-acted", "6.12/1", f"{unit.id} has flown before")
        if war.spot(unit.base) != spot:
            raise Refused("not-here", "92", f"{unit.id} is not in {spot}")
        if unit.embarked and HEXES[spot] == FJORD:
            raise Refused("in-a-fjord", "95", f"{unit.base} cannot fly off aircraft in a fjord")
        if unit.embarked and war.dark(spot) and not _all_weather(unit):
            raise Refused("in-the-dark", "187", f"{unit.id} cannot take off in the dark")
    for base in dict.fromkeys(u.base for u in units if u.embarked):
        count = war.flown.get(base, 0) + sum(u.base == base for u in units)
        if count > chart.carrier_active:
            raise Refused("carrier-full", "167", f"{base} flies off two squadrons a segment")
    return Flight(side, list(units), escorts, first.base, spot, spot)


def _weather_allows(war: War, flight: Flight, ends: Sequence[str]) -> None:
    """6.2/5, 6.2/6 No flights from or into a storm. ends: where the stack attacks from, and its
    target. Raises Refused."""
    for hex_ in (flight.origin, *ends):
        if weather.storm(war, hex_):
            raise storms.flight(hex_)


def _all_weather(unit: Squadron) -> bool:
    return unit.sheet.nation == "US" and unit.sheet.all_weather


def _count(war: War, flight: Flight, attackers: Sequence[Squadron], order: v.Strike) -> None:
    """128, 6.12/8, 167 What a carrier, or NATO from a Norwegian field, has sent in this segment.
    Raises Refused."""
    field = BASES.get(flight.origin)
    if field is not None and field.nation == "NO" and order.weapon != "asw":
        guests = sum(_ally(u) and u.role in INT_ATK for u in attackers if not u.embarked)
        count = war.flown.get(field.hex, 0) + guests
        if guests and count > limits().from_norway:
            text = "two squadrons of other nations attack from a Norwegian airfield"
            raise Refused("norwegian-field", "128", text)
        war.flown[field.hex] = count
    _active(war, flight.units)


def _ally(unit: Squadron) -> bool:
    """6.12/8 Of NATO, but not Norwegian: Soviets on a field that they took are no guests."""
    return unit.side == NATO and unit.sheet.nation != "NO"


def _active(war: War, units: Sequence[Squadron]) -> None:
    """167 Those of carriers count as active in this segment."""
    for unit in units:
        if unit.embarked:
            war.flown[unit.base] = war.flown.get(unit.base, 0) + 1


def _range(war: War, attackers: Sequence[Squadron], order: v.Strike) -> int:
    """How far from the target they attack. Raises Refused for those that cannot."""
    if not attackers:
        raise Refused("no-points", "263", "nobody is left to attack")
    if order.weapon != "ssm":
        return 0
    if order.load:
        load = loads()[order.load]
        for unit in attackers:
            if not unit.embarked or unit.sheet.aircraft not in load.aircraft:
                raise Refused("no-load", "6.12/11", f"{unit.id} carries no {order.load}")
        if not _loaded(war, attackers, order.load):
            text = f"{attackers[0].base} has no {order.load} left"
            raise Refused("no-load", "6.12/11", text)
        return load.range
    reach = [u.sheet.range for u in attackers if u.now.ssm]
    if not reach:
        raise Refused("no-points", "263", "none of them has missiles")
    return min(reach)


def _path(war: War, flight: Flight, goal: str, by: Sequence[str], most: int) -> tuple[str, ...]:
    """6.12/3 The hexes flown to where the attack is made from: by all that the order names, then
    until the target is in range, and out of a storm (6.2/5) unless the order names the place. most:
    the range of missiles, else 0."""
    at = flight.here
    found: list[str] = []
    for stop in by:
        found += _way(war, flight.side, at, stop)
        at = stop
    for hex_ in _way(war, flight.side, at, goal):
        named = at in by[-1:]
        if most and distance(at, goal) <= most and (named or not weather.storm(war, at)):
            break
        found.append(hex_)
        at = hex_
    return tuple(found)


def _way(war: War, side: Side, start: str, goal: str) -> tuple[str, ...]:
    """6.12/3 A shortest way in the air: of equal ones that with the fewest hexes of known ships,
    then in the range of known patrols and in zones of known ships, then by the lowest number."""
    ships = (k.place for k in war.known[side].values() if not k.lost and k.kind != "SUB")
    cap = (war.spot(p.base) for p in patrols.known(war, side))
    return _safest(start, goal, frozenset(ships), tuple(cap))


@lru_cache(maxsize=2048)
def _safest(start: str, goal: str, ships: frozenset[str], cap: tuple[str, ...]) -> tuple[str, ...]:
    """The same past ships in these hexes and patrols over these, by which several flights of a
    turn pass."""
    covered = tuple(map(_covered, cap))
    danger = partial(_danger, ships - {goal}, _zones(ships), covered)
    far = by_air(goal)
    return safest(around, start, goal, far.__getitem__, danger, LATTICE.parts) or ()


@lru_cache(maxsize=64)
def _zones(ships: frozenset[str]) -> frozenset[str]:
    """6.1/1 What lies in a zone of ships in these hexes."""
    near = [zone_within(hex_, finding().extended) for hex_ in sorted(ships)]
    return frozenset(cell for zone in near for cell in zone)


@cache
def _covered(spot: str) -> frozenset[str]:
    """67 What lies in the range of a patrol over this hex."""
    return frozenset(cell for cell in HEXES if distance(cell, spot) <= cap_chart().range)


def _danger(
    ships: frozenset[str], zones: frozenset[str], cap: Sequence[frozenset[str]], cell: str
) -> int:
    """What it costs to fly through a hex: no number of the lesser dangers outweighs a greater."""
    return (cell in ships) * SHIPS + sum(cell in one for one in cap) + (cell in zones)


def _in_reach(war: War, flight: Flight, path: Sequence[str], order: v.Strike) -> None:
    """6.12/3, 6.12/5 Out and home, or to where the order says that they land, within the lowest
    MA; home by the hexes by which they came, if any were named. Raises Refused."""
    end = path[-1] if path else flight.here
    first = flight.units[0]
    open_ = [b for b in bases.wished(war, first, order.land) if bases.welcome(war, first, b)]
    spot = war.spot(open_[0]) if open_ else flight.origin
    back = spot == flight.origin and order.by
    need = 2 * len(path) if back else len(path) + by_air(end)[spot]
    if need > flight.fuel:
        text = f"it is {len(path)} hexes out and {need - len(path)} home; they fly {flight.fuel}"
        raise Refused("too-far", "6.12/3", text)
    late = bases.too_many(war, flight.units, order.land)
    for unit in flight.units if open_ else ():
        may = any(bases.welcome(war, unit, b) for b in bases.wished(war, unit, order.land))
        full = order.land if unit in late else ""
        if unit in late or not may:
            may = bool(bases.landing(war, unit, spot, flight.fuel - need, "", without=full))
        if not may:
            text = f"{unit.id} cannot land in {order.land}, nor come home from there"
            raise Refused("no-landing", "6.12/7", text)


def _fly(table: TableLike, war: War, flight: Flight, path: Sequence[str]) -> bool:
    """Hex by hex; False if the stack was driven off or destroyed."""
    if not flight.flown:
        for patrol in war.patrols:
            patrol.met = False
    for hex_ in path:
        flight.here = hex_
        flight.flown += 1
        flight.crossed.append(hex_)
        for patrol in patrols.reacting(war, flight.side, hex_, flight.units):
            back = patrols.fight(table, war, patrol, flight.left, hex_, flight.escorts)
            if not flight.left or back:
                return False
    return bool(flight.left)


def _go_on(table: TableLike, war: War, flight: Flight, way: Sequence[str]) -> None:
    """6.11/4 Who is driven off on the way home goes home all the same, past all other patrols."""
    while way and flight.left:
        before = flight.flown
        _fly(table, war, flight, way)
        way = way[flight.flown - before :]


def _attack(
    table: TableLike,
    war: War,
    flight: Flight,
    order: v.Strike,
    aimed: Goal,
    attackers: Sequence[Squadron],
) -> None:
    """6.12/4 The one attack of the stack."""
    goal = aimed.hex
    by = [u for u in attackers if not u.lost]
    if order.load:
        by = _loaded(war, by, order.load)
    values = {u.id: points(war, u, order, goal) for u in by}
    adding = [name for name, value in values.items() if value]
    if order.weapon == "bomb":
        adding = _boxed(war, adding)
    if order.weapon == "asw":
        adding = adding[: limits().asw_air]
        if ice.packed(war, goal):
            adding = []
    missiles = order.weapon == "ssm"
    assault = Assault(
        side=flight.side,
        weapon=order.weapon,
        hex=goal,
        by=adding,
        total=sum(values[name] for name in adding),
        aims=order.aims,
        units=aimed.units,
        parted=aimed.parted,
        tac=order.tac,
        crossed=_crossed(flight, goal, missiles),
        electronic=any(u.role == "EW" for u in flight.left),
        origin=flight.here,
        nuclear=order.warhead == "nuclear",
        bombers=tuple(adding) if order.weapon == "bomb" else (),
    )
    try:
        if by and not adding:
            raise _powerless(war, by, order, goal)
        combat.resolve(table, war, assault)
    except Refused as no:
        table.tell([flight.side], orders_of.unable(flight.units[0].id, no, order))
    else:
        for squadron in by if order.load else ():
            war.loads[squadron.base][order.load] -= 1


def _crossed(flight: Flight, goal: str, missiles: bool) -> tuple[str, ...]:
    """6.14/6 Hexes flown through, and those that missiles cross, once each."""
    found = [h for h in flight.crossed if h != goal]
    if missiles:
        found += [h for h in LATTICE.line(flight.here, goal) if h != goal and h in HEXES]
    return tuple(dict.fromkeys(found))


def _loaded(war: War, units: Sequence[Squadron], load: str) -> list[Squadron]:
    """6.12/11 Those for which their carrier has a load left."""
    found: list[Squadron] = []
    for unit in units:
        taken = sum(u.base == unit.base for u in found)
        if war.loads.get(unit.base, {}).get(load, 0) > taken:
            found.append(unit)
    return found


def _boxed(war: War, names: Sequence[str]) -> list[str]:
    """6.5/2 Bombers for which their carrier has a box left: each of them ticks one."""
    found: list[str] = []
    taken: dict[str, int] = {}
    for name in names:
        unit = war.squadrons[name]
        stores = war.vessels[unit.base].stores if unit.embarked else None
        if stores is None or stores.rows["bomb"] > taken.get(unit.base, 0):
            taken[unit.base] = taken.get(unit.base, 0) + 1
            found.append(name)
    return found


def _powerless(war: War, by: Sequence[Squadron], order: v.Strike, goal: str) -> Refused:
    """Why none of them adds to an attack on a hex."""
    if order.weapon == "asw" and ice.packed(war, goal):
        return Refused("pack-ice", "125", "only nuclear submarines attack below pack ice")
    if order.weapon == "bomb" and weather.bad(war, goal) and not any(map(_all_weather, by)):
        return Refused("squall", "6.2/4", f"in bad weather they do not see {goal}")
    homes = [war.vessels[unit.base] for unit in by if unit.embarked]
    if order.weapon == "bomb" and any(not strengths.stocked(home, "bomb") for home in homes):
        return Refused("no-boxes", "6.5/3", "their carrier has no bombs left")
    return Refused("no-points", "263", "none of them has points for this attack")


def points(war: War, unit: Squadron, order: v.Strike, goal: str) -> int:
    """127, 188, 6.2/4, 6.14/10 What a squadron adds: half its bombs in the dark without the means,
    none in a squall."""
    if order.weapon == "asw":
        return strengths.halved(unit.now.asw) if weather.bad(war, goal) else unit.now.asw
    if order.weapon == "bomb":
        if weather.bad(war, goal) and not _all_weather(unit):
            return 0
        if unit.embarked and not strengths.stocked(war.vessels[unit.base], "bomb"):
            return 0
        half = war.dark(goal) and not _all_weather(unit)
        return unit.now.bomb // 2 if half else unit.now.bomb
    if order.load:
        value = loads()[order.load].value
        return value // 2 if unit.damaged else value
    return unit.now.ssm


def _home(
    table: TableLike,
    war: War,
    flight: Flight,
    goal: str,
    wish: str,
    out: Sequence[str],
    homeward: bool,
) -> None:
    """76-77, 94, 6.12/5-6 The way home, and where each lands.

    out: the hexes by which the stack came, if it was told any: it goes home by the same. homeward:
    to where it came from, if nothing else was ordered; else to the nearest.
    """
    if not flight.left:
        return
    back = (*reversed(out[: flight.flown - 1]), flight.origin) if out and flight.flown else ()
    start = flight.here
    first = flight.left[0]
    target = bases.landing(war, first, start, flight.fuel, wish, homeward)
    if target and (spot := war.spot(target)) and spot != start:
        way = back if back and spot == back[-1] else _way(war, flight.side, start, spot)
        _go_on(table, war, flight, way[: flight.fuel])
    for unit in flight.left:
        own = unit.base if homeward and war.spot(unit.base) == flight.here else target
        base = bases.landing(war, unit, flight.here, flight.fuel, wish or own, homeward)
        if base:
            _elsewhere(table, war, flight, unit, wish, base)
            unit.base = base
        else:
            harm.lose(table, war, [unit], "6.12/5", harm.HOMELESS)
    for landed in dict.fromkeys(u.base for u in flight.left):
        name = BASES[landed].name if landed in BASES else landed
        names = tuple(u.id for u in flight.left if u.base == landed)
        told = ev.Flew(rule="93", units=names, to=goal, land=name, start=flight.origin)
        table.tell([flight.side], told)


def _elsewhere(
    table: TableLike, war: War, flight: Flight, unit: Squadron, wish: str, base: str
) -> None:
    """6.12/5 Tells why a squadron does not land where the order says."""
    meant = bases.wished(war, unit, wish)
    if not wish or base in meant:
        return
    rule, why = "6.12/5", f"{unit.id} cannot land in {wish}"
    if any(bases.crowded(war, unit, b) for b in meant):
        rule, why = "35", f"{wish} is full: no room for {unit.id}"
    elif unit.embarked and weather.storm(war, wish):
        rule, why = "6.2/5", "nobody lands on a carrier in a storm"
    table.tell([flight.side], ev.Unable(rule=rule, actor=unit.id, what=why, order=f"land {wish}"))
