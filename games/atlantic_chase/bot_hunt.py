"""How the bots look for the enemy and fight him: what of it is in reach, the likeliest first.

Each action may lose Initiative, so that a bot orders few, and conditions see to it that later ones
are left out in silence where earlier ones have changed the board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from games.atlantic_chase import board
from games.atlantic_chase import verbs as v
from games.atlantic_chase.bot_sea import Chart, hexes, shared
from games.atlantic_chase.report import Foe, Own
from games.atlantic_chase.verbs import GRAMMAR
from pbem.kit.bots import Lines, content


class Deed(Struct, frozen=True):
    """An action in reach. rank: the lower, the likelier to do harm."""

    rank: int
    actor: str
    target: str
    lines: tuple[tuple[str, Struct | str], ...]


def hunt(chart: Chart) -> tuple[list[str], list[tuple[str, Struct | str]]]:
    """R102-R126, R138 Who acts against whom; returns the own forces that act, and the lines."""
    if chart.german and not chart.prey:
        return [], []
    deeds = sorted(
        [*hear(chart), *scouts(chart), *strikes(chart), *searches(chart)], key=lambda d: d.rank
    )
    worth = 9 + chart.luck.game.of("worth", 5)
    if not chart.german and any(chart.slow(f) for f in chart.own):
        worth = 2 + chart.luck.game.of("bound", 3)
    worth, temper = worth + chart.temper.worth, chart.temper
    against: Counter[str] = Counter()
    chosen: list[Deed] = []
    for deed in deeds:
        room = against[deed.target] < temper.each and len(chosen) < temper.most
        if deed.rank <= worth and room:
            against[deed.target] += 1
            chosen.append(deed)
    deeds = chosen
    lines = [line for at, deed in enumerate(deeds) for line in careful(deed, at)]
    return [d.actor for d in deeds], lines


def careful(deed: Deed, at: int) -> Iterator[tuple[str, Struct | str]]:
    """The lines of a deed; but for the first of a programme, on condition that the target is still
    what it was."""
    for actor, order in deed.lines:
        if at == 0 or isinstance(order, str):
            yield actor, order
        else:
            yield actor, _guarded(order, deed.target)


def _guarded(order: Struct, target: str) -> str:
    """An order on condition that it is still possible."""
    text = content(order, GRAMMAR)
    if isinstance(order, v.Engage):
        return f"if station {target} then {text}"
    if isinstance(order, v.Search | v.Recon):
        return f"if length of {target} at least 1 then {text}"
    if isinstance(order, v.Signals):
        return f"if intel of {target} at least 1 then {text}"
    return f"if not gone {target} then {text}"


def hear(chart: Chart) -> Iterator[Deed]:
    """R138 Signals on lines with Intel, in a hex of a force that engages the Station, if there is
    one."""
    least = 3 if chart.german else 2
    for foe in chart.prey:
        piece = foe.piece
        if not piece.intel or len(piece.line) < least:
            continue
        near = [(f, c) for f in chart.hunters for c in piece.intel if c in hexes(f)]
        near = [(f, c) for f, c in near if chart.able(f, foe) and not chart.barred(foe)]
        side = chart.side.upper()
        if near:
            force, at = near[0]
            lapsing = force.id if len(force.piece.line) >= 4 else ""
            follow = (force.id, f"if station {foe.id} then engage {foe.id}")
            yield Deed(
                1, force.id, foe.id, ((side, v.Signals(foe.id, at=at, lapse=lapsing)), follow)
            )
        elif len(piece.line) >= 4 or chart.chance(f"hear {foe.id}", 2):
            yield Deed(7, side, foe.id, ((side, v.Signals(foe.id)),))


def strikes(chart: Chart) -> Iterator[Deed]:
    """R102-R108 Airbases and carriers strike in good weather what is within two hexes."""
    if chart.seen.board.weather == "bad":
        return
    bases = [u for u in chart.seen.units if u.piece.sort == "base"]
    launches: list[tuple[str, tuple[str, ...], int]] = [(u.id, (u.piece.at,), 0) for u in bases]
    carriers = [f for f in chart.hunters if chart.carrier(f)]
    launches += [(f.id, hexes(f), len(f.piece.line)) for f in carriers]
    for foe in chart.prey:
        for source, hangars, length in launches:
            starts = [a for a in hangars if a not in board.ARCTIC]
            near = [c for c in hexes(foe) if any(board.air_range(a, c) <= 2 for a in starts)]
            near = [c for c in near if c not in board.ARCTIC]
            total = length + len(foe.piece.line)
            if near and total <= 9:
                at = next((c for c in near if c in foe.piece.contact), near[0])
                order = v.Strike(foe.id, at=at if chart.chance("where", 2) else "", times=2)
                yield Deed(2 + total + 2 * chart.tanker(foe), source, foe.id, ((source, order),))


def searches(chart: Chart) -> Iterator[Deed]:
    """R116-R126 Engage Stations, and search for Trajectories, in shared hexes. Who is too weak to
    engage still searches, so that others find the enemy."""
    for foe in chart.prey:
        for force in chart.hunters:
            both = shared(force, foe)
            fights = chart.able(force, foe) and not chart.barred(foe)
            if not both or not (fights or chart.german <= fights):
                continue
            helper = _helper(chart, force, both[0])
            total = len(force.piece.line) + len(foe.piece.line)
            if not foe.piece.line:
                if fights:
                    order = v.Engage(foe.id, helper=helper, times=2)
                    yield Deed(
                        total + 2 * chart.tanker(foe), force.id, foe.id, ((force.id, order),)
                    )
            elif total <= 14:
                times = 3 if fights else 1
                found = v.Search(foe.id, at=both[0], helper=helper, times=times)
                lines: tuple[tuple[str, Struct | str], ...] = ((force.id, found),)
                if fights:
                    lines += ((force.id, f"if station {foe.id} then engage {foe.id}"),)
                yield Deed(3 + total // 2 + 3 * (not fights), force.id, foe.id, lines)


def _helper(chart: Chart, force: Own, cell: str) -> str:
    """R163 A coordinator whose line is not longer, so that it costs nothing; Walker's first."""
    most = len(force.piece.line)
    near = [f for f in chart.own if f is not force and cell in hexes(f)]
    able = sorted(near, key=lambda f: f.piece.leader != "WALKER")
    return next((f.id for f in able if len(f.piece.line) <= most), "")


