"""The option `--bot` of commands in which bots play, and who then plays which side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from pbem.errors import Usage
from pbem.model import Plain, Side, System

if TYPE_CHECKING:
    from pbem.bots.bot_orders import Player

bot_option = click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[SIDE=]KIND",
    help="plain or strong (searches), of one side or of all; repeatable. Default: plain.",
)


def strong_sides(bots: Sequence[str], sides: Sequence[str]) -> list[str]:
    """The sides that bots play which search. Raises Usage for an unknown side or kind."""
    found = dict.fromkeys(sides, "plain")
    for word in bots:
        side, _, kind = word.rpartition("=")
        if kind not in ("plain", "strong"):
            raise Usage(f"there is no bot {kind!r}", "known are plain and strong")
        if side and side not in found:
            raise Usage(f"there is no side {side!r}", f"its sides are {', '.join(sides)}")
        found |= dict.fromkeys([side] if side else sides, kind)
    return [side for side, kind in found.items() if kind == "strong"]


def seats(
    strong: Sequence[str], budget: int | None, rules: System, scenario: str, options: Plain
) -> partial[Mapping[Side, Player]] | None:
    """Who plays these sides, for `pbem.bots`; None without any. Raises Usage if the system has no
    such bot."""
    if not strong:
        return None
    from pbem.analysis.strong import seated

    seated(strong, budget, rules, scenario, options, "")
    return partial(seated, tuple(strong), budget)
