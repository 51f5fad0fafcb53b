"""The option `--bot` of commands in which bots play, and who then plays which side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from pbem.cli.completion import bot_kinds
from pbem.errors import Usage
from pbem.model import Plain, Scenario, Side, System

if TYPE_CHECKING:
    from pbem.bots.bot_orders import Player

bot_option = click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[SIDE=]KIND",
    shell_complete=bot_kinds,
    help="plain, strong (searches) or a style of the system, of one side or of all that have it; "
    "repeatable. Default: plain.",
)


def kinds(
    bots: Sequence[str], rules: System, scenario: Scenario, options: Plain
) -> Mapping[Side, str]:
    """The sides that other bots than the plain ones play, and their kinds. Raises Usage for a side
    or kind that there is not."""
    from pbem.bots.kinds import PLAIN, STRONG, require

    found = dict[Side, str]()
    for word in bots:
        name, given, kind = word.rpartition("=")
        if given and name not in scenario.sides:
            raise Usage(f"there is no side {name!r}", f"its sides are {', '.join(scenario.sides)}")
        sides = [Side(name)] if name else scenario.sides
        have = [s for s in sides if kind in (PLAIN, STRONG) or kind in rules.styles(s)]
        for side in have or sides:
            require(kind, rules, side, scenario.name, options)
            found[side] = kind
    return {side: kind for side, kind in found.items() if kind != PLAIN}


def seats(kinds: Mapping[Side, str], budget: int | None) -> partial[Mapping[Side, Player]] | None:
    """Who plays these sides, for `pbem.bots`; None without any."""
    if not kinds:
        return None
    from pbem.bots.kinds import seated

    return partial(seated, kinds, budget)
