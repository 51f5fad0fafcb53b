"""What bots do by the rules of the advanced level and of the options, wherever a menu offers it."""

from __future__ import annotations

from collections.abc import Iterator

from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.advanced_tables import invasion_chart
from games.second_fleet.board import (
    BASES,
    COAST,
    FJORD,
    HEXES,
    NATO,
    SOVIET,
    ZONE_OF,
    distance,
    shore,
    steps,
)
from games.second_fleet.planner import Planner
from games.second_fleet.report import Enemy, OwnUnit
from pbem.kit import bots

MINED = {NATO: ("3605", "3705", "3404", "3405"), SOVIET: ("3213", "3311", "3412", "3734")}
"""Where each side lays mines."""
STRIPS = 3
"""A landing strip falls to one battalion; a base with more points than this is worth three."""


def morning(bot: Planner) -> bots.Lines:
    """The strategic cycle: strategy, reinforcements, deep mode, mines, landings, release."""
    yield from _release(bot)
    yield from _strategy(bot)
    for unit in bot.seen.units:
        yield from _unit(bot, unit)
    yield from _drops(bot)


def _release(bot: Planner) -> bots.Lines:
    """6.6/1 Nearly always only in reply."""
    actor = bot.side.upper()
    if bot.seen.turn == 1 and bots.may(bot.seen.menu, actor, "release"):
        first = bot.luck.game.of("release", 6) == 0
        yield f"@{actor}", av.Release("go" if first else "reply")


def _strategy(bot: Planner) -> bots.Lines:
    """6.3/2 The Soviets raise it on the second morning, and seldom again."""
    actor = bot.side.upper()
    if bots.may(bot.seen.menu, actor, "strategy"):
        early = bot.seen.board.strategy in ("Defensive", "Restricted")
        if (early and bot.seen.turn >= 4) or bot.luck.of(f"strategy {bot.seen.turn}", 12) == 0:
            yield actor, av.Strategy("up")


def _unit(bot: Planner, unit: OwnUnit) -> bots.Lines:
    menu, luck = bot.seen.menu, bot.luck
    what = f"{bot.seen.turn} {unit.id}"
    if unit.kind == "wait":
        places = bots.values(menu, unit.id, "enter", "hex")
        if places and luck.of(f"enter {what}", 2):
            yield unit.id, av.Enter(luck.choice(f"entry {what}", places[:3]))
    if bots.may(menu, unit.id, "deep") and luck.of(f"deep {what}", 3 if unit.level else 12) == 0:
        yield unit.id, av.Deep()
    if bots.may(menu, unit.id, "surface") and not unit.level and luck.of(f"rise {what}", 2):
        yield unit.id, av.Surface()
    yield from _ashore(bot, unit)


def _ashore(bot: Planner, unit: OwnUnit) -> bots.Lines:
    """6.3/4, 6.3/8 Troops land where they can; commandos where guns are."""
    near = bots.values(bot.seen.menu, unit.id, "land", "hex")
    hostile = [h for h in near if _holder(bot, h) != bot.side]
    if hostile:
        yield unit.id, av.Land(hostile[0])
    prey = bots.values(bot.seen.menu, unit.id, "commando", "hex")
    if prey and bot.luck.of(f"commando {bot.seen.turn} {unit.id}", 3) == 0:
        yield unit.id, av.Commando(prey[0])


def _holder(bot: Planner, hex_: str) -> str:
    side = BASES[hex_].side
    lost = hex_ in bot.seen.board.lost
    return (SOVIET if side == NATO else NATO) if lost else side


def _drops(bot: Planner) -> bots.Lines:
    """6.3/6 Battalions: one on a weak landing strip, three on an airfield."""
    actor = bot.side.upper()
    targets = bots.values(bot.seen.menu, actor, "drop", "hex")
    if not targets or bot.luck.of(f"drop {bot.seen.turn}", 3) == 0:
        return
    fields = [h for h, base in BASES.items() if base.field and _holder(bot, h) == bot.side]
    far = invasion_chart().drop_range
    prey = [
        h for h in targets
        if BASES[h].kind != "PT" and _holder(bot, h) != bot.side
        and any(distance(h, field) <= far for field in fields)
    ]  # fmt: skip
    if not prey:
        return
    best = max(prey, key=lambda h: (BASES[h].points, -BASES[h].defence, h))
    strip = min(prey, key=lambda h: (BASES[h].defence, BASES[h].close_aa, h))
    bold = bot.luck.of(f"bold drop {bot.seen.turn}", 2) == 0
    target = best if bold and BASES[best].points >= STRIPS else strip
    count = 1 if BASES[target].kind == "LS" else invasion_chart().most_battalions
    count = min(count, bot.seen.board.troops[0])
    if count:
        yield actor, av.Drop(target, count)


