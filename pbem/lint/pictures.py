"""Checks of a report's charts: they can be drawn, what they name exists, and the board of the main
chart is the same in every report."""

from __future__ import annotations

import ast
import re
import sys
from types import ModuleType

from pbem.charts.chart import svg
from pbem.charts.check import problems
from pbem.charts.scenes import scenes_of
from pbem.lint import source
from pbem.lint.finding import Notes
from pbem.model import Plain, System
from pbem.rulecode import Place, of_function, of_system
from pbem.scene import Scene


def check(system: System, report: Plain, notes: Notes, known: list[Scene]) -> None:
    """Note charts that cannot be drawn, and every mistake in their scenes.

    known: the main chart of the game's first report; empty before, and filled in then.
    """
    place = _place(system)
    with notes.watching("chart-fails", place, "drawing the charts"):
        scenes = scenes_of(system, report)
        known += scenes[: not known]
        if scenes:
            _board(system, known[0], scenes[0], notes)
        for scene in scenes:
            found = list(problems(scene))
            for wrong in found:
                words = re.findall(r"'([^']*)'", wrong)
                at = next(filter(None, (source.containing(system, word) for word in words)), place)
                notes.add("wrong-scene", at, f"the chart {scene.name!r}: {wrong}")
            if not found:
                svg(scene)


def _board(system: System, first: Scene, scene: Scene, notes: Notes) -> None:
    """Note a main chart whose board is not that of the game's first report.

    A replay draws the board once, for all sides and windows.
    """
    chart = f"the main chart {scene.name!r}"
    if scene.window != first.window:
        notes.add(
            "window-depends",
            _keyword(system, "window"),
            f"{chart} shows {scene.window} in one report and {first.window} in another: its "
            "replay would show things in wrong places",
            "give it the same `window` in every report of a game; a further chart may follow the "
            "action",
        )
    printed, other = (
        [shape for shape in one.shapes if shape.owner == "board"] for one in (scene, first)
    )
    if printed != other:
        lost = next(shape for shape in (*printed, *other) if (shape in printed) != (shape in other))
        notes.add(
            "board-leaks",
            source.containing(system, lost.label or "board") or _place(system),
            f"{chart} has the {type(lost).__name__.lower()} {lost.label!r} of the board in some "
            "reports only: replays and order pages without a report would show it to every side",
            'keep `owner="board"` for what is printed on the map; give this shape another owner',
        )


def _keyword(system: System, name: str) -> Place:
    """The first place of chart.py that gives something this `name=`; else where the charts are
    made."""
    module = _chart(system)
    for node in ast.walk(source.tree(module)) if module else ():
        if isinstance(node, ast.keyword) and node.arg == name:
            assert module
            return source.place(module, node.value.lineno)
    return _place(system)


def _chart(system: System) -> ModuleType | None:
    """chart.py beside the game, if it is loaded."""
    folder = type(system).__module__.rpartition(".")[0]
    return sys.modules.get(f"{folder}.chart")


def _place(system: System) -> Place:
    """Where the charts are made: chart.py beside the game, or `System.charts`."""
    module = _chart(system)
    for name in ("charts", "scene"):
        found = of_function(getattr(module, name, None))
        if found:
            return found
    return of_system(system, "charts")
