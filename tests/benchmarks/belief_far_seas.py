"""German admirals of Far Seas, for `tests.benchmarks.belief`: where all their ships are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.game import SYSTEM
from pbem.belief.filter import Belief, beliefs
from pbem.model import Plain
from tests.benchmarks.belief import Row
from tests.far_seas.admirals import War

ROWS = (
    Row("coaler", ()),
    Row("circler", ()),
    Row("hermit", ()),
    Row("shuttle", ()),
    Row("homer", ()),
    Row("bot", ("passage", "hide", "drift")),
    Row("rover", ("hunt", "hide", "drift")),
    Row("bot", ()),
    Row("rover", ()),
)
"""Wrong models first."""
WRONG = 7
Played = tuple[list[Plain], dict[int, dict[str, str]]]


@lru_cache(maxsize=4)
def played(admiral: str, seed: str, **chosen: str) -> Played:
    """The Allied reports of a game, and where the Germans were after each turn."""
    game, reports, truth = War(admiral, seed, **chosen), list[Plain](), dict[int, dict[str, str]]()
    while not game.drive.over:
        reports.append(game.report(BRITISH).plain)
        war = game.drive.state
        truth.setdefault(war.turn - 1, {s.id: s.area for s in war.fleet(GERMAN)})
        game.window()
    return reports, truth


def hidden(row: Row, seed: str) -> Iterator[tuple[Belief, str]]:
    """The beliefs of a game under a row where the Allies were not told, each with the true area."""
    reports, truth = played(row.captain, seed)
    known = {c["id"]: c for report in reports for c in report["contacts"]}
    last = {**reports[-1], "contacts": list(known.values())}  # those that are gone by then, too
    for quarry in SYSTEM.quarries([*reports[:-1], last]):
        quarry.styles = row.of(quarry.styles)
        for belief in beliefs(quarry, seed):
            at = truth.get(belief.turn, {}).get(quarry.id)
            if at and not belief.fix:
                yield belief, at
