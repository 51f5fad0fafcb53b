"""What a shell may offer for an argument: games, sides, systems, files.

Click asks these functions when the user presses the tab key; docs/moderator.md says how to switch
that on. A home that cannot be read offers nothing: a shell has no place for error messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.errors import PbemError

if TYPE_CHECKING:
    from pbem.model import System

Completer = Callable[[click.Context, click.Parameter, str], list[str]]

FILE = click.Path(allow_dash=True)
"""A file that is read; `-` is standard input. Whether it exists is found out when it is read."""


def _beginning(words: Iterable[str], start: str) -> list[str]:
    return [word for word in words if word.startswith(start)]


def _given(ctx: click.Context, argument: str) -> str:
    """Return the command's first argument, or its default, which may be empty.

    Click leaves it among the words not yet understood while an option has no value.
    """
    return next(iter(ctx.args), "") or ctx.params.get(argument) or ""


def game_names(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    """Return the games of the home that begin with `start`."""
    from pbem.store.game_dir import games

    home: Path = ctx.obj
    try:
        return _beginning(games(home), start)
    except OSError:
        return []


def system_names(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    """Return the rule systems that begin with `start`."""
    import games

    return _beginning(games.names(), start)


def systems_and_games(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    """Return the rule systems and the games of the home that begin with `start`."""
    return system_names(ctx, param, start) + game_names(ctx, param, start)


def _system(ctx: click.Context) -> System | None:
    """The system in the argument `system`; None if there is none that can be loaded."""
    import games

    try:
        return games.load(_given(ctx, "system"))
    except Exception:  # a key typed in a shell shows no error; the command itself will
        return None


def scenario_names(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    """Return the scenarios of the system."""
    system = _system(ctx)
    return _beginning((scenario.name for scenario in system.scenarios), start) if system else []


def option_values(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    """Return the options of the system, each with all its values: `par=no`."""
    from pbem.admin.setup import all_options

    system = _system(ctx)
    known = all_options(system) if system else ()
    return _beginning((f"{one.name}={value}" for one in known for value in one.values), start)


def bot_kinds(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    """Return the kinds of bots of the system; after `SIDE=` those of that side."""
    from pbem.bots.kinds import known

    system, (side, sign, _) = _system(ctx), start.partition("=")
    if system is None:
        return []
    sides = dict.fromkeys(s for one in system.scenarios for s in one.sides if not sign or s == side)
    kinds = dict.fromkeys(kind for s in sides for kind in known(system, s))
    if sign:
        return _beginning((f"{side}={kind}" for kind in kinds), start)
    return _beginning([*kinds, *(f"{s}=" for s in sides)], start)


def one_of(words: Iterable[str]) -> Completer:
    """Return a function that offers these words."""

    def found(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
        return _beginning(words, start)

    return found


def sides(*others: str) -> Completer:
    """Return a function that lists the sides of the game in the argument `name`.

    others: words that may stand in a side's place.
    """

    def found(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
        from pbem.store.game_dir import reading

        known = list[str]()
        with suppress(PbemError, OSError):
            known += reading(ctx.obj, _given(ctx, "name")).register.sides
        return _beginning([*known, *others], start)

    return found
