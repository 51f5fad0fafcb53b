"""Edits of a state: a value is set where the field's path leads, through maps, lists and structs,
frozen or not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Struct

from pbem.engine.edits import Remove, Set
from pbem.model import Unfit


class Ship(Struct, frozen=True):
    """A ship that rules replace."""

    fuel: int
    holes: tuple[int, ...] = ()


class Sea(Struct):
    """A state with every kind of place for a value."""

    turn: int
    depths: list[int]
    ships: list[Ship]
    fleets: dict[str, Ship]
    names: dict[str, list[str]]


def sea() -> Sea:
    return Sea(1, [5, 6, 7], [Ship(1), Ship(2)], {"N": Ship(3)}, {"N": ["a", "b"]})


def at(state: Sea, field: str) -> Any:
    """The value that a field's path leads to."""
    node = msgspec.to_builtins(state)
    for key in field.split("."):
        node = node[int(key) if isinstance(node, list) else key]
    return node


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("turn", 4),
        ("depths.1", 9),
        ("depths.0", 9),
        ("ships.1.fuel", 8),
        ("fleets.N.fuel", 7),
        ("names.N.0", "c"),
        ("names.N", ["c"]),
    ],
)
def test_a_value_is_set_where_the_path_leads_and_nowhere_else(field: str, value: object) -> None:
    state = sea()
    before = at(state, field)
    Set(field=field, value=value).amend(state)
    assert at(state, field) == value != before
    Set(field=field, value=before).amend(state)
    assert state == sea()


def test_a_map_gets_a_new_entry() -> None:
    state = sea()
    Set(field="fleets.S", value={"fuel": 4}).amend(state)
    assert state.fleets == {"N": Ship(3), "S": Ship(4)}


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("depths.3", 1, "there: 0 to 2"),
        ("depths.-1", 1, "there: 0 to 2"),
        ("depths.x", 1, "there: 0 to 2"),
        ("ships.2.fuel", 1, "there: 0 to 1"),
        ("fleets.S.fuel", 1, "there: N"),
        ("fleets.N.crew", 1, "there: fuel, holes"),
        ("turn.x", 1, "there: a single value"),
    ],
)
def test_a_path_that_leads_nowhere_says_what_there_is(field: str, value: int, said: str) -> None:
    state = sea()
    with pytest.raises(Unfit) as error:
        Set(field=field, value=value).amend(state)
    assert said in f"{error.value} {error.value.hint}"
    assert state == sea()


@pytest.mark.parametrize("field", ["turn", "depths.0", "ships.0.fuel", "fleets.N", "names.N.0"])
def test_a_value_of_another_type_changes_nothing(field: str) -> None:
    state = sea()
    with pytest.raises(Unfit):
        Set(field=field, value={"no": "such"}).amend(state)
    assert state == sea()


def test_entries_are_removed_and_fields_are_not() -> None:
    state = sea()
    Remove(field="depths.1").amend(state)
    Remove(field="fleets.N").amend(state)
    assert (state.depths, state.fleets) == ([5, 7], {})
    with pytest.raises(Unfit):
        Remove(field="ships.0.fuel").amend(state)
