"""The drawings on counters and markers: those of the chart, and those that a system supplies.

A system's own symbols are the files `symbols/NAME.svg` in its folder of templates, also if another
package provides it. They are checked when they are read, and written anew from the numbers found,
so that nothing else in a file can reach a chart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.data import files, template
from pbem.errors import Usage
from pbem.scene import Scene

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

BUILT_IN = ("BB", "CV", "CA", "CL", "piece")
"""Symbols that templates/base/chart.svg.j2 draws. No system may have another one of that name."""
FOLDER = "symbols"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,15}")
"""What a symbol may be called; its file is `NAME.svg`."""
MOST = 8192
"""Bytes of the file of a symbol at most."""
BOX = (36.0, 16.0)
"""Width and height to which a symbol is fitted, as those of the chart are."""
AIRCRAFT = "plane"
"""What units in the air may have as a symbol: they are drawn as an aeroplane in any case."""
LABEL = 2
"""Characters of what a sample `mark:TONE:WORD` writes; a longer word is a symbol."""
COUNTED = ("counter", "patrol", "stack")
"""Samples of the legend that show a symbol."""

_SVG = "{http://www.w3.org/2000/svg}"
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_LENGTH = re.compile(_NUMBER)
_LIST = re.compile(rf"\s*{_NUMBER}(?:[\s,]*{_NUMBER})*\s*")
_PATH = re.compile(rf"\s*[Mm](?:[\s,]*(?:[MmLlHhVvCcSsQqTtAaZz]|{_NUMBER}))*\s*")
_PARTS = {
    "path": {"d": _PATH},
    "polygon": {"points": _LIST},
    "circle": {"cx": _LENGTH, "cy": _LENGTH, "r": _LENGTH},
    "ellipse": {"cx": _LENGTH, "cy": _LENGTH, "rx": _LENGTH, "ry": _LENGTH},
    "rect": {"x": _LENGTH, "y": _LENGTH, "width": _LENGTH, "height": _LENGTH, "rx": _LENGTH},
}
"""The elements that a symbol may contain, and their attributes."""
_ANY = {"fill-rule": re.compile("evenodd|nonzero"), "fill-opacity": _LENGTH}
"""Attributes that every element may have."""
_SILENT = ("title", "desc", "metadata")
"""Elements that are left out."""


class BadSymbol(Usage):
    """A symbol that is missing, or a file that is no symbol: a mistake of the game's author."""


class Symbol(Struct, frozen=True):
    """A symbol as the chart draws it."""

    name: str
    transform: str
    """Moves and fits the drawing into BOX around (0, 0)."""
    parts: tuple[str, ...]
    """Its elements, with no other text than their names and numbers."""


def known(system: str) -> tuple[str, ...]:
    """The names of all symbols that a chart of this system may use, sorted; those of the chart
    alone for an empty name."""
    return tuple(sorted({*BUILT_IN, *_files("base"), *(_files(system) if system else ())}))


@cache
def _files(folder: str) -> tuple[str, ...]:
    """The names of the symbols of a folder of templates."""
    found = (file.removesuffix(".svg") for file in files(f"{folder}/{FOLDER}"))
    return tuple(sorted(name for name in found if NAME.fullmatch(name)))


@cache
def load(system: str, name: str) -> Symbol:
    """A symbol from a file: the system's own, else one of the chart. Raises BadSymbol."""
    owner = system if system and name in _files(system) else "base"
    if name not in _files(owner):
        raise BadSymbol(
            f"there is no symbol {name!r}",
            f"known are {', '.join(known(system))}; a system's own are files {FOLDER}/NAME.svg in "
            "its folder of templates",
        )
    path = f"{owner}/{FOLDER}/{name}.svg"
    if owner != "base" and name in BUILT_IN:
        raise BadSymbol(f"{path}: {name} is a symbol of every chart", "give yours another name")
    return parsed(name, template(path), path)


def drawable(system: str, name: str) -> str:
    """The symbol that is drawn for `name`: `piece` for one that there is not, or whose file is not
    allowed."""
    if name in (*BUILT_IN, AIRCRAFT, ""):
        return name
    try:
        return load(system, name).name
    except BadSymbol:
        return "piece"


def check(system: str) -> None:
    """Read all symbols that a system supplies. Raises BadSymbol for the first bad one."""
    for name in _files(system):
        load(system, name)


def forget() -> None:
    """Read all symbols anew when they are needed: for tests that change files."""
    _files.cache_clear()
    load.cache_clear()


