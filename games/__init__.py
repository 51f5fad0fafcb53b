"""The one list of our games, a folder each; third parties use the entry points `pbem.games`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from pbem.model import System

SYSTEMS = ("atlantic_chase", "baltic", "bismarck", "far_seas", "second_fleet", "toy")
"""Folders whose `game.py` holds `SYSTEM`, of that name."""


def names() -> list[str]:
    """Every playable system, ours first, then those of installed packages."""
    return [*SYSTEMS, *sorted(_others())]


def load(name: str) -> System:
    """The system of that name; it must be one of `names`. Raises whatever importing it raises."""
    if name in SYSTEMS:
        system: System = import_module(f"games.{name}.game").SYSTEM
    else:
        system = _others()[name].load()
    return system


def _others() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {e.name: e for e in entry_points(group="pbem.games") if e.name not in SYSTEMS}
