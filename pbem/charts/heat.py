"""Heat on a chart: how likely something is in each cell, in shades with figures, and a key."""

from __future__ import annotations

from pbem.charts.label_placement import Sheet
from pbem.charts.svg_path import number, path
from pbem.charts.text_metrics import measure
from pbem.charts.viewport import Page
from pbem.model import Plain
from pbem.scene import Scene

STEPS = (0.005, 0.02, 0.05, 0.1, 0.2)
"""The least share of each shade."""
SHADES = (0.16, 0.32, 0.5, 0.68, 0.86)
"""How strong the colour of each is."""
FIGURE = 0.01
"""The least share that has a figure."""
SMALL, LARGE = 10.5, 13.0
"""Sizes of figures, in pixels."""
NARROW = 34.0
"""Pixels per cell below which figures are small."""
KEY = ("sans-600", 12.5)
PATCH, HIGH = 22.0, 30.0
"""Width of a patch of the key, and height of the key, in pixels."""
ROOM = HIGH + 8
"""Height of the key with the space above it, in pixels."""


def heat(scene: Scene, page: Page, sheet: Sheet) -> Plain:
    """Cells by shade, figures, and the key below the map. Marks on `sheet` where figures stand."""
    known = {c: s for c, s in scene.heat.items() if c in scene.grid.cells and s >= STEPS[0]}
    return {
        "heat": [
            {"d": _cells(scene, page, known, step), "fill": f"{SHADES[step]:g}"}
            for step in range(len(STEPS))
        ],
        "figures": _figures(scene, page, known, sheet),
        "heat_size": number(figure_size(page)),
        "heat_key": _key(page) if scene.heat else None,
    }


def shade(share: float) -> int:
    """Which of the shades a share has, -1 for none."""
    return sum(share >= least for least in STEPS) - 1


def _cells(scene: Scene, page: Page, known: dict[str, float], step: int) -> str:
    cells = (cell for cell, share in sorted(known.items()) if shade(share) == step)
    outlines = ([page.px(at) for at in scene.grid.outline(cell)] for cell in cells)
    return "".join(path(line, close=True) for line in outlines)


def _figures(
    scene: Scene, page: Page, known: dict[str, float], sheet: Sheet
) -> list[tuple[str, str, str]]:
    """(x, y, per cent) of the cells with one per cent and more: in the middle, or below where a
    counter may be. On an area map with the names of the areas, which may be numbers, too."""
    found = []
    units = {unit.at for unit in scene.units}
    size = figure_size(page)
    for cell, share in sorted(known.items()):
        at = scene.grid.cells[cell]
        x, y = page.px(at)
        if share >= FIGURE and page.holds(x, y):
            said = f"{100 * share:.0f}"
            if scene.grid.shape == "area":
                base, said = y + 3, f"{cell}: {said}%"
            else:
                base = y + (0.43 * page.pitch if at in units else 0.16 * page.pitch)
            half = measure(said, ("sans-700", size)) / 2 + 2
            if scene.grid.shape == "area" and not page.brief:  # names stand left of the counters
                x -= half - measure(cell, ("sans-700", size)) / 2
            sheet.block((x - half, base - 11, x + half, base + 2))
            found.append((number(x), number(base), said))
    return found


def figure_size(page: Page) -> float:
    """Size of figures, in pixels."""
    return SMALL if page.pitch < NARROW else LARGE


def _key(page: Page) -> Plain:
    """A patch and a word for each shade."""
    left, _, _, bottom = page.frame
    words = [f"{100 * least:g}" for least in STEPS]
    words[-1] += "% and more"
    x, base, rows = left + 10, bottom + ROOM - 10, list[Plain]()
    for word, fill in zip(words, SHADES, strict=True):
        told = {"x": number(x), "at": number(x + PATCH + 5), "word": word, "fill": f"{fill:g}"}
        rows.append(told)
        x += PATCH + 5 + measure(word, KEY) + 12
    return {
        "x": number(left),
        "y": number(bottom + 8),
        "w": number(x - left),
        "h": number(HIGH),
        "base": number(base),
        "patch": number(PATCH),
        "patch_y": number(base - 12.5),
        "rows": rows,
    }
