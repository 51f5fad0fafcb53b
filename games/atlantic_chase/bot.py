"""A player that needs no sleep: it reads its side's report and writes a programme.

First what costs no Initiative (harbours, splits and merges, courses of those who do not fight),
then what scores (Completion), then what finds and fights the enemy (`bot_hunt`), last what may
lose Initiative for little (reinforcements), and the Pass. Standing orders: `bot_doctrine`. A side
that owes no mail sends none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from msgspec import Struct, convert
from msgspec.structs import replace

from games.atlantic_chase import board
from games.atlantic_chase import verbs as v
from games.atlantic_chase.bot_doctrine import standing
from games.atlantic_chase.bot_hunt import hunt, stealth
from games.atlantic_chase.bot_sea import (
    LATE_SPELL,
    PLAIN,
    SHORT,
    Chart,
    Temper,
    hexes,
    shared,
)
from games.atlantic_chase.report import Own, Report
from games.atlantic_chase.verbs import GRAMMAR
from pbem.kit.bots import Lines, Luck, written
from pbem.model import Side

LIMITS = {board.GERMAN: 5, board.BRITISH: 10}
"""R024 Task Forces that a side can have."""
OPENING = {"rheinuebung": 2, "berlin": 4}
"""How many spells the bots run in the first mail: until fleets can meet."""
ROOM = {board.GERMAN: 4, board.BRITISH: 7}
"""Up to how many a Task Force is still split."""


def orders(side: Side, report: Mapping[str, object], luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    return written(orders_of(side, report, luck), GRAMMAR)


def orders_of(side: Side, report: Mapping[str, object], luck: str, temper: Temper = PLAIN) -> Lines:
    """The same as lines."""
    owed = report.get("owed")
    if isinstance(owed, list) and owed and side not in owed and report["window"] != 1:
        return
    # The menu is most of a report, and bots know what their pieces can do: that of the side tells
    # them which options are played.
    menu = report.get("menu")
    offered = {a: m for a, m in menu.items() if a == side.upper()} if isinstance(menu, dict) else {}
    whole = convert({**report, "menu": offered}, Report, from_attributes=True)
    # A campaign is played operation by operation.
    seen = replace(whole, scenario=whole.board.operation, turn=whole.board.spell)
    # Both sides of a game in memory have the same luck: the side makes two of it.
    chart = Chart(seen, side, Luck(f"{side} {luck}"), whole.turn, temper)
    run, later = opening(chart)
    if run > 1:
        yield "", f"RUN {run}"
    yield from standing(chart)
    yield from lines(chart)
    yield from later


def lines(chart: Chart) -> Lines:
    """The programme of the Active side; the other has its standing orders, as both have on the
    Battle Board, whose games last one turn. A mail that answers questions brings none: what is left
    of the last one goes on."""
    if chart.active and chart.seen.board.length > 1 and not chart.seen.questions:
        yield from programme(chart)


def programme(chart: Chart) -> Lines:
    """A spell from its first line to its Pass."""
    yield from harbours(chart)
    yield from reorganize(chart)
    acting, deeds = ([], []) if running(chart) > 1 else hunt(chart)
    for force in chart.own:
        if force.id not in acting:
            yield from sail(chart, force)
    last = lapsing(chart)
    yield from complete(chart, last)
    yield from deeds
    looks = bool(deeds) and chart.chance("hold", 8)
    if looks:
        yield chart.side.upper(), "if last result is battle then stop"
    for unit in chart.seen.units:
        if unit.piece.sort == "stealth":
            yield from stealth(chart, unit)
    yield from reinforce(chart, acting, last)
    yield from end(chart, looks, last)


def running(chart: Chart) -> int:
    """How many spells this set agrees to run. In these the bots do not hunt, as a Station that is
    found ends a run."""
    first = chart.seen.window == 1 and chart.seen.dice_mode != "strict"
    return OPENING.get(chart.seen.scenario, 1) if first else 1


def opening(chart: Chart) -> tuple[int, list[tuple[str, Struct | str]]]:
    """7.1 Where the fleets are far apart, both sides agree to run the first spells in one mail: how
    many, and what this side does in its later ones of them."""
    spells = running(chart)
    if spells == 1:
        return 1, []
    first = 1 if chart.active else 2
    found: list[tuple[str, Struct | str]] = []
    if not chart.active:
        whole = [(actor, order) for actor, order in programme(chart) if " " not in actor]
        found += [(f"turn {first} {actor}", order) for actor, order in whole]
    for spell in range(first + 2, spells + 1, 2):
        found += [(f"turn {spell} {actor}", order) for actor, order in onward(chart)]
    return spells, found


def onward(chart: Chart) -> Lines:
    """What a side does in a spell that it cannot see yet: its lines go on, Convoys Complete."""
    last = lapsing(chart)
    for force in chart.own:
        first = [o for _, o in sail(chart, force) if isinstance(o, v.Course)]
        if first and not force.piece.convoy:
            here = first[0].path[-1]
            goals = chart.havens(force) or quarry(chart, force, here)
            further = chart.way(here, goals)[:3]
            if further:
                yield force.id, v.Course(tuple(further), start=here)
        there = {c for p in chart.bound(force) for c in chart.cells(p)}
        if force.piece.convoy and (chart.ends(force) or (first and first[0].path[-1] in there)):
            able = f"length of {force.id} at most {SHORT} and intel of {force.id} under 1"
            yield force.id, f"if {able} then complete"
    yield chart.side.upper(), v.End("pass", force=last.id if last else "")


def complete(chart: Chart, last: Own | None) -> Lines:
    """R109 Convoys at their port, and raiders that have come home; the Convoy whose line
    the Pass of this spell shortens has the order for the next one."""
    for force in chart.own:
        piece, ports = force.piece, chart.bound(force)
        there = {c for p in ports for c in chart.cells(p)}
        if piece.intel or not (piece.box in ports or there & set(hexes(force))):
            continue
        if len(piece.line) <= SHORT:
            yield force.id, v.Complete()
        elif force is last and piece.convoy:
            able = f"length of {force.id} at most {SHORT} and intel of {force.id} under 1"
            yield f"turn {chart.turn + 2} {force.id}", f"if {able} then complete"


def harbours(chart: Chart) -> Lines:
    """R008 Into the Port Box with what lies at a port idle, damaged, or before a stronger enemy;
    out where one lies before it that it can fight."""
    near = {c for foe in chart.foes for c in hexes(foe)}
    for force in chart.own:
        piece = force.piece
        if piece.convoy or held(chart, force) or chart.bound(force):
            continue
        weak = [f for f in chart.foes if piece.at in hexes(f) and not chart.able(force, f)]
        idle = piece.at not in near and not chart.prey
        if piece.at in chart.harbour and (idle or weak or chart.damaged(force)):
            yield force.id, v.Port()
        elif piece.box and chart.warships(force):
            before = [f for f in chart.prey if set(hexes(f)) & set(chart.cells(piece.box))]
            weaker = [f for f in before if chart.able(force, f)]
            if out := [c for c in chart.cells(piece.box) for f in weaker if c in hexes(f)]:
                yield force.id, v.LeavePort(at=out[0])


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


def sail(chart: Chart, force: Own) -> Lines:
    """R152 Towards the port, a tanker, or the nearest prey; with a short line, as long ones find
    nothing. A Convoy that must wait has its course in advance."""
    piece, ports = force.piece, chart.bound(force)
    if not (ports or chart.warships(force)) or (ports and piece.box in ports):
        return
    if chart.steady and not piece.convoy:
        return
    here = chart.places(force)[-1]
    goals = chart.havens(force) or quarry(chart, force, here)
    if not goals or (not ports and set(goals) & set(hexes(force))):
        return
    room = (8 if ports else 6) - len(piece.line)
    way = chart.way(here, goals)
    fresh = list(takewhile(lambda c: c not in piece.line, way))[: max(0, room)]
    if not fresh:
        return
    when = ""
    if held(chart, force):
        if chart.seen.turn + 2 < LATE_SPELL:
            return
        when = f"turn {chart.turn + 2} "
    yield when + force.id, v.Course(tuple(fresh), start=piece.line[-1] if piece.line else "")


def quarry(chart: Chart, force: Own, here: str) -> list[str]:
    """The hexes for which a force makes that hunts: a tanker's, or those of what it can fight."""
    if tanker := chart.meeting(force):
        return [tanker]
    able = [f for f in chart.prey if chart.able(force, f) and not chart.barred(f)]
    if chart.german and not able:
        left = [f for f in chart.foes if f.piece.convoy and not chart.barred(f)]
        return [c for f in left for c in chart.places(f)]
    reach = {f.id: 4 if chart.tanker(f) else 12 for f in able}
    found = [c for f in able for c in hexes(f) if chart.far(here, c) <= reach[f.id]]
    return found if chart.german or not chart.damaged(force) else []


