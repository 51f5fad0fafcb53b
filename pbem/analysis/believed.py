"""Where each side of a finished game could believe its enemies to be, window by window, from the
reports that it had by then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.belief.filter import Followed, anybody
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
            shares = anybody([belief.cells for belief in beliefs])
            found[frame.window] = {c: round(p, 4) for c, p in shares.items() if p >= LEAST}
    return found
