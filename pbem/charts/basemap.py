"""The map under the units of a chart, in pixels: cells, coast, ports, routes, names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import hypot

from pbem.charts import line_labels
from pbem.charts.heat import FIGURE
from pbem.charts.label_placement import Sheet
from pbem.charts.svg_path import eased, mesh, number, path, sampled, smooth
from pbem.charts.text_metrics import Tag, Word, measure, tag
from pbem.charts.viewport import TOP, Page
from pbem.model import Plain
from pbem.scene import Grid, Line, Name, Point, Port, Scene

NUMBER = 14.0
"""Font size of the name of an area, in pixels; names of other cells are smaller."""
APART = 16.0
"""Least distance between the middles of two ports, in pixels."""
ALONG, LIFT = 10.5, {"route": 5.0, "border": 5.0, "beads": 8.0}
"""Font size of a line's name, and its distance from the line by kind, in pixels."""
PORTS = {"own": "own", "enemy": "enemyport", "neutral": "neutral"}
"""Owner of a port -> name of its colour in a theme."""


def board(scene: Scene, page: Page, sheet: Sheet, printed: Page) -> Plain:
    """Grid, patterns of cells (fog, searched, found), names, ports, coast, graticule, night.

    Marks on `sheet` what no name may cover. printed: the page of what is printed on the map, see
    `viewport.printed`. Returns what the template draws.
    """
    ports, tags = _ports(scene, page, sheet)
    fog, searched, found = (
        "".join(
            path([page.px(at) for at in scene.grid.outline(c)], close=True)
            for c in cells
            if c in scene.grid.cells
        )
        for cells in (scene.fog, scene.searched, scene.found)
    )
    left, top, right, bottom = printed.frame
    return {
        "origin": tuple(map(number, page.origin_of(printed))),
        "sea": tuple(map(number, (left, top, right - left, bottom - top))),
        "grid": _mesh(scene.grid, printed, part=printed == page),
        "cells": cell_names(scene, printed),
        "cell_size": NUMBER if scene.grid.shape == "area" else 8.6,
        "fog": fog,
        "searched": searched,
        "found": found,
        "night": _night(scene, printed),
        "ports": ports,
        "port_tags": tags,
        "coast": _coast(scene, page, sheet, printed),
    }


_meshes: dict[tuple[int, Page, bool], tuple[Grid, str]] = {}
"""The edges of grids that were drawn last, by the identity of the grid (which is kept, so that no
other grid gets it), the page, and whether only a part was drawn."""
MESHES = 16


def _mesh(grid: Grid, page: Page, part: bool) -> str:
    """The edges of all cells as a path; part: of those alone of which the page shows anything.
    Games make their grid once, so it is drawn once."""
    key = id(grid), page, part
    if key not in _meshes:
        px = cache(page.px)  # neighbours share their corners
        cells = [[px(at) for at in grid.outline(n)] for n in grid.cells]
        drawn = mesh(cell for cell in cells if not part or page.touches(cell))
        if len(_meshes) >= MESHES:
            _meshes.pop(next(iter(_meshes)))
        _meshes[key] = grid, drawn
    return _meshes[key][1]


def cell_names(scene: Scene, page: Page) -> list[tuple[str, str, str]]:
    """(x, y, name) of the cells whose names show: at the upper edge; of areas in the middle."""
    area = scene.grid.shape == "area"
    lift = 0.0 if area else 0.36
    # where an area has a figure, its name stands there
    figures = {cell for cell, share in scene.heat.items() if share >= FIGURE} if area else set()
    named = [
        (n, page.px((x, y - lift)))
        for n, (x, y) in scene.grid.cells.items()
        if n not in scene.grid.faint and n not in figures
    ]
    return [(number(x), number(y + 3), n) for n, (x, y) in named if page.holds(x, y)]


def protect_area_names(scene: Scene, page: Page, sheet: Sheet) -> None:
    """Keep the names of areas free: orders use them, so nothing may be written over them."""
    for x, y, name in cell_names(scene, page) if scene.grid.shape == "area" else ():
        half = measure(name, ("sans-600", NUMBER)) / 2 + 1
        sheet.block((float(x) - half, float(y) - NUMBER, float(x) + half, float(y) + 2))


def _night(scene: Scene, page: Page) -> list[str]:
    """Left, top, width and height of the dark part of the board; empty by day."""
    if scene.night is None:
        return []
    left, top, right, bottom = page.frame
    y = min(max(page.px((0, scene.night))[1], top), bottom)
    return [number(left), number(y), number(right - left), number(bottom - y)]


def _ports(scene: Scene, page: Page, sheet: Sheet) -> tuple[list[Plain], list[Tag]]:
    """The marks and names of the ports that show."""
    marks: list[Plain] = []
    tags = []
    for port, (x, y) in spread_ports(scene.ports, page):
        ink = PORTS[port.owner]
        if page.holds(x, y):
            sheet.block((x - 8, y - 8, x + 8, y + 8))
            if port.anchor:
                marks.append({"x": number(x), "y": number(y), "ink": ink})
            if port.name:
                tags.append(tag(x, y, 8, 7, [[Word(port.name, bold=not port.small)]], ink))
    return marks, tags