def reinforce(chart: Chart, acting: Sequence[str], last: Own | None) -> Lines:
    """R134-R136 One group while it can still come in time: an attempt that fails costs no more than
    the Pass that follows, if the same Trajectory performs Time Lapse."""
    if 2 * chart.seen.turn > chart.seen.board.length or chart.late or not chart.prey:
        return
    for unit in chart.seen.units:
        if unit.piece.sort != "group" or not needed(chart, unit):
            continue
        lying = [f for f in chart.own if f.piece.box == unit.piece.box and chart.warships(f)]
        stay = [f.id for f in lying if f.id not in acting and not [*sail(chart, f)]]
        into = stay[0] if stay else ""
        if into or len(chart.own) < LIMITS[chart.side]:
            yield (
                chart.side.upper(),
                v.Reinforce(
                    unit.id, into=into, lapse=last.id if last and stays(chart, last) else ""
                ),
            )
            return


def needed(chart: Chart, group: Own) -> bool:
    """Is there prey within ten hexes of the group's port?"""
    here = chart.cells(group.piece.box)[0]
    return any(chart.far(here, c) <= 10 for f in chart.prey for c in hexes(f))


def stays(chart: Chart, force: Own) -> bool:
    """Is it sure to be in play still at the end of this spell, as it is none that Completes?"""
    return len(force.piece.line) > SHORT or not chart.ends(force)


