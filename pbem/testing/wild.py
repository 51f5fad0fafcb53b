"""Games of players who order anything, for tests: whatever a side may order, they go on soundly."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.bots.wild import Wild, WildGame
from pbem.model import System


def wild(
    system: System, scenario: str, options: Mapping[str, str], seed: str, most: int = 200
) -> Wild:
    """A game of such players, or its first `most` windows. Raises as `WildGame.window`."""
    game = WildGame(system, scenario, options, seed)
    while game.noted.windows < most and game.window():
        pass
    return game.noted
