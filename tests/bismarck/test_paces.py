"""A game of Bismarck by questions and mail, from its first window to its end, on a schedule that
gives turns and battles a time of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from games.bismarck.board import BRITISH
from games.bismarck.game import SYSTEM
from orders.show import show
from pbem.admin.commands import schedule
from pbem.admin.setup import Choices
from pbem.base.clock import parse, stamp
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.conftest import Clock
from tests.mail.office import Office
from tests.playing import answers
from tests.referee import Referee

OPEN = {"turn": timedelta(days=1), "battle": timedelta(hours=6), "quick": timedelta(hours=1)}
RULE = "every=1d battle=6h quick=1h early=off remind=off"


def lines(report: Mapping[str, Any], random: Random) -> str:
    """What a bot orders, and any answer to what it is asked; no runs."""
    asked = answers(SYSTEM, report, random) if report["questions"] else None
    said = show(asked, SYSTEM.grammar) if asked else ""
    ordered = SYSTEM.bot(report["side"], report, "p")
    return f"{ordered.replace('RUN 2;', '').replace('RUN 3;', '')}\n{said}"


def test_every_window_is_open_as_long_as_its_pace_says(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(
        tmp_path / "home", SYSTEM, Choices(seed="p3", options={"play": "asked"}, dice="seeded")
    )
    with writing(referee.home, referee.name) as game:
        schedule(game, read_rule([RULE]))
    referee.open()
    office, random, paces = Office(referee), Random(3), Counter[str]()
    while not referee.register.over:
        register = referee.register
        opened, due = parse(register.opened_at), parse(register.deadline)
        assert due - opened == OPEN[register.pace], register.window
        paces[register.pace] += 1
        for side in register.sides:
            assert referee.report(side)["deadline"] == register.deadline
            if register.window % 5 or side == BRITISH:  # the German is silent now and then
                office.orders(side, lines(referee.report(side), random))
        if paces[register.pace] < 4:
            clock.set(stamp(due - timedelta(minutes=1)))
            assert office.one().closed == 0
            assert BRITISH in referee.register.sets
        clock.set(stamp(due))
        assert office.one().closed == 1
    assert referee.register.window > 31
    assert paces.keys() == {"turn", "battle"} and min(paces.values()) > 1
    assert referee.audit().whole
