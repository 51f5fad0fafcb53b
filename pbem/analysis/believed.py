"""Where each side of a finished game could believe its enemies to be, window by window, from the
reports that it had by then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from pbem.analysis.belief import Belief, Followed
from pbem.model import Plain, System
from pbem.replay.walk import Frame

LEAST = 0.01
"""Chances below it are left out."""


def believed(
    system: System, frames: Iterable[Frame], sides: Sequence[str], seed: str
) -> dict[str, dict[int, dict[str, float]]]:
    """Side -> window -> cell -> the chance that somebody is there whom the side looks for. Sides
    that look for nobody are left out.

    frames: in the order of their windows.
    """
    ordered = list(frames)
    found = {side: _of(system, ordered, side, seed) for side in sides}
    return {side: windows for side, windows in found.items() if windows}


def _of(
    system: System, frames: Sequence[Frame], side: str, seed: str
) -> dict[int, dict[str, float]]:
    reports: list[Plain] = []
    followed, found = Followed(seed), dict[int, dict[str, float]]()
    for frame in frames:
        reports.append(frame.reports[side].plain)
        if beliefs := followed.see(system.quarries(reports)):
            found[frame.window] = heat(beliefs)
    return found


def heat(beliefs: Sequence[Belief]) -> dict[str, float]:
    """The chance of each cell that somebody is there, as if all were there or not independently of
    each other."""
    cells = sorted({cell for belief in beliefs for cell in belief.cells})
    shares = {c: 1 - prod(1 - belief.cells.get(c, 0.0) for belief in beliefs) for c in cells}
    return {cell: round(share, 4) for cell, share in shares.items() if share >= LEAST}
