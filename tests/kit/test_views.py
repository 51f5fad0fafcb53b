"""Views filled from the state: only what is listed is copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NewType

import pytest
from msgspec import Struct

from pbem.kit.views import MOST, filler, fits

Zone = NewType("Zone", str)


class Engine(Struct):
    """A part of the state."""

    power: int


class Ship(Struct):
    """A state."""

    id: str
    zone: Zone
    speed: int
    moves: int = 0
    """What its owner has plotted: secret."""

    @property
    def fast(self) -> bool:
        return self.speed > 4


class Seen(Struct, kw_only=True):
    """A view."""

    id: str
    place: str
    speed: str
    power: int = 7
    fast: bool = False
    moves: int = 0
    """How often it was seen to move: called like the secret."""
    notes: list[str] = []


SHIP = Ship("EMDEN", Zone("A1"), 5, moves=9)


def test_fields_are_copied_and_the_rest_is_given() -> None:
    make = filler(Seen, {Ship: "id place=zone fast", Engine: "power"})
    made = make(SHIP, Engine(3), speed="5+", notes=["x"])
    assert made == Seen(
        id="EMDEN", place="A1", speed="5+", power=3, fast=True, moves=0, notes=["x"]
    )


def test_a_field_of_equal_name_is_not_copied_unless_it_is_listed() -> None:
    """A secret that comes to be called like a field of the view stays where it is."""
    assert filler(Seen, {Ship: "id place=zone"})(SHIP, speed="5").moves == 0
    assert filler(Seen, {Ship: "id place=zone moves"})(SHIP, speed="5").moves == 9


def test_defaults_are_made_anew() -> None:
    make = filler(Seen, {Ship: "id place=zone"})
    make(SHIP, speed="5").notes.append("x")
    assert make(SHIP, speed="5").notes == []


def test_what_nothing_fills_is_named() -> None:
    with pytest.raises(TypeError, match=r"Seen_filler.*'speed'"):
        filler(Seen, {Ship: "id place=zone"})(SHIP)
    with pytest.raises(TypeError, match="'sped'"):
        filler(Seen, {Ship: "id place=zone"})(SHIP, speed="5", sped="6")


@pytest.mark.parametrize(
    ("copied", "says"),
    [
        ({Ship: "id plaice=zone"}, "Seen has no field 'plaice'"),
        ({Ship: "id place=zon"}, "Seen.place: Ship has no field or property 'zon'"),
        ({Ship: "id id place=zone"}, "Seen.id is copied twice"),
        ({Ship: "speed"}, "Seen.speed: Ship.speed is int, not str; give its value"),
        ({Ship: "power=fast", Engine: "power"}, "Seen.power is copied twice"),
    ],
)
def test_a_wrong_list_is_an_error_on_import(copied: dict[type, str], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        filler(Seen, copied)


def test_many_fields() -> None:
    """Calls with more keywords are set apart, and make the same."""
    names = [f"f{n}" for n in range(MOST + 5)]
    space: dict[str, Any] = {"__annotations__": dict.fromkeys(names, int)}
    wide = type("Wide", (Struct,), {**space, **dict.fromkeys(names, 0)}, kw_only=True)
    state = type("State", (Struct,), space)
    make: Callable[..., Struct] = filler(wide, {state: " ".join(names[1:])})
    made = make(state(*range(len(names))), f0=5)
    assert [getattr(made, name) for name in names] == [5, *range(1, len(names))]


@pytest.mark.parametrize(
    ("of", "into", "yes"),
    [
        (Zone, str, True),
        (str, Zone, True),
        (bool, int, True),
        (int, str, False),
        (int, int | None, True),
        (int | None, int, False),
        (Literal["a"], str, True),
        (str, Literal["a"], False),
        (Literal["a"], Literal["a", "b"], True),
        (Literal["a", "c"], Literal["a", "b"], False),
        (tuple[Zone, ...], tuple[str, ...], True),
        (tuple[int, ...], tuple[str, ...], False),
        (dict[str, int], dict[str, str], False),
        (list[int], Any, True),
    ],
)
def test_types_that_fit(of: Any, into: Any, yes: bool) -> None:
    assert fits(of, into) is yes
