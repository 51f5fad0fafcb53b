"""Play whole games in memory with the bots of any system, and show their events as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match, order_set
from pbem.crypto.sshsig import PrivateKey
from pbem.dice.chains import DiceChains
from pbem.engine.runner import Closing
from pbem.model import Side, System
from pbem.player.reader import read_text
from pbem.player.sign import signed
from pbem.reports import wording
from pbem.testing.orders import require

MOST = 400
"""Most windows that a game may have; one that is longer counts as endless."""


def answers(system: System, report: Mapping[str, Any], random: Random) -> OrderSet:
    """The bot's orders, and a random answer to every question that lists its answers."""
    said = [
        f"{q['id']}: {random.choice(q['choices'])};" for q in report["questions"] if q["choices"]
    ]
    orders = system.bot(report["side"], dict(report), f"{random.random()}")
    text = f"BEGIN ORDERS\n{orders}\n" + "\n".join(said) + "\nEND ORDERS\n"
    reading = read_text(system, Report.of(report), text)
    require(reading, text)
    return reading.orders


def any_answers(system: System, scenario: str, options: Mapping[str, str], seed: str) -> set[str]:
    """Play a game to its end with random answers; return the kinds of question that were asked.

    After every window the state passes the system's own audit, and every question and event of
    the reports is rendered.
    """
    random, game = Random(seed), Match(system, scenario, dict(options), seed)
    asked: set[str] = set()
    for _ in range(MOST):
        if game.drive.over:
            break
        reports = {side: game.report(side) for side in game.drive.sides}
        for report in reports.values():
            asked |= {q["kind"] for q in report.plain["questions"]}
            wording.questions(system.name, report.plain["questions"])
            wording.events(system.name, report.plain["events"])
        sets = {side: answers(system, report.plain, random) for side, report in reports.items()}
        game.closing = game.drive.close(sets, game.dice)
        system.audit(game.drive.state)
    assert game.drive.over
    return asked


def told(system: System, closing: Closing, sides: Sequence[Side]) -> Iterator[str]:
    """The events of a window, one line for each side that was told: `G 7.21 Searched F20: why`."""
    for side in sides:
        events = [msgspec.to_builtins(t.event) for t in closing.told if side in t.to]
        words = wording.events(system.name, events)
        for event, text in zip(events, words, strict=True):
            why = f": {event['why']}" if event["why"] else ""
            yield f"{side[0].upper()} {event['rule']} {text}{why}"


def order_file(system: System, report: Report, key: PrivateKey, luck: str, seq: int) -> str:
    """Return the signed order file of the system's bot.

    luck: seed of the bot's own choices, its last word that of the window. seq: the set's sequence
    number.
    """
    return signed(system, report, order_set(system, report, luck), DiceChains(key), seq)
