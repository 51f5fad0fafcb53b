"""The one list of games, a folder each; third parties use the entry points `pbem.games`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.model import System

SYSTEMS: dict[str, str] = {
    "bismarck": "games.bismarck.game",
    "far_seas": "games.far_seas.game",
    "toy": "games.toy.game",
}
"""Name to the module that holds `SYSTEM`."""


def names() -> list[str]:
    """Every playable system, ours first, then those of installed packages."""
    return [*SYSTEMS, *sorted(set(_others()) - set(SYSTEMS))]


def load(name: str) -> System:
    """The system of that name. Raises KeyError."""
    if name in SYSTEMS:
        system: System = import_module(SYSTEMS[name]).SYSTEM
        return system
    return _others()[name]


def _others() -> dict[str, System]:
    from importlib.metadata import entry_points

    return {e.name: e.load() for e in entry_points(group="pbem.games") if e.name not in SYSTEMS}
