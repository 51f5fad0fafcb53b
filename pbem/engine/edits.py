"""The edits of rulings: changes of the truth, made once live and again in every replay.

A system has edits of its own (`System.edits`), because moving a unit changes more than one field.
Two edits serve every system: `set` puts a value of the right type into any field of the state,
`remove` deletes an entry of a map or list. The caller checks the system's invariants afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from types import GenericAlias
from typing import get_args, get_type_hints

import msgspec
from msgspec import Struct

from pbem.model import Edit, Plain, State, System, Unfit


class Set(Edit, frozen=True, kw_only=True):
    """Put a value into one field of the state. field: as `ships.HOOD.fuel`."""

    field: str
    value: object

    def amend(self, state: State) -> None:
        """See Edit.amend."""
        _put(state, type(state), _keys(self.field), self.value)


class Remove(Edit, frozen=True, kw_only=True):
    """Take an entry out of a map or a list of the state. field: as `known.british.contacts.EN7`."""

    field: str

    def amend(self, state: State) -> None:
        """See Edit.amend."""
        *path, last = _keys(self.field)
        holder = state
        for key in path:
            holder = _inside(holder, key)
        _inside(holder, last)
        if isinstance(holder, dict):
            del holder[last]
        elif isinstance(holder, list):
            del holder[int(last)]
        else:
            raise Unfit(
                f"{self.field} is a field, not an entry", "field", "use `set` to give it a value"
            )


def kinds(system: System) -> dict[str, type[Edit]]:
    """The edits that a ruling may make in games of `system`, by their name in `do`."""
    every: tuple[type[Edit], ...] = (*system.edits(), Set, Remove)
    return {str(kind.__struct_config__.tag): kind for kind in every}


def understood(system: System, plain: Sequence[Plain]) -> list[Edit]:
    """The edits of a ruling's record (JSON data) as typed edits.

    Raises msgspec.ValidationError for an unknown edit, an unknown field or a wrong type.
    """
    known = reduce(or_, kinds(system).values())
    found: list[Edit] = msgspec.convert(plain, GenericAlias(list, (known,)))
    return found


def amend(system: System, state: State, plain: Sequence[Plain]) -> None:
    """Make the edits of a record in order, changing `state` in place.

    Raises Unfit, with the number of the edit in `at`, and msgspec.ValidationError.
    """
    for i, edit in enumerate(understood(system, plain)):
        try:
            edit.amend(state)
        except Unfit as unfit:
            unfit.at = i
            raise


def _keys(field: str) -> list[str]:
    """`ships.HOOD.fuel` as keys, from the state down. Raises Unfit."""
    if not all(keys := field.split(".")):
        raise Unfit(f"{field!r} is not a valid field of the state", "field")
    return keys


def _put(node: object, kind: object, keys: Sequence[str], value: object) -> object:
    """Set `value` where `keys` lead from `node`, which is declared as `kind`; returns the new node.

    Maps, lists and structs are changed in place; frozen structs on the way are replaced. Types are
    followed alongside, so that the value is checked against its field's declaration. Raises Unfit.
    """
    if not keys:
        return _converted(value, kind)
    key, rest = keys[0], keys[1:]
    if isinstance(node, dict):
        old = _inside(node, key) if rest else node.get(key)
        node[key] = _put(old, get_args(kind)[1], rest, value)
        return node
    if isinstance(node, list):
        old = _inside(node, key)
        node[int(key)] = _put(old, get_args(kind)[0], rest, value)
        return node
    new = _put(_inside(node, key), get_type_hints(type(node))[key], rest, value)
    assert isinstance(node, Struct), "the path to a field leads through structs, maps and lists"
    if type(node).__struct_config__.frozen:
        return msgspec.structs.replace(node, **{key: new})
    setattr(node, key, new)
    return node


def _converted(value: object, kind: object) -> object:
    """A value of a ruling's file as the type of its field. Raises Unfit."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise Unfit(str(error).replace("`$", "`value"), "value") from None


def _inside(node: object, key: str) -> object:
    """The part of `node` under `key`. Raises Unfit, whose hint lists the keys that exist."""
    if isinstance(node, dict) and key in node:
        return node[key]
    if isinstance(node, list) and key.isascii() and key.isdigit() and int(key) < len(node):
        return node[int(key)]
    if isinstance(node, Struct) and key in node.__struct_fields__:
        return getattr(node, key)
    raise Unfit(f"there is no {key!r} there", "field", f"there: {_keys_in(node)}")


def _keys_in(node: object) -> str:
    """The keys that may follow in a path to a field, in words."""
    if isinstance(node, Struct):
        return ", ".join(node.__struct_fields__)
    if isinstance(node, dict):
        return ", ".join(map(str, node)) or "nothing"
    if isinstance(node, list):
        return f"0 to {len(node) - 1}" if node else "nothing"
    return "a single value"
