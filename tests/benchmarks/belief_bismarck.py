"""Captains of the Bismarck, and the British fleet, for `tests.benchmarks.belief`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from games.bismarck.board import GERMAN
from games.bismarck.game import SYSTEM
from pbem.belief.filter import Belief, beliefs, latest
from pbem.model import Plain
from tests.benchmarks.belief import Row
from tests.bismarck.captains import hunt

FLEET = "British fleet"
"""The bot's ships, which the Germans look for."""
ROWS = (
    Row("circler", ()),
    Row("lurker", ()),
    Row("doubler", ()),
    Row("bot", (), "plan"),
    Row("rover", (), "rover"),
    Row("bot", ()),
    Row("rover", ()),
    Row("bot", ("plan",)),
    Row("rover", ("rover",)),
    Row(FLEET, ()),
)
"""Wrong models first."""
WRONG = 5
Played = tuple[list[Plain], dict[int, str]]


@lru_cache(maxsize=4)
def played(captain: str, seed: str) -> Played:
    """The British reports of a game, and where she was after each turn."""
    game, reports, truth = hunt(captain, seed), list[Plain](), dict[int, str]()
    while not game.drive.over:
        reports.append(game.report())
        war = game.drive.state
        truth[war.turn - 1] = war.ships["BISMARCK"].zone
        game.window()
    return reports, truth


def hidden(row: Row, seed: str) -> Iterator[tuple[Belief, str]]:
    """The beliefs of a game under a row where the side was not told, each with the true zone."""
    if row.captain == FLEET:
        yield from lost_contacts(seed)
        return
    reports, truth = played(row.captain, seed)
    quarry = next(q for q in SYSTEM.quarries(reports) if q.id == "BISMARCK")
    quarry.styles = row.of(quarry.styles)
    for belief in beliefs(quarry, seed):
        if not belief.fix:
            yield belief, truth[belief.turn]


def lost_contacts(seed: str) -> Iterator[tuple[Belief, str]]:
    """German beliefs about British ships that were not seen for one, three and five turns."""
    game, reports = hunt("bot", seed), list[Plain]()
    while not game.drive.over:
        reports.append(game.report(GERMAN))
        ages = {c["id"]: c["age"] for c in reports[-1]["contacts"]}
        war = game.drive.state
        for quarry in SYSTEM.quarries(reports) if {*ages.values()} & {2, 4, 6} else ():
            ship = war.ships[war.tracks[GERMAN][quarry.id]]
            if ages[quarry.id] in (2, 4, 6) and ship.zone and not ship.sunk:
                yield latest(quarry, seed), ship.zone
        game.window()
