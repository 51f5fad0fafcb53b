"""Where can she be? Beliefs from a player's own reports, as a table, as data and on his chart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
from msgspec import Struct

from pbem.base.report_json import Report
from pbem.belief.filter import Belief, anybody, latest
from pbem.charts.heat import STEPS
from pbem.charts.scenes import scenes_of
from pbem.errors import NotFound, Usage
from pbem.inference.quarry import AnyQuarry
from pbem.model import System
from pbem.scene import Mark, Scene, Unit

LISTED = 12
"""The most cells in the table."""
LEAST = 0.0005
"""What is less than this would be 0.0%."""
ALL = "all"
"""What asks for a chart of everybody at once."""


class Sought(Struct, frozen=True):
    """Where one enemy may be."""

    id: str
    name: str
    turn: int
    """The last turn that was played."""
    told: str
    """The cell in which the side was told that it is; empty where it was not."""
    cells: dict[str, float]
    """Cell to probability, the likeliest first; they add up to 1."""
    possible: int
    """How many cells are possible at all."""
    effective: float
    """How many guesses of equal weight the belief is worth."""
    called: tuple[str, str]
    """What the rules call a cell, and several."""


class Where(Struct, frozen=True):
    """What `pbem where` says. Bytes: docs/formats.md, "Where can she be?"."""

    game: str
    side: str
    window: int
    label: str
    missing: list[int]
    """Windows of which no report was given."""
    sought: list[Sought]


class _Policies(Struct, frozen=True):
    aids: str = "allowed"


class _SetUp(Struct, frozen=True):
    policies: _Policies = _Policies()


def require_allowed(report: Report) -> None:
    """Raise Usage if the game's set-up forbids aids that compute beliefs."""
    if not report.setup.text:
        return
    if msgspec.json.decode(report.setup.text, type=_SetUp).policies.aids == "none":
        raise Usage(
            f"{report.game} is played without computed beliefs (aids=none), as its set-up says",
            "the sides agreed to it; after the end `pbem analyse` is free to all",
        )


def in_order(reports: Sequence[Report]) -> list[Report]:
    """The reports of one seat by window, each once, without those that an undo took back.

    Raises Usage if they are of several seats.
    """
    seats = {(r.setup.digest, r.game, r.seat) for r in reports}
    if len(seats) > 1:
        names = ", ".join(sorted({f"{r.game} {r.seat}" for r in reports}))
        raise Usage(f"these are reports of several games or sides: {names}", "give those of one")
    found = {r.window: r for r in sorted(reports, key=lambda r: r.opened)}
    newest = max(found.values(), key=lambda r: (r.opened, r.window)).window
    gone = void(reports)
    return [found[window] for window in sorted(found) if window <= newest and window not in gone]


def void(reports: Sequence[Report]) -> set[int]:
    """The windows whose reports an undo took back: those that followed the first one undone."""
    again = [report for report in reports if report.taken_back]
    return {w for r in again for w in range(min(r.taken_back) + 1, r.window)}


def missing(reports: Sequence[Report]) -> list[int]:
    """The windows before the last one of which there is no report, and should be."""
    windows = [0, *(report.window for report in reports)]
    gaps = (gap for one, two in pairwise(windows) for gap in range(one + 1, two))
    gone = void(reports)
    return [gap for gap in gaps if gap not in gone]


def quarries(system: System, reports: Sequence[Report]) -> Sequence[AnyQuarry]:
    """What the side may look for. Raises NotFound if the system describes nothing of the kind."""
    found = system.quarries([report.plain for report in reports])
    if not found:
        last = reports[-1]
        raise NotFound(
            f"{system.title} names nobody whom {last.side_name} can look for now",
            "docs/analysis.md says which systems and sides do; some only look for who was seen",
        )
    return found


def where(system: System, reports: Sequence[Report], seed: str) -> Where:
    """The beliefs of now. reports: of one seat, in order. Raises NotFound, Usage."""
    last = reports[-1]
    require_allowed(last)
    sought = [_sought(quarry, latest(quarry, seed)) for quarry in quarries(system, reports)]
    return Where(last.game, last.seat, last.window, last.label, missing(reports), sought)


def _sought(quarry: AnyQuarry, belief: Belief) -> Sought:
    ranked = sorted(belief.cells.items(), key=lambda one: (-one[1], one[0]))
    return Sought(
        id=quarry.id,
        name=quarry.name,
        turn=belief.turn,
        told=belief.fix,
        cells={cell: round(share, 5) for cell, share in ranked if share >= 0.000005},
        possible=len(belief.possible),
        effective=belief.effective,
        called=quarry.called,
    )


