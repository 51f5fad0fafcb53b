"""Play many bot games in memory, in several processes: who wins, how long games take, faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median

import msgspec
from msgspec import Struct

from pbem.bots.bot_orders import Match, Player
from pbem.bots.work import Place, carried_out, digest
from pbem.errors import PbemError
from pbem.model import Plain, Side, System
from pbem.rulecode import described, lines_of

Load = Callable[[str], System]
Seats = Callable[[System, str, Mapping[str, str], str], Mapping[Side, Player]]
"""Who plays which side, from the system, scenario, options and seed of a game. Picklable."""


class Played(Struct, frozen=True):
    """The outcome of one game."""

    seed: str
    result: str
    """The winning side or `draw`; empty after a fault."""
    rule: str
    """The rule that ended the game; empty after a fault."""
    turns: int
    windows: int
    mails: int = 0
    """Mails to each side that asked it for orders or answers: windows outside runs of agreed turns,
    and the first of each run."""
    fault: str = ""
    """The error that stopped the game, with its line in the rules if it has one; empty if there
    was none."""
    lines: tuple[str, ...] = ()
    """The lines of the rule system that the error came through, outermost first."""
    said: tuple[str, ...] = ()
    """Why searching bots ordered what they ordered, a line each; not part of the digest."""


def simulate(
    load: Load,
    name: str,
    scenario: str,
    options: Mapping[str, str],
    seeds: Sequence[str],
    place: Place,
    work: str = "",
    players: Seats | None = None,
) -> Iterator[Played]:
    """Play one game for each seed; yield the outcomes in any order.

    load: finds a system by name, in any process. work: its name, for a kept file. players: who
    plays in place of plain bots. Raises what `pbem.bots.work.carried_out` raises.
    """
    one = partial(_plain, load, name, scenario, dict(options), players)
    for _, given in carried_out(seeds, one, place, work):
        yield msgspec.convert(given, Played)


def _plain(
    load: Load, name: str, scenario: str, options: dict[str, str], players: Seats | None, seed: str
) -> object:
    return msgspec.to_builtins(play(load, name, scenario, options, seed, players))


def play(
    load: Load,
    name: str,
    scenario: str,
    options: dict[str, str],
    seed: str,
    players: Seats | None = None,
) -> Played:
    """Play one bot game to its end. Every exception becomes the outcome's fault; the seed repeats
    the game."""
    windows = turn = 0
    said = list[str]()
    try:
        system = load(name)
        seated = players(system, scenario, options, seed) if players else {}
        match = Match(system, scenario, options, seed, players=seated)
        first = match.drive.state.turn
        for _ in match.play():
            windows += 1
            for side, player in seated.items():
                if player.explained:
                    said.append(f"{match.drive.window} {side}: {player.explained}")
                player.explained = ""  # who owes no orders in the next window says nothing
        turn = match.drive.state.turn - first + 1
        over = match.drive.over
        assert over is not None
        return Played(seed, over.result, over.rule, turn, windows, match.mails, said=tuple(said))
    except Exception as error:
        lines = tuple(f"{place} in {place.function}" for place in lines_of(error))
        return Played(seed, "", "", turn, windows, fault=_said(error), lines=lines)


def _said(error: Exception) -> str:
    if isinstance(error, PbemError):
        return error.opening + error.message + (f" (hint: {error.hint})" if error.hint else "")
    return described(error).removeprefix("fault: ")


def summary(games: Sequence[Played]) -> Plain:
    """Return counts over all games as JSON data, as `pbem simulate --json` prints them."""
    sound = [g for g in games if not g.fault]
    return {
        "games": len(games),
        "wins": dict(sorted(Counter(g.result for g in sound).items())),
        "ends": dict(sorted(Counter(g.rule for g in sound).items())),
        "turns": _spread([g.turns for g in sound]),
        "windows": _spread([g.windows for g in sound]),
        "mails": _spread([g.mails for g in sound]),
        "digest": digest((g.seed, _outcome(g)) for g in games),
        "faults": [
            {"seed": g.seed, "fault": g.fault, "lines": list(g.lines)} for g in games if g.fault
        ],
    }


def _outcome(game: Played) -> Plain:
    return {key: value for key, value in msgspec.to_builtins(game).items() if key != "said"}


def _spread(values: Sequence[int]) -> dict[str, float]:
    if not values:
        return {}
    return {"least": min(values), "median": median(values), "most": max(values)}
