"""The lines of a board without cells and the ruler along its frame, in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from pbem.charts.svg_path import number
from pbem.charts.viewport import Page
from pbem.model import Plain
from pbem.scene import Mesh, Point, Scene

TICKS = (5, 10)
"""Length of a tick and of the tick of a line, in pixels."""
GAP = 7
"""From the inner frame to the ticks, in pixels: the outer frame lies between."""
MOST = 1000
"""Ticks along an edge at most; a finer ruler has none between its lines."""


def ruler(scene: Scene, page: Page, inside: bool) -> Plain:
    """Lines, ticks and numbers. inside: numbers inside the frame and no ticks, as on a detail."""
    if scene.mesh is None:
        return {"mesh": "", "ticks": "", "marks_of_ruler": []}
    mesh, (left, top, right, bottom) = scene.mesh, page.frame
    wide, high = number(right - left), number(bottom - top)
    across = [(n, page.px((n, 0))[0]) for n in _lines(page, 0, mesh.step)]
    down = [(n, page.px((0, n))[1]) for n in _lines(page, 1, mesh.step)]
    lines = [f"M{number(x)} {number(top)}v{high}" for _, x in across]
    lines += [f"M{number(left)} {number(y)}h{wide}" for _, y in down]
    return {
        "mesh": "".join(lines),
        "ticks": "" if inside else "".join(_ticks(mesh, page)),
        "marks_of_ruler": list(_numbers(mesh, page, across, down, inside)),
    }


def _lines(page: Page, axis: int, step: float) -> list[float]:
    """The multiples of `step` within the frame. axis: 0 across, 1 down."""
    low = page.north if axis else page.west
    left, top, right, bottom = page.frame
    high = low + (bottom - top if axis else right - left) / page.pitch
    if step <= 0 or (high - low) / step > MOST:
        return []
    return [i * step for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _ticks(mesh: Mesh, page: Page) -> Iterator[str]:
    """The ticks outside the frame, as a path."""
    left, top, _, _ = page.frame
    for length, step in zip(TICKS, (mesh.tick, mesh.step), strict=True):
        for n in _lines(page, 0, step):
            yield f"M{number(page.px((n, 0))[0])} {number(top - GAP)}v-{length}"
        for n in _lines(page, 1, step):
            yield f"M{number(left - GAP)} {number(page.px((0, n))[1])}h-{length}"


def _numbers(
    mesh: Mesh, page: Page, across: list[Point], down: list[Point], inside: bool
) -> Iterator[tuple[str, str, str, str]]:
    """The numbers of the lines: x, y, text, and how they are aligned."""
    left, top, right, bottom = page.frame
    for n, x in across:
        if not inside:
            yield number(x), number(top - GAP - TICKS[1] - 3), number(n), "middle"
        elif left + 8 < x < right - 20:
            yield number(x + 3), number(bottom - 5), number(n), "start"
    for n, y in down:
        text = number(-n if mesh.north else n)
        if not inside:
            yield number(left - GAP - TICKS[1] - 3), number(y + 3.4), text, "end"
        elif top + 14 < y < bottom - 8:
            yield number(left + 4), number(y - 3), text, "start"
