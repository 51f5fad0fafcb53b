"""Whatever a player writes, in whatever window, he gets an answer: an order of any verb, for any of
his units and with any of the names and places that he can think of, stands or is refused."""

from __future__ import annotations

from random import Random

import pytest

import games
from orders.verbs import Verb
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.model import Side, System
from pbem.testing.orders import judged

WINDOWS, ORDERS = 24, 150
"""In so many windows of a game, so many orders of each side."""


def every_game() -> list[tuple[str, str]]:
    """Every system with each of its scenarios."""
    return [(name, s.name) for name in games.SYSTEMS for s in games.load(name).scenarios]


def advanced(system: System) -> dict[str, str]:
    """The options by which a system has the most rules."""
    found = {o.name: o.values[-1] for o in system.options if o.values[:2] == ("no", "yes")}
    return found | {o.name: "advanced" for o in system.options if "advanced" in o.values}


def lines(report: Report, verbs: list[Verb], luck: Random) -> str:
    """Orders of any verbs for any actors: examples with words of others in their places."""
    side = report.side.upper()
    actors = [side, *(str(unit["id"]) for unit in report.plain["units"])]
    words = [word for verb in verbs for word in verb.example.rstrip(";").split()[1:]]
    words += actors
    places = [str(unit["place"]) for unit in report.plain["units"] if unit["place"]]
    places += [str(one["id"]) for one in report.plain.get("contacts", [])]
    found = []
    for _ in range(ORDERS):
        said = luck.choice(verbs).example.rstrip(";").split()[1:]
        for at in range(1, len(said)):
            if luck.random() < 0.3:
                said[at] = luck.choice(places if places and luck.random() < 0.5 else words)
        head = luck.choice(("", "", "", "@"))
        found.append(f"{head}{luck.choice(actors)}: {' '.join(said)};")
    return "\n".join(found)


@pytest.mark.some(3)
@pytest.mark.parametrize(("name", "scenario"), every_game())
def test_every_order_is_answered(name: str, scenario: str, run_seed: int) -> None:
    system = games.load(name)
    luck = Random(f"any order {run_seed} {name} {scenario}")
    verbs = [verb for verb in system.grammar.verbs if verb.example]
    match = Match(system, scenario, options_of(system, advanced(system)), f"{luck.random()}")
    for _ in range(WINDOWS):
        for side in match.drive.sides:
            if match.drive.over:
                return
            report = match.report(Side(side))
            reading = judged(system, report, lines(report, verbs, luck))
            assert len(reading.orders.orders) + len(reading.diagnostics) > ORDERS / 2
        match.window()
