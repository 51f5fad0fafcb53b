"""3.11, 6.9 Political events: the armistice track, random and special events."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.second_fleet import advanced_events as ev
from games.second_fleet import harm, invasion, reinforcement
from games.second_fleet.advanced_state import BOXES, LADDER
from games.second_fleet.advanced_tables import politics_chart, reinforcement_chart
from games.second_fleet.board import BASES, LATTICE, NATO, SOVIET
from games.second_fleet.knowledge import refresh
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import D10, ships
from pbem.model import Side, TableLike


def phase(table: TableLike, war: War) -> None:
    """5, 3.11 From the second morning on: the armistice die, and the event that it may bring."""
    if war.turn == 1:
        return
    chart, state = politics_chart(), war.politics
    (die,) = table.roll("POLITICS/ARMISTICE/ALL/REFEREE", D10, to=table.sides)
    total = die + modifier(war)
    why = f"die {die}{total - die:+d}" if total != die else f"die {die}"
    if total <= chart.event:
        _random(table, war)
    elif total > chart.nothing and state.box < len(BOXES) - 1:
        state.box += 1
        told = ev.Negotiated(rule="3.11", why=why, box=BOXES[state.box])
        table.tell(table.sides, told)


def modifier(war: War) -> int:
    """3.11, 6.6/4 What is added to the armistice die."""
    chart = politics_chart()
    short = chart.short if war.plan.turns < chart.long else 0
    fired = sum(arms.fired for arms in war.nuclear.values())
    return short + war.politics.talks + max(chart.most_nuclear, chart.nuclear * fired)


def _random(table: TableLike, war: War) -> None:
    """3.11 The random event; 8 and 9 are special."""
    (die,) = table.roll("POLITICS/RANDOM/ALL/REFEREE", D10, to=table.sides)
    event = politics_chart().random[die]
    if event == "special":
        (die,) = table.roll("POLITICS/SPECIAL/ALL/REFEREE", D10, to=table.sides)
        event = politics_chart().special[die]
    EVENTS[event](table, war, event)


def _tell(table: TableLike, event: str, what: str = "", side: Side | str = "") -> None:
    table.tell(table.sides, ev.Political(rule="6.9", event=event, what=what, side=side))


def _side(table: TableLike, event: str) -> Side:
    """A side by a die: even NATO, odd the Soviets."""
    label = f"POLITICS/{event.upper()}/ALL/SIDE"
    (die,) = table.roll(label, D10, to=table.sides)
    return table.sides[die % 2]


def _talks(table: TableLike, war: War, event: str) -> None:
    """6.9/1 Talks collapse or break through, until the other comes up."""
    war.politics.talks = politics_chart().talks if event == "breakthrough" else -1
    _tell(table, event)


def _command(table: TableLike, war: War, event: str) -> None:
    """6.9/2 A failure of command: a side does nothing in the first segment of this turn."""
    war.politics.idle = _side(table, event)
    _tell(table, event, side=war.politics.idle)


def _base(table: TableLike, war: War, event: str) -> None:
    """6.9/3 The northernmost Norwegian base of NATO falls, damaged ones first."""
    bases = [h for h, base in BASES.items() if base.nation == "NO" and war.fields[h].side == NATO]
    if not bases or war.politics.strategy == LADDER[0]:
        _tell(table, event)
        return
    fallen = min(bases, key=lambda h: (not _damaged(war, h), *reversed(LATTICE.parts(h))))
    _tell(table, event, BASES[fallen].name)
    ashore = war.fields[fallen].ashore.get(SOVIET, 0)
    invasion.take(table, war, fallen, SOVIET, politics_chart().fallen)
    if ashore:  # 6.3/11 who was repulsed there and stayed helps to hold it
        war.fields[fallen].ashore = {SOVIET: ashore}
    invasion.control(table, war, fallen, NATO, evacuated=True)


def _damaged(war: War, hex_: str) -> bool:
    return bool(war.fields[hex_].air or war.fields[hex_].port)


def _break_up(table: TableLike, war: War, event: str) -> None:
    """6.9/4 A nation leaves the alliance, with all that is not detected."""
    (die,) = table.roll("POLITICS/BREAK-UP/ALL/NATION", D10, to=table.sides)
    nations = politics_chart().nations
    nation = nations[die % len(nations)]
    if nation in war.politics.gone:
        _tell(table, event)
        return
    _tell(table, event, nation)
    war.politics.gone.append(nation)
    _withdraw(table, war, nation)


def _withdraw(table: TableLike, war: War, nation: str) -> None:
    """6.9/4 Who is in a hex with a marker stays; of Norway only the ships leave."""
    norway, marked = nation == "NO", {s.hex for s in war.afloat(NATO) if s.level}
    leaving = [
        ship.id for ship in war.afloat(NATO)
        if ship.sheet.nation == nation and ship.hex not in marked and not (norway and ship.sub)
    ]  # fmt: skip
    flying = [
        u.id for u in war.flying(NATO)
        if u.sheet.nation == nation and u.base not in marked and not norway
    ]  # fmt: skip
    if NATO in war.arrivals:
        track = war.arrivals[NATO]
        track.waiting = [u for u in track.waiting if not _leaves(u, nation)]
    for name in leaving:
        del war.vessels[name]
    for name in flying:
        del war.squadrons[name]
    for group in [g for g, owner in war.groups.items() if owner == NATO and not war.members(g)]:
        del war.groups[group]
    table.tell([NATO], ev.Withdrew(rule="6.9", units=tuple(leaving + flying)))
    refresh(table, war, SOVIET, "", without="left")


def _leaves(name: str, nation: str) -> bool:
    """6.9/4 Does a unit that waits to enter not come: of Norway ships alone?"""
    if reinforcement.nation(name) != nation:
        return False
    return nation != "NO" or (name in ships() and not ships()[name].sub)


def _escalation(table: TableLike, war: War, event: str) -> None:
    """6.9/5 The Soviet strategy rises by a step, and both sides' nuclear weapons are released."""
    _tell(table, event)
    invasion.raise_strategy(table, war)
    for arms in war.nuclear.values():
        arms.granted = True


