"""What conditions may test: only what the side knows."""

from __future__ import annotations

import pytest

from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.facts import knows
from games.bismarck.knowledge import Contact
from games.bismarck.verbs import GRAMMAR
from tests.bismarck.fake_table import begin


def test_every_term_of_the_table_has_an_answer() -> None:
    war = begin()
    facts = knows(war, GERMAN)
    assert all(facts(term.name, "BISMARCK") is not None for term in GRAMMAR.terms)


@pytest.mark.parametrize(
    ("term", "actor", "value"),
    [
        ("visibility", "HOOD", 4),
        ("fog", "HOOD", "YES"),
        ("turn", "HOOD", 4),
        ("night", "HOOD", "NO"),
        ("fuel", "HOOD", 11),
        ("fuel", "SUFFOLK", None),
        ("located", "HOOD", "NO"),
        ("contact", "HOOD", "none"),
        ("fuel", "BISMARCK", None),
        ("night", "BISMARCK", None),
        ("night", "BORD1", None),
        ("weather", "HOOD", None),
    ],
)
def test_values(term: str, actor: str, value: object) -> None:
    """Own facts, public facts; None for what is the enemy's or is no term."""
    assert knows(begin(), BRITISH)(term, actor) == value


def test_7_23_contact_is_the_strongest_seen_this_turn_or_last() -> None:
    war = begin()
    war.turn = 10
    for number, (kind, turn) in enumerate([("CA", 9), ("BB", 8), ("CV", 10)]):
        known = war.known[GERMAN].contacts
        known[f"EN{number}"] = Contact(f"EN{number}", kind, "K14", turn, "search")
    assert knows(war, GERMAN)("contact", "BISMARCK") == "CV"


def test_located_is_what_the_enemy_told_by_his_call() -> None:
    war = begin()
    war.locate(BRITISH, "BISMARCK")
    war.locate(BRITISH, "BISMARCK")
    assert knows(war, GERMAN)("located", "BISMARCK") == "YES"
    assert war.located[BRITISH] == ["BISMARCK"]


def test_places_and_ranges_of_the_order_language() -> None:
    assert GRAMMAR.place("K14") and GRAMMAR.place("A8")
    assert not any(GRAMMAR.place(word) for word in ("TF1", "K", "K123"))
    assert GRAMMAR.between("F19", "F20") == ("F19", "F20")
    assert GRAMMAR.between("F19", "G20") is None
    assert GRAMMAR.between("F20", "F19") is None
    assert GRAMMAR.between("A7", "A9") == ("A7", "A8", "A9")
    assert GRAMMAR.between("F1", "F0") is None
