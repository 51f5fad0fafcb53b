"""Checks of a report's chart: it can be drawn, and its symbols exist."""

from __future__ import annotations

import re
from functools import cache

from pbem.charts.picture_cache import picture, scene_of
from pbem.data import template
from pbem.lint import source
from pbem.lint.finding import Notes
from pbem.model import Plain, System
from pbem.rulecode import Place, of_function, of_system

AIRCRAFT = "plane"
"""The symbol of air units, which have no counter."""


def check(system: System, report: Plain, notes: Notes) -> None:
    """Note a chart that cannot be drawn, and a unit whose symbol does not exist."""
    place = _place(system)
    with notes.watching("chart-fails", place, "drawing the chart"):
        scene = scene_of(system, report)
        for unit in scene.units if scene else ():
            if unit.symbol not in symbols():
                notes.add(
                    "unknown-symbol",
                    source.containing(system, unit.symbol) or place,
                    f"{unit.id} has the symbol {unit.symbol!r} on the chart, which does not exist",
                    f"symbols: {', '.join(sorted(symbols()))}",
                )
        picture(system, report, "svg")


@cache
def symbols() -> frozenset[str]:
    """The symbols that a unit may have."""
    drawn = re.findall(r'id="s-(\w+)"', template("base/chart.svg.j2").decode())
    return frozenset([*drawn, AIRCRAFT])


def _place(system: System) -> Place:
    """Where the chart is made: `scene` of chart.py beside the game, or `System.chart`."""
    import sys

    folder = type(system).__module__.rpartition(".")[0]
    module = sys.modules.get(f"{folder}.chart")
    return of_function(getattr(module, "scene", None)) or of_system(system, "chart")
