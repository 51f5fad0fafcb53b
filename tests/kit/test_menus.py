"""Menus: what an item offers, and what is wrong with one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from msgspec import Struct

from orders.declare import Place, Unit, direction, keyword, verb
from orders.verbs import DeclarationError
from pbem.kit.menus import item, offer
from pbem.model import MenuArg, MenuItem


@verb("1", example="X: sail A1;")
class Sail(Struct):
    """Sail."""

    to: Place
    speed: Annotated[Literal["", "full", "slow"], keyword()] = ""
    after: Unit = ""
    course: Annotated[str, direction("N", "S")] = ""


def test_an_item_offers_every_argument_with_its_words() -> None:
    assert item(Sail) == MenuItem(
        "sail",
        (
            MenuArg("to", "place"),
            MenuArg("speed", "word", ("full", "slow")),
            MenuArg("after", "unit"),
            MenuArg("course", "direction", ("N", "S")),
        ),
    )


def test_arguments_list_the_values_they_may_take_now() -> None:
    made = item(Sail, course=["S"], to=["A1", "A2"], speed=["slow"])
    assert made == MenuItem(
        "sail",
        (
            MenuArg("to", "place", ("A1", "A2")),
            MenuArg("speed", "word", ("slow",)),
            MenuArg("after", "unit"),
            MenuArg("course", "direction", ("S",)),
        ),
    )


def test_without_a_value_an_argument_or_the_verb_is_not_offered() -> None:
    made = item(Sail, speed=(), after=(), course=())
    assert made == MenuItem("sail", (MenuArg("to", "place"),))
    assert item(Sail, to=[]) is None
    assert offer(made, item(Sail, to=()), None, item(Sail)) == [made, item(Sail)]


def test_equal_items_are_one_object() -> None:
    """Reports say such an item once."""
    assert item(Sail, to=["A1"]) is item(Sail, to=("A1",))
    assert item(Sail) is item(Sail)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"from": ["A1"]}, "there is no argument 'from'; its arguments: to, speed, after, course"),
        ({"speed": ["fast"]}, "'fast' is not a word of 'speed': full, slow"),
        ({"to": "A1"}, "'to' needs a tuple or list of values, not 'A1'"),
        ({"to": "A1", "after": ["HOOD"]}, "'to' needs a tuple or list of values, not 'A1'"),
        ({"to": "", "after": ["HOOD"]}, "'to' needs a tuple or list of values, not ''"),
        ({"to": ""}, "'to' needs a tuple or list of values, not ''"),
        ({"to": {"A1"}}, "'to' needs a tuple or list of values, not {'A1'}"),
        ({"to": {"A1": 1}}, "'to' needs a tuple or list of values, not {'A1': 1}"),
        ({"to": frozenset({"A1"})}, "'to' needs a tuple or list of values, not frozenset({'A1'})"),
        ({"to": None}, "'to' needs a tuple or list of values, not None"),
        ({"to": ["A1", 3]}, "'to' needs values that are texts, not 3"),
        ({"to": ("A1", ["A2"])}, "'to' needs values that are texts, not ['A2']"),
    ],
)
def test_a_wrong_item_is_named_with_its_place(values: dict[str, Any], text: str) -> None:
    with pytest.raises(DeclarationError) as error:
        item(Sail, **values)
    assert str(error.value).startswith(f"{__file__}:")
    assert str(error.value).endswith(f": item(Sail, ...): {text}")


def test_only_verbs_are_offered() -> None:
    with pytest.raises(DeclarationError, match="MenuArg: is not declared as a verb"):
        item(MenuArg)
