"""What a receipt says of the set that a new one of the same window replaces: nothing that it leaves
out is lost in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.far_seas.game import SYSTEM
from pbem.admin.setup import Choices
from tests.referee import Referee


@pytest.fixture
def referee(tmp_path: Path) -> Referee:
    """The second window of a turn, for which the British have orders of the first."""
    made = Referee.made(tmp_path, SYSTEM, Choices(scenario="war", seed="form"))
    made.open()
    made.turn(british="BRITISH: seek none; FOX: hold; @HAMPSHIRE: hold;")
    return made


def test_a_set_that_adds_one_order_is_told_what_it_drops(referee: Referee) -> None:
    first = referee.order(
        "british",
        "ABSENT UNTIL 2026-12-24; @KENT: stand; FOX: cruise; FOX: stand; MINOTAUR: hold;",
    )
    outcome = referee.order("british", "MINOTAUR: hold; MONTCALM: cruise;")
    lost = ["ABSENT UNTIL 2026-12-24;", "@KENT: stand;", "FOX: cruise;", "FOX: stand;"]
    assert outcome.receipt["replaced"] == lost
    number = first.receipt["number"]
    assert f"This set replaces all of receipt {number}." in outcome.text
    assert "This set replaces" not in first.text
    assert outcome.text.index("NO LONGER IN FORCE") < outcome.text.index("  FOX: cruise;")
    assert outcome.receipt["this_turn"] == ["BRITISH: seek none;", "FOX: hold;"]


def test_what_holds_all_the_same_is_not_called_replaced(referee: Referee) -> None:
    """The set before said again what earlier windows had ordered; the new one does not."""
    referee.order("british", "FOX: hold; @HAMPSHIRE: hold; BRITISH: seek none; MONTCALM: hold;")
    outcome = referee.order("british", "MONTCALM: cruise;")
    assert outcome.receipt["replaced"] == ["MONTCALM: hold;"]
    again = referee.order("british", "FOX: cruise; MONTCALM: cruise;")
    assert again.receipt["replaced"] == ["FOX: hold;"], "of the first window"


def test_a_whole_set_with_one_order_changed_names_that_one(referee: Referee) -> None:
    first = "MONTCALM: cruise; MINOTAUR: hold; @KENT: stand;"
    referee.order("british", first)
    outcome = referee.order("british", first.replace("MINOTAUR: hold", "MINOTAUR: cruise"))
    assert outcome.receipt["replaced"] == ["MINOTAUR: hold;"]
