"""The charts of a story: what really was, and beside it what each side believed, cut to the place
where it happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.charts.chart import window
from pbem.charts.drawing import empty
from pbem.model import Plain
from pbem.replay.walk import Frame
from pbem.scene import Contact, Mark, Point, Scene, Shape, Track, Unit
from pbem.story.plot import Moment


def truth(frame: Frame) -> Scene | None:
    """The main chart with all that each side has, as it has it: the first side's as own, those of
    the others as enemies. None if the system has no chart."""
    scenes = [scene for scene in frame.scenes.values() if scene]
    if not scenes:
        return None
    first, *others = sorted(scenes, key=lambda scene: scene.red)
    return replace(
        first,
        side="",
        contacts=tuple(_enemy(unit) for other in others for unit in _shown(other.units)),
        shapes=(*(s for s in first.shapes if s.owner != "enemy"), *_turned_shapes(others)),
        earlier=(),
        tracks=(*(t for t in first.tracks if t.owner != "enemy"), *_turned_tracks(others)),
        marks=(*(m for m in first.marks if m.owner != "enemy"), *_turned_marks(others)),
        searched=(),
        found=(),
        insets=(),
        roster=None,
        red=False,
    )


def _shown(units: Sequence[Unit]) -> Iterator[Unit]:
    """The units of another side that a chart of the truth shows: one for each force."""
    return (unit for unit in units if unit.role in ("counter", "flying"))


def _enemy(unit: Unit) -> Contact:
    """A unit as the enemy who sees it whole."""
    return Contact(
        id=unit.id,
        label="",
        what="",
        note="",
        age=0,
        name=unit.name,
        at=unit.at,
        heading=unit.heading,
        footprint=unit.footprint,
        tone=unit.tone,
        symbol=unit.symbol if unit.footprint else "",
        pointer=unit.pointer,
    )


def _turned_shapes(scenes: Sequence[Scene]) -> Iterator[Shape]:
    """What other sides own, as an enemy's."""
    return (replace(s, owner="enemy") for one in scenes for s in one.shapes if s.owner == "own")


def _turned_tracks(scenes: Sequence[Scene]) -> Iterator[Track]:
    return (replace(t, owner="enemy") for one in scenes for t in one.tracks if t.owner == "own")


def _turned_marks(scenes: Sequence[Scene]) -> Iterator[Mark]:
    return (replace(m, owner="enemy") for one in scenes for m in one.marks if m.owner == "own")


def cut(scene: Scene, at: Point) -> Scene:
    """The part of a chart around a point, without what stands around a map. It shows the same part
    of the board for every reader."""
    part = window(replace(scene, focus=(at,)))
    return replace(scene, window=part, focus=(at,), insets=(), roster=None, legend=())


def place(moment: Moment, before: Frame) -> Point | None:
    """Where a turning point was: of the first event, the weightiest first, whose data names a cell
    or a unit; None if none does.

    before: the frame before, in which a ship that was lost still is.
    """
    scenes = [s for frame in (moment.frame, before) for s in frame.scenes.values() if s]
    for line in sorted(moment.lines, key=lambda one: -one.weight):
        for word in _words(line.event):
            for scene in scenes:
                if found := _find(scene, word):
                    return found
    return next((scene.focus[0] for scene in scenes if scene.focus), None)


def _words(event: Plain) -> Iterator[str]:
    """The strings of an event that may name a place or a unit, those in lists too."""
    for key, value in event.items():
        if key in ("kind", "rule", "why", "side", "audience"):
            continue
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, str) and one:
                yield one


def _find(scene: Scene, word: str) -> Point | None:
    """The middle of the cell, or the place of the own unit, with that name."""
    if at := scene.grid.cells.get(word):
        return at
    return next((unit.at for unit in scene.units if word in (unit.id, unit.name)), None)


WAYS = 8
"""The most ways on the chart of a whole game."""


def journey(frames: Sequence[Frame], moments: Sequence[Moment]) -> Scene | None:
    """The whole board with the ways of the units that the turning points name, the weightiest
    first. None if the system has no chart or no such unit moved."""
    last = truth(frames[-1])
    if last is None:
        return None
    wanted = Counter[str]()
    for line in (line for moment in moments for line in moment.lines):
        wanted.update(dict.fromkeys(_words(line.event), line.weight))
    ways: dict[str, tuple[Unit, bool, list[Point]]] = {}
    for frame in frames:
        for scene in frame.scenes.values():
            for unit in scene.units if scene else ():
                if unit.id in wanted or unit.name in wanted:
                    enemy = bool(scene and scene.red)
                    way = ways.setdefault(unit.id, (unit, enemy, []))[2]
                    if not way or way[-1] != unit.at:
                        way.append(unit.at)
    far = sorted(
        (one for one in ways.values() if one[2][1:]),
        key=lambda one: (-max(wanted[one[0].id], wanted[one[0].name]), one[0].id),
    )
    tracks = tuple(
        Track(points=tuple(way), owner="enemy" if enemy else "own", name=unit.name, arrow=True)
        for unit, enemy, way in far[:WAYS]
    )
    return replace(empty(last), tracks=tracks) if tracks else None
