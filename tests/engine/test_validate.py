"""What a rule system is checked for when it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

import games
from orders.verbs import Arg, Grammar, Verb
from pbem import model as m
from pbem.engine.validate import mistakes
from pbem.model import Side, TableLike
from tests.engine.tables import Board, Say, Tiny
from tests.systems import EVERY


class Timeless(Struct):
    """A state without a turn."""

    place: str = ""


class Strange(Struct):
    """A state with a type that nobody imported."""

    turn: int
    place: NoSuchType  # type: ignore[name-defined]  # noqa: F821


class Loud(Struct):
    """An order with an argument that may be left out."""

    word: str
    times: int = 1


def verbs(*declared: Verb) -> Callable[[Any], None]:
    def change(system: Any) -> None:
        system.grammar = Grammar(verbs=declared)

    return change


def scenario(**fields: Any) -> Callable[[Any], None]:
    def change(system: Any) -> None:
        system.scenarios = (replace(system.scenarios[0], **fields),)

    return change


def state(kind: type) -> Callable[[Any], None]:
    def change(system: Any) -> None:
        system.state = kind

    return change


def options(system: Any) -> None:
    system.options = (m.Option("fog", (), "fog"),)


WORD, SAID = Arg("word", "name"), "X: say A;"
LONG = "a" * 33
NO_SIDES = ("Raider", "raider side", "a/b", "../../x", "1st", "", "draw", "spectators", "if", LONG)
WRONG = (
    (verbs(Verb("say", Say, (Arg("what", "name"),))), "argument 'what', but Say has no such field"),
    (verbs(Verb("say", Say)), "the field 'word' of Say has no default"),
    (verbs(Verb("say", Say, (replace(WORD, optional=True),))), "may leave it out"),
    (verbs(Verb("say", Say, (WORD,)), Verb("say", Loud, (WORD,))), "two verbs are called 'say'"),
    (scenario(sides=()), "sides of the scenario 'one' are missing"),
    (scenario(sides=(Side("red"), Side("red"))), "red, red"),
    (scenario(names=("Red",)), "2 sides and 1 names"),
    (state(Timeless), "no field `turn: int`"),
    *((scenario(sides=(Side(name), Side("blue"))), f"has a side {name!r}") for name in NO_SIDES),
    (state(Strange), "the types of Strange cannot be read: name 'NoSuchType'"),
    (options, "the option 'fog' has no values"),
)


class Whole(Tiny):
    """The tiny system with everything that a system needs."""

    def truth(self, state: Board) -> m.View:
        return self.view(state, Side("red"))


async def script(table: TableLike, board: Board) -> Board:
    return board


@pytest.mark.parametrize(("change", "said"), WRONG)
def test_a_contradiction_is_named_with_its_place(change: Callable[[Any], None], said: str) -> None:
    system = Whole(script)
    assert list(mistakes(system)) == []
    change(system)
    found = list(mistakes(system))
    assert any(said in wrong.message for wrong in found), found
    assert all("tests/engine/" in wrong.place for wrong in found)
    assert all(wrong.hint for wrong in found)


def test_what_is_missing_is_listed() -> None:
    class Bare(m.System):
        """A system that defines nothing."""

    (wrong,) = mistakes(Bare())
    assert "Bare does not define name, title, edition" in wrong.message
    assert "turn, view, truth" in wrong.message


@pytest.mark.parametrize("name", EVERY)
def test_systems_are_sound(name: str) -> None:
    assert list(mistakes(games.load(name))) == []
