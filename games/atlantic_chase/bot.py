"""A player that needs no sleep: it reads its side's report and writes a programme.

Complete what can; engage, attack, search what shares a hex; Signals on long lines with Intel; then
go on, and pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from msgspec import convert

from games.atlantic_chase import board
from games.atlantic_chase import verbs as v
from games.atlantic_chase.report import Foe, Own, Report
from games.atlantic_chase.verbs import GRAMMAR
from pbem.kit.bots import Lines, Luck, written
from pbem.kit.grids import path
from pbem.model import Side


def orders(side: Side, report: Mapping[str, object], luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    seen = convert(report, Report)
    return written(lines(seen, side, Luck(luck)), GRAMMAR)


def lines(seen: Report, side: Side, luck: Luck) -> Lines:
    """The programme of the Active side; the other has its standing orders, as both have on the
    Battle Board, whose games last one turn."""
    if seen.board.active != side or seen.board.length == 1:
        return
    own = [u for u in seen.units if u.piece.sort == "force"]
    foes = [c for c in seen.contacts if c.piece.sort == "force"]
    for force in own:
        if may_complete(seen, side, force):
            yield force.id, v.Complete()
    yield from hunt(own, foes)
    for foe in foes:
        if foe.piece.intel and len(foe.piece.line) >= 4:
            yield side.upper(), v.Signals(foe.id)
    for unit in seen.units:
        if unit.piece.sort == "stealth" and unit.type != "mines":
            yield from stealth(unit, foes)
    for force in own:
        yield from sail(seen, side, force, foes, luck)
    for unit in seen.units:
        if unit.piece.sort == "group":
            yield side.upper(), v.Reinforce(unit.id)
    yield side.upper(), v.Pass()


def hunt(own: list[Own], foes: list[Foe]) -> Lines:
    """Engage Stations and search for Trajectories in shared hexes."""
    for force in own:
        for foe in foes:
            if force.piece.convoy or force.piece.speed == "very slow":
                continue
            if foe.piece.at and foe.piece.at in hexes(force):
                yield force.id, v.Engage(foe.id)
            elif set(foe.piece.line) & set(hexes(force)):
                yield force.id, v.Search(foe.id, times=2)


def hexes(force: Own | Foe) -> tuple[str, ...]:
    """The hexes that a Task Force is in."""
    return force.piece.line or ((force.piece.at,) if force.piece.at else ())


def may_complete(seen: Report, side: Side, force: Own) -> bool:
    """R109 Can it Complete, and should it: Convoys at their port, Germans at the end?"""
    if force.piece.intel or len(force.piece.line) > 6 or not force.piece.convoy:
        return False
    ports = [board.PORTS[p] for p in force.piece.bound]
    return any(set(p.hexes) & set(hexes(force)) for p in ports)


def stealth(unit: Own, foes: list[Foe]) -> Lines:
    """Attack what lies in the hex, else show a Convoy's line."""
    for foe in foes:
        if unit.piece.at and (
            unit.piece.at == foe.piece.at or unit.piece.at in (*foe.piece.intel, *foe.piece.contact)
        ):
            yield unit.id, v.Attack(foe.id)
            return
    for foe in foes:
        if foe.piece.convoy and len(foe.piece.line) >= 3:
            yield unit.id, v.Recon(foe.piece.line[len(foe.piece.line) // 2])
            return


def sail(seen: Report, side: Side, force: Own, foes: list[Foe], luck: Luck) -> Lines:
    """Go on towards the Convoy's port, the nearest prey or the nearest raider."""
    here = (force.piece.line[-1],) if force.piece.line else hexes(force)
    if force.piece.box:
        here = board.PORTS[force.piece.box].hexes
    prey = [c for f in foes if f.piece.convoy or side == board.BRITISH for c in hexes(f)]
    goals = [c for p in force.piece.bound for c in board.PORTS[p].hexes] or prey
    if not here or not goals or (force.piece.speed == "very slow" and not force.piece.bound):
        return
    opened = board.opened(seen.board.opened)
    goal = board.nearest(goals, here[0], side, opened)
    way = path(lambda c: board.neighbours(c, side, opened), here[0], goal, board.SEA.parts)
    room = 8 - len(force.piece.line)
    fresh = list(takewhile(lambda c: c not in force.piece.line, way or ()))[: max(0, room)]
    if fresh and luck.of(f"{seen.window} {force.id}", 3):
        yield (
            force.id,
            v.Course(tuple(fresh), start=force.piece.line[-1] if force.piece.line else ""),
        )
