"""Rows, points, bearings, terms about something and triggers, declared by structs and functions."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Struct, defstruct

from orders.book import Book
from orders.canon import streams
from orders.declare import (
    Bearing,
    Contact,
    Number,
    Place,
    bearing,
    check_examples,
    grammar,
    keyword,
    number,
    point,
    points,
    row,
    rows,
    verb,
)
from orders.parse import understand
from orders.rows import Point
from orders.terms import Terms
from orders.verbs import Arg, DeclarationError, Trigger
from orders.vocabulary import Vocabulary

SIGHTED = Trigger("sighted", "An enemy sees the ship.")
TERMS = Terms[dict[str, int]]()


@TERMS.of("contact").number
def range_of(state: dict[str, int], side: str, actor: str, contact: str) -> int | None:
    """The distance to a contact."""
    return state.get(contact)


@TERMS.flag
def night(state: dict[str, int], side: str, actor: str) -> bool:
    """It is dark."""
    return True


class Leg(Struct, frozen=True):
    """A part of a course."""

    how: Literal["ahead", "hard port"]
    by: Annotated[str, number(0, 360, decimals=1)]


class Shell(Struct, frozen=True):
    """What is fired at whom."""

    foe: Contact
    count: Number
    at: Annotated[Point, point(most=200)]


@verb("1", example="VASA: steer ahead 2.5 hard port 45 course NE;")
class Steer(Struct, frozen=True):
    """Sail legs."""

    legs: Annotated[tuple[Leg, ...], rows(1, 6)]
    course: Annotated[Bearing, keyword()] = 0
    fine: Annotated[str, bearing(decimals=1), keyword()] = ""


@verb("2", example="VASA: fire C3 4 12 30;")
class Fire(Struct, frozen=True):
    """Fire a salvo."""

    what: Annotated[Shell, row()]
    second: Annotated[Shell | None, row(), keyword()] = None


@verb("3", example="VASA: fly 1 2 3.5 4 land 9 9;")
class Fly(Struct, frozen=True):
    """Fly along points."""

    route: Annotated[tuple[Point, ...], points(point(most=60, decimals=1), most=4)]
    land: Annotated[Point | None, point(), keyword()] = None


def test_what_is_declared_is_the_verb_table() -> None:
    made = grammar(Steer, Fly, terms=TERMS, triggers=(SIGHTED,))
    leg = (
        Arg("how", "word", choices=("ahead", "hard port")),
        Arg("by", "number", most=360, decimals=1),
    )
    assert made.verb("steer").args == (
        Arg("legs", "rows", least=1, most=6, of=leg),
        Arg("course", "bearing", "course", True),
        Arg("fine", "bearing", "fine", True, decimals=1),
    )
    assert made.verb("fly").args[0].of == (Arg("at", "point", most=60, decimals=1),)
    assert [(t.name, t.kind, t.of) for t in made.terms] == [
        ("range of", "number", "contact"),
        ("night", "flag", ""),
    ]
    assert made.triggers == (SIGHTED,)


def test_rules_read_what_players_write() -> None:
    made = grammar(Steer, Fire, Fly, terms=TERMS, triggers=(SIGHTED,))
    menu = {"VASA": [{"verb": v.name} for v in made.verbs]}
    words = Vocabulary.of({"contacts": [{"id": "C3"}], "menu": menu}, made)
    text = "VASA: steer hard port 45 course NE; if range of C3 under 4 then fire C3 4 12 30;"
    text += "when sighted if night then fly 1 2 3.5 4 land 9 9;"
    (unit,) = streams(f"BEGIN ORDERS {text} END ORDERS")
    reading = understand(unit, made, words)
    assert reading.diagnostics == ()
    book = Book(turn=1, verbs={v.type: v.name for v in made.verbs})
    book.take(reading.orders)
    near, far = made.knows({"C3": 3}, "red"), made.knows({"C3": 5}, "red")
    assert book.find("VASA", Steer, near) == Steer((Leg("hard port", "45"),), 45)
    assert book.find("VASA", Fire, near) == Fire(Shell("C3", 4, Point("12", "30")))
    assert book.find("VASA", Fire, far) is None
    assert book.find("VASA", Fly, near) is None
    (reaction,) = book.reactions(SIGHTED, "VASA", {"fly": Fly}, near)
    assert reaction.order == Fly((Point("1", "2"), Point("3.5", "4")), Point("9", "9"))


class Bare(Struct, frozen=True):
    """A row whose field has no kind."""

    count: int


@pytest.mark.parametrize(
    ("annotation", "said"),
    [
        (Annotated[tuple[str, ...], rows()], "kind rows needs the type tuple[STRUCT, ...]"),
        (Annotated[str, row()], "kind row needs the type of a struct, not str"),
        (Annotated[tuple[Bare, ...], rows()], "Bare.count: its annotation names no kind"),
        (Annotated[str, point()], "a point needs the type Point, not str"),
        (Annotated[str, bearing()], "a bearing needs the type int, not str"),
    ],
)
def test_a_wrong_declaration_is_named(annotation: object, said: str) -> None:
    kind = defstruct("Do", [("x", annotation)], namespace={"__doc__": "Do it."}, module=__name__)
    with pytest.raises(DeclarationError) as caught:
        verb("1", example="X: do;")(kind)
    assert said in str(caught.value)


@verb("4", example="X: lay 1203 4;")
class Lay(Struct, frozen=True):
    """Lay mines."""

    where: Place
    mines: Number


def test_a_grammar_that_is_ambiguous_is_refused() -> None:
    with pytest.raises(DeclarationError, match="a number beside the place 'where' needs a keyword"):
        grammar(Lay, places=["1203", "1204"])


def test_examples_with_rows_are_checked() -> None:
    check_examples(grammar(Steer, Fire, Fly))
