"""Whole games in memory by any system's bots, and what was told in them as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.engine.drive import Closing
from pbem.model import Side, System
from pbem.player.reader import read_text
from pbem.reports import render

MOST = 400
"""Windows after which a game is taken to have no end."""


def answers(system: System, report: Mapping[str, Any], random: Random) -> OrderSet:
    """The bot's orders, and to every question with choices one of them at random."""
    said = [
        f"{q['id']}: {random.choice(q['choices'])};" for q in report["questions"] if q["choices"]
    ]
    orders = system.bot(report["side"], dict(report), f"{random.random()}")
    text = f"BEGIN ORDERS\n{orders}\n" + "\n".join(said) + "\nEND ORDERS\n"
    reading = read_text(system, Report.of(report), text)
    assert not reading.diagnostics, reading.diagnostics
    return reading.orders


def any_answers(system: System, scenario: str, options: Mapping[str, str], seed: str) -> set[str]:
    """Play to the end with any answers; every window is audited, every question and event has
    its words. The kinds of question that were asked."""
    random, game = Random(seed), Match(system, scenario, dict(options), seed)
    asked: set[str] = set()
    for _ in range(MOST):
        if game.drive.over:
            break
        reports = {side: game.report(side) for side in game.drive.sides}
        for report in reports.values():
            asked |= {q["kind"] for q in report.plain["questions"]}
            render.questions(system.name, report.plain["questions"])
            render.events(system.name, report.plain["events"])
        sets = {side: answers(system, report.plain, random) for side, report in reports.items()}
        game.closing = game.drive.close(sets, game.dice)
        system.audit(game.drive.state)
    assert game.drive.over
    return asked


def told(system: System, closing: Closing, sides: Sequence[Side]) -> Iterator[str]:
    """What each side was told of a window, a line an event: `G 7.21 Searched F20: why`."""
    for side in sides:
        events = [msgspec.to_builtins(t.event) for t in closing.told if side in t.to]
        words = render.events(system.name, events)
        for event, text in zip(events, words, strict=True):
            why = f": {event['why']}" if event["why"] else ""
            yield f"{side[0].upper()} {event['rule']} {text}{why}"
