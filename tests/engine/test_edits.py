"""Edits of a state: a value is set where the field's path leads, through maps, lists and structs,
frozen or not."""

from __future__ import annotations

from typing import Annotated, Any, NewType

import msgspec
import pytest
from msgspec import Struct

from pbem.engine.edits import Remove, Set, amend
from pbem.engine.validate import wrong_edits
from pbem.errors import RulesFault
from pbem.model import Edit, Unfit
from tests.engine.test_validate import Whole, script


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


Flag = NewType("Flag", str)


class Deep(Struct):
    """A state with maps by number, and with what may be missing."""

    turn: int
    mines: dict[int, int]
    loads: dict[str, int] | None = None
    flags: Annotated[dict[Flag, list[Ship]], msgspec.Meta(max_length=9)] = {}
    notes: list[str] | None = None
    ship: Ship | None = None
    some: Annotated[int, msgspec.Meta(ge=0)] = 0


def deep() -> Deep:
    return Deep(1, {3: 1}, {"a": 1}, {Flag("red"): [Ship(1)]}, ["x", "y"], Ship(4))


DEEP = (
    ("mines.3", 5, {"mines": {3: 5}}),
    ("mines.4", 5, {"mines": {3: 1, 4: 5}}),
    ("loads.a", 5, {"loads": {"a": 5}}),
    ("loads.b", 5, {"loads": {"a": 1, "b": 5}}),
    ("flags.red.0.fuel", 5, {"flags": {"red": [Ship(5)]}}),
    ("notes.1", "z", {"notes": ["x", "z"]}),
    ("ship.fuel", 5, {"ship": Ship(5)}),
    ("loads", None, {"loads": None}),
)


@pytest.mark.parametrize(("field", "value", "now"), DEEP)
def test_keys_and_values_are_of_the_declared_types(
    field: str, value: object, now: dict[str, object]
) -> None:
    state = deep()
    Set(field=field, value=value).amend(state)
    assert state == msgspec.structs.replace(deep(), **now)
    assert msgspec.json.decode(msgspec.json.encode(state), type=Deep) == state


def test_an_entry_is_removed_by_its_number() -> None:
    state = deep()
    Remove(field="mines.3").amend(state)
    Remove(field="loads.a").amend(state)
    Remove(field="notes.0").amend(state)
    assert (state.mines, state.loads, state.notes) == ({}, {}, ["y"])


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("mines.x", 1, "'x' is no key there"),
        ("mines.3", "x", "Expected `int`, got `str`"),
        ("loads.a", "x", "Expected `int`, got `str`"),
        ("some", -1, "Expected `int` >= 0"),
    ],
)
def test_what_does_not_fit_the_declaration_changes_nothing(
    field: str, value: object, said: str
) -> None:
    state = deep()
    with pytest.raises(Unfit) as error:
        Set(field=field, value=value).amend(state)
    assert said in str(error.value)
    assert state == deep()


class Takes(Edit, frozen=True, tag="set"):
    """An edit of a game that is called like one of every game."""

    ship: str


def test_an_edit_called_like_one_of_every_system_is_refused() -> None:
    system = Whole(script)
    assert list(wrong_edits(system)) == []
    system.edits = lambda: (Takes,)  # type: ignore[method-assign]
    (wrong,) = wrong_edits(system)
    assert "Takes is the second edit that is called 'set'" in wrong.message
    assert "tests/engine/" in wrong.place
    with pytest.raises(RulesFault, match="'set'"):
        amend(system, sea(), [{"do": "set", "ship": "HOOD"}])
