"""The bot of either side: order text from its report alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, convert

from games.bismarck.board import GERMAN
from games.bismarck.bot_common import Report, running
from games.bismarck.verbs import GRAMMAR
from pbem.kit.bots import Lines, Luck, content, written

if TYPE_CHECKING:
    from games.bismarck import bot_british, bot_german

    Plan: TypeAlias = bot_german.Plan | bot_british.Plan


def orders(side: str, report: Mapping[str, object], luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    return written(lines(side, report, luck), GRAMMAR)


def lines(side: str, report: Mapping[str, object], luck: str, plan: Plan | None = None) -> Lines:
    """The same as lines. plan: in place of that of the luck."""
    from games.bismarck import bot_german

    seen = convert(report, Report, from_attributes=True)
    if _opening(side, seen):
        own = plan if isinstance(plan, bot_german.Plan) else None
        turns = bot_german.agreed(seen, Luck(luck), own) if side == GERMAN else running(seen)
        if turns > 1:
            yield "", f"RUN {turns}"
    yield from _wished(side, seen, luck, plan)


def led(side: str, report: Mapping[str, object], luck: str, plan: Plan | None) -> Lines:
    """The same without a word about runs."""
    yield from _wished(side, convert(report, Report, from_attributes=True), luck, plan)


def _wished(side: str, seen: Report, luck: str, plan: Plan | None) -> Lines:
    from games.bismarck import bot_british, bot_german

    if isinstance(plan, bot_german.Plan):
        found = bot_german.lines(seen, Luck(luck), plan)
    elif isinstance(plan, bot_british.Plan):
        found = bot_british.lines(seen, Luck(luck), plan)
    else:
        found = (bot_german if side == GERMAN else bot_british).lines(seen, Luck(luck))
    opening = _opening(side, seen)
    yield from (line for line in found if opening or _offered(seen, *line))


def _opening(side: str, report: Report) -> bool:
    """Is it the window in which a turn's orders are given?"""
    return "search" in [item.verb for item in report.menu[side.upper()]]


def _offered(report: Report, actor: str, order: Struct | str) -> bool:
    """4.8 Once all have moved: a standing order, or one that the menu still has?"""
    said = order if isinstance(order, str) else content(order, GRAMMAR)
    verbs = [item.verb for item in report.menu.get(actor, ())]
    return actor.startswith("@") or any(said.startswith(verb) for verb in verbs)
