"""A cache of charts as PNG: each picture is stored under the digest of the SVG it is drawn from.

Drawing a PNG is the slowest part of a report, and the same picture is needed more than once: for
the mail, for `report`, for a window that runs again. The folder may be deleted at any time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pbem.model import Plain, System
from pbem.scene import Scene

FOLDER = ("state", "charts")
"""The cache in the folder of a game."""
MOST = 32
"""The most pictures of a game: the last windows of two sides, in two themes and two sizes."""
_HEAD, _END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
"""How a complete PNG begins and ends."""


def picture(
    system: System,
    report: Plain,
    form: str,
    theme: str = "light",
    detail: bool = False,
    cache: Path | None = None,
) -> bytes | None:
    """The chart of a report as the bytes of a file; None if the system has no chart.

    form: `svg` or `png`. theme, detail: see `pbem.charts.chart.svg`. cache: a folder for PNGs that
    were drawn before.

    Raises Usage if a PNG is asked for and the programs that draw it are not installed.
    """
    from pbem.charts.chart import svg

    scene = scene_of(system, report)
    if scene is None:
        return None
    text = svg(scene, theme, detail)
    if form == "svg":
        return text.encode()
    from pbem.charts.png import png, require

    require()
    return png(text, theme) if cache is None else cached(cache, text, theme, png)


def scene_of(system: System, report: Plain) -> Scene | None:
    """What the chart of a report (JSON data) shows; None if the system has no chart.

    The chart gets the report without its menu, which is the largest part and does not show.
    """
    from pbem.text.layout import clean, printable

    return system.chart(clean({k: v for k, v in report.items() if k != "menu"}, printable))


def cached(folder: Path, svg: str, theme: str, draw: Callable[[str, str], bytes]) -> bytes:
    """The PNG of `svg`, from `folder` or drawn now by `draw`.

    A file that is not a complete PNG is drawn again. Errors of the file system are ignored: without
    the cache, drawing is only slower.
    """
    path = folder / f"{_key(svg, theme)}.png"
    with suppress(OSError):
        found = path.read_bytes()
        if found.startswith(_HEAD) and found.endswith(_END):
            return found
    drawn = draw(svg, theme)
    with suppress(OSError):
        _store(path, drawn)
    return drawn


def _key(svg: str, theme: str) -> str:
    """The name of a picture: a digest of everything that its bytes depend on, which is the SVG, the
    theme (its palette) and the releases of the programs that draw."""
    from importlib import metadata

    programs = f"{metadata.version('resvg-py')} {metadata.version('pillow')}"
    return sha256(f"{programs} {theme}\n{svg}".encode()).hexdigest()[:32]


def _store(path: Path, picture: bytes) -> None:
    """Store a picture and delete the oldest ones beyond MOST.

    It is written beside its place and renamed, so that another process never reads half a picture.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_bytes(picture)
    beside.replace(path)
    pictures = sorted(path.parent.glob("*.png"), key=lambda p: p.stat().st_mtime_ns)
    for old in pictures[:-MOST]:
        old.unlink(missing_ok=True)
