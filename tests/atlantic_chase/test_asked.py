"""Games whose decisions go by mail: every answer that a question offers can be sent."""

from __future__ import annotations

from random import Random

import pytest

from games.atlantic_chase.game import SYSTEM
from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.model import Side
from pbem.player.reader import read_text
from tests.atlantic_chase.casebook import OPTIONS

ASKED = OPTIONS | {"play": "asked", "mail": "full"}
MOST = 8
"""So many answers of a question are tried."""


class Asked(Match):
    """A match of bots that answer each question at random, and count the kinds of question."""

    def __init__(self, scenario: str, seed: str) -> None:
        super().__init__(SYSTEM, scenario, ASKED, seed)
        self.random, self.kinds = Random(seed), set[str]()

    def orders(self, side: Side) -> OrderSet:
        """The bot's set with an answer drawn for each question; each offered answer is sent alone
        first."""
        report = self.report(side)
        drawn = []
        for q in report.plain["questions"]:
            self.kinds.add(q["kind"])
            offered = self.random.sample(q["choices"], min(MOST, len(q["choices"])))
            for choice in offered:
                understood(report, q["id"], choice)
            drawn.append(f"{q['id']}: {offered[0]};")
        bot = SYSTEM.bot(side, report.plain, f"luck {report.window}")
        lines = "" if drawn else bot
        reading = read_text(
            SYSTEM, report, f"BEGIN ORDERS\n{lines}\n{' '.join(drawn)}\nEND ORDERS\n"
        )
        assert not reading.diagnostics, reading.diagnostics
        return reading.orders


def understood(report: Report, question: str, choice: str) -> None:
    """An answer is read as the choice that it names."""
    reading = read_text(SYSTEM, report, f"BEGIN ORDERS\n{question}: {choice};\nEND ORDERS\n")
    assert not reading.diagnostics, (choice, reading.diagnostics)
    said = reading.orders.answers[question]
    assert (" ".join(said) if isinstance(said, list) else said) == choice


@pytest.mark.parametrize("scenario", ["rheinuebung", "cerberus"])
def test_every_answer_that_is_offered_can_be_sent(scenario: str) -> None:
    match = Asked(scenario, "a")
    for _ in range(60):
        if match.drive.over is None:
            match.window()
    assert {"LapseTo", "SeizeOr"} <= match.kinds, match.kinds
