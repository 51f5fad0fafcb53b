"""What `msgspec.convert` does to data of a report or an order, as JavaScript.

The data is decoded JSON that Python has accepted already, so values are not checked again: lists,
texts and numbers stay as they are, objects become structs where the type says so.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

Name = Callable[[object], str]
"""The JavaScript name of a class that data is converted to."""


def conversion(hint: object, value: str, name: Name) -> str:
    """JavaScript that makes a value of the type `hint` from decoded JSON.

    value: the JavaScript of the data. Raises TypeError for types that cannot be made.
    """
    hint = _plain(hint)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return f"$made({value}, {name(hint)})"
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _optional(args, value, name)
    if origin is tuple and Ellipsis not in args:
        parts = [conversion(arg, f"x[{i}]", name) for i, arg in enumerate(args)]
        plain = parts == [f"x[{i}]" for i in range(len(args))]
        return value if plain else f"((x) => [{', '.join(parts)}])({value})"
    return _many(origin, args, value, name)


def _many(origin: object, args: Sequence[object], value: str, name: Name) -> str:
    """A list, set or dict; anything else stays as it is."""
    if origin in (set, frozenset):
        return f"$set({value})"
    if origin in (dict, Mapping):
        inner = conversion(args[1], "x", name)
        made = f"new Map([...{value}].map(([k, x]) => [k, {inner}]))"
        return value if inner == "x" else made
    if origin in (list, tuple, Sequence):
        inner = conversion(args[0], "x", name)
        return value if inner == "x" else f"{value}.map((x) => {inner})"
    return value


def _plain(hint: object) -> object:
    """Without new names and annotations."""
    while True:
        if isinstance(hint, typing.NewType):
            hint = hint.__supertype__
        elif typing.get_origin(hint) is typing.Annotated:
            hint = typing.get_args(hint)[0]
        else:
            return hint


def _optional(args: Sequence[object], value: str, name: Name) -> str:
    """One type or None; of other unions only those whose values stay as they are."""
    some = [arg for arg in args if arg is not type(None)]
    made = {conversion(arg, "x", name) for arg in some}
    if made == {"x"}:
        return value
    if len(some) > 1:
        raise TypeError("a choice of several types cannot be told apart on the order page")
    return f"((x) => x === null ? null : {made.pop()})({value})"


def fields(kind: type[Struct], name: Name) -> dict[str, str]:
    """The fields of a struct whose data must be converted: name -> function of the data.

    Raises TypeError for types that cannot be made.
    """
    if kind.__struct_fields__ != kind.__struct_encode_fields__:
        raise TypeError(f"the fields of {kind.__name__} have other names in JSON")
    hints = typing.get_type_hints(kind, include_extras=True)
    made = {f: conversion(hints[f], "x", name) for f in kind.__struct_fields__}
    return {f: f"(x) => {text}" for f, text in made.items() if text != "x"}


def row_of(kind: type[Struct], name: Name) -> dict[str, str]:
    """How the text of a row becomes the struct: name of a field -> what it is made by, `Number` or
    the class of a struct within the row. Fields that stay text are missing; empty if the struct
    cannot be a row, because a field of it takes any number of values."""
    hints = typing.get_type_hints(kind, include_extras=True)
    found = {}
    for field in kind.__struct_fields__:
        hint = _plain(hints[field])
        if isinstance(hint, type) and issubclass(hint, Struct):
            found[field] = name(hint)
        elif hint is int:
            found[field] = "Number"
        elif hint is not str and typing.get_origin(hint) is not typing.Literal:
            return {}
    return found
