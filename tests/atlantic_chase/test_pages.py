"""What a player meets in his report: a short form, what he has sealed and what holds without it."""

from __future__ import annotations

from typing import Any

import pytest

from games.atlantic_chase.board import BRITISH, GERMAN, SIDES
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import War
from pbem.bots.bot_orders import Match
from pbem.model import Plain, Side
from pbem.reports import render, wording
from tests.atlantic_chase.casebook import OPTIONS

OPERATIONS = [s.name for s in SYSTEM.scenarios if s.turns > 1]
FORM, LATER = 3900, 2750
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
    assert usual(render.text(told)) == ["stance", "target", "torpedo", "smoke", "exit"]
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


def fought() -> dict[str, Any]:
    """A report after a Battle: Hood takes a Hit and is sunk, the Germans break away."""
    told = dict(report("rheinuebung", BRITISH))
    zones = {"HOOD": "far", "BISMARCK": "near"}
    began = {"active": "TF2", "target": "KG1", "at": "K08", "how": "battle", "rounds": 3}
    began |= {"name": "Hood", "target_name": "Bismarck"}
    fire = {"ship": "HOOD", "target": "BISMARCK", "range": "long", "hits": 1, "result": ""}
    events: list[tuple[str, Plain]] = [
        ("BattleBegan", began),
        ("RoundBegan", {"round": 1, "zones": zones}),
        ("Fired", fire),
        ("ShipHit", {"ship": "BISMARCK", "hits": 1, "state": "afloat"}),
        ("ShipHit", {"ship": "HOOD", "hits": 2, "state": "sunk"}),
        ("BrokeAway", {"side": "german", "away": True}),
        ("BattleEnded", {"at": "K08", "rounds": 1}),
    ]
    plain = [{"kind": kind, "rule": "R187", "why": "", **fields} for kind, fields in events]
    texts = wording.events("atlantic_chase", plain)
    told["events"] = [{**e, "text": t} for e, t in zip(plain, texts, strict=True)]
    for unit in (*told["units"], *told["contacts"]):
        if unit["id"] == "BISMARCK":
            unit["piece"]["hits"] = 2
    told["units"] = [unit for unit in told["units"] if unit["id"] != "HOOD"]
    told["seed"] = {"window": 1}
    return told


def test_a_report_of_a_battle_begins_with_how_each_ship_came_out_of_it() -> None:
    """The gravest loss is the first line, though a lesser Hit came before it."""
    told = fought()
    text = render.text(told)
    head, _, rest = text.partition("\nWHAT ELSE HAPPENED\n")
    assert "Hood takes two Hits and is sunk.\n" in head
    assert "OUTCOME OF THE BATTLE IN K08, AFTER ONE ROUND\nThe Germans break away.\n" in head
    rows = [line.split("  ") for line in head.splitlines() if line.startswith(("Hood  ", "Bism"))]
    assert [[cell.strip() for cell in row if cell] for row in rows] == [
        ["Hood", "2", "sunk"],
        ["Bismarck", "1", "2 Hits in all"],
    ]
    assert "Hood fires at Bismarck at long range and hits once." in rest
    assert "Outcome of the Battle in K08, after one round" in render.html(told)


def test_texts_name_task_forces_in_full() -> None:
    text = " ".join(render.text(fought()).split())
    assert "Battle in K08: Hood (TF2) against Bismarck (KG1), three rounds at most." in text
    match = Match(SYSTEM, "rheinuebung", OPTIONS, "pages")
    war = match.drive.state
    assert isinstance(war, War)
    assert war.called("TF2") == "Hood and Prince of Wales"
    assert war.called("TF1") == "King George V and 3 more"
    assert war.called("HATSTON") == ""


def test_a_battle_under_way_counts_the_rounds_that_were_fought() -> None:
    """With a window for each round the next has begun when the report is written."""
    told = fought()
    again = {"round": 2, "zones": {"HOOD": "far", "BISMARCK": "near"}, "rule": "R189", "why": ""}
    again |= {"kind": "RoundBegan", "text": "Round 2"}
    told["events"] = [*told["events"][:5], again]
    told["board"] = {**told["board"], "facts": [{"name": "Battle", "value": "TF2 and KG1 in K08"}]}
    assert "THE BATTLE IN K08, ONE ROUND FOUGHT" in render.text(told)
    told["events"] = [told["events"][0], told["events"][1]]
    assert "FOUGHT" not in render.text(told)


def test_r181_a_report_says_how_many_hits_ships_bear() -> None:
    text = render.text(report("rheinuebung", GERMAN))
    rows = {line[7:24].strip(): line.split() for line in text.splitlines() if line[3:5] == "  "}
    assert rows["Bismarck"][-3:] == ["4/2", "2/4", "medium"]
    assert rows["Convoy 1"][-4:] == ["-2/na", "4", "very", "slow"]
    assert rows["Tanker 1"][-3:] == ["1", "very", "slow"]
