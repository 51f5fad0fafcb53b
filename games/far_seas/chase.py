"""R1-R9, K5 Running: who tries, who follows, who is caught, where the others go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from games.far_seas import asks, board, courses, movement, running
from games.far_seas import events_battle as ev
from games.far_seas.board import OTHER
from games.far_seas.doctrine import asked
from games.far_seas.gunnery import CAPITAL, CLOSE, Gunner
from games.far_seas.melee import Melee, apart, names, shown
from games.far_seas.state import BRITISH, GERMAN, Fight, Ship, War
from games.far_seas.strength import odds
from pbem.model import D6, TWO_D6, Side, TableLike

Group = list[Gunner]
FLIGHT = {GERMAN: 1.0, BRITISH: 3.0}
"""Ratio of enemy to own strength from which a side without orders runs."""


async def phase(table: TableLike, war: War, fight: Fight, melee: Melee) -> list[Melee]:
    """R1-R9 Before the first round and after every one (K5): the fights that go on.

    Germans have the first chance; if none of them runs, the Allies may. Both answer at once, so
    that a round takes one exchange of mail; the Allies' answer counts only if no German runs.
    """
    wish = await _wishes(table, war, fight, melee)
    side = next((s for s in (GERMAN, BRITISH) if wish[s]), None)  # R1
    if side is None:
        return [melee]
    for gunner in wish[side]:
        gunner.tried = gunner.ran = True  # K3, F12
    if side == GERMAN and not melee.rounds and _surprised(table, melee, wish[side]):
        melee.ahead = CLOSE - 1  # K4
        return [melee]
    groups = await _groups(table, melee, side, wish[side])
    return await _pursuit(table, war, fight, melee, side, groups)


async def _wishes(
    table: TableLike, war: War, fight: Fight, melee: Melee
) -> dict[Side, list[Gunner]]:
    """R1, K5 The ships of each side that would run; each tries once in a meeting, or by
    the option `running` after every round (F12)."""
    again = war.options.get("running") == "rounds"
    able = {s: [g for g in melee.sides[s] if again or not g.tried] for s in (GERMAN, BRITISH)}
    shown(war, fight, melee)
    put = {s: [_runs(war, melee, g.ship) for g in able[s]] for s in able if able[s]}
    said = await table.ask_each(put) if put else {}
    return {
        s: [g for g, w in zip(able[s], said.get(s, ()), strict=True) if w == asks.RUN] for s in able
    }


def _runs(war: War, melee: Melee, ship: Ship) -> asks.Runs:
    usual = asks.RUN if _flees(war, melee, ship.side) else asks.STAND
    later = melee.rounds > 0
    rule = "K5" if later else "R1"
    return asked(asks.Runs, ship, rule, asks.RUN, asks.STAND, default=usual, mailed=later)


def _flees(war: War, melee: Melee, side: Side) -> bool:
    """What ships without orders do: they run from a stronger enemy, unless that cannot succeed."""
    own, foes = melee.ships(side), melee.ships(OTHER[side])
    fastest = max(running.speed_now(f, war.options) for f in foes)
    apart = fastest - running.pace(own, war.options)
    capital = any(f.type in CAPITAL for f in foes) and not any(s.type in CAPITAL for s in own)
    weak = float(odds(own, foes)) > FLIGHT[side] or (side == GERMAN and capital)
    return weak and apart < running.figure("outpaced")


def _surprised(table: TableLike, melee: Melee, runners: Sequence[Gunner]) -> bool:
    """R2 The British die."""
    (die,) = table.roll(f"FIGHT/SURPRISE/{melee.area}/BRITISH", D6, to=table.sides)
    caught = running.surprised(die)
    if caught:
        told = ev.CaughtTurning(
            rule="R2",
            why=f"rolled {die}, surprised on {running.figure('surprised')}",
            area=melee.area,
            who=names(g.ship for g in runners),
        )
        table.tell(table.sides, told)
    return caught


async def _groups(
    table: TableLike, melee: Melee, side: Side, runners: Sequence[Gunner]
) -> list[Group]:
    """R3 As one group, or every ship on its own."""
    word = asks.TOGETHER
    if len(runners) > 1:
        split = asked(asks.BreaksUp, runners[0].ship, "R3", asks.TOGETHER, asks.APART)
        word = str((await table.ask(side, [split]))[0])
    groups = [[g] for g in runners] if word == asks.APART else [list(runners)]
    shape = tuple(names(g.ship for g in group) for group in groups)
    table.tell(table.sides, ev.RanUp(rule="R1", area=melee.area, side=side, groups=shape))
    return groups


# R3, R5-R8 Pursuit


async def _pursuit(
    table: TableLike, war: War, fight: Fight, melee: Melee, side: Side, groups: Sequence[Group]
) -> list[Melee]:
    """R3-R9 Who follows whom, the races, and the fights that remain."""
    foe = OTHER[side]
    rest = apart(melee.sides[side], [g for group in groups for g in group])
    word = await _follow(table, melee, foe)
    after, watch = assign(melee.sides[foe], groups, rest, word, war.options)
    parts = []
    for number, group in enumerate(groups):
        caught = [g for g in after[number] if _races(table, war, melee, group, g)]
        if caught:
            parts.append(melee.part({side: group, foe: caught}))
        else:
            await _away(table, war, fight, melee, group)
    if rest and watch:
        parts.append(melee.part({side: rest, foe: watch}))
    return parts


async def _follow(table: TableLike, melee: Melee, side: Side) -> str:
    first, ways = melee.sides[side][0].ship, (asks.ALL, asks.BEST, asks.NONE)
    how = asked(asks.Follows, first, "R3", *ways, mailed=melee.rounds > 0)
    return str((await table.ask(side, [how]))[0])


def assign(
    pursuers: Sequence[Gunner],
    groups: Sequence[Group],
    rest: Sequence[Gunner],
    word: str,
    options: Mapping[str, str],
) -> tuple[list[Group], Group]:
    """R3, R8 The pursuers of each group, and those who stay with the ships that stand.

    ALL spreads them, the fastest first, over those they may catch, the most valuable first; BEST
    puts all after the most valuable; NONE lets the runners go.
    """
    after: list[Group] = [[] for _ in groups]
    watch: Group = []
    worth = {n: sum(g.ship.points for g in group) for n, group in enumerate(groups)}
    for gunner in sorted(pursuers, key=lambda g: (-running.speed_now(g.ship, options), g.id)):
        able = [n for n, group in enumerate(groups) if _may_catch(gunner.ship, group, options)]
        if word == asks.NONE or (not able and rest):
            watch.append(gunner)
        elif able and word == asks.BEST:
            after[min(able, key=lambda n: (-worth[n], n))].append(gunner)
        elif able:
            best = min(able, key=lambda n: (len(after[n]), -worth[n], n))
            stay = rest and len(watch) < len(after[best])
            (watch if stay else after[best]).append(gunner)
    return after, watch


def _may_catch(ship: Ship, group: Group, options: Mapping[str, str]) -> bool:
    ahead = running.pace((g.ship for g in group), options) - running.speed_now(ship, options)
    return ahead < running.figure("outpaced")


def _races(table: TableLike, war: War, melee: Melee, group: Group, pursuer: Gunner) -> bool:
    """R5-R8 One pursuer against a group."""
    runner = running.pace((g.ship for g in group), war.options)
    own = running.speed_now(pursuer.ship, war.options)
    throws = running.throws(runner, own)
    label = f"FIGHT/RACE/{melee.area}/{pursuer.id}"
    dice: tuple[int, ...] = ()
    if throws != "none":
        dice = table.roll(label, D6 if throws == "slower" else TWO_D6, to=table.sides)
    caught = running.caught(runner, own, dice)
    told = ev.Raced(
        rule={"none": "R5", "slower": "R7", "both": "R6"}[throws],
        why=_why(runner, own, dice),
        area=melee.area,
        runners=names(g.ship for g in group),
        pursuer=pursuer.ship.name,
        caught=caught,
    )
    table.tell(table.sides, told)
    return caught


def _why(runner: int, own: int, dice: Sequence[int]) -> str:
    slower = "the runner" if runner < own else "the pursuer"
    match dice:
        case ():
            faster = "the pursuer" if own > runner else "the runner"
            return f"{faster} is {abs(own - runner)} grades faster"
        case (die,):
            return f"{slower} rolled {die}, wins on {running.figure('slower')}"
        case _:
            return f"equal speeds, runner rolled {dice[0]}, pursuer {dice[1]}"


# R9 Away


async def _away(table: TableLike, war: War, fight: Fight, melee: Melee, group: Group) -> None:
    """R9 To the Moved box of an adjacent area; only the Germans know where a German went."""
    first = group[0].ship
    where = asked(asks.RunsTo, first, "R9", *refuges(war, first))
    to = str((await table.ask(first.side, [where]))[0])
    for gunner in group:
        _leaves(war, fight, gunner.ship, first, to)
    who = names(g.ship for g in group)
    seen = to if first.side == BRITISH else ""
    told = ev.Escaped(rule="R9", area=melee.area, side=first.side, who=who, to=seen)
    table.tell(table.sides, told)
    if first.side == GERMAN:
        table.tell([GERMAN], ev.RanTo(rule="R9", who=who, to=to))


def _leaves(war: War, fight: Fight, ship: Ship, first: Ship, to: str) -> None:
    war.leave(ship.id)
    if ship is not first:
        ship.leader = first.id
    ship.area, ship.ran, ship.moved = to, True, True
    ship.duty, ship.post, ship.raids, ship.quits = "", "", "", ""
    fight.ranaway.append(ship.id)


def refuges(war: War, ship: Ship) -> tuple[str, ...]:
    """R9 Adjacent areas, first those with the fewest enemies that the ship's side can see; M5: a
    foreign ship keeps to its side of the ocean."""
    sea, mover = movement.sea_of(war), movement.mover_of(ship)
    near = (a for a in board.neighbours(ship.area, ship.side) if a in board.SEA)
    ways = [a for a in near if courses.allowed(sea, mover, a)] or [ship.area]
    seen = seen_in(war, ship.side)
    return tuple(sorted(ways, key=lambda a: (seen[a], int(a))))


def seen_in(war: War, side: Side) -> Counter[str]:
    """Enemy ships by area, as the side knows: Allies are open, Germans where last seen."""
    if side == GERMAN:
        return Counter(foe.area for foe in war.fleet(BRITISH))
    return Counter(seen.area for seen in war.known.ships.values())
