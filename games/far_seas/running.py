"""R4-R8 Running: the speeds of a group and its pursuers compared. Pure; numbers: combat.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from games.far_seas.gunnery import FIGURES
from games.far_seas.state import GERMAN, Ship

Throw = Literal["none", "slower", "both"]


def figure(name: str) -> int:
    """R2, R5, R7, K10 A number of the chapter."""
    return int(FIGURES.value("running")[name])


def slowing(options: Mapping[str, str]) -> int:
    """K10, F5 Grades that half damage costs a German, by the option `slowing`."""
    return figure("slowed_grade" if options.get("slowing") == "grade" else "slowed")


def slowed(speed: int, options: Mapping[str, str]) -> int:
    """K10 The place on the ladder to which half damage slows a German."""
    return max(speed - slowing(options), 0)


def speed_now(ship: Ship, options: Mapping[str, str]) -> int:
    """K10 Its place on the ladder of speeds: a German half damaged is slower."""
    return slowed(ship.speed, options) if ship.side == GERMAN and ship.half else ship.speed


def pace(ships: Iterable[Ship], options: Mapping[str, str]) -> int:
    """R4 A group is as fast as its slowest ship."""
    return min(speed_now(s, options) for s in ships)


def throws(runner: int, pursuer: int) -> Throw:
    """R5-R7 Who rolls for the race: nobody, the slower, or both."""
    apart = abs(runner - pursuer)
    return "none" if apart >= figure("outpaced") else "slower" if apart else "both"


def caught(runner: int, pursuer: int, dice: Sequence[int] = ()) -> bool:
    """R5-R7 Whether one pursuer catches a group.

    dice: none when nobody rolls, the slower's one, or the runner's and the pursuer's. In a tie the
    runner gets away: the pursuer has to win (ruling).
    """
    match throws(runner, pursuer):
        case "none":
            return pursuer > runner
        case "slower":
            (die,) = dice
            wins = die >= figure("slower")
            return wins if pursuer < runner else not wins
        case _:
            return dice[1] > dice[0]


def surprised(die: int) -> bool:
    """R2 A German who tries to run is surprised."""
    return die >= figure("surprised")
