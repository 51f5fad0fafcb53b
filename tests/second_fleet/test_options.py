"""Options that do not go together are refused when a game is made."""

from __future__ import annotations

import pytest

from games.second_fleet import setup
from games.second_fleet.game import SYSTEM

USUAL = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}


@pytest.mark.parametrize("option", ["deep", "logistics"])
def test_rules_of_the_advanced_level_need_it(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option}=yes needs level=advanced"):
        setup.begin("gap", {**USUAL, option: "yes"}, {})
    war = setup.begin("gap", {**USUAL, option: "yes", "level": "advanced"}, {})
    assert war.on(option)


def test_the_campaign_needs_the_advanced_level() -> None:
    with pytest.raises(ValueError, match="campaign needs the advanced level"):
        setup.begin("banner", {**USUAL, "level": "basic"}, {})


def test_the_default_set_up_holds_all_of_the_start_boxes() -> None:
    war = setup.begin("banner", USUAL, {})
    assert (war.turn, war.stage) == (0, "set-up")
    assert [war.arrivals[side].waiting for side in war.arrivals] == [[], []]
    assert {"CRSEA", "SCOTT", "HAWES", "KIEV", "FRNZE"} <= war.vessels.keys()
    assert "RSVLT" not in war.vessels
    assert war.squadrons["USF18E"].base == "CRSEA"
    SYSTEM.audit(war)
