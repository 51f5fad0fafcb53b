"""A chart as a PNG with few colours, by resvg and the shipped fonts; the same bytes on every run.

Needs the extra `pbem[chart]`: resvg-py draws the SVG, and Pillow reduces the picture to a third of
its size with a palette. Import this module only when a PNG is needed.
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from sys import byteorder

from pbem.charts.themes import SHADED, THEMES, rgb, seeds
from pbem.errors import Usage

COLOURS, MANY = 128, 256
"""Colours of the palette, and of that of a chart with shapes: they shade the sea below them."""
LEVEL = 8
"""The level of zlib; level 9 takes twice the time and saves a hundredth of the size."""
WIDTHS = r' textLength="[^"]*" lengthAdjust="[^"]*"'
"""These attributes are removed before drawing: with the shipped fonts every text has its width
anyway, and resvg sets stretched text badly."""


def png(svg: str, theme: str = "light") -> bytes:
    """A picture of the SVG at its own size. Raises Usage if the extra is not installed."""
    return reduced(drawn(svg), seeds(THEMES[theme], svg), MANY if SHADED in svg else COLOURS)


def drawn(svg: str) -> bytes:
    """The picture in full colour, as a PNG. Raises Usage if the extra is not installed."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as missing:
        raise _extra() from missing
    return bytes(
        svg_to_bytes(
            svg_string=re.sub(WIDTHS, "", svg),
            font_dirs=[str(fonts())],
            skip_system_fonts=True,
            font_family="IBM Plex Sans Condensed",
            serif_family="EB Garamond",
        )
    )


def reduced(picture: bytes, colours: list[str], size: int = COLOURS) -> bytes:
    """The same picture with a palette of `size` colours, as a PNG.

    The palette contains all of `colours`, so that thin lines keep their colour; the rest of it is
    chosen from the picture. Raises Usage if the extra is not installed.
    """
    try:
        from PIL import Image
    except ImportError as missing:
        raise _extra() from missing
    wanted = [rgb(colour) for colour in colours]
    seeded = [part for colour in wanted for part in colour]
    rest = size - len(wanted)
    image = Image.open(BytesIO(picture)).convert("RGB")
    found = image.reduce(2).quantize(rest, method=Image.Quantize.MEDIANCUT).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(seeded + found[: rest * 3])
    near = image.quantize(palette=palette, dither=Image.Dither.NONE)
    exact = {int.from_bytes((*c, 255), byteorder): i for i, c in enumerate(wanted)}
    pixels = memoryview(image.convert("RGBA").tobytes()).cast("I")
    # Pillow's nearest colour is only nearly the nearest, so pixels in a colour of the theme are
    # looked up exactly; the others take Pillow's choice
    kept = Image.frombytes("P", image.size, bytes(map(exact.get, pixels, near.tobytes())))
    kept.putpalette(near.getpalette() or [])
    out = BytesIO()
    kept.save(out, "PNG", compress_level=LEVEL)
    return out.getvalue()


def require() -> None:
    """Raise Usage if the extra is not installed, without importing it."""
    from importlib.util import find_spec

    if not find_spec("resvg_py") or not find_spec("PIL"):
        raise _extra()


def fonts() -> Path:
    """The folder of the shipped fonts."""
    import templates

    return Path(templates.__path__[0]) / "fonts"


def _extra() -> Usage:
    return Usage(
        "charts as PNG need programs that are not installed", "run: pip install 'pbem[chart]'"
    )