def spread_ports(ports: Iterable[Port], page: Page) -> list[tuple[Port, Point]]:
    """Each port with its place in pixels; a port too close to an earlier one is moved away."""
    found: list[tuple[Port, Point]] = []
    for port in ports:
        x, y = page.px(port.at)
        for _, (u, v) in found:
            gap = hypot(x - u, y - v)
            if gap < APART:
                share = APART / gap if gap else 0.0
                x, y = round(u + (x - u) * share, 1), round(v + (y - v) * share, 1)
        found.append((port, (x, y)))
    return found


def _coast(scene: Scene, page: Page, sheet: Sheet, printed: Page) -> Plain | None:
    """Land, graticule, compass rose, and the names of seas and lands; None without a coast."""
    if scene.coast is None:
        return None
    c = scene.coast
    x, y = printed.px((0, 0))
    rx, ry, north = c.rose
    left, _, _, bottom = page.frame
    rose = page.px((rx, ry))
    shown = page.holds(*rose)
    if shown:
        sheet.block((rose[0] - 48, rose[1] - 62, rose[0] + 48, rose[1] + 48))
    whole = page.top >= TOP
    degrees = [
        (d.text, left + 4, page.px((0, d.at))[1] - 3, "start")
        if d.edge == "west"
        else (d.text, page.px((d.at, 0))[0] + 3, bottom - 5, "start")
        for d in (c.degrees if whole else ())
    ]
    return {
        "x": number(x),
        "y": number(y),
        "scale": f"{page.pitch / c.unit:g}",
        "land": c.land,
        "shoal": c.shoal,
        "graticule": c.graticule,
        "per": c.unit / page.pitch,
        "sea": _names(c.sea, page, sheet, "serif-500-italic"),
        "lands": _names(c.lands, page, sheet, "serif-600"),
        "degrees": [(s, number(a), number(b), k) for s, a, b, k in degrees if page.holds(a + 6, b)],
        "rose": (number(rose[0]), number(rose[1]), number(north)) if shown else None,
    }


def _names(names: Iterable[Name], page: Page, sheet: Sheet, font: str) -> list[tuple[str, ...]]:
    """The names that fit near their places without lying under a counter; others are left out."""
    found = []
    for n in names:
        long = measure(n.text, (font, n.size), n.spacing)
        at = line_labels.afloat(page.px((n.x, n.y)), n.turn, long, n.size, sheet)
        if at:
            found.append((n.text, *map(number, (*at, n.turn, n.size, n.spacing))))
    return found


def lines(scene: Scene, page: Page, sheet: Sheet, printed: Page) -> Plain:
    """Routes and other lines of the board, on the page of what is printed, with the paths along
    which their names are written, on the page of the chart."""
    found: list[Plain] = []
    for line in scene.lines:
        points = page.line(eased(line.points) if line.kind == "route" else line.points)
        points = _within(page, points) if line.kind == "border" else points
        for at in points if line.kind == "beads" else ():
            sheet.avoid((at[0] - 4, at[1] - 4, at[0] + 4, at[1] + 4))
        found.append({**_line(line, points, sheet), **_way(line, printed)})
        sheet.trace(points, 2)
    return {"lines": found}


def _within(page: Page, points: list[Point]) -> list[Point]:
    """A border's points moved into the frame, so that its name begins where the border shows."""
    left, _, right, _ = page.frame
    return [(min(max(x, left), right), y) for x, y in points]


def _line(line: Line, points: list[Point], sheet: Sheet) -> Plain:
    """A line's name, which is written from west to east where nothing else lies."""
    curve = path(points) if line.kind == "border" else smooth(points)
    onward = points[0][0] <= points[-1][0]
    plain = eased(points) if line.kind == "beads" else points  # a zigzag would scatter the letters
    way = plain if onward else plain[::-1]
    liked = line.share if onward else 1 - line.share
    lift = LIFT[line.kind]
    long = measure(line.name, ("sans-600", ALONG), 2)
    drawn = way if line.kind == "border" else sampled(way)
    share = line_labels.along(drawn, long, lift + 0.36 * ALONG, liked, sheet)
    return {
        "name": "" if share is None else line.name,
        "kind": line.kind,
        "written": curve if onward and plain is points else smooth(way),
        "arrow": line.arrow,
        "lift": number(-lift),
        "share": number(100 * (share or 0)),
    }


def _way(line: Line, page: Page) -> Plain:
    """The path of a line, and its beads."""
    points = page.line(eased(line.points) if line.kind == "route" else line.points)
    if line.kind == "border":
        return {"path": path(_within(page, points)), "beads": []}
    beads = [(number(x), number(y)) for x, y in points] if line.kind == "beads" else []
    return {"path": smooth(points), "beads": beads}
