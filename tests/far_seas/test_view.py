"""What each side's view holds, and what orders may test."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.far_seas import events as ev
from games.far_seas import knowledge, movement, setup
from games.far_seas.board import BRITISH, GERMAN, SIDES
from games.far_seas.edits import Sight
from games.far_seas.facts import NAMED, knows
from games.far_seas.game import SYSTEM
from games.far_seas.knowledge import Sighting
from games.far_seas.state import WAKE, Fight, War
from games.far_seas.view import truth, view, watched
from pbem.model import Side
from pbem.testing.orders import judged
from pbem.testing.orders import shown as reported
from tests.far_seas.casebook import OPTIONS


@pytest.fixture
def war() -> War:
    begun = setup.begin("war", OPTIONS)
    begun.segment = 1
    return begun


def test_the_germans_see_every_allied_ship_where_it_is(war: War) -> None:
    war.ships["FOX"].duty = "convoy"
    seen = {c.id: c for c in view(war, GERMAN).contacts}
    assert set(seen) == {s.id for s in war.fleet(BRITISH)}
    assert seen["FOX"].place == "30" and seen["FOX"].age == 0


def test_the_allies_see_germans_where_they_were_last_placed(war: War) -> None:
    war.ships["EMDEN"].area = "29"
    war.turn = 3
    (emden,) = [c for c in view(war, BRITISH).contacts if c.id == "EMDEN"]
    assert (emden.place, emden.age) == ("25", 2)


def test_a_ship_has_a_wake_of_the_areas_where_the_last_turns_found_it(war: War) -> None:
    emden = war.ships["EMDEN"]
    assert shown(war, GERMAN, "EMDEN")["place"] == "25"
    assert "wake" not in shown(war, GERMAN, "EMDEN")  # it was nowhere else
    for area, wake in (("26", ["25"]), ("29", ["25", "26"]), ("28", ["25", "26", "29"])):
        emden.area = area
        assert shown(war, GERMAN, "EMDEN")["wake"] == wake  # at once, in the turn's next segment
        movement.next_turn(war)
        emden = war.ships["EMDEN"]
        assert shown(war, GERMAN, "EMDEN")["wake"] == wake[-WAKE + 1 :]
    for _ in range(WAKE):
        movement.next_turn(war)
    assert "wake" not in shown(war, GERMAN, "EMDEN")


def test_the_germans_see_where_allied_ships_came_from(war: War) -> None:
    movement.next_turn(war)
    war.ships["FOX"].area = "29"
    assert contact(war, GERMAN, "FOX")["trail"] == [["30", 1], ["30", 0]]
    movement.next_turn(war)
    assert contact(war, GERMAN, "FOX")["trail"] == [["30", 2], ["30", 1]]
    assert "trail" not in contact(war, GERMAN, "GLASGOW")


def test_the_allies_see_former_sightings_and_no_wake(war: War) -> None:
    for area in ("26", "29", "28"):
        war.ships["EMDEN"].area = area
        movement.next_turn(war)
    assert "trail" not in contact(war, BRITISH, "EMDEN")
    for area in ("29", "29", "31"):
        found = ev.Found(rule="S8", area=area, germans=("EMDEN",), by=("FOX",))
        knowledge.learn(war.known, war.turn, found)
        war.turn += 1
    assert contact(war, BRITISH, "EMDEN")["trail"] == [["25", 6], ["29", 2]]
    for i, area in enumerate(("22", "23") * knowledge.FORGET):
        knowledge.place(war.known, Sighting("EMDEN", area, war.turn + i))
    assert len(contact(war, BRITISH, "EMDEN")["trail"]) == knowledge.FORGET


def test_a_ruling_that_shows_a_german_keeps_what_was_known(war: War) -> None:
    war.ships["EMDEN"].area = "29"
    Sight(ship="Emden").amend(war)
    assert contact(war, BRITISH, "EMDEN")["trail"] == [["25", 0]]


def shown(war: War, side: Side, id_: str) -> dict[str, Any]:
    """A unit as report.json has it."""
    return as_json(next(u for u in view(war, side).units if u.id == id_))


def contact(war: War, side: Side, id_: str) -> dict[str, Any]:
    """A contact as report.json has it."""
    return as_json(next(c for c in view(war, side).contacts if c.id == id_))


def as_json(thing: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(thing))
    return found


def test_who_is_gone_is_no_contact(war: War) -> None:
    home = ev.HomeReached(rule="G9", who=("DRESDEN",), points=3)
    knowledge.learn(war.known, 1, home)
    assert "DRESDEN" not in [c.id for c in view(war, BRITISH).contacts]


def test_missing_merchants_are_the_allies_memory_alone(war: War) -> None:
    knowledge.learn(war.known, 1, ev.MerchantsTaken(rule="E1", area="29", count=3))
    boards = {side: view(war, side).board for side in SIDES}
    assert [len(getattr(boards[side], "missing")) for side in SIDES] == [0, 1]  # noqa: B009


def test_the_referee_sees_both(war: War) -> None:
    assert {u.id for u in truth(war).units} == {s.id for s in war.ships.values() if s.afloat}


def test_who_watches_sees_what_lies_open_to_both(war: War) -> None:
    war.turn = 3
    knowledge.learn(war.known, 3, ev.MerchantsTaken(rule="E1", area="29", count=3))
    seen = watched(war)
    assert (seen.turn, seen.units, seen.menu) == (3, (), {})
    assert seen.contacts == view(war, GERMAN).contacts
    assert {c.id for c in seen.contacts} == {s.id for s in war.fleet(BRITISH)}
    assert seen.board == view(war, GERMAN).board


@pytest.mark.parametrize("side", SIDES)
def test_every_ship_of_the_menu_is_an_own_one(war: War, side: Side) -> None:
    own = {s.id for s in war.fleet(side)}
    assert set(view(war, side).menu) == own | {side.upper()}


@pytest.mark.parametrize("side", SIDES)
def test_terms_of_a_meeting_are_known_in_a_meeting_alone(war: War, side: Side) -> None:
    terms = ("odds", "enemy ships", "enemy type", "round")
    assert [knows(war, side)(t, "") for t in terms] == [None] * 4
    war.fight = Fight("25", ["EMDEN"], ["NEWCASTLE", "ZHEMCHUG"], "search", round=2)
    found = [knows(war, side)(t, "") for t in terms]
    german, british = ["3.5", 2, "CL", 2], ["0.3", 1, "CL", 2]
    assert found == (german if side == GERMAN else british)


def test_terms_of_an_own_ship_are_not_the_enemys(war: War) -> None:
    war.ships["EMDEN"].damage = 1
    assert knows(war, GERMAN)("damage", "EMDEN") == 25
    assert knows(war, BRITISH)("damage", "EMDEN") is None
    assert knows(war, GERMAN)("alone", "EMDEN") == "YES"
    assert knows(war, GERMAN)("turn", "EMDEN") == 1


def test_names_are_known_to_both(war: War) -> None:
    named = ev.MoversNamed(rule="M4", who=("EMDEN",))
    SYSTEM.learn(war, BRITISH, named)
    SYSTEM.learn(war, GERMAN, named)
    for side in SIDES:
        fact = knows(war, side)
        assert [fact("emden moves", ""), fact("leipzig moves", "")] == ["YES", "NO"]
    war.known.ships.pop("LEIPZIG")
    assert knows(war, BRITISH)("leipzig moves", "") is None
    assert len(NAMED) == 17


def test_a_side_is_told_what_became_of_its_own_ships_and_when(war: War) -> None:
    war.turn = 4
    war.lose("GOOD HOPE", "sunk")
    war.lose("EMDEN", "interned")
    assert view(war, BRITISH).lost == {"GOOD HOPE": "was sunk in turn 4"}
    assert view(war, GERMAN).lost == {"EMDEN": "gave herself up in turn 4"}
    said = judged(SYSTEM, reported(SYSTEM, war, BRITISH), "GOOD HOPE: cruise; EMDEN: cruise;")
    assert [d.text for d in said.diagnostics] == [
        "'GOOD HOPE' was sunk in turn 4",
        "'EMDEN' is not one of your units",
    ]
