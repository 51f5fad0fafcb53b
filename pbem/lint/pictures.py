"""Checks of a report's charts: they can be drawn, and what they name exists."""

from __future__ import annotations

import re

from pbem.charts.chart import svg
from pbem.charts.check import problems
from pbem.charts.scenes import scenes_of
from pbem.lint import source
from pbem.lint.finding import Notes
from pbem.model import Plain, System
from pbem.rulecode import Place, of_function, of_system


def check(system: System, report: Plain, notes: Notes) -> None:
    """Note charts that cannot be drawn, and every mistake in their scenes."""
    place = _place(system)
    with notes.watching("chart-fails", place, "drawing the charts"):
        for scene in scenes_of(system, report):
            found = list(problems(scene))
            for wrong in found:
                words = re.findall(r"'([^']*)'", wrong)
                at = next(filter(None, (source.containing(system, word) for word in words)), place)
                notes.add("wrong-scene", at, f"the chart {scene.name!r}: {wrong}")
            if not found:
                svg(scene)


def _place(system: System) -> Place:
    """Where the charts are made: chart.py beside the game, or `System.charts`."""
    import sys

    folder = type(system).__module__.rpartition(".")[0]
    module = sys.modules.get(f"{folder}.chart")
    for name in ("charts", "scene"):
        found = of_function(getattr(module, name, None))
        if found:
            return found
    return of_system(system, "charts")