def _accident(table: TableLike, war: War, event: str) -> None:
    """6.9/6 A ship at sea of each side is damaged; of those that are sound, if there are any."""
    _tell(table, event)
    for side in table.sides:
        ships = [s for s in war.afloat(side) if not s.sub and not s.decoy]
        at_sea = [s for s in ships if s.hex not in BASES]
        sound = [s for s in at_sea if not s.damaged]
        if at_sea:
            label = f"POLITICS/ACCIDENT/-/{side.upper()}"
            _hurt(table, war, table.pick(label, sound or at_sea, to=()))


def _sub_accident(table: TableLike, war: War, event: str) -> None:
    """6.9/6 A submarine is lost, for no points."""
    side = _side(table, event)
    _tell(table, event, side=side)
    subs = [s for s in war.afloat(side) if s.sub]
    if subs:
        sub = table.pick(f"POLITICS/SUB ACCIDENT/-/{side.upper()}", subs, to=())
        sub.sunk = True
        table.tell([side], ev.Mishap(rule="6.9", ship=sub.id, lost=True))
        refresh(table, war, enemy(side), "")


def _hurt(table: TableLike, war: War, ship: Vessel) -> None:
    """The owner alone is told, and the enemy what its marker shows."""
    if ship.damaged:
        harm.sink(table, war, ship)
    else:
        ship.damaged = True
        table.tell([ship.side], ev.Mishap(rule="6.9", ship=ship.id, lost=False))
    refresh(table, war, enemy(ship.side), "")


def _reinforcements(table: TableLike, war: War, event: str) -> None:
    """6.9/7 On a side's next reinforcement die."""
    side, more = _side(table, event), reinforcement_chart().enhanced
    if side in war.arrivals:
        war.arrivals[side].change = more if event == "enhanced" else -more
    _tell(table, event, side=side)


Effect = Callable[[TableLike, War, str], None]
EVENTS: Mapping[str, Effect] = {
    "collapse": _talks,
    "breakthrough": _talks,
    "command": _command,
    "base": _base,
    "break-up": _break_up,
    "escalation": _escalation,
    "accident": _accident,
    "sub accident": _sub_accident,
    "enhanced": _reinforcements,
    "delayed": _reinforcements,
}
