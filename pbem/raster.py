"""A chart as a PNG with few colours, by resvg and the shipped fonts; the same bytes on every run.

Needs the extra `pbem[chart]` (resvg-py draws in a second what Python would in a minute; Pillow
brings the picture down to a third with a palette). Imported only when a PNG is asked for.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from pbem.errors import Usage
from pbem.themes import THEMES, Theme, rgb, seeds

COLOURS = 256


def png(svg: str, theme: str = "light") -> bytes:
    """The SVG's picture at its own size. Raises Usage where the extra is not installed."""
    return reduced(drawn(svg), THEMES[theme])


def drawn(svg: str) -> bytes:
    """The picture in full colour, as PNG."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError as missing:
        raise _extra() from missing
    return bytes(
        svg_to_bytes(
            svg_string=svg,
            font_dirs=[str(fonts())],
            skip_system_fonts=True,
            font_family="IBM Plex Sans Condensed",
            serif_family="EB Garamond",
        )
    )


def reduced(picture: bytes, theme: Theme) -> bytes:
    """The same with a palette that holds every colour of the theme, so that thin lines keep
    theirs; the rest of it is taken from the picture."""
    try:
        from PIL import Image
    except ImportError as missing:
        raise _extra() from missing
    seeded = [part for colour in seeds(theme) for part in rgb(colour)]
    rest = COLOURS - len(seeded) // 3
    image = Image.open(BytesIO(picture)).convert("RGB")
    found = image.quantize(rest, method=Image.Quantize.MEDIANCUT).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(seeded + found[: rest * 3])
    out = BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def fonts() -> Path:
    """The folder of the shipped fonts."""
    import templates

    return Path(templates.__path__[0]) / "fonts"


def _extra() -> Usage:
    return Usage("this needs the programs that draw pictures", "pip install 'pbem[chart]'")
