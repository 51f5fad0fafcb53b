"""A cache of charts as PNG: each picture is stored under the digest of the SVG it is drawn from.

Drawing a PNG is the slowest part of a report, and the same picture is needed more than once: for
the mail, for `report`, for a window that runs again. The folder may be deleted at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pbem.charts.kept import keep, programs
from pbem.charts.scenes import scene_of
from pbem.model import Plain, System
from pbem.scene import Scene


class Folders(NamedTuple):
    """Where pictures are kept. Both may be deleted at any time."""

    pictures: Path
    """Whole charts of a game."""
    boards: Path
    """Boards without units, which all games of a home share."""


def folders(game: Path) -> Folders:
    """Those of a game, by its folder."""
    return Folders(game / "state" / "charts", game.parent / ".pbem" / "boards")


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
    cache: Folders | None = None,
    which: str = "",
) -> bytes | None:
    """A chart of a report as the bytes of a file; None if the system has no chart.

    form: `svg` or `png`. theme, detail: see `pbem.charts.chart.svg`. cache: folders for PNGs that
    were drawn before. which: the name of the chart; empty: the main chart.

    Raises Usage if a PNG is asked for and the programs that draw it are not installed, NotFound for
    a name that no chart has.
    """
    scene = scene_of(system, report, which)
    return None if scene is None else drawn(scene, form, theme, detail, cache)


def drawn(
    scene: Scene,
    form: str,
    theme: str = "light",
    detail: bool = False,
    cache: Folders | None = None,
) -> bytes:
    """A chart as the bytes of a file, as `picture`. A scene with mistakes is drawn as well as it
    can be: neither a mail nor a player can correct it."""
    from pbem.charts.chart import svg

    text = svg(scene, theme, detail, lenient=True)
    if form == "svg":
        return text.encode()
    from pbem.charts.png import png, require

    require()
    if cache is None:
        return png(text, theme, red=scene.red)
    boards, red = cache.boards, scene.red
    return cached(cache.pictures, text, theme, lambda svg, theme: png(svg, theme, boards, red))


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
        keep(path, drawn, MOST)
    return drawn


def _key(svg: str, theme: str) -> str:
    """The name of a picture: a digest of everything that its bytes depend on, which is the SVG, the
    theme (its palette) and the releases of the programs that draw."""
    return sha256(f"{programs()} {theme}\n{svg}".encode()).hexdigest()[:32]
