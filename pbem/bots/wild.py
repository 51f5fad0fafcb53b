"""Players who order anything: they come where bots, which play sensibly, never come.

They write orders at random from what their report offers, beside orders of the plain bot, and send
what the checks of mail accept. So rules that a legal order brings to a stop are found before a
player finds them. They stand with the bots, below `pbem.lint` and `pbem.testing`, which both play
with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

import msgspec
from msgspec import Struct

from orders.model import OrderSet
from pbem.admin.setup import begin, options_of
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.bots.random_orders import Writer
from pbem.engine.position import Position, encode
from pbem.engine.quick import Quick
from pbem.errors import Usage
from pbem.model import Side, System
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of
from pbem.reports import render, wording
from pbem.reports.report import Words

OFTEN = 5
"""Every so many windows reports are written out, and the position is stored and taken up again."""
SHARES = (0.1, 0.4, 0.8)
"""How much of what a player orders is at random: one keeps to it for a game."""
SILENT = 0.1
"""How often a side sends nothing."""
WORDS = Words(wording.events, wording.questions)


class Wild(Struct):
    """What became of a game of players who order anything."""

    result: str = ""
    """Who won, `draw`, or empty if it was not over."""
    windows: int = 0
    accepted: int = 0
    """Orders that the checks of mail accepted,"""
    refused: int = 0
    """and those they refused."""
    verbs: Counter[str] = msgspec.field(default_factory=Counter)
    """How often each verb was accepted."""


class Anything:
    """A player who orders anything; a `pbem.bots.bot_orders.Player`."""

    explained = ""

    def __init__(self, system: System, seed: str, noted: Wild) -> None:
        self.system, self.luck, self.noted = system, Random(seed), noted
        self.share = self.luck.choice(SHARES)

    def orders(self, report: Report) -> OrderSet:
        """Orders at random, those that a mailed set could contain."""
        if self.luck.random() < SILENT:
            return OrderSet()
        own = Writer(report.plain, self.system.grammar, self.luck).lines(self.share)
        block = block_of(header_of(report, 0), "\n".join([*self._sensible(report), *own]))
        reading = read_text(self.system, report, block)
        self.noted.refused += len(reading.diagnostics)
        if reading.refusals:
            return OrderSet()
        self.noted.accepted += len(reading.orders.orders) + len(reading.orders.answers)
        self.noted.verbs.update(a.verb for o in reading.orders.orders for a in o.actions)
        return reading.orders

    def _sensible(self, report: Report) -> Iterator[str]:
        """A part of what the plain bot orders."""
        lines = self.system.bot(Side(report.side), report.plain, f"{self.luck.random()}")
        return (line for line in lines.splitlines() if self.luck.random() > self.share)


class WildGame:
    """A game of players who order anything."""

    def __init__(
        self, system: System, scenario: str, options: Mapping[str, str], seed: str
    ) -> None:
        self.noted, self.options = Wild(), options_of(system, options)
        sides = next(s.sides for s in system.scenarios if s.name == scenario)
        players = {side: Anything(system, f"{seed} {side}", self.noted) for side in sides}
        self.match = Match(system, scenario, self.options, seed, players=players)

    def window(self) -> bool:
        """Play one window; return whether the game goes on.

        Raises what rules, views, templates and `System.audit` raise, RulesFault among them, and
        AssertionError if a stored position is not taken up as it was.
        """
        self.noted.windows += 1
        self.match.window()
        drive = self.match.drive
        self.match.system.audit(drive.state)
        if self.noted.windows % OFTEN == 0 or drive.over:
            self._require_sound()
        self.noted.result = drive.over.result if drive.over else ""
        return drive.over is None

    def _require_sound(self) -> None:
        """Every side's report can be written, and the stored position goes on from where it was."""
        match, drive = self.match, self.match.drive
        for side in drive.sides:
            report = match.report(side, WORDS)
            render.text(report.plain)
            render.html(report.plain)
        stored = msgspec.json.encode(drive.position())
        position = msgspec.json.decode(stored, type=Position)
        again = Quick.resume(match.system, drive.sides, self.options, position)
        assert encode(again.state) == encode(drive.state), "a stored position is taken up otherwise"


def any_options(system: System, scenario: str, luck: Random) -> dict[str, str]:
    """Options at random that go together; the usual ones if none are found."""
    for _ in range(100):
        drawn = {option.name: luck.choice(option.values) for option in system.options}
        chosen = drawn | {"play": luck.choice(("plotted", "asked"))}
        try:
            begin(system, scenario, options_of(system, chosen), {})
        except Usage:
            continue
        return chosen
    return {}