def mine(bot: Planner, unit: OwnUnit) -> bots.Lines:
    """207 Now and then a recon aircraft lays mines."""
    if not bots.may(bot.seen.menu, unit.id, "mine"):
        return
    what = f"mine {bot.seen.turn} {unit.id}"
    zones = bots.values(bot.seen.menu, unit.id, "recon", "zone")
    near = [h for h in MINED[bot.side] if ZONE_OF[h].lower() in zones and HEXES[h] in COAST]
    laid = {field.hex: field.markers for field in bot.seen.board.mines}
    near = [h for h in near if laid.get(h, 0) < 2]
    if near and bot.luck.of(what, 6) == 0:
        yield unit.id, av.Mine(bot.luck.choice(f"{what} hex", near))


# Segments


def turn(bot: Planner) -> bots.Lines:
    """Replenishment, cruise missiles, mines of submarines, decoys."""
    for unit in bot.seen.units:
        yield from _replenish(bot, unit)
        if unit.id in bot.busy:
            continue
        yield from _cruise(bot, unit)
        yield from _lay(bot, unit)
    actor = bot.side.upper()
    groups = bots.values(bot.seen.menu, actor, "decoy", "group")
    if groups and bot.luck.of(f"decoy {bot.seen.turn}", 6) == 0:
        yield actor, av.Decoy(bot.luck.choice(f"decoyed {bot.seen.turn}", groups))


def _replenish(bot: Planner, unit: OwnUnit) -> bots.Lines:
    """6.5/6 A supplier gives to a ship of its hex what she is short of."""
    gives = bots.values(bot.seen.menu, unit.id, "replenish", "boxes")
    for name in bots.values(bot.seen.menu, unit.id, "replenish", "unit"):
        mate = next((u for u in bot.seen.units if u.id == name), None)
        left = dict(row.rsplit(" ", 1) for row in mate.stores) if mate else {}
        short = [row for row in ("fuel", "asw", "aaa") if left.get(row) in ("0", "1")]
        short = [row for row in short if f"{row} 2" in gives]
        if short:
            yield unit.id, av.Replenish(name, (av.Boxes(short[0], 2),))  # type: ignore[arg-type]
            return


def _cruise(bot: Planner, unit: OwnUnit) -> bots.Lines:
    """6.7/1 At the nearest airfield of the enemy in range."""
    able = bots.may(bot.seen.menu, unit.id, "cruise") and unit.place
    if not able or HEXES[unit.place] == FJORD:
        return
    near = sorted(
        (distance(unit.place, h), h) for h, base in BASES.items()
        if base.field and _holder(bot, h) != bot.side
    )  # fmt: skip
    if near and near[0][0] <= 16 and bot.luck.of(f"cruise {bot.seen.turn} {unit.id}", 3) == 0:
        bot.busy.add(unit.id)
        yield unit.id, av.Cruise(near[0][1])


def _lay(bot: Planner, unit: OwnUnit) -> bots.Lines:
    """209 A Soviet submarine off an enemy coast."""
    if not bots.may(bot.seen.menu, unit.id, "mine") or unit.kind != "sub":
        return
    near = [h for h in _coast(unit.place) if shore(h) in ("NO", "UK", "IC")]
    laid = {field.hex: field.markers for field in bot.seen.board.mines}
    near = [h for h in near if laid.get(h, 0) < 2]
    if near and bot.luck.of(f"lay {bot.seen.turn} {unit.id}", 4) == 0:
        bot.busy.add(unit.id)
        yield unit.id, av.Mine(near[0])


def _coast(hex_: str) -> Iterator[str]:
    return (h for h in steps(hex_) if HEXES[h] in COAST)


def warhead(bot: Planner, actor: str, verb: str, what: str) -> v.Warhead:
    """6.6/2 Half of the attacks that may be nuclear are."""
    heads = bots.values(bot.seen.menu, actor, verb, "warhead")
    nuclear = "nuclear" in heads and bot.luck.of(f"nuclear {bot.seen.turn} {what}", 2) == 0
    return "nuclear" if nuclear else ""


def close(bot: Planner, unit: OwnUnit, target: Enemy) -> bots.Lines:
    """6.8 Close combat with what is beside it, after missiles."""
    can = bots.values(bot.seen.menu, unit.id, "attack", "weapon")
    if "close" in can and target.place in steps(unit.place):
        yield unit.id, v.Attack("close", target.id)


def speed(bot: Planner, unit: OwnUnit) -> v.Speed:
    """6.7/6 High speed now and then, of warships alone."""
    fast = bots.values(bot.seen.menu, unit.id, "go", "speed")
    if "high" not in fast or unit.damaged or unit.asw > 0:
        return ""
    return "high" if bot.luck.of(f"fast {bot.seen.turn} {unit.id}", 3) == 0 else ""