def lapsing(chart: Chart) -> Own | None:
    """R127 Whose Trajectory passes: a raider's that meets a tanker or nears home, a Convoy's that
    is too long to Complete, the longest; None without one."""
    lines = [f for f in chart.own if f.piece.line]

    def gain(force: Own) -> tuple[bool, bool, bool, int]:
        piece = force.piece
        long = chart.ends(force) and len(piece.line) > SHORT
        return chart.meeting(force) in piece.line, long, piece.convoy, len(piece.line)

    return max(lines, key=gain, default=None)


def end(chart: Chart, looks: bool, last: Own | None) -> Lines:
    """R127, R129 Pass, by a leader ashore with all where several lines are long. looks: go on after
    a Battle when it is known what came of it."""
    lines = [f for f in chart.own if f.piece.line]
    ashore = any(u.id in ("RAEDER", "POUND") for u in chart.seen.units)
    side, who = chart.side.upper(), last.id if last else ""
    if ashore and len([f for f in lines if len(f.piece.line) >= 5]) >= 2:
        yield side, v.Pass("all")
    if looks:
        yield side, f"if last result is battle then finish hold else finish pass {who}"
    elif last and stays(chart, last) and chart.chance("pass", 2):
        yield who, v.Pass()
    else:
        yield side, v.End("pass", force=who)
