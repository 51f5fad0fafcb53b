"""The watch over a state is watched: each thing that must hold can be broken, and is found."""

from __future__ import annotations

from typing import Any

import pytest

from games.far_seas import setup
from games.far_seas.audit import audit
from games.far_seas.board import GERMAN
from games.far_seas.knowledge import Sighting
from games.far_seas.state import Score, War
from tests.far_seas.casebook import OPTIONS

Changes = dict[str, dict[str, Any]]


def war(changes: Changes, scenario: str = "war") -> War:
    """A position in which some ships differ by some fields; the Allies have seen nobody."""
    begun = setup.begin(scenario, OPTIONS)
    begun.known.ships.clear()
    for name, fields in changes.items():
        for field, value in fields.items():
            setattr(begun.ships[name], field, value)
    return begun


@pytest.mark.parametrize("scenario", ["war", "coronel", "emden", "konigsberg"])
def test_every_scenario_begins_sound(scenario: str) -> None:
    audit(setup.begin(scenario, OPTIONS))


def test_what_a_ship_may_be() -> None:
    audit(war({"LEIPZIG": {"area": "25"}, "EMDEN": {"leader": "LEIPZIG"}}))
    audit(war({"ASKOLD": {"area": "30"}}))
    audit(war({"FOX": {"area": "MED"}}, "emden"))


GONE = {"area": "", "gone": "sunk"}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"EMDEN": {"area": "33"}}, "EMDEN is in 33"),
        ({"EMDEN": {"gone": "sunk"}}, "EMDEN is sunk and on the board"),
        ({"EMDEN": {"damage": -1}}, "EMDEN should have sunk"),
        ({"EMDEN": {"damage": 4}}, "EMDEN should have sunk"),
        ({"EMDEN": {"area": "", "leader": "LEIPZIG"}}, "EMDEN is off the board and busy"),
        ({"FOX": {"area": "", "duty": "convoy"}}, "FOX is off the board and busy"),
        ({"EMDEN": {"leader": "LEIPZIG"}}, "EMDEN follows LEIPZIG"),
        ({"EMDEN": {"leader": "LEIPZIG"}, "LEIPZIG": GONE}, "EMDEN follows LEIPZIG"),
        ({"EMDEN": {"leader": "NEWCASTLE"}}, "EMDEN follows NEWCASTLE"),
        (
            {
                "EMDEN": {"leader": "LEIPZIG"},
                "DRESDEN": {"area": "25"},
                "LEIPZIG": {"area": "25", "leader": "DRESDEN"},
            },
            "EMDEN follows LEIPZIG",
        ),
        ({"ASKOLD": {"area": "14"}}, "5.5: ASKOLD left its ocean"),
        ({"SYDNEY": {"duty": "convoy"}}, "M6: SYDNEY covers merchants"),
        ({"FOX": {"duty": "station", "post": "Zanzibar"}}, "M7: FOX is not at Zanzibar"),
        ({"FOX": {"duty": "watch"}}, "G2: FOX is not at the Rufiji"),
        ({"KONIGSBERG": {"duty": "watch"}}, "G2: KONIGSBERG"),
        ({"PEGASUS": {"duty": "river"}}, "G2: PEGASUS"),
        (
            {"KONIGSBERG": {"duty": "river"}, "EMDEN": {"area": "31", "duty": "river"}},
            "lie in the Rufiji together",
        ),
    ],
)
def test_what_a_ship_may_not_be(changes: Changes, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        audit(war(changes))


def test_nobody_leaves_the_areas_of_a_scenario() -> None:
    with pytest.raises(AssertionError, match="EMDEN left the areas"):
        audit(war({"EMDEN": {"area": "25"}}, "emden"))


def told(ship: str, area: str, turn: int = 1, moves: int = 0) -> War:
    begun = war({})
    begun.known.ships[ship] = Sighting(ship, area, turn, moves=moves)
    return begun


@pytest.mark.parametrize(
    ("ship", "area", "turn", "moves", "sound"),
    [
        ("EMDEN", "25", 1, 0, True),
        ("EMDEN", "24", 1, 0, False),  # nobody named it: it must be where it was seen
        ("EMDEN", "24", 1, 1, True),
        ("EMDEN", "25", 2, 0, False),
        ("EMDEN", "33", 1, 1, False),
        ("FOX", "30", 1, 0, False),
    ],
)
def test_what_the_allies_may_know(ship: str, area: str, turn: int, moves: int, sound: bool) -> None:
    begun = told(ship, area, turn, moves)
    if sound:
        audit(begun)
        return
    with pytest.raises(AssertionError):
        audit(begun)


def test_a_ship_that_is_gone_may_have_been_seen_anywhere() -> None:
    begun = told("EMDEN", "24")
    begun.ships["EMDEN"].area, begun.ships["EMDEN"].gone = "", "sunk"
    audit(begun)


def test_what_the_books_may_not_say() -> None:
    twice, lost, much, even = war({}), war({}), war({}), war({})
    twice.raided = ["Madras", "Madras"]
    lost.scores.append(Score(side=GERMAN, points=0, kind="captures", rule="E1", what="x", turn=1))
    much.taken = {"29": 5}
    even.taken = {"29": 4}
    for broken, says in ((twice, "E3"), (lost, "never lost"), (much, "found h: 5 merchants")):
        with pytest.raises(AssertionError, match=says):
            audit(broken)
    audit(even)
