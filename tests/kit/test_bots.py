"""What bots share."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from orders.declare import grammar, number, rows, verb
from orders.rows import Point, text_of
from orders.verbs import Arg, Grammar, Verb
from pbem.kit.bots import (
    Lines,
    Luck,
    away,
    content,
    freshest,
    may,
    towards,
    unoffered,
    values,
    written,
)
from pbem.model import ContactView, MenuArg, MenuItem


class Sail(Struct, frozen=True):
    path: tuple[str, ...]
    speed: Literal["slow", "full"] = "slow"
    turns: int = 1


class Hold(Struct, frozen=True):
    pass


GRAMMAR = Grammar(
    (
        Verb(
            "sail",
            Sail,
            (
                Arg("path", "path"),
                Arg("speed", "word", "speed", True, ("slow", "full")),
                Arg("turns", "number", "for", True),
            ),
        ),
        Verb("hold", Hold),
    )
)
MENU = {"HOOD": [MenuItem("sail", (MenuArg("path", "path", ("A1", "A2")),)), MenuItem("hold")]}


def lines() -> Lines:
    yield "@SIDE", "if night then hold"
    yield "HOOD", Sail(("A1", "B9"), "full", 3)
    yield "HOOD", Hold()


def test_orders_are_written_from_structs() -> None:
    assert written(lines(), GRAMMAR).splitlines() == [
        "@SIDE: if night then hold;",
        "HOOD: sail A1 B9 speed full for 3;",
        "HOOD: hold;",
    ]
    assert content(Sail(("A1",)), GRAMMAR) == "sail A1"


def test_a_struct_of_no_verb_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match="a bot wrote ContactView, which is the struct of no verb"):
        content(ContactView(id="", type="", place="", age=0), GRAMMAR)


def test_a_line_that_the_menu_does_not_offer_is_named() -> None:
    assert unoffered(lines(), MENU, GRAMMAR) == [
        "HOOD: sail A1 B9 speed full for 3: not B9, but A1, A2"
    ]
    odd = [("RENOWN", Hold())]
    assert unoffered(odd, MENU, GRAMMAR) == ["RENOWN: hold: the menu offers nothing"]


def test_what_the_menu_offers() -> None:
    assert (may(MENU, "HOOD", "hold"), may(MENU, "RENOWN", "hold")) == (True, False)
    assert values(MENU, "HOOD", "sail", "path") == ["A1", "A2"]
    assert values(MENU, "HOOD", "hold", "path") == []


@given(st.text(), st.integers(1, 99))
def test_luck_repeats_and_stays_below(text: str, below: int) -> None:
    assert Luck(text).of("x", below) == Luck(text).of("x", below) < below
    assert Luck(text).lot == Luck(text).lot


def test_weights_are_kept() -> None:
    drawn = [Luck(str(n)).weighted("x", {"a": 3, "b": 0, "c": 1}) for n in range(400)]
    assert 260 < drawn.count("a") < 340
    assert drawn.count("a") + drawn.count("c") == 400
    assert {Luck(str(n)).choice("x", "ab") for n in range(20)} == {"a", "b"}


def test_nothing_to_choose_from_is_a_fault_that_names_what_for() -> None:
    with pytest.raises(ValueError, match="the luck of 'goal HOOD' chooses from an empty list"):
        Luck("a").choice("goal HOOD", [])
    with pytest.raises(ValueError, match="the weights of 'goal HOOD' sum up to nothing"):
        Luck("a").weighted("goal HOOD", {"a": 0})


def test_the_freshest_contact_is_the_newest_then_the_lowest_in_rank() -> None:
    kinds = (("a", "X", 2), ("b", "Y", 1), ("c", "X", 1))
    seen = [ContactView(id=id_, type=type_, place="", age=age) for id_, type_, age in kinds]
    best = [freshest(seen, 1), freshest(seen, 1, lambda c: c.type != "X"), freshest(seen, 0)]
    assert [c.id if c else "" for c in best] == ["b", "c", ""]


def test_steps_towards_and_away_take_the_first_of_several() -> None:
    far = {"a": 2, "b": 1, "c": 1, "d": 2}
    assert towards(far, far.__getitem__) == "b"
    assert away(far, far.__getitem__) == "a"
    assert towards([], far.__getitem__, "z") == away([], far.__getitem__, "z") == "z"


class Leg(Struct, frozen=True):
    how: Literal["ahead", "starboard"]
    by: Annotated[str, number(0, 360, 1)]


class Mine(Struct, frozen=True):
    at: Point
    name: str


@verb("1", example="HOOD: steer ahead 2.5;")
class Steer(Struct, frozen=True):
    """Steer these legs."""

    legs: Annotated[tuple[Leg, ...], rows()]


def test_rows_and_points_are_written_as_a_player_writes_them() -> None:
    steer = Steer((Leg("ahead", "2.5"), Leg("starboard", "45")))
    assert content(steer, grammar(Steer)) == "steer ahead 2.5 starboard 45"
    assert text_of(Mine(Point("12.5", "30"), "LR RECON 2")) == '12.5 30 "LR RECON 2"'


def test_the_luck_of_a_game_is_the_same_in_every_window() -> None:
    first, second = Luck("a game 1"), Luck("a game 2")
    assert first.game.of("plan", 1000) == second.game.of("plan", 1000)
    assert first.of("plan", 1000) != second.of("plan", 1000)
    assert first.game.of("plan", 1000) != Luck("another game 1").game.of("plan", 1000)
