"""The scenes of a report: what a system says of its charts, ready to be drawn."""

from __future__ import annotations

import msgspec

from pbem.charts.mend import mended
from pbem.errors import NotFound
from pbem.model import Plain, System
from pbem.scene import Scene


def scenes_of(system: System, report: Plain) -> tuple[Scene, ...]:
    """What the charts of a report (JSON data) show, the main chart first; may be empty.

    The charts get the report without its menu, which is the largest part and does not show. Each
    scene is told its system, so that it finds the system's own symbols, and which colour its reader
    has.
    """
    from pbem.text.layout import clean, printable

    shown = clean({k: v for k, v in report.items() if k != "menu"}, printable)
    scenes = system.charts(shown)
    if not scenes:
        return ()
    red = report.get("side") == system.red_side(report.get("scenario", ""))
    return tuple(
        msgspec.structs.replace(scene, system=scene.system or system.templates, red=red)
        for scene in scenes
    )


def drawable(system: System, report: Plain) -> tuple[Scene, ...]:
    """The scenes of a report without numbers that no chart can be drawn with: for pages, which are
    made from scenes with mistakes too."""
    return tuple(map(mended, scenes_of(system, report)))


def scene_of(system: System, report: Plain, which: str = "") -> Scene | None:
    """One of the charts of a report; None if the system has none.

    which: its name; empty: the main chart. Raises NotFound for a name that no chart has.
    """
    scenes = scenes_of(system, report)
    if not scenes or not which:
        return scenes[0] if scenes else None
    for scene in scenes:
        if scene.name == which:
            return scene
    names = ", ".join(scene.name for scene in scenes)
    raise NotFound(f"this report has no chart {which!r}", f"its charts: {names}")
