"""Games of players who order anything that the checks of mail accept, for what bots never do."""

from __future__ import annotations

from random import Random

from pbem.bots.wild import WildGame, any_options
from pbem.engine.watch import limited
from pbem.errors import RulesFault
from pbem.lint import windows
from pbem.lint.finding import Notes
from pbem.model import System
from pbem.rulecode import of_system

WINDOWS = 40
"""At most so many windows of a game are played."""


def check(system: System, scenario: str, seed: str, notes: Notes) -> None:
    """Play the first windows of a game. What stops it is a finding, unless a game of bots has shown
    a fault of that line."""
    options: dict[str, str] = {}
    game: WildGame | None = None
    try:
        with limited(windows.SECONDS):
            options = any_options(system, scenario, Random(seed))
            game = WildGame(system, scenario, options, seed)
        on = True
        while on and game.noted.windows < WINDOWS:
            with limited(windows.SECONDS):
                on = game.window()
    except Exception as error:
        if found := notes.unknown(error, of_system(system, "turn")):
            place, said = found
            when = f"in window {game.noted.windows}" if game else "at the beginning"
            again = f"wild(SYSTEM, {scenario!r}, {options!r}, {seed!r}) of pbem.testing.wild"
            hint = f"{error.hint}; " if isinstance(error, RulesFault) and error.hint else ""
            notes.add(
                "wild-game-fails",
                place,
                f"{said}, {when} of a game whose players order anything that the checks accept",
                f"{hint}{again} plays it again",
            )
