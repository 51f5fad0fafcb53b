"""Checks of a report's charts: they can be drawn, and their symbols exist."""

from __future__ import annotations

from pbem.charts import symbols
from pbem.charts.check import problems
from pbem.charts.picture_cache import picture
from pbem.charts.scenes import scenes_of
from pbem.lint import source
from pbem.lint.finding import Notes
from pbem.model import Plain, System
from pbem.rulecode import Place, of_function, of_system


def check(system: System, report: Plain, notes: Notes) -> None:
    """Note charts that cannot be drawn, and what in them does not exist."""
    place = _place(system)
    with notes.watching("chart-fails", place, "drawing the chart"):
        symbols.check(system.name)
        scenes = scenes_of(system, report)
        for scene in scenes:
            for problem in problems(scene):
                named = next((u.symbol for u in scene.units if repr(u.symbol) in problem), "")
                notes.add(
                    "unknown-symbol" if named else "bad-chart",
                    (named and source.containing(system, named)) or place,
                    f"in the chart {scene.name!r} {problem}",
                    "mend the scene that the chart is made of",
                )
        if scenes:
            picture(system, report, "svg")


def _place(system: System) -> Place:
    """Where the chart is made: `scene` of chart.py beside the game, or `System.chart`."""
    import sys

    folder = type(system).__module__.rpartition(".")[0]
    module = sys.modules.get(f"{folder}.chart")
    return of_function(getattr(module, "scene", None)) or of_system(system, "chart")