def scouts(chart: Chart) -> Iterator[Deed]:
    """R144, R138 A boat shows a line without Intel, Signals make it a Station, and who is near
    attacks it there."""
    boats = [u for u in chart.seen.units if u.piece.sort == "stealth" and u.type != "mines"]
    for foe in chart.prey:
        if len(foe.piece.line) < 3 or foe.piece.intel:
            continue
        for boat in boats:
            free = recon_hexes(chart, boat, foe.piece.line)
            if free and chart.chance(f"recon {boat.id} {foe.id}", 2 if chart.german else 1):
                best = max(len(followers(chart, foe, c)) for c in free)
                good = [c for c in free if len(followers(chart, foe, c)) == best]
                at = chart.luck.choice(f"recon {boat.id} {foe.id}", good)
                heard = f"if intel of {foe.id} at least 1 then signals {foe.id} at {at}"
                lines: list[tuple[str, Struct | str]] = [
                    (boat.id, v.Recon(at, by="prien" if at in _bases(chart) else ""))
                ]
                lines.append((chart.side.upper(), heard))
                for who, deed in [*followers(chart, foe, at)[:2], (boat.id, "attack")]:
                    lines.append((who, f"if station {foe.id} then {deed} {foe.id}"))
                yield Deed(6 - min(best, 3), boat.id, foe.id, tuple(lines))


def followers(chart: Chart, foe: Foe, cell: str) -> list[tuple[str, str]]:
    """Who attacks an enemy that stands in that hex, and how: forces there, and aircraft."""
    able = [f for f in chart.hunters if cell in hexes(f) and chart.able(f, foe)]
    found = [(f.id, "engage") for f in able if not chart.barred(foe)]
    if chart.seen.board.weather == "good" and cell not in board.ARCTIC:
        bases = [u for u in chart.seen.units if u.piece.sort == "base"]
        found += [(b.id, "strike") for b in bases if board.air_range(b.piece.at, cell) <= 2]
    return found


def stealth(chart: Chart, unit: Own) -> Lines:
    """R147 Attack what is seen in the hex."""
    here = unit.piece.at
    for foe in chart.prey:
        if here and here in (foe.piece.at, *foe.piece.intel, *foe.piece.contact):
            seen = f"length of {foe.id} under 1 or intel of {foe.id} at least 1"
            yield unit.id, f"if {seen} or contacts of {foe.id} at least 1 then attack {foe.id}"
            return


def recon_hexes(chart: Chart, unit: Own, line: Sequence[str]) -> list[str]:
    """R144, R145 Hexes of an enemy line to which a boat may go, Prien's also those of enemy ports
    and airbases."""
    prien = any(u.id == "PRIEN" and u.place == unit.id for u in chart.seen.units)
    closed = _bases(chart) if not prien else frozenset()
    return [c for c in line if c != unit.piece.at and c not in closed]


def _bases(chart: Chart) -> frozenset[str]:
    """Hexes of enemy ports and airbases."""
    sea = chart.seen.board
    ports = [c for p, s in sea.ports.items() if s != chart.side for c in chart.cells(p)]
    bases = [board.AIRBASES[b].hex for b, s in sea.bases.items() if s != chart.side]
    return frozenset((*ports, *bases))
