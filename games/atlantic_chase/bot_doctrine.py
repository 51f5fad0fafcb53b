"""The bots' standing orders: what they do while the enemy has Initiative, and in Battle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from games.atlantic_chase import board, bot_advanced
from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.bot_sea import CAPITAL, Chart, hexes
from games.atlantic_chase.report import Own
from games.atlantic_chase.tables import USES, leaders
from games.atlantic_chase.verbs import GRAMMAR
from pbem.kit.bots import Lines, written

MOST = 9
"""Ships that one order names (R186)."""

LEADERS = {"search": 12, "engage": 8, "strike": 6, "seize": 99, "vie": 99, "battle": 99}
"""What leaders use their powers for, up to which Trajectory Total."""

EXITS = {"river_plate": {2: 1, 3: 1}, "lofoten": {1: 3, 2: 1}}
"""Where Germans score by breaking away, from which round on they try it, and how often."""

CLOSES = ("bergen", "denmark_strait")
"""Where the Germans close: to land, or as their guns and torpedoes tell most there."""


def standing(chart: Chart) -> Lines:
    """All standing orders of each actor of which one is not in force yet."""
    wanted: dict[str, list[Struct | str]] = {}
    for actor, order in doctrine(chart):
        wanted.setdefault(f"@{actor}", []).append(order)
    known = frozenset(chart.seen.standing)
    for actor, told in wanted.items():
        if any(_text(actor, order) not in known for order in told):
            yield from ((actor, order) for order in told)


@lru_cache(4096)
def _text(actor: str, order: Struct | str) -> str:
    """An order as the list of standing orders shows it. A side has much the same ones in every
    window."""
    return written([(actor, order)], GRAMMAR)


def doctrine(chart: Chart) -> Iterator[tuple[str, Struct | str]]:
    """The standing orders that this side wants to be in force."""
    yield from ((chart.side.upper(), order) for order in of_side(chart))
    yield from bot_advanced.orders(chart)
    for force in chart.own:
        if toward := goal(chart, force):
            tanker = chart.meeting(force)
            yield force.id, v.LapseBy(toward=toward, station=tanker)
            yield force.id, v.Keep((toward,))
    for unit in chart.seen.units:
        if unit.piece.sort == "leader" and unit.piece.force:
            able = [use for use in LEADERS if use in leader_uses(unit.id)]
            if able:
                yield unit.id, v_use(chart.luck.game.choice(f"leader {unit.id}", able))
            if ships := flagships(chart, unit):
                yield unit.id, vb.Transfer(ships)


def flagships(chart: Chart, leader: Own) -> tuple[str, ...]:
    """R186 The other ships of a leader's Task Force, capital ships first."""
    crew = [u for u in chart.seen.units if u.piece.sort == "ship"]
    crew = [u for u in crew if u.piece.force == leader.piece.force and not u.piece.damaged]
    return tuple(u.id for u in sorted(crew, key=lambda u: (u.type not in CAPITAL, u.id)))[:MOST]


def leader_uses(leader: str) -> tuple[str, ...]:
    """What a leader's power can be used for."""
    return USES.get(leaders()[leader].power, ())


def v_use(use: str) -> str:
    """A leader's order."""
    most = LEADERS[use]
    return f"use {use} at most {most}" if most < 99 else f"use {use}"


def of_side(chart: Chart) -> Iterator[Struct | str]:
    """Orders of the side as a whole, drawn once for the game."""
    luck, german = chart.luck.game, chart.side == board.GERMAN
    yield v.Seize(least=(25, 35, 45)[luck.of("seize", 3)])
    mine = [f.id for f in chart.own if chart.warships(f) if german or f.piece.line]
    if mine:
        yield v.Evade(tuple(sorted(mine)[:3]))
    if len(chart.own) > 1:  # the force that lapses last may know what the others kept
        yield vb.Sequence(tuple(sorted(f.id for f in chart.own)[:3]))
    yield v.Spend("engage", total=6 + luck.of("spend", 5))
    yield v.Spend("search", total=8 + luck.of("spend", 5))
    yield v.Spend(luck.choice("also", ("choose", "exit", "seize", "vie", "strike", "attack")))
    yield v.Support(luck.choice("support", ("auto", "auto", "free")))
    yield v.Slip(luck.choice("slip", ("signals", "evasive")), length=3)
    for foe in chart.seen.contacts:
        if foe.type in CAPITAL and foe.piece.force:
            yield vb.Hit(foe.id)
            break
    yield "if guns at least 80 then skirmish fight else skirmish decline"
    aims = chart.german and any(f.piece.convoy for f in chart.foes)
    yield vb.Target("convoys" if aims else aim(chart))
    yield vb.Torpedo(luck.choice("torpedo", ("fire", "fire", "hold")))
    closes = german and chart.seen.scenario in CLOSES
    yield vb.Stance("close" if closes else luck.choice("stance", ("close", "hold", "open")))
    yield vb.Surprise(luck.choice("surprise", ("near", "near", "far")))
    bare = german and chart.seen.scenario == "denmark_strait"
    yield vb.Smoke("never" if bare else luck.choice("smoke", ("outgunned", "outgunned", "never")))
    yield leaving(chart)


def aim(chart: Chart) -> Literal["strongest", "damaged"]:
    """At whom a side fires; in two Battles one choice is clearly the better, or fairer."""
    german = chart.side == board.GERMAN
    if chart.seen.scenario == "denmark_strait" and german:
        return "damaged"
    if chart.seen.scenario == "bergen" and not german and bot_advanced.played(chart):
        return "damaged"
    return "damaged" if chart.luck.game.of("aim", 2) else "strongest"


def leaving(chart: Chart) -> str:
    """When it breaks away: outgunned, or from some round on where that scores."""
    if chart.seen.scenario == "bergen" and chart.german:
        return "exit no"
    if start := bot_advanced.runs(chart):
        return "exit yes" if start == 1 else f"if round at least {start} then exit yes else exit no"
    weights = EXITS.get(chart.seen.scenario)
    if not chart.german or weights is None:
        return "if guns under 60 then exit yes else exit no"
    start = chart.luck.game.weighted("leave", weights)
    return f"if round at least {start} then exit yes else exit no"


def goal(chart: Chart, force: Own) -> str:
    """The hex for which a force makes as its line grows shorter: its port's, a tanker's, or one
    with prey; empty without one."""
    at = hexes(force)
    if not at:
        return ""
    ends = chart.havens(force)
    if not ends and (tanker := chart.meeting(force)):
        return tanker
    if not ends and chart.warships(force):
        able = [f for f in chart.prey if chart.able(force, f)] or chart.prey
        ends = [c for f in able for c in hexes(f)]
    return board.nearest(ends, at[-1], chart.side, chart.opened) if ends else ""
