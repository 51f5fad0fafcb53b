"""18, 6.3 Invasion: landings from the sea and the air, commandos, assaults, who holds a base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.second_fleet import advanced_events as ev
from games.second_fleet import advanced_verbs as av
from games.second_fleet import (
    bases,
    detection,
    harm,
    ice,
    landings,
    mines,
    movement,
    strengths,
    weather,
)
from games.second_fleet import verbs as v
from games.second_fleet.advanced_state import LADDER
from games.second_fleet.advanced_tables import invasion_chart
from games.second_fleet.board import BASES, NATO, SOVIET, by_water
from games.second_fleet.knowledge import refresh
from games.second_fleet.orders_of import Books
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import D10
from pbem.model import Side, TableLike

FAR = 999
"""6.9/3 Who leaves a base that falls so goes to the nearest field, however far."""


def phase(table: TableLike, war: War, books: Books) -> None:
    """8, 6.3/1 Soviet landings, NATO landings, control: what fell and is taken back at once has not
    changed hands."""
    held = {hex_: (field.side, field.taken) for hex_, field in war.fields.items()}
    for side in (SOVIET, NATO):
        landings.made(table, war, books[side], side)
        for hex_ in sorted(h for h, field in war.fields.items() if _assaults(war, side, h)):
            assault(table, war, hex_, side)
    for hex_, (holder, taken) in held.items():
        if war.holds(holder, hex_):
            war.fields[hex_].taken = taken
        else:
            control(table, war, hex_, holder, evacuated=False)


def _assaults(war: War, side: Side, hex_: str) -> bool:
    """6.3/11 Has a side points ashore at a base of the enemy?"""
    return war.fields[hex_].side != side and war.fields[hex_].ashore.get(side, 0) > 0


def garrison(war: War, hex_: str) -> int:
    """The intrinsic defence of a base; 6.3/8 less where commandos are at work."""
    field = war.fields[hex_]
    printed = BASES[hex_].defence if field.garrison < 0 else field.garrison
    return max(1, printed + invasion_chart().weaker) if field.cut else printed


def column(points: int, defence: int) -> int:
    """6.3/9 Odds as a column, from 0, in favour of the defender; -1 below the first."""
    odds = [tuple(map(int, o.split("-"))) for o in (*invasion_chart().odds, _automatic())]
    fits = [at for at, (a, d) in enumerate(odds) if points * d >= a * max(1, defence)]
    return max(fits, default=-1)


def _automatic() -> str:
    return invasion_chart().automatic


def modifier(war: War, hex_: str, side: Side) -> int:
    """6.3/10 What helps and hinders an assault; 267 not the damage of a landing strip."""
    chart, field = invasion_chart(), war.fields[hex_]
    worst = 0 if BASES[hex_].kind == "LS" else max(field.air, field.port)
    found = (0, chart.damage_1, chart.damage_2, chart.damage_2)[worst]
    if field.struck.get(side, -9) >= war.turn - 1:
        found += chart.softened
    if war.dark(hex_):
        found += chart.dark
    return found + (chart.squall if weather.bad(war, hex_) else 0)


def assault(table: TableLike, war: War, hex_: str, side: Side) -> None:
    """6.3/9-11 All that a side has ashore there, in one assault."""
    field, chart = war.fields[hex_], invasion_chart()
    points = field.ashore[side]
    intrinsic, helpers = garrison(war, hex_), field.ashore.get(enemy(side), 0)
    at, more = column(points, intrinsic + helpers), modifier(war, hex_, side)
    why, won = "", at >= len(chart.odds)
    if not won:
        (die,) = table.roll(f"INVASION/ASSAULT/{hex_}/{side.upper()}", D10, to=table.sides)
        why = f"die {die}{more:+d}" if more else f"die {die}"
        won = at >= 0 and die + more >= chart.needs[at]
    lost = min(-(-intrinsic // 2), points - 1) if won else -(-points // 2)
    told = ev.Assaulted(
        rule="6.3", why=why, side=side, base=BASES[hex_].name, points=points,
        defence=intrinsic + helpers, won=won, lost=lost,
    )  # fmt: skip
    table.tell(table.sides, told)
    if won:
        take(table, war, hex_, side, points - lost)
    else:
        field.ashore[side] = points - lost
        field.ashore[enemy(side)] = helpers - -(-helpers // 4)


# Control


def take(table: TableLike, war: War, hex_: str, side: Side, strength: int) -> None:
    """6.3/11 A base falls: those who took it are its garrison, whole, and its guns are silent."""
    field = war.fields[hex_]
    field.side, field.garrison, field.taken, field.ashore = side, strength, war.turn, {}
    field.cut = False
    told = ev.Captured(rule="6.3", base=BASES[hex_].name, side=side, garrison=strength)
    table.tell(table.sides, told)


def control(table: TableLike, war: War, hex_: str, loser: Side, evacuated: bool) -> None:
    """6.3/13 Aircraft of the loser on a base that changed hands, and ships in it.

    evacuated: aircraft leave for other fields, as when it falls by a political event (6.9/3).
    """
    for unit in list(war.flying(loser)):
        if unit.base == hex_:
            if unit.at in ("mission", "box"):
                continue  # 242 it lands elsewhere when its mission ends
            home = bases.landing(war, unit, hex_, FAR, "") if evacuated else ""
            if home:
                unit.base = home
            else:
                harm.lose(table, war, [unit], "6.3/13", f"with {BASES[hex_].name}")
    _flee(table, war, loser, hex_)


def may_fall(war: War, side: Side) -> tuple[str, ...]:
    """6.3/1-2, 6.9/3 Bases of a side that may change hands: of NATO those of Norway, and those that
    the Soviet strategy allows now or a step higher; of the Soviets what they took."""
    at = LADDER.index(war.politics.strategy)
    lists = {x for word in LADDER[at : at + 2] for x in invasion_chart().targets[word]}
    return tuple(
        h for h, base in BASES.items()
        if base.side == NATO and war.holds(side, h)
        and (side == SOVIET or base.nation == "NO" or base.strategy in lists)
    )  # fmt: skip


def _flee(table: TableLike, war: War, side: Side, hex_: str) -> None:
    """6.3/13 Ships of the loser leave, each group for water without an enemy: as it was ordered, if
    it gets there in a turn, else for the nearest; 212 over the mines of the hex."""
    leaving = [*war.surface(side, hex_), *war.subs(side, hex_)]
    taken = {s.hex for s in war.afloat(enemy(side))} | {
        h for h, field in war.fields.items() if field.side != side
    }
    far = {h: steps for h, steps in by_water(hex_).items() if h not in taken}
    goals: dict[str, list[Vessel]] = {}
    for key in dict.fromkeys(s.key for s in leaving):
        goals.setdefault(_exit(war, key, far, goals), []).extend(s for s in leaving if s.key == key)
    for goal, ships in goals.items():
        if surface := [s for s in ships if not s.sub]:
            mines.leave(table, war, surface)
        left = [s for s in ships if not s.sunk]
        if not left:
            continue
        for ship in left:
            ship.hex = goal
            ship.sailed += far[goal]  # 6.17/4, 6.5/4-5 she has moved in this turn
        table.tell([side], ev.Fled(rule="6.3", base=BASES[hex_].name, to=goal))
        if surface := [s for s in left if not s.sub]:
            detection.passing(table, war, surface, hex_)
        detection.settle(table, war, side, goal)
    if goals:
        refresh(table, war, enemy(side), "")


def _exit(war: War, key: str, far: Mapping[str, int], goals: Mapping[str, Sequence[Vessel]]) -> str:
    """6.3/13 Where a group goes. far: steps to each hex without an enemy; goals: who goes where
    already."""
    members = war.members(key)
    wish = war.exits.get(key, "")
    reach = min(strengths.ma(war, s) for s in members)
    if wish in far and far[wish] <= reach and _room(war, members, wish, goals):
        return wish
    near = sorted(far, key=lambda h: (far[h], h))
    return next(h for h in near if _room(war, members, h, goals))


def _room(
    war: War, members: Sequence[Vessel], hex_: str, goals: Mapping[str, Sequence[Vessel]]
) -> bool:
    """6.3/13, 23, 27, 34, 6.19/1 May a group be there: out of pack ice, Norwegians near Norway, no
    more than twelve warships with those who go there too, and no decoys among ships?"""
    if any(ice.bars(war, s.type, hex_) for s in members) or movement.strays(members, hex_):
        return False
    ships = [s for s in (*goals.get(hex_, ()), *members) if not s.sub]
    return members[0].sub or not movement.barred(war, ships, hex_)


def strategy(table: TableLike, war: War, books: Books) -> None:
    """6.3/2 The Soviets may raise it by order."""
    if books[SOVIET].find(SOVIET.upper(), av.Strategy, v.GRAMMAR.knows(war, SOVIET)):
        raise_strategy(table, war)


def raise_strategy(table: TableLike, war: War) -> None:
    """6.3/2 One step up, told to all."""
    at = LADDER.index(war.politics.strategy)
    if at < len(LADDER) - 1:
        war.politics.strategy = LADDER[at + 1]
        told = ev.StrategyRose(rule="6.3", strategy=war.politics.strategy)
        table.tell(table.sides, told)
