"""Section 9: how many windows a day has, counted in games, and for whom they wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from games.second_fleet.game import SYSTEM
from pbem.bots.bot_orders import Match
from tests.referee import Referee
from tests.second_fleet.casebook import position


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({"windows": "turn"}, (2, 1, 1)),
        ({}, (4, 3, 3)),
        ({"windows": "halves"}, (8, 7, 7)),
        ({"play": "asked"}, (8, 7, 7)),
    ],
)
def test_windows_a_day(options: Mapping[str, str], counts: tuple[int, int, int]) -> None:
    match = Match(SYSTEM, "gap", dict(options), "windows")
    found: Counter[str] = Counter()
    while (report := match.report(match.drive.sides[0])).turn <= 3:
        found[report.plain["board"]["part"]] += 1
        match.window()
    assert (found["AM"], found["PM"], found["Night"]) == counts


def test_a_half_waits_for_the_side_whose_half_it_is() -> None:
    match = Match(SYSTEM, "gap", {"play": "asked"}, "windows")
    owed, first = [], []
    for _ in range(8):
        assert match.drive.pause is not None
        owed.append(tuple(match.drive.pause.owed))
        first.append(match.drive.state.first)
        match.window()
    assert owed[:2] == [(), ("soviet",)]
    assert owed[2] == (("nato",) if first[2] == "nato" else ())  # NATO assigns its patrols
    assert [len(who) for who in owed[3:]] == [1] * 5
    assert all(owed[n] == (first[n],) and owed[n + 1] != owed[n] for n in (4, 6))


def test_with_fog_open_the_campaign_begins_with_all_that_stands_on_the_map() -> None:
    """Many ships of a port look alike: more than a shuffle takes."""
    match = Match(SYSTEM, "banner", {"fog": "open"}, "open")
    match.window()
    war = match.drive.state
    for side in match.drive.sides:
        foes = [key for other in match.drive.sides if other != side for key in war.keys(other)]
        assert len(foes) > 20 and {*war.held[side]} == {*foes}
        assert len(match.report(side).plain["contacts"]) == len(foes)


def test_what_is_done_is_not_listed_as_ordered_earlier_in_the_turn(tmp_path: Path) -> None:
    """Who has been activated, flies, or has changed groups; settings and what waits are."""
    ships = {"HAWES": "2931", "SCYLA": "2931", "GATO": "2540", "LNSKY": "1040"}
    air = {"USF15A": "1831", "USF15B": "1831", "USP3A": "1831", "USP3B": "1831"}
    war = position({"turn": 1, "ships": ships, "air": air})
    referee = Referee.opened(tmp_path, SYSTEM, "seeded", war)
    referee.turn(nato="USP3B: recon ic; NATO: losses weakest;")
    assert referee.report("nato")["this_turn"] == ["NATO: losses weakest;"]
    said = "NATO: segment surf sub air; NATO: form TANGO with HAWES, SCYLA; TANGO: go 2929;"
    more = "GATO: go 2538; USF15A: cap; USP3A: transfer 3733; NATO: array cv;"
    referee.turn(nato=f"{said} {more}")
    waits = {"NATO: segment surf sub air;", "NATO: array cv;", "USP3A: transfer 3733;"}
    waits |= {"NATO: losses weakest;"}
    assert {*referee.report("nato")["this_turn"]} == {*waits, "GATO: go 2538;"}
    receipt = referee.order("nato", "@NATO: array cv;").receipt
    assert {*receipt["this_turn"]} == {*waits, "GATO: go 2538;"}
    referee.run(force=True)
    assert {*referee.report("nato")["this_turn"]} == waits
