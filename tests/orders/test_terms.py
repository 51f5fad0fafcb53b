"""Terms of conditions, declared by the functions that answer them."""

from __future__ import annotations

import pytest
from msgspec import Struct

from orders.declare import grammar, verb
from orders.terms import Terms
from orders.verbs import DeclarationError, Term


class Sea(Struct):
    """A state."""

    turn: int
    seen: dict[str, str]


TERMS = Terms[Sea]()


@TERMS.number
def fuel_left(sea: Sea, side: str, actor: str) -> int | None:
    """Fuel of
    the actor.

    Not shown.
    """
    return 20 - sea.turn if actor == "HOOD" else None


@TERMS.flag
def night(sea: Sea, side: str, actor: str) -> bool | None:
    """It is night."""
    return sea.turn > 5 if sea.turn else None


@TERMS.rank("none", "CA", "BB")
def contact(sea: Sea, side: str, actor: str) -> str:
    """Strongest enemy."""
    return sea.seen.get(side, "none")


@TERMS.word("fog", "clear")
def weather(sea: Sea, side: str, actor: str) -> str:
    """Weather."""
    return "fog"


TERMS.add("turn", "number", lambda sea, side, actor: sea.turn)


@verb("1", example="HOOD: hold;")
class Hold(Struct):
    """Stay."""


def test_terms_are_made_of_name_and_docstring() -> None:
    assert grammar(Hold, terms=TERMS).terms == (
        Term("fuel left", "number", help="Fuel of the actor."),
        Term("night", "flag", help="It is night."),
        Term("contact", "rank", ("none", "CA", "BB"), "Strongest enemy."),
        Term("weather", "word", ("fog", "clear"), "Weather."),
        Term("turn", "number"),
    )


def test_each_is_answered_by_its_function() -> None:
    knows = grammar(Hold, terms=TERMS).knows
    fact = knows(Sea(6, {"red": "BB"}), "red")
    known = [fact(term.name, "HOOD") for term in TERMS]
    assert known == [14, "YES", "BB", "fog", 6]
    assert knows(Sea(4, {}), "red")("night", "") == "NO"
    assert knows(Sea(0, {}), "red")("night", "") is None
    assert fact("fuel left", "KENT") is None
    assert fact("of an older edition", "HOOD") is None


def test_without_answers_nothing_is_known() -> None:
    assert (
        grammar(Hold, terms=[Term("turn", "number")]).knows(Sea(1, {}), "red")("turn", "") is None
    )


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(DeclarationError, match=r"test_terms.py:\d+: there are two terms 'turn'"):
        TERMS.add("turn", "number", lambda sea, side, actor: None)
    with pytest.raises(DeclarationError, match="the term 'type' is a rank: list its values"):
        TERMS.add("type", "rank", lambda sea, side, actor: None)
    with pytest.raises(DeclarationError, match="the term 'bare' has no docstring"):

        @TERMS.number
        def bare(sea: Sea, side: str, actor: str) -> int:
            return 1
