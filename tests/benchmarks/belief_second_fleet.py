"""Captains of 2nd Fleet, for `tests.benchmarks.belief`: where all enemy units are that float."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from games.second_fleet import belief
from games.second_fleet.board import NATO, OTHER, SIDES, SOVIET
from games.second_fleet.game import SYSTEM
from pbem.belief.filter import Belief, beliefs, latest
from pbem.model import Plain, Side
from tests.benchmarks.belief import Row
from tests.second_fleet.captains import Gap

FLEETS = {
    "NATO fleet, Gap": ("gap", SOVIET),
    "Soviet fleet, Lifeline": ("lifeline", NATO),
    "NATO fleet, Lifeline": ("lifeline", SOVIET),
}
"""The bot's units, with the scenario and the side that looks for them; else NATO looks for Soviet
submarines in the Gap."""
CONTACTS = "lost contacts, Lifeline"
"""What NATO and the Soviets look for where no set-up is known, from games of bots: contacts whose
marker was gone for two turns or three."""
ROWS = (
    Row("waiter", ()),
    Row("coaster", ()),
    Row("lurker", ()),
    Row("doubler", ()),
    Row("bot", ("cruise", "post")),
    Row("cruiser", ("goal", "post")),
    Row("bot", ()),
    Row("cruiser", ()),
    *(Row(fleet, ()) for fleet in FLEETS),
    Row(CONTACTS, ()),
)
"""Wrong models first."""
WRONG = 6
Played = tuple[list[Plain], dict[int, dict[str, str]]]


@lru_cache(maxsize=4)
def played(captain: str, seed: str, scenario: str = "gap", side: Side = NATO) -> Played:
    """A side's reports of a game, and where the enemy was after each turn."""
    game, truth = Gap(captain, seed, scenario), dict[int, dict[str, str]]()
    reports = list[Plain]()
    while not game.drive.over:
        reports.append(game.report(side).plain)
        war = game.drive.state
        truth.setdefault(war.turn - 1, {v.key: v.hex for v in war.afloat(OTHER[side])})
        game.window()
    return reports, truth


def hidden(row: Row, seed: str) -> Iterator[tuple[Belief, str]]:
    """The beliefs of a game where the side was not told, each with the true hex."""
    if row.captain == CONTACTS:
        for looks in SIDES:
            yield from lost_contacts(seed, looks)
        return
    scenario, side = FLEETS.get(row.captain, ("gap", NATO))
    captain = "bot" if row.captain in FLEETS else row.captain
    reports, truth = played(captain, seed, scenario, side)
    for quarry in SYSTEM.quarries([silent(report) for report in reports]):
        quarry.styles = row.of(quarry.styles)
        for one in beliefs(quarry, seed):
            at = truth.get(one.turn, {}).get(quarry.id)
            if at and not one.fix:
                yield one, at


def lost_contacts(seed: str, side: Side) -> Iterator[tuple[Belief, str]]:
    """Beliefs about contacts whose marker was gone for two turns or three, as a turn begins, each
    with the true hex of what it stood for."""
    game, reports, turn = Gap("bot", seed, "lifeline"), list[Plain](), 1
    while not game.drive.over:
        reports.append(game.report(side).plain)
        war = game.drive.state
        if war.turn > turn:
            turn = war.turn
            ages = {c["id"]: c["age"] for c in reports[-1]["contacts"]}
            for quarry in belief.contacts(reports):
                here = war.members(war.called[side].stands_for.get(quarry.id, ""))
                if ages[quarry.id] > 1 and here and not here[0].sunk:
                    yield latest(quarry, seed), here[0].hex
        game.window()


def silent(report: Plain) -> Plain:
    """Without what was sunk, so that units count until then, too."""
    return {**report, "events": [e for e in report["events"] if e["kind"] != "Sunk"]}
