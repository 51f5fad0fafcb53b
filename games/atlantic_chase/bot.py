"""A player that needs no sleep: it reads its side's report and writes a programme.

First what is free and what scores (harbours, Completion), then what finds the enemy (Signals,
searches, strikes, engagements, Stealth forces), then courses, and last what may lose Initiative
(reinforcements), and the Pass. Standing orders: `bot_doctrine`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from msgspec import convert
from msgspec.structs import replace

from games.atlantic_chase import board
from games.atlantic_chase import verbs as v
from games.atlantic_chase.bot_doctrine import standing
from games.atlantic_chase.bot_sea import LATE_SPELL, Chart, hexes, shared
from games.atlantic_chase.report import Foe, Own, Report
from games.atlantic_chase.verbs import GRAMMAR
from pbem.kit.bots import Lines, Luck, written
from pbem.model import Side

LIMITS = {board.GERMAN: 5, board.BRITISH: 10}
"""R024 Task Forces that a side can have."""
ROOM = {board.GERMAN: 4, board.BRITISH: 7}
"""Up to how many a Task Force is still split."""


def orders(side: Side, report: Mapping[str, object], luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    seen = convert(report, Report)
    # A campaign is played operation by operation.
    seen = replace(seen, scenario=seen.board.operation, turn=seen.board.spell)
    chart = Chart(seen, side, Luck(luck))
    return written([*standing(chart), *lines(chart)], GRAMMAR)


def lines(chart: Chart) -> Lines:
    """The programme of the Active side; the other has its standing orders, as both have on the
    Battle Board, whose games last one turn."""
    if chart.seen.board.active != chart.side or chart.seen.board.length == 1:
        return
    yield from complete(chart)
    yield from harbours(chart)
    yield from reorganize(chart)
    yield from hear(chart)
    yield from strike(chart)
    yield from hunt(chart)
    if chart.chance("stop", 6):
        yield chart.side.upper(), "if last result is battle then stop"
    for unit in chart.seen.units:
        if unit.piece.sort == "stealth":
            yield from stealth(chart, unit)
    for force in chart.own:
        yield from sail(chart, force)
    yield from reinforce(chart)
    yield from end(chart)


def complete(chart: Chart) -> Lines:
    """R109 Convoys at their port, and raiders that have come home."""
    for force in chart.own:
        ports = chart.bound(force)
        there = {c for p in ports for c in board.PORTS[p].hexes}
        near = force.piece.box in ports or there & set(hexes(force))
        if near and not force.piece.intel and len(force.piece.line) <= 6:
            yield force.id, v.Complete()


def harbours(chart: Chart) -> Lines:
    """R008 Into the Port Box with what lies at a port idle, out where the enemy lies before it."""
    own = {c for p, s in chart.seen.board.ports.items() if s == chart.side for c in cells(p)}
    near = {c for foe in chart.foes for c in hexes(foe)}
    for force in chart.own:
        piece = force.piece
        if piece.convoy or held(chart, force):
            continue
        if piece.at in own and piece.at not in near and chart.chance(f"port {force.id}", 4):
            yield force.id, v.Port()
        elif piece.box and near & set(cells(piece.box)):
            yield force.id, v.LeavePort(at=sorted(near & set(cells(piece.box)))[0])


def cells(port: str) -> tuple[str, ...]:
    """The hexes of a port."""
    return board.PORTS[port].hexes


def held(chart: Chart, force: Own) -> bool:
    """Berlin: may this Convoy not sail yet?"""
    late = chart.seen.scenario == "berlin" and force.id == "TF7" and force.piece.box
    return bool(late) and chart.seen.turn < LATE_SPELL


def reorganize(chart: Chart) -> Lines:
    """R027, R131-R133 Weak forces that lie together join; slow ships stay behind; a Convoy with the
    enemy near disperses."""
    still = [f for f in chart.own if not f.piece.line and chart.warships(f)]
    joined: set[str] = set()
    for force in still:
        for other in still:
            same = (other.piece.at, other.piece.box) == (force.piece.at, force.piece.box)
            apart = other.id > force.id and not joined & {force.id, other.id}
            if same and apart and (len(chart.own) > 7 or chart.chance("merge", 3)):
                joined |= {force.id, other.id}
                yield force.id, v.Merge(other.id)
    for force in still:
        slow = [s for s in force.piece.ships if quicker(chart, force, s)]
        if slow and force.id not in joined and len(chart.own) < ROOM[chart.side]:
            yield force.id, v.Split(tuple(slow), takes="evasive" if force.piece.evasive else "")
    scatter = chart.seen.scenario == "roesselsprung" and chart.seen.turn >= 2
    near = chart.side == board.BRITISH and any(shared(f, x) for f in chart.own for x in chart.foes)
    for force in chart.own:
        whole = any(not chart.ships[s].piece.scattered for s in force.piece.ships)
        if scatter and near and whole and force.id == "TF1" and force.piece.convoy:
            yield force.id, v.Disperse()


def quicker(chart: Chart, force: Own, ship: str) -> bool:
    """Would this damaged ship hold up others that are whole?"""
    whole = any(not chart.ships[s].piece.damaged for s in force.piece.ships)
    return whole and chart.ships[ship].piece.damaged


def hear(chart: Chart) -> Lines:
    """R138 Signals on lines with Intel, and what follows from a Station."""
    least = 2 if chart.side == board.BRITISH else 3
    for foe in chart.prey:
        piece = foe.piece
        if not piece.intel or len(piece.line) < least:
            continue
        at = piece.intel[0]
        for force in chart.hunters:
            if at in hexes(force) and able(chart, force, foe):
                yield chart.side.upper(), v.Signals(foe.id, at=at)
                test = f"station {foe.id}"
                yield force.id, f"if {test} then engage {foe.id} else search {foe.id}"
                break
        else:
            yield chart.side.upper(), v.Signals(foe.id)


def able(chart: Chart, force: Own, foe: Foe) -> bool:
    """Is the force strong enough for that enemy?"""
    bold = 6 + chart.luck.game.of("bold", 4)
    if chart.seen.scenario == "cerberus" and chart.side == board.GERMAN:
        return False
    return 10 * chart.strength(force) >= bold * chart.strength(foe)


def strike(chart: Chart) -> Lines:
    """R102-R108 Airbases and carriers strike in good weather what is within two hexes."""
    if chart.seen.board.weather == "bad":
        return
    bases = [u for u in chart.seen.units if u.piece.sort == "base"]
    launches: list[tuple[str, tuple[str, ...], int]] = [(u.id, (u.piece.at,), 0) for u in bases]
    carriers = [f for f in chart.hunters if chart.carrier(f)]
    launches += [(f.id, hexes(f), len(f.piece.line)) for f in carriers]
    for foe in chart.prey:
        for source, starts, length in launches:
            near = [c for c in hexes(foe) if any(board.air_range(a, c) <= 2 for a in starts)]
            near = [c for c in near if c not in board.ARCTIC]
            if near and length + len(foe.piece.line) <= 9:
                at = next((c for c in near if c in foe.piece.contact), near[0])
                yield source, v.Strike(foe.id, at=at)


def hunt(chart: Chart) -> Lines:
    """R116-R126 Engage Stations, and search for Trajectories, in shared hexes."""
    for foe in chart.prey:
        for force in chart.hunters:
            both = shared(force, foe)
            if not both or not able(chart, force, foe):
                continue
            helper = next((f.id for f in chart.hunters if f is not force and near(f, both[0])), "")
            if not foe.piece.line:
                yield force.id, v.Engage(foe.id, helper=helper)
            elif len(force.piece.line) + len(foe.piece.line) <= 14:
                yield force.id, v.Search(foe.id, at=both[0], helper=helper, times=2)
                yield force.id, f"if station {foe.id} then engage {foe.id}"


def near(force: Own, cell: str) -> bool:
    """Could it coordinate there at little cost?"""
    return cell in hexes(force) and len(force.piece.line) <= 3


def stealth(chart: Chart, unit: Own) -> Lines:
    """R143-R151 Attack what is seen in the hex, else show an enemy line."""
    here = unit.piece.at
    for foe in chart.prey:
        if here and here in (foe.piece.at, *foe.piece.intel, *foe.piece.contact):
            yield unit.id, v.Attack(foe.id)
            return
    if unit.type == "mines":
        return
    for foe in chart.prey:
        free = [c for c in foe.piece.line if c not in chart.watched and c != here]
        if len(foe.piece.line) >= 3 and free and chart.chance(f"recon {unit.id}", 2):
            yield unit.id, v.Recon(chart.luck.choice(f"recon {unit.id}", free))
            return


def sail(chart: Chart, force: Own) -> Lines:
    """R152 Towards the port, or the nearest prey; with a short line, as long ones find nothing."""
    piece = force.piece
    starts = (piece.line[-1],) if piece.line else hexes(force)
    starts = starts or cells(piece.box)
    ports = chart.bound(force)
    if held(chart, force) or not (ports or chart.warships(force)):
        return
    goals = [c for p in ports for c in cells(p)]
    goals = goals or [c for f in chart.prey if able(chart, force, f) for c in hexes(f)]
    if not ports and (set(goals) & set(hexes(force)) or chart.chance(f"wait {force.id}", 4)):
        return
    room = (8 if ports else 6) - len(piece.line)
    way = chart.way(starts[0], goals)
    fresh = list(takewhile(lambda c: c not in piece.line, way))[: max(0, room)]
    if fresh:
        yield force.id, v.Course(tuple(fresh), start=piece.line[-1] if piece.line else "")


def reinforce(chart: Chart) -> Lines:
    """R134 One group a spell, as an attempt that fails loses Initiative."""
    for unit in chart.seen.units:
        if unit.piece.sort == "group":
            port = unit.piece.box
            lying = [f for f in chart.own if f.piece.box == port and chart.warships(f)]
            into = lying[0].id if lying else ""
            if into or len(chart.own) < LIMITS[chart.side]:
                yield chart.side.upper(), v.Reinforce(unit.id, into=into)
                return


def end(chart: Chart) -> Lines:
    """R127 Pass with the longest Convoy, else the longest line; sometimes look first what came of
    the programme."""
    lines = [f for f in chart.own if f.piece.line]
    ashore = any(u.id in ("RAEDER", "POUND") for u in chart.seen.units)
    if ashore and sum(len(f.piece.line) for f in lines) >= 20:
        yield chart.side.upper(), v.Pass("all")
    who = max(lines, key=lambda f: (f.piece.convoy, len(f.piece.line)), default=None)
    if chart.chance("hold", 12):
        yield chart.side.upper(), v.End("hold")
    elif who and chart.chance("pass", 2):
        yield who.id, v.Pass()
    else:
        yield chart.side.upper(), v.End("pass", force=who.id if who else "")