def chosen(found: Where, which: str) -> Sought:
    """The enemy of that id or name; for an empty one the first whose place the side was not told,
    for ALL everybody at once. Raises NotFound."""
    if not which:
        return next((one for one in found.sought if not one.told), found.sought[0])
    for one in found.sought:
        if which.lower() in (one.id.lower(), one.name.lower()):
            return one
    if which.lower() == ALL:
        return _all(found.sought)
    names = ", ".join(one.id for one in found.sought)
    raise NotFound(f"nobody is looked for by the name {which!r}", f"known are {names}, or {ALL}")


def _all(sought: Sequence[Sought]) -> Sought:
    """Everybody as one, who is in a cell if anybody is."""
    shares = anybody([one.cells for one in sought])
    return Sought(
        id=ALL,
        name="anybody",
        turn=max(one.turn for one in sought),
        told="",
        cells=dict(sorted(shares.items(), key=lambda share: (-share[1], share[0]))),
        possible=len(shares),
        effective=min(one.effective for one in sought),
        called=sought[0].called,
    )


def scene(system: System, report: Report, one: Sought, detail: bool = False) -> Scene:
    """The side's own chart with the belief about one enemy on it. Raises NotFound if the system has
    no chart.

    detail: for a phone, where own units are small marks, so that the figures can be read.
    """
    scenes = scenes_of(system, report.plain)
    if not scenes:
        raise NotFound(f"{system.title} has no chart", "leave out -o: the table says the same")
    own = scenes[0]
    cells = own.grid.cells
    places = [cells[c] for c, p in one.cells.items() if p >= STEPS[0] and c in cells]
    if own.grid.shape == "area":  # large ones, of which the middle says little
        likely = (c for c, p in one.cells.items() if p >= STEPS[-2])
        places += (corner for c in likely for corner in own.grid.outlines.get(c, ()))
    shown = msgspec.structs.replace(
        own,
        name="where",
        caption=f"where is {one.name}?",
        heat=one.cells,
        searched=(),
        focus=tuple(places) or own.focus,
        alt=f"How likely {one.name} is in each {one.called[0]}. {best(one)}",
    )
    if not detail:
        return shown
    marks = {u.at: _mark(u) for u in own.units if u.role == "counter"}
    return msgspec.structs.replace(
        shown, when=report.label, units=(), lines=(), marks=(*own.marks, *marks.values())
    )


def _mark(unit: Unit) -> Mark:
    """An own unit at the corner of its cell."""
    return Mark(at=unit.at, symbol=unit.symbol, said=unit.name, beside=True)


def best(one: Sought) -> str:
    """The likeliest cells in a sentence."""
    listed = ", ".join(f"{cell} {share:.0%}" for cell, share in list(one.cells.items())[:3])
    return f"{one.name}: {listed}."


def text(found: Where) -> str:
    """The beliefs as tables."""
    lines = []
    for one in found.sought:
        lines += ["", f"{one.name}, {found.label}", *_rows(one)]
    if found.missing:
        lines += ["", _unknown(found.missing)]
    return "\n".join(lines).strip("\n")


def _unknown(missing: Sequence[int]) -> str:
    """What is said of windows without a report, neighbours together: `windows 2, 4 to 7`."""
    runs: list[list[int]] = []
    for window in missing:
        if runs and window == runs[-1][-1] + 1:
            runs[-1].append(window)
        else:
            runs.append([window])
    listed = ", ".join(f"{run[0]} to {run[-1]}" if run[1:] else f"{run[0]}" for run in runs)
    if len(missing) == 1:
        return f"What the report of window {listed} told is unknown: it was not given."
    return f"What the reports of windows {listed} told is unknown: they were not given."


def _rows(one: Sought) -> list[str]:
    """What was told of it, or the likeliest cells."""
    cell, cells = one.called
    if one.told:
        return [f"  you were told last turn: in {cell} {one.told}"]
    if one.possible == 1:
        return [f"  it can only be in {cell} {next(iter(one.cells))}"]
    listed = [(c, p) for c, p in list(one.cells.items())[:LISTED] if p >= LEAST]
    more = "; the likeliest:" if one.possible > len(listed) else ":"
    lines = [f"  {one.possible} {cells} are possible{more}", f"  {cell:<6} chance    sum"]
    total = 0.0
    for place, share in listed:
        total += share
        lines.append(f"  {place:<6}{share:>7.1%}{total:>7.0%}  {'#' * round(40 * share)}".rstrip())
    if 1 - total >= LEAST:
        lines.append(f"  {'others':<6}{1 - total:>7.1%}{1:>7.0%}")
    return lines
