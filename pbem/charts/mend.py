"""Numbers in a scene that no chart can be drawn with: found for its author, mended for a mail.

A place that is no number, a window without size: tests and `pbem lint` report them
(`pbem.charts.check`), and a chart that is mailed leaves out what has them, so that the mail goes
out in any case.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import msgspec
from msgspec import Struct

from pbem.scene import Contact, Grid, Point, Port, Scene, Track, Unit

FAR = 1e6
"""Numbers beyond this are mistakes: no board is so large."""
WIDEST = 10_000
"""Width and height of a chart's window at most, in pixels."""
PITCH = 50
"""Pixels per cell if a scene's pitch cannot be used, as by default."""
THINGS = ("ports", "lines", "shapes", "earlier", "tracks", "marks", "units", "contacts")
"""The fields of a scene that hold things with places."""
Window = tuple[float, float, float, float]


def unreal(scene: Scene) -> Iterator[str]:
    """What in a scene has numbers that no chart can be drawn with, one line for each."""
    if not _usable(scene.window) or not 0 < scene.pitch < FAR:
        yield f"its window {scene.window} is empty"
    elif _widest(scene.window) * scene.pitch > WIDEST:
        yield f"its window {scene.window} has more than {WIDEST} pixels at a pitch of {scene.pitch}"
    for kind in THINGS:
        for number, thing in enumerate(getattr(scene, kind), 1):
            for name in lost(thing):
                yield f"{_called(thing, number)} {_said(name, getattr(thing, name))}"
    for name, at in scene.grid.cells.items():
        if not real(at):
            yield f"cell {name} stands at {at}"
    for name in ("night", "focus"):
        if not real(getattr(scene, name)):
            yield f"its {name} is {getattr(scene, name)}"


def mended(scene: Scene) -> Scene:
    """The scene without what `unreal` finds: a thing loses the field that is wrong, or is left out
    if it needs that field; a window that cannot be used becomes one around the cells or units."""
    if not any(unreal(scene)):
        return scene
    things = {kind: tuple(_whole(getattr(scene, kind))) for kind in THINGS}
    cells = {name: at for name, at in scene.grid.cells.items() if real(at)}
    better = msgspec.structs.replace(
        scene,
        grid=msgspec.structs.replace(scene.grid, cells=cells) if cells else Grid({}),
        night=scene.night if real(scene.night) else None,
        focus=tuple(at for at in scene.focus if real(at)),
        pitch=scene.pitch if 0 < scene.pitch < FAR else PITCH,
        **things,
    )
    if not _usable(better.window):
        better.window = _around([*cells.values(), *(u.at for u in better.units)])
    better.pitch = max(min(better.pitch, int(WIDEST / _widest(better.window))), 1)
    if _widest(better.window) > WIDEST:
        west, north, _, _ = better.window
        better.window = (west, north, west + WIDEST, north + WIDEST)
    return better


def real(value: object) -> bool:
    """Whether a value, with everything in it, has only numbers that stand somewhere on a board."""
    if isinstance(value, (int, float)):
        return -FAR < value < FAR
    if isinstance(value, (tuple, list, frozenset)):
        return all(map(real, value))
    return all(map(real, msgspec.structs.astuple(value))) if isinstance(value, Struct) else True


def lost(thing: Struct) -> list[str]:
    """The fields of a thing with numbers that are none."""
    return [name for name in thing.__struct_fields__ if not real(getattr(thing, name))]


def _whole(things: tuple[Struct, ...]) -> Iterator[Struct]:
    """The things, each without the fields that are wrong; a thing that needs such a field is left
    out."""
    for thing in things:
        wrong = lost(thing)
        defaults = {f.name: f.default for f in msgspec.structs.fields(thing) if f.name in wrong}
        if msgspec.NODEFAULT not in defaults.values():
            yield msgspec.structs.replace(thing, **defaults) if wrong else thing


def _usable(window: Window) -> bool:
    """Whether a window has a size."""
    west, north, east, south = window
    return real(window) and west < east and north < south


def _widest(window: Window) -> float:
    """The longer side of a window."""
    west, north, east, south = window
    return max(east - west, south - north)


def _around(places: list[Point]) -> Window:
    """A window with all these places."""
    xs, ys = zip(*(places or [(0.0, 0.0)]), strict=True)
    return min(xs) - 1, min(ys) - 1, ceil(max(xs)) + 1, ceil(max(ys)) + 1


def _called(thing: Struct, number: int) -> str:
    """What a message calls a thing."""
    kind = type(thing).__name__.lower()
    if isinstance(thing, (Unit, Contact)):
        return f"{kind} {thing.id}"
    name = thing.name if isinstance(thing, (Track, Port)) else getattr(thing, "label", "")
    return f"{'marker' if kind == 'mark' else kind} {name or f'number {number}'}"


def _said(field: str, value: object) -> str:
    """What a message says of a field."""
    return f"stands at {value}" if field == "at" else f"has the {field} {value}"
