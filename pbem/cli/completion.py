"""What a shell may offer for an argument: games, sides, systems, files.

Click asks these functions when the user presses the tab key; docs/moderator.md says how to switch
that on. A home that cannot be read offers nothing: a shell has no place for error messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import click

from pbem.errors import PbemError

Completer = Callable[[click.Context, click.Parameter, str], list[str]]

FILE = click.Path(allow_dash=True)
"""A file that is read; `-` is standard input. Whether it exists is found out when it is read."""


def _beginning(words: Iterable[str], start: str) -> list[str]:
    return [word for word in words if word.startswith(start)]


def _given(ctx: click.Context, argument: str) -> str:
    """Return the command's first argument, empty without one.

    Click leaves it among the words not yet understood while an option has no value.
    """
    return ctx.params.get(argument) or next(iter(ctx.args), "")


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


def scenario_names(ctx: click.Context, param: click.Parameter, start: str) -> list[str]:
    """Return the scenarios of the system in the argument `system`."""
    import games

    try:
        system = games.load(_given(ctx, "system"))
    except (KeyError, ImportError, AttributeError):
        return []
    return _beginning((scenario.name for scenario in system.scenarios), start)


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
