"""What a side remembers of what it was told."""

from __future__ import annotations

import pytest

from games.bismarck.events import (
    ConvoySunk,
    GeneralSearch,
    HuffDuff,
    Located,
    PassedThrough,
    Searched,
    Sighting,
)
from games.bismarck.knowledge import Knowledge, forget, learn

BB = (Sighting("EN1", "BB"),)


def located(zone: str) -> Located:
    return Located(rule="7.23", zone=zone, seen=BB)


def test_a_located_ship_is_remembered_where_and_when() -> None:
    known = Knowledge()
    learn(known, 10, located("M12"))
    contact = known.contacts["EN1"]
    assert (contact.zone, contact.turn, contact.source, contact.name) == ("M12", 10, "search", "")


def test_the_sightings_of_earlier_turns_make_the_trail() -> None:
    known = Knowledge()
    for turn, zone in ((10, "M11"), (10, "M12"), (11, "M13")):
        learn(known, turn, located(zone))
    assert known.contacts["EN1"].trail == (("M12", 10),)


def test_7_23_a_ship_that_passed_and_is_heard_in_the_same_turn_is_where_it_was_heard_last() -> None:
    known = Knowledge()
    learn(known, 10, PassedThrough(rule="7.23", zone="M12", seen=BB))
    learn(known, 10, HuffDuff(rule="10.22", ship="Bismarck", zone="N13", id="EN1", type="BB"))
    assert known.contacts["EN1"].zone == "N13"


def test_the_rules_name_ships_and_the_name_stays() -> None:
    """10.21, 10.22"""
    known = Knowledge()
    learn(known, 10, GeneralSearch(rule="10.21", ship="Bismarck", zone="M12", seen=BB))
    learn(known, 12, located("M13"))
    assert (known.contacts["EN1"].name, known.contacts["EN1"].zone) == ("Bismarck", "M13")


def test_7_23_that_a_ship_passed_as_well_does_not_take_her_name() -> None:
    known = Knowledge()
    learn(known, 9, GeneralSearch(rule="10.21", ship="Bismarck", zone="M12", seen=BB))
    learn(known, 10, located("M13"))
    learn(known, 10, PassedThrough(rule="7.23", zone="N13", seen=BB))
    assert (known.contacts["EN1"].zone, known.contacts["EN1"].name) == ("M13", "Bismarck")


@pytest.mark.parametrize("first", [True, False])
def test_what_is_known_exactly_is_not_blurred_in_the_same_turn(first: bool) -> None:
    """7.23, 10.22: where it passed and where it was heard say less than where it is."""
    known = Knowledge()
    vague = [
        PassedThrough(rule="7.23", zone="M12", seen=BB),
        HuffDuff(rule="10.22", ship="Bismarck", zone="N13", id="EN1", type="BB"),
    ]
    for event in (located("M13"), *vague) if first else (*vague, located("M13")):
        learn(known, 10, event)
    assert (known.contacts["EN1"].zone, known.contacts["EN1"].name) == ("M13", "Bismarck")
    learn(known, 11, vague[1])
    assert known.contacts["EN1"].zone == "N13"


def test_a_sunk_convoy_names_its_raiders() -> None:
    """10.25"""
    known = Knowledge()
    seen = (Sighting("EN1", "BB"), Sighting("EN2", "CA"))
    names = ("Bismarck", "Prinz Eugen")
    learn(
        known, 10, ConvoySunk(rule="10.25", ships=names, zone="H5", number=1, points=6, seen=seen)
    )
    assert [c.name for c in known.contacts.values()] == list(names)


def test_contacts_fade_unless_they_are_named() -> None:
    known = Knowledge()
    learn(known, 10, Located(rule="7.23", zone="M12", seen=(Sighting("EN2", "CA"),)))
    learn(known, 10, GeneralSearch(rule="10.21", ship="Bismarck", zone="M12", seen=BB))
    forget(known, 16)
    assert set(known.contacts) == {"EN1", "EN2"}
    forget(known, 17)
    assert set(known.contacts) == {"EN1"}


def test_the_calls_of_a_turn_replace_the_last_ones() -> None:
    known = Knowledge()
    learn(known, 10, Searched(rule="7.21", zones=("M12",), blank=("M12",)))
    assert (known.searched, known.blank) == (("M12",), ("M12",))
    forget(known, 11)
    assert known.searched == ()
