"""6.18 S3 Red Banner: the campaign's set-up, one sealed window before its first turn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from games.second_fleet import (
    actions,
    bases,
    detection,
    ice,
    movement,
    muster,
    orders_of,
    reinforcement,
    roster,
)
from games.second_fleet import advanced_events as ev
from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.advanced_state import Arrivals, Landings
from games.second_fleet.advanced_tables import (
    invasion_chart,
    optional_chart,
    reinforcement_chart,
)
from games.second_fleet.board import (
    BASES,
    NATO,
    SOVIET,
    ZONE_OF,
    steps,
)
from games.second_fleet.state import Squadron, Vessel, War, enemy
from games.second_fleet.tables import aircraft, limits, ships
from orders.book import Command
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

KINDS: Mapping[str, type[Struct]] = {
    "station": av.Station,
    "shadow": av.Shadow,
    "wing": av.Wing,
}
READY: Mapping[Side, str] = {NATO: "nato-ready", SOVIET: "soviet-ready"}
"""6.4/2 The option that says how well prepared a side is."""


def begin(war: War) -> None:
    """The default set-up of turn 0: roster order, into the places that are listed."""
    chart, troops = reinforcement_chart(), invasion_chart()
    war.turn, war.stage = 0, "set-up"
    for side in (SOVIET, NATO):
        start = chart.start[side][war.options.get(READY[side], "moderate")]
        war.arrivals[side] = Arrivals(marker=start)
        war.landings[side] = Landings(troops.battalions[side], troops.commandos[side])
        for name in roster.between(war, side, -1, start):
            place = next((p for p in _places(name) if _free(war, side, name, p)), "")
            if place and name not in war.squadrons:
                reinforcement.put(war, side, name, place)
            elif not place:
                war.arrivals[side].waiting.append(name)
    muster.sort(war)


def _places(name: str) -> Sequence[str]:
    """6.18 Listed ports and airfields, in which the default set-up puts a unit."""
    if name in aircraft():
        return tuple(reinforcement.places(name))
    return roster.ports()[reinforcement.nation(name)]


def _free(war: War, side: Side, name: str, hex_: str) -> bool:
    """Is there room for her, or for it?"""
    if name in aircraft():
        return bases.welcome(war, Squadron(name, side, hex_), hex_)
    crowd = sum(s.sheet.combat for s in war.surface(side, hex_))
    return not ships()[name].combat or crowd < limits().surface


async def set_up(table: TableLike, war: War) -> War:
    """6.18 Both place their forces at once; what is not ordered stays where the roster puts it."""
    books = await table.orders()
    for side in (SOVIET, NATO):
        facts = v.GRAMMAR.knows(war, side)
        left = list(books[side].script(KINDS, facts))
        while left:  # 34, 35 where others have made room there is some now
            refused = _placed(table, war, side, left)
            if len(refused) == len(left) and not _exchanged(war, refused):
                for command, no in refused:
                    table.tell([side], orders_of.unlanded(command.actor, no, command.order))
                break
            left = [command for command, _ in refused]
    _halves(table, war)
    for side in (SOVIET, NATO):
        actions.reorganise(table, war, books[side], side)
    _shadow(table, war)
    for ship in war.vessels.values():
        ship.wake = [ship.hex]
    war.turn, war.stage = 1, "strategic"
    return war


def _placed(
    table: TableLike, war: War, side: Side, orders: Sequence[Command[Struct]]
) -> list[tuple[Command[Struct], Refused]]:
    """6.18 Who can be placed now; those who cannot, and why."""
    found = list[tuple[Command[Struct], Refused]]()
    for command in orders:
        try:
            _one(table, war, side, command.actor, command.order)
        except Refused as no:
            found.append((command, no))
    return found


def _exchanged(war: War, refused: list[tuple[Command[Struct], Refused]]) -> bool:
    """35 Do squadrons want each other's places at full airfields, two of them or more in a ring?
    They get them, and their orders are done."""
    ways: dict[tuple[str, str], tuple[Command[Struct], Refused]] = {}
    for one in refused:
        unit, goal = war.squadrons.get(one[0].actor), getattr(one[0].order, "hex", "")
        if unit and _stationed(unit, goal) and bases.crowded(war, unit, goal):
            ways.setdefault((unit.base, goal), one)
    ring = next(filter(None, (_ring(way, ways) for way in ways)), [])
    for way in ring:
        war.squadrons[ways[way][0].actor].base = way[1]
        refused.remove(ways[way])
    return bool(ring)


def _ring(first: tuple[str, str], ways: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """The shortest round of ways, from base to base, that begins with `first` and comes back to
    where that begins; empty if there is none."""
    trails, seen = [[first]], {first[1]}
    for trail in trails:  # it grows
        here = trail[-1][1]
        if here == first[0]:
            return trail
        trails += [[*trail, way] for way in ways if way[0] == here and way[1] not in seen]
        seen |= {way[1] for way in ways if way[0] == here}
    return []


def _one(table: TableLike, war: War, side: Side, actor: str, order: Struct) -> None:
    """Raises Refused."""
    if isinstance(order, av.Wing):
        _wing(war, side, actor)
    elif isinstance(order, av.Shadow):
        _may_shadow(war, side, actor)
        war.shadows.append(actor)
    elif isinstance(order, av.Station):
        _station(table, war, side, actor, order.hex)


def _station(table: TableLike, war: War, side: Side, actor: str, hex_: str) -> None:
    """6.18 Raises Refused."""
    if actor in war.squadrons and war.squadrons[actor].side == side:
        unit = war.squadrons[actor]
        if unit.embarked or not _stationed(unit, hex_) or not bases.welcome(war, unit, hex_):
            raise Refused("no-landing", "6.18", f"{actor} cannot begin in {hex_}")
        unit.base = hex_
        return
    for ship in orders_of.ships_of(war, side, actor):
        try:
            require(war, ship, hex_)
        except Refused as no:
            if no.code == "enemy-there":
                reinforcement.meet(table, war, ship.id, [war.surface(enemy(side), hex_)])
            raise
        ship.hex = hex_
        if not ship.sub:
            detection.settle(table, war, side, hex_)


def _stationed(unit: Squadron, hex_: str) -> bool:
    return roster.stationed(unit.sheet.nation, hex_)


def require(war: War, ship: Vessel, hex_: str) -> None:
    """6.18, 20, 34 May she begin there? Raises Refused."""
    allowed = roster.begins(ship.side, ship.sheet.nation, ship.sub, hex_)
    if not allowed or ice.bars(war, ship.type, hex_):
        raise Refused("no-station", "6.18", f"{ship.id} does not begin in {hex_}")
    if not ship.sub and (bar := movement.barred(war, [ship], hex_)):
        rule, text = bar
        raise Refused("enemy-there" if rule == "20" else "full-hex", rule, text)


def _halves(table: TableLike, war: War) -> None:
    """6.18 Half of the Soviet submarines, rounded up, begin at home; those that were sent out too
    many go back, the last of the roster first."""
    subs = [s for s in war.afloat(SOVIET) if s.sub]
    order = [unit for _, unit in roster.boxes(war, SOVIET)]
    out = [s for s in subs if not _home(s)]
    for ship in sorted(out, key=lambda s: order.index(s.id))[len(subs) // 2 :]:
        ship.hex = roster.ports()["SO"][0]
        told = ev.Unlanded(rule="6.18", actor=ship.id, what="half of the submarines begin at home")
        table.tell([SOVIET], told)


def _home(ship: Vessel) -> bool:
    return ship.hex in BASES or ZONE_OF[ship.hex] in roster.start().soviet


# Optional rules of the set-up


def _wing(war: War, side: Side, actor: str) -> None:
    """6.7/3 One A-6 and one F-14 in place of two F-18, if there are counters. Raises Refused."""
    if not war.on("wings"):
        raise Refused("no-wings", "6.7/3", "wings are as printed in this game")
    ship = war.vessels.get(actor)
    if not ship or ship.side != side or ship.type != "CV" or ship.sheet.nation != "US":
        raise Refused("no-carrier", "6.7/3", f"{actor} is no carrier of the United States")
    away = [u for u in war.flying(side) if u.base == actor and u.sheet.id == "USF18"][-2:]
    fresh = [_spare(war, model) for model in ("USA6", "USF14")]
    if len(away) < 2 or not all(fresh):
        raise Refused("no-counters", "6.7/3", "there are no counters left for it")
    for unit in away:
        del war.squadrons[unit.id]
    for name in fresh:
        war.squadrons[name] = Squadron(name, side, actor)
    muster.sort(war)


def _spare(war: War, model: str) -> str:
    """The last counter of a model that is not in play; empty if all are."""
    free = [n for n, sheet in aircraft().items() if sheet.id == model and n not in war.squadrons]
    return free[-1] if free else ""


def _may_shadow(war: War, side: Side, actor: str) -> None:
    """6.7/5 Raises Refused."""
    ship = war.vessels.get(actor)
    if not war.on("tattletales") or side != SOVIET:
        raise Refused("no-shadow", "6.7/5", "nobody is shadowed in this game")
    if not ship or ship.side != side or ship.type not in ("FF", "DD"):
        raise Refused("no-shadow", "6.7/5", f"{actor} is no frigate or destroyer")
    if len(war.shadows) >= optional_chart().tattletales:
        raise Refused("too-many", "6.7/5", "three ships shadow the enemy at most")


def _shadow(table: TableLike, war: War) -> None:
    """6.7/5 Each beside a group of NATO at sea, by a hidden die; the group is Strategic."""
    for name in war.shadows:
        groups = [k for k in war.keys(NATO) if k in war.groups]
        at_sea = [k for k in groups if war.members(k)[0].hex not in BASES]
        if not at_sea:
            continue
        prey = war.members(table.pick(f"SET-UP/SHADOW/-/{name}", at_sea, to=()))
        kind = war.vessels[name].type
        spots = [h for h in steps(prey[0].hex) if not _taken(war, h) and not ice.bars(war, kind, h)]
        if spots:
            war.vessels[name].hex, war.vessels[name].group = min(spots), ""
            detection.settle(table, war, SOVIET, min(spots))
            detection.mark(table, war, prey, 2, "shadow")
    if war.shadows:
        actions.disband(table, war, SOVIET)
    war.shadows = []


def _taken(war: War, hex_: str) -> bool:
    own = war.fields.get(hex_)
    return bool(war.surface(enemy(SOVIET), hex_)) or own is not None