def parsed(name: str, text: bytes, path: str = "") -> Symbol:
    """The symbol in the bytes of an SVG file. path: names the file in errors.

    Allowed are a `viewBox`, and paths, polygons, circles, ellipses and rectangles that are filled
    with one colour, which the chart chooses. Raises BadSymbol that says what else was found.
    """
    from xml.etree import ElementTree

    def bad(what: str) -> BadSymbol:
        return BadSymbol(f"{path or name}: {what}", "docs/pictures.md says what a symbol may be")

    if len(text) > MOST:
        raise bad(f"the file has {len(text)} bytes, more than {MOST}")
    if (
        b"\0" in text
        or b"<!" in re.sub(rb"<!--.*?-->", b"", text, flags=re.DOTALL)
        or b"<?" in text[5:]
    ):
        raise bad("it contains a document type, an entity or an instruction")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise bad(f"it is no XML: {error}") from None
    try:
        parts = tuple(_part(e) for e in root if e.tag.removeprefix(_SVG) not in _SILENT)
        if root.tag != f"{_SVG}svg" or not parts:
            raise ValueError("it is no SVG with at least one shape")
        transform = _fitted(root.get("viewBox", ""))
    except ValueError as error:
        raise bad(str(error)) from None
    return Symbol(name, transform, parts)


def _part(element: Element) -> str:
    """An element as text. Raises ValueError if it is not allowed."""
    tag = element.tag.removeprefix(_SVG)
    allowed = _PARTS.get(tag)
    if allowed is None or len(element) or (element.text or "").strip():
        raise ValueError(f"<{tag}> is not allowed; use {', '.join(_PARTS)}, not grouped")
    out = f"<{tag}"
    for key, value in element.items():
        pattern = allowed.get(key) or _ANY.get(key)
        if pattern is None:
            raise ValueError(f'{key}="{value[:20]}" is not allowed in <{tag}>: no colours, styles')
        if not pattern.fullmatch(value):
            raise ValueError(f'{key}="{value[:20]}" in <{tag}> is not of numbers alone')
        out += f' {key}="{" ".join(value.split())}"'
    return f"{out}/>"


def _fitted(box: str) -> str:
    """The transform that fits a viewBox into BOX. Raises ValueError."""
    numbers = box.replace(",", " ").split()
    if len(numbers) != 4 or not all(map(_LENGTH.fullmatch, numbers)):
        raise ValueError("its viewBox is not four numbers")
    x, y, wide, high = map(float, numbers)
    if wide <= 0 or high <= 0:
        raise ValueError("its viewBox is empty")
    scale = min(BOX[0] / wide, BOX[1] / high)
    dx, dy = (round(-scale * (at + size / 2), 3) + 0.0 for at, size in ((x, wide), (y, high)))
    moved = f"translate({dx:g} {dy:g})" if dx or dy else ""
    return f"{moved} scale({scale:.4g})".strip() if scale != 1 else moved


def users(scene: Scene) -> Iterator[tuple[str, str]]:
    """Each symbol that a scene uses, with the thing that uses it in words."""
    for unit in scene.units:
        bare = not unit.symbol and unit.footprint
        if unit.role == "counter" and not bare:
            yield unit.symbol, f"unit {unit.id}"
    for contact in scene.contacts:
        if contact.symbol:
            yield contact.symbol, f"contact {contact.id}"
    for mark in (*scene.marks, *(m for t in scene.tracks for m in t.marks)):
        if mark.symbol:
            yield mark.symbol, f"the marker at {mark.at[0]:g}, {mark.at[1]:g}"
    for row, said in (row for key in scene.legend for row in key.rows):
        kind, _, rest = row.partition(":")
        symbol = rest.partition(":")[2] if kind == "mark" else rest if kind in COUNTED else ""
        if symbol and (kind in COUNTED or len(symbol) > LABEL):
            yield symbol, f"the legend's {said!r}"


def used(scene: Scene, more: Iterable[str] = ()) -> list[Symbol]:
    """The symbols from files that a scene uses, in order of name. more: further symbols.

    One that cannot be drawn is left out: a mailed chart shows `piece` instead of it. Tests and
    `pbem.charts.check` are told.
    """
    found = []
    for name in sorted({*(name for name, _ in users(scene)), *more} - {*BUILT_IN, AIRCRAFT, ""}):
        with suppress(BadSymbol):
            found.append(load(scene.system, name))
    return found
