"""A chart as a PNG with few colours, by resvg and the shipped fonts; the same bytes on every run.

resvg draws the SVG, and Pillow reduces the picture to a third of its size with a palette. What
is printed on the map is drawn once for many charts (`Grounds`); the units, their names and tracks
are drawn for each and laid over it. Import this module only when a PNG is needed.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from itertools import product
from math import ceil, floor
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING

from pbem.charts.kept import DRAWERS, keep, programs
from pbem.charts.pieces import Board, Pieces, pieces
from pbem.charts.themes import THEMES, flat_sea, rgb, seeds, theme_of
from pbem.errors import Usage

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS = 256
"""Colours of the palette at most."""
LEVEL = 5
"""The level of zlib; level 6 takes half as long again and saves a twentieth of the size."""
SAMPLE = 3
"""Of so many pixels in each direction one average is counted for the palette."""
WIDTHS = re.compile(r' textLength="[^"]*" lengthAdjust="[^"]*"')
"""These attributes are removed before drawing: with the shipped fonts every text has its width
anyway, and resvg sets stretched text badly."""
STEP = 200
"""A part of the board begins and ends at multiples of so many units, so that a chart whose window
moves a little finds the part that was drawn before."""
FONT = "IBM Plex Sans Condensed"
"""Of a text that names no font."""
AS_IT_IS = (1, 0, 0, 0, 1, 0)
"""The transformation that changes nothing."""
KEPT, STORED = 16, 48
"""The most parts of boards that a process keeps, and that a folder holds."""


def png(svg: str, theme: str = "light", boards: Path | None = None, red: bool = False) -> bytes:
    """A picture of the SVG at its own size.

    boards: a folder for pictures of boards that were drawn before. red: see `themes.theme_of`.
    Raises Usage if a program that draws is not installed.
    """
    return reduced(composed(pieces(_plain(svg, theme)), boards), seeds(theme_of(theme, red)))


def _plain(svg: str, theme: str) -> str:
    """The SVG as it is drawn: the sea has one colour, because its shades make a picture much
    larger and take half of the time."""
    return WIDTHS.sub("", svg).replace("url(#sea)", flat_sea(THEMES[theme]))


def composed(chart: Pieces, boards: Path | None = None) -> Image:
    """The picture in full colour. Raises Usage if a program that draws is not installed."""
    from PIL import Image

    if not chart.paper:
        return _loaded(drawn("".join(p for p in chart.parts if isinstance(p, str)))).convert("RGB")
    picture = Image.new("RGB", chart.size, chart.paper)
    for part in chart.parts:
        if isinstance(part, Board):
            layer, left, top = _cut(part, chart.zoom, boards)
        else:
            layer, left, top = _loaded(drawn(part)), 0, 0
        picture.paste(layer, (left, top), layer if layer.mode == "RGBA" else None)
    return picture


def _cut(board: Board, zoom: float, folder: Path | None) -> tuple[Image, int, int]:
    """The part of the board that shows, and its place on the chart, in pixels."""
    left, top, right, bottom = board.frame
    x, y = board.origin
    west, north = floor((left - x) / STEP) * STEP, floor((top - y) / STEP) * STEP
    east, south = ceil((right - x) / STEP) * STEP, ceil((bottom - y) / STEP) * STEP
    ground = _ground(board.content, (west, north, east - west, south - north), zoom, folder)
    across, down = round((left - x - west) * zoom), round((top - y - north) * zoom)
    wide, high = round((right - left) * zoom), round((bottom - top) * zoom)
    cut = ground.crop((across, down, across + wide, down + high))
    return cut, round(left * zoom), round(top * zoom)


_grounds: OrderedDict[str, Image] = OrderedDict()


def _ground(
    content: str, area: tuple[int, int, int, int], zoom: float, folder: Path | None
) -> Image:
    """A part of a board, kept in memory and in `folder`, or drawn now. area: left, top, width and
    height in units of the board."""
    key = f"{area} {zoom}\n{content}"
    if key in _grounds:
        _grounds.move_to_end(key)
        return _grounds[key]
    found = None
    if folder:
        path = folder / f"{sha256(f'{programs()} {key}'.encode()).hexdigest()[:32]}.png"
        found = _stored(path)
    if found is None:
        found = _loaded(drawn(_alone(content, area, zoom)))
        if folder:
            out = BytesIO()
            found.save(out, "PNG", compress_level=1)
            with suppress(OSError):
                keep(path, out.getvalue(), STORED)
    _grounds[key] = found
    while len(_grounds) > KEPT:
        _grounds.popitem(last=False)
    return found


def _stored(path: Path) -> Image | None:
    """A picture that was stored; None if there is none or it is broken."""
    try:
        return _loaded(path.read_bytes())
    except (OSError, SyntaxError):  # Pillow raises SyntaxError for some broken files
        return None


def _loaded(picture: bytes) -> Image:
    from PIL import Image

    found = Image.open(BytesIO(picture))
    found.load()
    return found


def _alone(content: str, area: tuple[int, int, int, int], zoom: float) -> str:
    """A part of a board as a whole SVG."""
    left, top, wide, high = area
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="{left} {top} {wide} {high}"'
        f' width="{round(wide * zoom)}" height="{round(high * zoom)}">{content}</svg>'
    )


def drawn(svg: str) -> bytes:
    """The picture of an SVG in full colour, as a PNG. Raises Usage if resvg is not installed."""
    try:
        from resvg import render, usvg
    except ImportError:
        return _drawn_otherwise(svg)
    if not hasattr(_read, "fonts"):
        _read.fonts = usvg.Options.default()
        _read.fonts.font_family = FONT
        _read.fonts.load_fonts_dir(str(fonts()))
    return render(usvg.Tree.from_str(svg, _read.fonts), AS_IT_IS)


_read = local()
"""The shipped fonts, read once. resvg allows no other thread to use what one thread has read."""


def _drawn_otherwise(svg: str) -> bytes:
    """The same by the package that fits every Python, and reads the fonts for each picture."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as missing:
        raise _missing() from missing
    return bytes(
        svg_to_bytes(svg, font_dirs=[str(fonts())], font_family=FONT, skip_system_fonts=True)
    )


