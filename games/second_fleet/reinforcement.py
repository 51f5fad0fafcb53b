"""6.4 Reinforcement: the markers, who arrives, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.second_fleet import advanced_events as ev
from games.second_fleet import advanced_verbs as av
from games.second_fleet import bases, decoys, detection, ice, movement, muster, orders_of, roster
from games.second_fleet import verbs as v
from games.second_fleet.advanced_tables import reinforcement_chart
from games.second_fleet.board import BASES
from games.second_fleet.knowledge import refresh
from games.second_fleet.orders_of import Books
from games.second_fleet.state import Level, Squadron, Vessel, War, enemy
from games.second_fleet.tables import D10, aircraft, ships
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike


def phase(table: TableLike, war: War) -> None:
    """6, 6.4/1 From the second morning on: each side's die moves its marker; those whose box it
    reaches arrive. The owner alone is told."""
    if war.turn == 1 or not war.plan.roster:
        return
    chart = reinforcement_chart()
    for side in table.sides:
        track = war.arrivals[side]
        (die,) = table.roll(f"REINFORCEMENT/DIE/-/{side.upper()}", D10, to=[side])
        total = min(max(0, die + track.change), len(chart.nato) - 1)
        steps = (chart.soviet if side == "soviet" else chart.nato)[total]
        before, track.marker = track.marker, min(chart.last[side], track.marker + steps)
        why = f"die {die}{track.change:+d}" if track.change else f"die {die}"
        track.change = 0
        came = [u for u in roster.between(war, side, before, track.marker) if _may(war, u)]
        track.waiting += came
        told = ev.Reinforced(rule="6.4", why=why, box=track.marker, units=tuple(came))
        table.tell([side], told)


def _may(war: War, name: str) -> bool:
    """6.9/4 Not of a nation that has left; and nobody comes twice."""
    if name in war.vessels or name in war.squadrons:
        return False
    return nation(name) not in war.politics.gone


def nation(name: str) -> str:
    """Of a ship or a squadron."""
    return ships()[name].nation if name in ships() else aircraft()[name].nation


def placement(table: TableLike, war: War, books: Books) -> None:
    """6.4/3-4 Those who wait enter where they are ordered, else at the first place that is free."""
    for side in table.sides:
        if side not in war.arrivals:
            continue
        facts, track = v.GRAMMAR.knows(war, side), war.arrivals[side]
        entered: list[str] = []
        for name in list(track.waiting):
            order = books[side].find(name, av.Enter, facts)
            place, met = _place(table, war, side, name, order.hex if order else "")
            if place:
                put(war, side, name, place)
                meet(table, war, name, met)
                track.waiting.remove(name)
                entered.append(f"{name} in {place}")
        muster.sort(war)
        if entered:
            table.tell([side], ev.Entered(rule="6.4", units=tuple(entered)))
            refresh(table, war, enemy(side), "")
            decoys.seen_through(table, war)


def squadrons(war: War, side: Side) -> dict[str, list[Squadron]]:
    """4 Those who wait to enter, at each base at which they might, and the wings of carriers, where
    these might: they come before missions are flown, and may fly some on the same morning."""
    track = war.arrivals.get(side)
    found = {
        name: [Squadron(name, side, h) for h in places(name) if war.holds(side, h) and war.ready(h)]
        for name in (track.waiting if track else ())
        if name in aircraft()
    }
    for carrier, there in vessels(war, side).items():
        for name in muster.wing(war, carrier):
            found[name] = [Squadron(name, side, ship.hex) for ship in there]
    return found


def vessels(war: War, side: Side) -> dict[str, list[Vessel]]:
    """4 Ships and submarines that wait to enter, in each hex in which they might: they come before
    submarines go deep and troops land, and may do so on the same morning."""
    track = war.arrivals.get(side)
    found = {
        name: [Vessel(name, side, h) for h in open_places(war, name) if _port(war, side, name, h)]
        for name in (track.waiting if track else ())
        if name in ships()
    }
    return {name: there for name, there in found.items() if there}


def _port(war: War, side: Side, name: str, hex_: str) -> bool:
    """6.4/3 Is it open water, or a port of their own? For Norwegian ships it must be whole, too."""
    if hex_ not in BASES:
        return True
    field = war.fields[hex_]
    return field.side == side and not (field.port and nation(name) == "NO")


def _place(
    table: TableLike, war: War, side: Side, name: str, wish: str
) -> tuple[str, list[list[Vessel]]]:
    """The place ordered, if it is legal, else the first that is; empty: the unit waits. And enemy
    ships that nobody knew where it might have entered else."""
    met: list[list[Vessel]] = []
    for place in dict.fromkeys((wish, *places(name)) if wish else places(name)):
        try:
            require(war, side, name, place)
        except Refused as no:
            foes = war.surface(enemy(side), place) if no.rule == "20" else []
            if foes and foes[0].level == 0 and not war.open and foes not in met:
                met.append(foes)
            if place == wish:
                table.tell([side], orders_of.unlanded(name, no, av.Enter(wish)))
        else:
            return place, met
    return "", met


def meet(table: TableLike, war: War, name: str, met: Sequence[Sequence[Vessel]]) -> None:
    """6.13/3 Who may not enter, or begin, for enemies that nobody knew has met them: both are
    found."""
    for foes in met:
        detection.mark(table, war, foes, 1, "meeting")
        detection.mark(table, war, [war.vessels[name]], 1, "meeting")


def places(name: str) -> Iterator[str]:
    """6.4/3 Where a unit may enter: listed places first, then all that the rule allows."""
    found = roster.airfields() if name in aircraft() else roster.entries()
    listed = found.get(name) or found[nation(name)]
    yield from listed
    if name in ships() and nation(name) in ("US", "CA"):
        yield from (h for h in roster.sea_entries() if h not in listed)


def open_places(war: War, name: str) -> tuple[str, ...]:
    """27, 6.4/3 Those of a unit's places that ice does not close now."""
    found = dict.fromkeys(places(name))
    if name in aircraft():
        return tuple(found)
    return tuple(h for h in found if not ice.bars(war, ships()[name].type, h))


def require(war: War, side: Side, name: str, hex_: str) -> None:
    """6.4/3, 20, 27, 34, 6.19/1 May a unit enter there now? Raises Refused."""
    if hex_ not in places(name):
        raise Refused("no-entry", "6.4/3", f"{name} does not enter in {hex_}")
    if name in aircraft():
        unit = Squadron(name, side, hex_)
        if not war.ready(hex_) or not bases.welcome(war, unit, hex_):
            raise Refused("no-landing", "6.4/3", f"{name} cannot land in {hex_}")
        return
    if ice.bars(war, ships()[name].type, hex_):
        raise Refused("pack-ice", "27", f"pack ice is in {hex_}")
    if not _port(war, side, name, hex_):
        raise Refused("no-port", "6.4/3", f"the port of {BASES[hex_].name} is damaged or lost")
    if ships()[name].sub:
        return
    if bar := movement.barred(war, [Vessel(name, side, hex_)], hex_):
        rule, text = bar
        raise Refused("enemy-there" if rule == "20" else "full-hex", rule, text)


def put(war: War, side: Side, name: str, hex_: str) -> None:
    """A unit comes into play; a carrier brings her wing."""
    if name in aircraft():
        war.squadrons[name] = Squadron(name, side, hex_)
        return
    level: Level = max((s.level for s in war.surface(side, hex_)), default=0)
    sub = ships()[name].sub
    war.vessels[name] = Vessel(name, side, hex_, level=0 if sub else level, wake=[hex_])
    muster.equip(war, side, name)
