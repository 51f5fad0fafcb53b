"""The kinds of bots that can play a side: the plain one, other styles, one that searches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.bots.styled import Styled
from pbem.errors import Usage
from pbem.model import Side, System

if TYPE_CHECKING:
    from pbem.bots.bot_orders import Player

PLAIN, STRONG = "plain", "strong"


def known(system: System, side: Side) -> Mapping[str, str]:
    """The kinds of a side and what they do. In some scenarios none searches."""
    found = {PLAIN: "the usual bot"}
    if type(system).mind is not System.mind:
        found[STRONG] = "searches: it plays better"
    return found | {name: style.about for name, style in system.styles(side).items()}


def require(
    kind: str, system: System, side: Side, scenario: str, options: Mapping[str, str]
) -> None:
    """Raises Usage if the side has no bot of that kind in that scenario with these options."""
    if kind not in (PLAIN, STRONG) and kind not in system.styles(side):
        has = "; ".join(f"{name} ({about})" for name, about in known(system, side).items())
        raise Usage(f"{side} has no bot {kind!r}", f"its bots are: {has}")
    seated({side: kind}, None, system, scenario, options, "")


def seated(
    kinds: Mapping[Side, str],
    playouts: int | None,
    system: System,
    scenario: str,
    options: Mapping[str, str],
    seed: str,
) -> Mapping[Side, Player]:
    """Who plays these sides in place of their plain bots. playouts: of those that search, in a
    window, in place of what is usual. Raises Usage if the system has no such bot."""
    found: dict[Side, Player] = {}
    for side, kind in kinds.items():
        if kind == STRONG:
            from pbem.bots.strong import Strong, only

            changes = {} if playouts is None else only(playouts)
            found[side] = Strong(system, scenario, options, side, seed, changes)
        elif kind != PLAIN:
            found[side] = Styled(system, system.styles(side)[kind], seed)
    return found
