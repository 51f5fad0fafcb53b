"""R1-R9, K5 Running: who tries, who follows, who is caught, where the others go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from games.far_seas import asks, board, plans, running
from games.far_seas import events_battle as ev
from games.far_seas.board import OTHER
from games.far_seas.doctrine import asked
from games.far_seas.events import OrderFailed
from games.far_seas.gunnery import CAPITAL, CLOSE, Gunner
from games.far_seas.melee import Melee, apart, names, shown
from games.far_seas.refuges import refuges
from games.far_seas.state import BRITISH, GERMAN, Fight, Ship, War
from games.far_seas.strength import odds
from orders.model import Value
from pbem.model import D6, TWO_D6, Side, TableLike

Group = list[Gunner]
FLIGHT = {GERMAN: 1.0, BRITISH: 3.0}
"""Ratio of enemy to own strength from which a side without orders runs."""


async def phase(table: TableLike, war: War, fight: Fight, melee: Melee) -> list[Melee]:
    """R1-R9 Before the first round and after every one (K5): the fights that go on.

    Germans have the first chance; if none of them runs, the Allies may.
    """
    wish = await wishes(table, war, fight, melee)
    side = next((s for s in (GERMAN, BRITISH) if wish[s]), None)  # R1
    if side is None:
        return [melee]
    for gunner in wish[side]:
        gunner.tried = gunner.ran = True  # K3, F12
    if side == GERMAN and _surprised(table, melee, wish[side]):
        melee.sprung = True
        melee.ahead = max(melee.ahead, CLOSE - 1 - melee.rounds)  # K4
        return [melee]
    groups = await _groups(table, fight, melee, side, wish[side])
    return await _pursuit(table, war, fight, melee, side, groups)


async def wishes(
    table: TableLike, war: War, fight: Fight, melee: Melee
) -> dict[Side, list[Gunner]]:
    """R1, K5 The ships of each side that would run; each tries once in a meeting, or by
    the option `running` after every round (F12)."""
    again = war.options.get("running") == "rounds"
    able = {s: [g for g in melee.sides[s] if again or not g.tried] for s in (GERMAN, BRITISH)}
    shown(war, fight, melee)
    put = {s: [_runs(war, fight, melee, g.ship) for g in able[s]] for s in able}
    said = await table.ask_each(put) if any(put.values()) else {}
    return {
        s: [g for g, w in zip(able[s], said.get(s, ()), strict=True) if w == asks.RUN] for s in able
    }


def _runs(war: War, fight: Fight, melee: Melee, ship: Ship) -> asks.Runs:
    usual = asks.RUN if _flees(war, melee, ship.side) else asks.STAND
    plan = plans.runs(fight.plan(ship.side), melee, ship.side)
    return asked(asks.Runs, ship, "R1", asks.RUN, asks.STAND, default=usual, plan=plan)


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
    table: TableLike, fight: Fight, melee: Melee, side: Side, runners: Sequence[Gunner]
) -> list[Group]:
    """R3 The groups in which they run."""
    plan = plans.splits(fight.plan(side))
    ways = (asks.TOGETHER, asks.APART)
    put = [asked(asks.BreaksUp, g.ship, "R3", *ways, plan=plan) for g in runners]
    groups = partition(runners, await table.ask(side, put))
    shape = tuple(names(g.ship for g in group) for group in groups)
    table.tell(table.sides, ev.RanUp(rule="R1", area=melee.area, side=side, groups=shape))
    return groups


def partition(runners: Sequence[Gunner], words: Sequence[Value]) -> list[Group]:
    """R3 Any division of the ships that run: who names others goes with them, who says APART goes
    by itself, all that are left run as one. words: of each, as `asks.BreaksUp` answers."""
    piece = {
        g.id: g.id if word == asks.APART else "" for g, word in zip(runners, words, strict=True)
    }
    for gunner, word in zip(runners, words, strict=True):
        if isinstance(word, list):
            united = {gunner.id, *(i for i in word if i in piece)}
            pieces = {piece[i] for i in united} - {""}
            united |= {i for i, p in piece.items() if p in pieces}
            piece |= dict.fromkeys(sorted(united), gunner.id)
    groups: dict[str, Group] = {}
    for gunner in runners:
        groups.setdefault(piece[gunner.id], []).append(gunner)
    return list(groups.values())


# R3, R5-R8 Pursuit


async def _pursuit(
    table: TableLike, war: War, fight: Fight, melee: Melee, side: Side, groups: Sequence[Group]
) -> list[Melee]:
    """R3-R9 Who follows whom, the races, and the fights that remain."""
    foe = OTHER[side]
    rest = apart(melee.sides[side], [g for group in groups for g in group])
    words = await _follow(table, fight, melee, foe, groups)
    after, watch = assign(melee.sides[foe], groups, rest, words, war.options)
    parts = []
    for number, group in enumerate(groups):
        caught = [g for g in after[number] if _races(table, war, melee, group, g)]
        if caught:
            parts.append(melee.part({side: group, foe: caught}))
        else:
            why = "" if after[number] else _unfollowed(melee.ships(foe), group, war.options)
            await _away(table, war, fight, melee, group, why)
    if rest and watch:
        parts.append(melee.part({side: rest, foe: watch}))
    return parts


async def _follow(
    table: TableLike, fight: Fight, melee: Melee, side: Side, groups: Sequence[Group]
) -> list[str]:
    """R3 What each of the pursuers is to do."""
    plan = plans.follows(fight.plan(side))
    ids = tuple(g.id for group in groups for g in group)
    ways = (asks.ALL, asks.BEST, asks.NONE, *ids)
    put = [asked(asks.Follows, g.ship, "R3", *ways, plan=plan) for g in melee.sides[side]]
    return [str(w) for w in await table.ask(side, [replace(q, ids=ids) for q in put])]


def assign(
    pursuers: Sequence[Gunner],
    groups: Sequence[Group],
    rest: Sequence[Gunner],
    words: Sequence[str],
    options: Mapping[str, str],
) -> tuple[list[Group], Group]:
    """R3, R8 The pursuers of each group, and those who stay with the ships that stand.

    words: of each pursuer. The name of a ship puts it after her group, if it may catch that; NONE
    lets the runners go. After these ALL spreads the others, the fastest first, over those they may
    catch, the most valuable first; BEST puts them after the most valuable.
    """
    after: list[Group] = [[] for _ in groups]
    watch: Group = []
    worth = {n: sum(g.ship.points for g in group) for n, group in enumerate(groups)}
    at = {g.id: n for n, group in enumerate(groups) for g in group}
    told = {g.id: word for g, word in zip(pursuers, words, strict=True)}
    order = sorted(pursuers, key=lambda g: (-running.speed_now(g.ship, options), g.id))
    for gunner in sorted(order, key=lambda g: told[g.id] not in at):
        word = told[gunner.id]
        able = [n for n, group in enumerate(groups) if _may_catch(gunner.ship, group, options)]
        if word == asks.NONE or (not able and rest):
            watch.append(gunner)
        elif able and at.get(word) in able:
            after[at[word]].append(gunner)
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


def _unfollowed(foes: Sequence[Ship], group: Group, options: Mapping[str, str]) -> str:
    """R5 Why nobody even tries to catch a group, empty where somebody could."""
    if any(_may_catch(foe, group, options) for foe in foes):
        return ""
    fastest = max(foes, key=lambda foe: running.speed_now(foe, options))
    ahead = running.pace((g.ship for g in group), options) - running.speed_now(fastest, options)
    return f"{fastest.name} is {ahead} grades slower (R5)"


async def _away(
    table: TableLike, war: War, fight: Fight, melee: Melee, group: Group, why: str
) -> None:
    """R9 To the Moved box of an adjacent area; only the Germans know where a German went. why:
    nobody tried to catch them, empty where somebody did."""
    first = group[0].ship
    ways = refuges(war, [g.ship for g in group])
    plan = plans.refuge(fight.plan(first.side), ways)
    others = (area for area in board.SEA if area not in ways)
    where = asked(asks.RunsTo, first, "R9", *ways, *others, plan=plan)
    wish = str((await table.ask(first.side, [where]))[0])
    to = wish if wish in ways else ways[0]
    leaving = [(g.ship.id, g.ship.quits) for g in group if g.ship.quits]
    for gunner in group:
        _leaves(war, fight, gunner.ship, first, to)
    who = names(g.ship for g in group)
    seen = to if first.side == BRITISH else ""
    told = ev.Escaped(rule="R9", why=why, area=melee.area, side=first.side, who=who, to=seen)
    table.tell(table.sides, told)
    if first.side == GERMAN:
        table.tell([GERMAN], ev.RanTo(rule="R9", who=who, to=to))
    if wish != to:
        shut = f"{board.name(wish)} is not open to her from {board.name(melee.area)}"
        verb, instead = f"run to {wish}", f"run to {to}"
        failed = OrderFailed(rule="R9", why=shut, who=first.id, verb=verb, instead=instead)
        table.tell([first.side], failed)
    for ship, order in leaving:
        rule, verb = ("found b", "intern") if order == "intern" else ("G9", "return")
        why, instead = f"{ship} had to run", f"run to {to}"
        failed = OrderFailed(rule=rule, why=why, who=ship, verb=verb, instead=instead)
        table.tell([first.side], failed)


def _leaves(war: War, fight: Fight, ship: Ship, first: Ship, to: str) -> None:
    war.leave(ship.id)
    if ship is not first:
        ship.leader = first.id
    ship.area, ship.ran, ship.moved = to, True, True
    ship.duty, ship.post, ship.raids, ship.quits = "", "", "", ""
    fight.ranaway.append(ship.id)
