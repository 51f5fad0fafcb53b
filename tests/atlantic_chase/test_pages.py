"""What a player meets in his report: a short form, what he has sealed and what holds without it."""

from __future__ import annotations

import pytest

from games.atlantic_chase.board import BRITISH, GERMAN, SIDES
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import War
from pbem.bots.bot_orders import Match
from pbem.model import Plain, Side
from pbem.reports import render
from tests.atlantic_chase.casebook import OPTIONS

OPERATIONS = [s.name for s in SYSTEM.scenarios if s.turns > 1]
FORM, LATER = 3900, 3200
"""Bytes of a form, an eighth of them its header: of a side's first mail, and of later ones."""


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
    assert "seize (always|never) (at least LEAST)" in form and form.count("TARGET: ") == 1
    later = render.form({**told, "standing": [f"@{side.upper()}: seize at least 30;"]})
    assert len(later) < LATER and f"{side.upper()}: seize, evade" in later


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


def test_the_map_in_characters_can_be_read_hex_by_hex() -> None:
    """Each row names its first and last hex, and ports and airbases are listed with theirs."""
    text = render.text(report("rheinuebung", BRITISH))
    _, _, chart = text.partition("\nCHART ")
    rows = [line.split() for line in chart.splitlines()[3:19]]
    assert rows[3][0] == "M08" and rows[3][-1] == "M11" and len(rows) == 16
    for first, *hexes, last in rows:
        assert first[0] == last[0] and len(hexes) <= int(last[1:]) - int(first[1:]) + 1
    listed = " ".join(chart.split())
    assert "Clyde H13" in listed and "Africa A14/A15" in listed and "Merignac F15" in listed
    assert max(map(len, text.splitlines())) <= 72


@pytest.mark.parametrize("side", SIDES)
def test_a_single_battle_offers_doctrine_alone(side: Side) -> None:
    told = report("denmark_strait", side)
    assert usual(render.text(told)) == ["target", "exit"]
    assert [fact["name"] for fact in told["board"]["facts"]] == ["Initiative", "Weather"]


def test_8_3_a_report_says_what_effects_a_ship_is_under() -> None:
    match = Match(SYSTEM, "rheinuebung", OPTIONS | {"advanced": "on"}, "pages")
    war = match.drive.state
    assert isinstance(war, War)
    war.ships["BISMARCK"].effects = ["rudder", "oil"]
    for side in SIDES:
        text = " ".join(render.text(match.report(side).plain).split())
        assert "Bismarck KG1 rudder, oil" in text


def test_r254_a_leader_does_nothing_without_an_order() -> None:
    for side in SIDES:
        assert "use no leader uses his power" in " ".join(
            render.text(report("berlin", side)).split()
        )
