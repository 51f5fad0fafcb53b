"""What the advanced level and the options add to menus, unit by unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.second_fleet import advanced_verbs as av
from games.second_fleet import (
    cruise,
    deep,
    invasion,
    landings,
    logistics,
    mines,
    movement,
    nuclear,
    reinforcement,
)
from games.second_fleet.advanced_state import LADDER
from games.second_fleet.board import SOVIET
from games.second_fleet.state import Vessel, War
from pbem.kit.checks import Refused
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Extra = Iterator[tuple[str, MenuItem | None]]
"""Actor and item."""


def side(war: War, who: Side) -> list[MenuItem]:
    """What the side as a whole may order besides."""
    found: list[MenuItem | None] = []
    if war.on("nuclear"):
        found.append(item(av.Release))
    if war.stage == "strategic" and war.advanced:
        higher = who == SOVIET and war.politics.strategy != LADDER[-1]
        found.append(item(av.Strategy) if higher else None)
        drops = war.landings[who].battalions > 0
        found.append(item(av.Drop, hex=landings.targets(war, who)) if drops else None)
    if war.stage == "segment" and war.on("decoys") and "surf" not in war.used[who]:
        groups = tuple(n.upper() for n, owner in war.groups.items() if owner == who)
        found.append(item(av.Decoy, group=groups))
    return offer(*found)


def extras(war: War, who: Side) -> Extra:
    """The other actors, with what each may do besides."""
    if war.stage == "set-up":
        yield from _set_up(war, who)
    elif war.stage == "strategic":
        yield from _morning(war, who)
    else:
        yield from _segment(war, who)
    if war.advanced and war.stage != "set-up":
        yield from _exits(war, who)


def _exits(war: War, who: Side) -> Extra:
    """6.3/13 Those who lie in a base that may fall."""
    places = invasion.may_fall(war, who)
    for key in war.keys(who):
        if war.members(key)[0].hex in places:
            yield key.upper(), item(av.Withdraw)


def _set_up(war: War, who: Side) -> Extra:
    for ship in war.afloat(who):
        yield ship.id, item(av.Station)
        if war.on("wings") and ship.type == "CV" and ship.sheet.nation == "US":
            yield ship.id, item(av.Wing)
        if war.on("tattletales") and who == SOVIET and ship.type in ("FF", "DD"):
            yield ship.id, item(av.Shadow)
    for unit in war.flying(who):
        if not unit.embarked:
            yield unit.id, item(av.Station)


def _morning(war: War, who: Side) -> Extra:
    if war.on("mines"):
        for unit in war.flying(who):
            ready = unit.at == "base" and unit.role == "RCN" and war.ready(unit.base)
            if ready and mines.left(war, who):
                yield unit.id, item(av.Mine)
        for name, units in reinforcement.squadrons(war, who).items():
            if units and units[0].role == "RCN" and mines.left(war, who):
                yield name, item(av.Mine)
    if war.on("deep"):
        for ship in war.afloat(who):
            yield ship.id, _mode(war, ship)
        for name, there in reinforcement.vessels(war, who).items():
            modes = (_mode(war, ship) for ship in there if ship.sub)
            yield name, next(filter(None, modes), None)
    if not war.advanced:
        return
    if who in war.arrivals:
        for name in war.arrivals[who].waiting:
            yield name, item(av.Enter, hex=reinforcement.open_places(war, name))
    yield from _ashore(war, who)


def raised(war: War, who: Side) -> dict[str, list[MenuItem]]:
    """6.3/2 Landings that are possible on this morning if the Soviets raise their strategy: by
    actor, of those who could not land there else."""
    may = war.stage == "strategic" and war.advanced and who == SOVIET
    if not may or war.politics.strategy == LADDER[-1]:
        return {}
    now, found = set(_landing(war, who)), dict[str, list[MenuItem]]()
    for actor, one in _landing(war, who, raised=True):
        if one is not None and (actor, one) not in now:
            found.setdefault(actor, []).append(one)
    return found


def _landing(war: War, who: Side, *, raised: bool = False) -> Extra:
    """6.3 Who may land where, parachutes included."""
    yield from _ashore(war, who, raised=raised)
    if war.landings[who].battalions > 0:
        yield who.upper(), item(av.Drop, hex=landings.targets(war, who, raised=raised))


def _mode(war: War, ship: Vessel) -> MenuItem | None:
    """197-200"""
    if ship.deep:
        return item(av.Surface)
    try:
        deep.require(war, ship)
    except Refused:
        return None
    return item(av.Deep)


def _ashore(war: War, who: Side, *, raised: bool = False) -> Extra:
    """6.3/4, 6.3/8 Who is near enough to land. raised: with the strategy a step higher."""
    open_ = landings.targets(war, who, raised=raised)
    afloat = {ship.id: [ship] for ship in war.afloat(who)}
    for name, there in {**afloat, **reinforcement.vessels(war, who)}.items():
        ship, hexes = there[0], {s.hex for s in there}
        if ship.type == "AA" and landings.carried(ship):
            near = tuple(h for h in open_ if hexes & set(landings.beaches(h)))
            yield name, item(av.Land, hex=near)
        if war.landings[who].commandos and (ship.sub or ship.type == "AA"):
            near = tuple(
                h for h in open_
                if war.fields[h].side != who and hexes & landings.raided_from(h, ship.sub)
            )  # fmt: skip
            yield name, item(av.Commando, hex=near)


def _segment(war: War, who: Side) -> Extra:
    for ship in war.afloat(who):
        layer = "sub" if ship.sub else "surf"
        if ship.group or layer in war.used[who] or ship.acted:
            continue
        if war.on("cruise") and cruise.ready(ship):
            yield ship.id, item(av.Cruise)
        if mines.carries(war, ship) and mines.left(war, who):
            yield ship.id, item(av.Mine)
    for name, owner in war.groups.items():
        members = war.members(name)
        ready = any(cruise.ready(s) for s in members)
        if owner == who and war.on("cruise") and ready and "surf" not in war.used[who]:
            yield name.upper(), item(av.Cruise)
    if war.on("logistics") and war.segment <= 1:
        yield from _suppliers(war, who)


def _suppliers(war: War, who: Side) -> Extra:
    """6.5/6 Ships with something to give, and other ships and submarines in their hex."""
    for ship in war.afloat(who):
        if ship.stores and (ship.stores.ammunition or ship.stores.oil):
            here = [*war.surface(who, ship.hex), *war.subs(who, ship.hex)]
            mates = tuple(s.id for s in here if s is not ship)
            kinds: tuple[str, ...] = ("fuel",) if ship.stores.oil else ()
            kinds += logistics.AMMUNITION if ship.stores.ammunition else ()
            most = logistics.most()
            boxes = tuple(f"{kind} {count}" for kind in kinds for count in range(1, most + 1))
            yield ship.id, item(av.Replenish, unit=mates, boxes=boxes)


def weapons(war: War, ship: Vessel) -> tuple[str, ...]:
    """6.8 Close combat, beside the usual weapons."""
    return ("close",) if war.on("close") and not ship.sub and ship.now.close else ()


def speeds(war: War, ships: Sequence[Vessel]) -> tuple[str, ...]:
    """24, 6.7/6 Full speed of submarines, high speed of ships."""
    if ships[0].sub:
        return () if ships[0].deep else ("full",)
    return ("high",) if war.on("speed") and all(map(movement.may_hurry, ships)) else ()


def warheads(war: War, who: Side, ships: Sequence[Vessel] = ()) -> tuple[str, ...]:
    """6.6/2 Nuclear weapons, where they are released and there are some."""
    if not nuclear.released(war, who):
        return ()
    boxed = [s.stores.nuclear for s in ships if s.stores is not None]
    stocked = any(any(boxes.values()) for boxes in boxed)
    return ("nuclear",) if stocked or (not boxed and any(war.nuclear[who].pool.values())) else ()
