"""The charts of the site: of a running game what all sides know, of a finished one who went where.

Each is an SVG file that follows the theme of its reader.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from pbem.base.report_json import Report
from pbem.charts.drawing import themed
from pbem.charts.scenes import scene_of
from pbem.club.facts import LINES, Chart
from pbem.model import Plain, System
from pbem.reports.wording import chief
from pbem.scene import Scene
from pbem.story import scenes
from pbem.story.write import Story

PLACES = 6
"""The most places that a chart marks."""
FAULTS = (ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""What a fault in a system's chart raises: the page does without it."""


def public(system: System, content: bytes, of: str) -> tuple[Chart, bytes]:
    """Draw what all sides know. content: the public report.json; of: its digest."""
    try:
        report = Report.of(msgspec.json.decode(content)).plain
        scene = scene_of(system, report)
        if scene is None:
            return Chart(of), b""
        places = list(dict.fromkeys(_places(report, scene)))[:PLACES]
        found = tuple(dict.fromkeys((*scene.found, *places)))
        return Chart(of, True, places), _drawn(replace(scene, found=found))
    except FAULTS:
        return Chart(of), b""


_DRAWN: dict[bytes, bytes] = {}
"""Scenes as JSON, without the words of their heads, to their pictures."""
KEPT = 256
"""The most pictures that are kept."""


def _drawn(scene: Scene) -> bytes:
    """The picture of a public scene; drawn once for all games and windows that show the same, as
    many do: a bare board."""
    bare = replace(
        scene, title="", side="", when="", boxes=(), deadline="", legend=(), notes=(), caption=""
    )
    key = msgspec.json.encode(bare)
    if key not in _DRAWN:
        if len(_DRAWN) >= KEPT:
            _DRAWN.clear()
        _DRAWN[key] = themed(bare)
    return _DRAWN[key]


def _places(report: Plain, scene: Scene) -> Iterator[str]:
    """The cells that the news of a public report names."""
    for event in chief(report, LINES):
        for key, value in event.items():
            named = isinstance(value, str) and key not in ("kind", "text", "why", "rule")
            if named and value in scene.grid.cells:
                yield value


def journey(found: Story) -> bytes:
    """Draw who went where in a finished game; where nobody moved, the board at its end. Empty if
    neither can be drawn."""
    try:
        scene = found.journey.scene if found.journey else scenes.truth(found.plot.frames[-1])
        return themed(scene) if scene else b""
    except FAULTS:
        return b""
