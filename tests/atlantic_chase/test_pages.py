"""What a player meets in his report: a short form, what he has sealed and what holds without it."""

from __future__ import annotations

import pytest

from games.atlantic_chase.board import BRITISH, GERMAN, SIDES
from games.atlantic_chase.game import SYSTEM
from pbem.bots.bot_orders import Match
from pbem.model import Plain, Side
from pbem.reports import render
from tests.atlantic_chase.casebook import OPTIONS

OPERATIONS = [s.name for s in SYSTEM.scenarios if s.turns > 1]
FORM = 3900
"""Bytes of a form, an eighth of them its header."""


def report(scenario: str, side: Side) -> Plain:
    """The first report of a side."""
    return Match(SYSTEM, scenario, OPTIONS | {"play": "plotted"}, "pages").report(side).plain


def usual(text: str) -> list[str]:
    """The verbs for which the report says what happens without a standing order."""
    _, _, after = text.partition("\nWITHOUT A STANDING ORDER\n")
    table, _, _ = after.partition("\n\n")
    rows = [line.split(" ")[0] for line in table.splitlines()[2:]]
    return [verb for verb in rows if verb]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", OPERATIONS)
def test_a_form_is_short_and_every_actor_is_in_it(scenario: str, side: Side) -> None:
    told = report(scenario, side)
    form = render.form(told)
    assert len(form) < FORM
    assert f"{side.upper()}: signals" in " ".join(form.split())


def test_a_report_says_what_is_sealed_and_what_holds_without_it() -> None:
    """7.5 Standing orders are seen by their side alone; a default is no secret to it either."""
    told = report("rheinuebung", BRITISH)
    before = usual(render.text(told))
    assert {"seize", "spend", "support", "slip", "lapse", "exit", "use"} <= {*before}
    lines = ["@BRITISH: seize at least 30;", "@TF6: if tally over 1 then lapse toward H13;"]
    sealed = {**told, "standing": lines}
    after = render.text(sealed)
    assert usual(after) == [verb for verb in before if verb not in ("seize", "lapse")]
    assert "  @BRITISH: seize at least 30;" in after


def test_r254_a_report_says_what_leaders_can_do() -> None:
    text = render.text(report("rheinuebung", GERMAN))
    _, _, leaders = text.partition("\nLEADERS\n")
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in leaders.splitlines()[2:7]}
    assert rows["Luetjens"] == "KG1 seizes Initiative without dice, once"
    assert rows["Raeder"] == "ashore makes a Pass an All Pass, twice"
    assert rows["Tovey"] == "TF1 shifts the Trajectory Total by two dice, once"


@pytest.mark.parametrize("side", SIDES)
def test_a_single_battle_offers_doctrine_alone(side: Side) -> None:
    told = report("denmark_strait", side)
    assert usual(render.text(told)) == ["target", "exit"]
    assert [fact["name"] for fact in told["board"]["facts"]] == ["Initiative", "Weather"]
