"""A report reads the same from what the rules made and from report.json, whose keys are sorted."""

from __future__ import annotations

import json

import pytest

import games
from pbem.admin.setup import options_of
from pbem.base.hashing import canonical_json
from pbem.bots.bot_orders import Match
from pbem.reports import render, wording
from pbem.reports.report import Words

WORDS = Words(wording.events, wording.questions)
SETTINGS = [
    (name, scenario.name) for name in games.SYSTEMS for scenario in games.load(name).scenarios
]


@pytest.mark.some(6)
@pytest.mark.parametrize(("name", "scenario"), SETTINGS)
def test_a_stored_report_reads_as_it_was_mailed(name: str, scenario: str) -> None:
    """And bots order the same from either."""
    system = games.load(name)
    options = {} if name == "toy" else {"play": "asked"}
    match = Match(system, scenario, options_of(system, options), "keys")
    for _ in range(6):
        for side in match.drive.sides:
            made = match.report(side, WORDS).plain
            stored = json.loads(canonical_json(made))
            assert render.text(made) == render.text(stored)
            assert render.html(made) == render.html(stored)
            assert system.bot(side, made, "keys 1") == system.bot(side, stored, "keys 1")
        if match.drive.over:
            break
        match.window()
