"""Pictures of charts, each drawn once: a PNG is kept under the digest of what it is drawn from.

A chart takes a second or two as PNG and is asked for more than once: by the mail, by `report`,
by a window that runs again. The gallery may be deleted at any time.
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
MOST = 32
"""Pictures kept a game: two themes and sizes of both sides' last windows."""
_HEAD, _END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"


def picture(
    system: System,
    report: Plain,
    form: str,
    theme: str = "light",
    detail: bool = False,
    gallery: Path | None = None,
) -> bytes | None:
    """The chart of a report as a file, None where the system has none. form: svg or png.
    gallery: a folder in which PNGs are kept that were drawn before.

    Raises Usage where what draws a PNG has not been installed.
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
    return png(text, theme) if gallery is None else kept(gallery, text, theme, png)


def scene_of(system: System, report: Plain) -> Scene | None:
    """What the chart of a report shows: made of all of it but the menu, which is the largest part
    of a report and no part of a chart."""
    from pbem.text.layout import clean, printable

    return system.chart(clean({k: v for k, v in report.items() if k != "menu"}, printable))


def kept(folder: Path, svg: str, theme: str, draw: Callable[[str, str], bytes]) -> bytes:
    """The PNG of `svg`, from `folder` or drawn now. A torn or foreign file there is drawn anew,
    and a folder that cannot be written to costs time alone."""
    path = folder / f"{_key(svg, theme)}.png"
    with suppress(OSError):
        found = path.read_bytes()
        if found.startswith(_HEAD) and found.endswith(_END):
            return found
    drawn = draw(svg, theme)
    with suppress(OSError):
        _keep(path, drawn)
    return drawn


def _key(svg: str, theme: str) -> str:
    """What decides the picture's bytes: the drawing, its palette, the programs that draw."""
    from importlib import metadata

    programs = f"{metadata.version('resvg-py')} {metadata.version('pillow')}"
    return sha256(f"{programs} {theme}\n{svg}".encode()).hexdigest()[:32]


def _keep(path: Path, picture: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_bytes(picture)
    beside.replace(path)
    pictures = sorted(path.parent.glob("*.png"), key=lambda p: p.stat().st_mtime_ns)
    for old in pictures[:-MOST]:
        old.unlink(missing_ok=True)