def reduced(picture: Image, colours: list[str]) -> bytes:
    """The picture with a palette, as a PNG.

    The palette contains all of `colours`, so that thin lines keep their colour; the rest of it is
    chosen from the picture.
    """
    from PIL import Image

    wanted = [rgb(colour) for colour in colours]
    few = picture.reduce(SAMPLE).quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
    counted = iter(few.getpalette() or ())
    # Pillow takes the nearest colour only nearly: others beside a colour that is wanted go
    taken = {cube for colour in wanted for cube in _cubes(colour)}
    others = [
        colour
        for colour in zip(counted, counted, counted, strict=True)
        if taken.isdisjoint(_cubes(colour))
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (wanted + others)[:COLOURS] for part in colour])
    out = BytesIO()
    few = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(out, "PNG", compress_level=LEVEL)
    return out.getvalue()


def _cubes(colour: tuple[int, int, int]) -> Iterable[tuple[int, int, int]]:
    """The cubes of eight shades a side that a colour lies in, of eight lattices of them: those that
    begin at multiples of eight, and those shifted by four along one edge or more."""
    red, green, blue = ((part >> 3, (part + 4 >> 3) + 64) for part in colour)
    return product(red, green, blue)


def require() -> None:
    """Raise Usage if the programs that draw are not installed, without importing them."""
    from importlib.util import find_spec

    if not any(map(find_spec, DRAWERS)) or not find_spec("PIL"):
        raise _missing()


def fonts() -> Path:
    """The folder of the shipped fonts."""
    import templates

    return Path(templates.__path__[0]) / "fonts"


def _missing() -> Usage:
    return Usage(
        "charts as PNG need two packages that are not installed here",
        "run: pip install resvg-py pillow, or draw an SVG",
    )
