"""Section 9: how many windows a day has, counted in games, and for whom they wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from games.second_fleet.game import SYSTEM
from pbem.bots.bot_orders import Match


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
