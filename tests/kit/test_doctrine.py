"""Questions that orders answer, points, sides, and units by their names."""

from __future__ import annotations

from typing import Literal

import pytest
from msgspec import Struct
from msgspec.json import encode

from orders.book import Book
from orders.model import Action, Order
from pbem.kit.doctrine import Doctrine, actors, said
from pbem.kit.edits import id_of, named
from pbem.kit.points import Points, Score, Scoring, total, totals
from pbem.kit.sides import opposite, others
from pbem.model import Side, Unfit

RED, BLUE, GREEN = Side("red"), Side("blue"), Side("green")


class Retire(Struct, frozen=True):
    """An order of one word."""

    what: Literal["yes", "no"]


class Fire(Struct, frozen=True):
    """An order with a number."""

    round: int


class Retires(Doctrine, frozen=True):
    """Answered by the word of its order."""

    order = Retire


class Fires(Doctrine, frozen=True):
    """Answered by nothing."""


def book(**words: str) -> Book:
    """One `retire` order for each actor."""
    given = {
        actor: [Order(actor, (Action("retire", {"what": word}),))] for actor, word in words.items()
    }
    return Book(1, given, verbs={Retire: "retire", Fire: "fire"})


def unknown(term: str, actor: str) -> None:
    return None


def test_the_strongest_actor_answers() -> None:
    asked = Retires(about="EMDEN", actors=actors("EMDEN", "", "SCHARNHORST", "german", "EMDEN"))
    assert asked.actors == ("EMDEN", "SCHARNHORST", "GERMAN")
    assert asked.answer(book(GERMAN="no", SCHARNHORST="yes"), unknown) == "YES"
    assert asked.answer(book(GERMAN="no"), unknown) == "NO"
    assert asked.answer(book(FOX="no"), unknown) is None


def test_a_question_without_an_order_is_left_to_its_player() -> None:
    assert Fires(about="x", actors=("EMDEN",)).answer(book(EMDEN="yes"), unknown) is None
    assert said(book(EMDEN="yes"), ("EMDEN",), Fire, unknown) is None


def test_points_of_all_sides() -> None:
    scores = [
        Score(side=side, points=points, rule="1", what="x", turn=1)
        for side, points in ((RED, 3), (BLUE, 2), (RED, 4))
    ]
    assert total(scores, RED) == 7 and total(scores, GREEN) == 0
    found = totals(iter(scores), {BLUE: "Blue", RED: "Red", GREEN: "Green"})
    assert found == [Points("Blue", 2), Points("Red", 7), Points("Green", 0)]


def test_a_score_has_a_kind_only_where_it_is_given() -> None:
    plain = Score(side=RED, points=1, rule="1", what="x", turn=2)
    assert encode(plain) == b'{"side":"red","points":1,"rule":"1","what":"x","turn":2}'


class War(Scoring, Struct):
    """A state that keeps points."""

    turn: int
    scores: list[Score] = []


def test_a_state_writes_down_what_is_earned_in_its_turn() -> None:
    war = War(3)
    war.score(RED, 2, "sunk", "E4", "a cruiser")
    war.score(RED, 0, "home", "E4", "nobody")  # nothing earned, nothing written
    war.turn = 4
    war.score(BLUE, 1, "home", "E5", "a liner")
    assert [(one.turn, one.kind, one.points) for one in war.scores] == [
        (3, "sunk", 2),
        (4, "home", 1),
    ]
    assert (war.total(RED), war.total(BLUE), war.total(GREEN)) == (2, 1, 0)


def test_other_sides() -> None:
    assert others((RED, BLUE, GREEN), BLUE) == (RED, GREEN)
    assert opposite((RED, BLUE)) == {RED: BLUE, BLUE: RED}
    with pytest.raises(ValueError, match=r"red, blue, green: .*use others"):
        opposite((RED, BLUE, GREEN))


def test_units_are_found_by_printed_names() -> None:
    assert id_of("Königsberg") == "KONIGSBERG"
    assert named({"KONIGSBERG": 1}, "Königsberg") == 1
    with pytest.raises(Unfit, match="there is no cruiser 'Fox'") as caught:
        named({"A": 1, "B": 2}, "Fox", "unit", "cruiser")
    assert (caught.value.key, caught.value.hint) == ("unit", "cruisers: A, B")
