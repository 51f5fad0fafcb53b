"""Soviet submarine captains with habits of their own, for beliefs: whoever looks for them does not
know which of them sail. All but the ways of the submarines is left to the bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

from games.second_fleet.board import SOVIET, ZONE_OF, by_water, norway
from games.second_fleet.game import SYSTEM
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.kit.bots import may
from pbem.model import Plain, Side
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of

Captain = Callable[[Plain, Mapping[str, Any], Random], str]
"""Where a submarine goes: a report, the boat, its own luck of the game."""


@cache
def sea(zones: str) -> tuple[str, ...]:
    """Hexes of these zones that a submarine of the Gap reaches, of all without any."""
    able = by_water("2818")
    return tuple(h for h, zone in ZONE_OF.items() if h in able and zone in (zones.split() or zone))


def lurker(report: Plain, unit: Mapping[str, Any], luck: Random) -> str:
    """Hides in the Greenland Sea or off Svalbard to the end."""
    return luck.choice(sea("GS SV"))


def doubler(report: Plain, unit: Mapping[str, Any], luck: Random) -> str:
    """To and fro between two places, a day each way, whatever is there."""
    ends = luck.sample(sea("NS IC GS BI"), 2)
    return ends[(int(report["turn"]) - 1) // 3 % 2]


def cruiser(report: Plain, unit: Mapping[str, Any], luck: Random) -> str:
    """Somewhere else every day, as some guesses of the beliefs do."""
    return Random(f"{luck.random()} {(report['turn'] - 1) // 3}").choice(sea(""))


def coaster(report: Plain, unit: Mapping[str, Any], luck: Random) -> str:
    """Along the coast of Norway, a day in the north, then in the south, and out to Scotland."""
    coast = [h for h in norway() if h in by_water("2818")]
    middle, turn = len(coast) // 2, int(report["turn"])
    half = coast[:middle] if turn <= 3 else coast[middle:]
    return luck.choice(half if turn <= 6 else sea("BI"))


def waiter(report: Plain, unit: Mapping[str, Any], luck: Random) -> str:
    """Lies where the scenario put her until the second day is half over, then runs for the Atlantic
    by the east of Iceland."""
    waits, out = luck.randint(3, 5), luck.choice(sea("NA BI"))
    return str(unit["place"]) if report["turn"] <= waits else out


CAPTAINS: Mapping[str, Captain | None] = {
    "bot": None,
    "cruiser": cruiser,
    "doubler": doubler,
    "lurker": lurker,
    "coaster": coaster,
    "waiter": waiter,
}
"""The last four are led as no guess of the beliefs is. The waiter was written when the numbers of
the beliefs stood, and they were not changed afterwards; the numbers were chosen with a look at a
few games of the others."""


class Gap(Match):
    """A game of bots in which a captain leads the Soviet submarines."""

    def __init__(self, captain: str, seed: str, scenario: str = "gap", **chosen: str) -> None:
        options = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"} | chosen
        super().__init__(SYSTEM, scenario, options, seed)
        self.captain = CAPTAINS[captain]

    def orders(self, side: Side) -> OrderSet:
        """The bot's, with the captain's moves in place of its own. Raises AssertionError for what a
        player could not send."""
        if side != SOVIET or self.captain is None:
            return super().orders(side)
        report = self.report(side)
        lines = SYSTEM.bot(side, report.plain, f"{self.seed} {self.drive.opens}").splitlines()
        boats = {u["id"]: u for u in report.plain["units"] if u["kind"] == "sub"}
        kept = [line for line in lines if line.partition(":")[0] not in boats]
        if report.plain["board"]["stage"] == "segment":
            able = [id_ for id_ in boats if may(report.menu, id_, "go")]
            for id_, boat in ((id_, boats[id_]) for id_ in able):
                to = self.captain(report.plain, boat, Random(f"{self.seed} {id_}"))
                kept += [f"{id_}: go {to};"] if to != boat["place"] else []
        text = block_of(header_of(report, 0), "\n".join(kept) + "\n")
        reading = read_text(SYSTEM, report, text, self.seed)
        assert not reading.diagnostics, reading.diagnostics
        return reading.orders
