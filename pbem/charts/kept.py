"""Pictures that are kept in a folder so that they are not drawn again, the oldest deleted first."""

from __future__ import annotations

import os
from pathlib import Path

DRAWERS = ("resvg", "resvg_py")
"""Packages around resvg, of which one is installed (pyproject.toml says where which one)."""


def programs() -> str:
    """The releases of the programs that draw: their pictures may differ."""
    from importlib import metadata
    from importlib.util import find_spec

    drawer = next(filter(find_spec, DRAWERS), DRAWERS[0])
    return f"{drawer} {metadata.version(drawer)} {metadata.version('pillow')}"


def keep(path: Path, picture: bytes, most: int) -> None:
    """Store a picture, and delete the oldest of its folder beyond `most`.

    It is written beside its place and renamed, so that another process never reads half a picture.
    Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_bytes(picture)
    beside.replace(path)
    pictures = sorted(path.parent.glob("*.png"), key=lambda p: p.stat().st_mtime_ns)
    for old in pictures[:-most]:
        old.unlink(missing_ok=True)
