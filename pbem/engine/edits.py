"""The edits of rulings: changes of the truth, made once live and again in every replay.

A system has edits of its own (`System.edits`), because moving a unit changes more than one field.
Two edits serve every system: `set` puts a value of the right type into any field of the state,
`remove` deletes an entry of a map or list. The caller checks the system's invariants afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from types import GenericAlias, UnionType
from typing import Annotated, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from pbem.engine.validate import wrong_edits
from pbem.model import Edit, Plain, State, System, Unfit


class Set(Edit, frozen=True, kw_only=True):
    """Put a value into one field of the state. field: as `ships.NAME.fuel`."""

    field: str
    value: object

    def amend(self, state: State) -> None:
        """See Edit.amend."""
        _put(state, type(state), _keys(self.field), self.value)


class Remove(Edit, frozen=True, kw_only=True):
    """Take an entry out of a map or a list of the state. field: as `known.SIDE.contacts.NAME`."""

    field: str

    def amend(self, state: State) -> None:
        """See Edit.amend."""
        *path, last = _keys(self.field)
        holder: object = state
        kind: object = type(state)
        for key in path:
            holder, kind = _part(holder, kind, key)
        _part(holder, kind, last)
        if isinstance(holder, dict):
            del holder[_key(holder, kind, last)]
        elif isinstance(holder, list):
            del holder[int(last)]
        else:
            raise Unfit(
                f"{self.field} is a field, not an entry", "field", "use `set` to give it a value"
            )


def kinds(system: System) -> dict[str, type[Edit]]:
    """The edits that a ruling may make in games of `system`, by their name in `do`.

    Raises RulesFault if two are called alike."""
    for mistake in wrong_edits(system):
        raise mistake
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
    """`ships.NAME.fuel` as keys, from the state down. Raises Unfit."""
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
    if isinstance(node, dict) and not rest:  # the entry may be a new one
        node[_key(node, kind, key)] = _converted(value, _declared(node, kind, 1))
        return node
    old, below = _part(node, kind, key)
    new = _put(old, below, rest, value)
    if isinstance(node, dict):
        node[_key(node, kind, key)] = new
        return node
    if isinstance(node, list):
        node[int(key)] = new
        return node
    assert isinstance(node, Struct), "the path to a field leads through structs, maps and lists"
    if type(node).__struct_config__.frozen:
        return msgspec.structs.replace(node, **{key: new})
    setattr(node, key, new)
    return node


def _declared(node: object, kind: object, at: int) -> object:
    """The type that the declaration `kind` of a map or list gives its keys (0) or its values (the
    last), also behind `| None`."""
    of = get_args(kind)
    if get_origin(kind) is Annotated:
        return _declared(node, of[0], at)
    if get_origin(kind) in (Union, UnionType):
        own = (one for one in of if isinstance(node, _class(one)))
        return _declared(node, next(own, None), at)
    return of[at] if at < len(of) else object


def _class(kind: object) -> type:
    """The class of a declared type: dict of `dict[str, int]`."""
    found = get_origin(kind) or kind
    return found if isinstance(found, type) else type(None)


def _key(node: object, kind: object, key: str) -> object:
    """A word of a path as a key of a map, which may be a number. Raises Unfit."""
    try:
        return msgspec.convert(key, _declared(node, kind, 0), strict=False)
    except msgspec.ValidationError as error:
        raise Unfit(f"{key!r} is no key there: {error}", "field", _there(node)) from None


def _part(node: object, kind: object, key: str) -> tuple[object, object]:
    """The part of `node`, which is declared as `kind`, under a word of a path, and its declared
    type. Raises Unfit, whose hint lists the keys that exist."""
    if isinstance(node, dict) and (name := _key(node, kind, key)) in node:
        return node[name], _declared(node, kind, 1)
    if isinstance(node, list) and key.isascii() and key.isdigit() and int(key) < len(node):
        return node[int(key)], _declared(node, kind, 0)
    if isinstance(node, Struct) and key in node.__struct_fields__:
        return getattr(node, key), get_type_hints(type(node), include_extras=True)[key]
    raise Unfit(f"there is no {key!r} there", "field", _there(node))


def _converted(value: object, kind: object) -> object:
    """A value of a ruling's file as the type of its field. Raises Unfit."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise Unfit(str(error).replace("`$", "`value"), "value") from None


def _there(node: object) -> str:
    return f"there: {_keys_in(node)}"


def _keys_in(node: object) -> str:
    """The keys that may follow in a path to a field, in words."""
    if isinstance(node, Struct):
        return ", ".join(node.__struct_fields__)
    if isinstance(node, dict):
        return ", ".join(map(str, node)) or "nothing"
    if isinstance(node, list):
        return f"0 to {len(node) - 1}" if node else "nothing"
    return "a single value"
