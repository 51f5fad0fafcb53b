"""German admirals with habits of their own, for beliefs: whoever looks for their ships does not
know which of them commands. All but the moves of the raiders is left to the bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from games.far_seas import board
from games.far_seas.board import GERMAN
from games.far_seas.game import SYSTEM
from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.kit.bots import may, values
from pbem.model import Plain, Side
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of

Unit = Mapping[str, Any]
Admiral = Callable[[Plain, Unit, Sequence[str], Random], str]
"""Where a ship goes: a report, the ship, the areas it may be ordered to, its own luck of the game.
"""


@cache
def moves(goal: str) -> Mapping[str, int]:
    return board.distances(goal, GERMAN)


def towards(able: Sequence[str], goal: str) -> str:
    return min(able, key=lambda a: (moves(goal).get(a, 99), int(a)))


def hermit(report: Plain, unit: Unit, able: Sequence[str], luck: Random) -> str:
    """Keeps to the emptiest areas: where no merchants sail and no enemy is."""
    held = report["board"]["merchants"]
    near = [c["place"] for c in report["contacts"]]
    draws = Random(f"{luck.random()} {report['turn']}")
    return min(able, key=lambda a: (held.get(a, 0) + 2 * near.count(a), draws.random()))


def homer(report: Plain, unit: Unit, able: Sequence[str], luck: Random) -> str:
    """Sails home round one cape or the other, whatever is on the way, and waits before the last
    leg."""
    by = luck.choice(("32", "14"))
    goal = "4" if unit["place"] in board.ATLANTIC else by
    return towards(able, goal)


def shuttle(report: Plain, unit: Unit, able: Sequence[str], luck: Random) -> str:
    """Sails to and fro between two areas of one ocean, whatever is there."""
    ocean = board.ATLANTIC if unit["place"] in board.ATLANTIC else board.PACIFIC
    ends = luck.sample(sorted(ocean, key=int), 2)
    return towards(able, ends[report["turn"] // 3 % 2])


def circler(report: Plain, unit: Unit, able: Sequence[str], luck: Random) -> str:
    """Round the world, eastwards or westwards, by one ring of areas."""
    ring = ["15", "14", "31", "28", "27", "22", "18", "17", "32"]
    if luck.random() < 0.5:
        ring.reverse()
    here = unit["place"]
    near = min(ring, key=lambda a: (moves(a).get(here, 99), a))
    goal = ring[(ring.index(here) + 1) % len(ring)] if here in ring else near
    return towards(able, goal)


def coaler(report: Plain, unit: Unit, able: Sequence[str], luck: Random) -> str:
    """From one area with neutral ports to another, and stays two turns in each: to coal, and to
    take what comes by."""
    ocean = board.ATLANTIC if unit["place"] in board.ATLANTIC else board.PACIFIC
    ports = [a for a in sorted(ocean, key=int) if board.AREAS[a].ports]
    luck.shuffle(ports)
    return towards(able, ports[report["turn"] // 4 % len(ports)])


def rover(report: Plain, unit: Unit, able: Sequence[str], luck: Random) -> str:
    """On passage, as some guesses of the beliefs are: to a new area every third turn."""
    draws = Random(f"{luck.random()} {report['turn'] // 3}")
    return towards(able, draws.choice(report["board"]["areas"] or board.SEA))


ADMIRALS: Mapping[str, Admiral | None] = {
    "bot": None,
    "rover": rover,
    "shuttle": shuttle,
    "homer": homer,
    "hermit": hermit,
    "circler": circler,
    "coaler": coaler,
}
"""The last five are led as no guess of the beliefs is. The coaler was written when the numbers of
the beliefs stood, and they were not changed afterwards; the numbers were chosen with a look at a
few games of the others."""
QUIET = ("hermit", "circler")
"""These take no merchants, so that nothing is missed where they are."""


class War(Match):
    """A game of bots in which an admiral leads the raiders."""

    def __init__(self, admiral: str, seed: str, scenario: str = "war", **chosen: str) -> None:
        options = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"} | chosen
        super().__init__(SYSTEM, scenario, options, seed)
        self.quiet, self.admiral = admiral in QUIET, ADMIRALS[admiral]

    def orders(self, side: Side) -> OrderSet:
        """The bot's, with the admiral's moves in place of its own. Raises AssertionError for what a
        player could not send."""
        if side != GERMAN or self.admiral is None:
            return super().orders(side)
        report = self.report(side)
        lines = (
            SYSTEM.bot(side, report.plain, f"{self.seed} {self.drive.opens}") or ""
        ).splitlines()
        ids = {unit["id"] for unit in report.plain["units"]}
        kept = [line for line in lines if line.partition(":")[0] not in ids]
        text = block_of(header_of(report, 0), "\n".join([*kept, *self.led(report)]) + "\n")
        reading = read_text(SYSTEM, report, text, self.seed)
        assert not reading.diagnostics, reading.diagnostics
        return reading.orders

    def led(self, report: Report) -> list[str]:
        """The admiral's moves, as order lines."""
        assert self.admiral
        found = ["GERMAN: capture none;"] if self.quiet else []
        for unit in report.plain["units"]:
            if not may(report.menu, unit["id"], "cruise"):
                continue
            able = values(report.menu, unit["id"], "move", "area")
            near = board.neighbours(unit["place"], GERMAN)
            seas = [a for a in able if a in near and a in board.SEA] + [unit["place"]]
            luck = Random(f"{self.seed} {unit['id']}")
            to = self.admiral(report.plain, unit, sorted(seas, key=int), luck)
            stays = to == unit["place"]
            found.append(f"{unit['id']}: {'cruise' if stays else f'move {to}'};")
        return found
