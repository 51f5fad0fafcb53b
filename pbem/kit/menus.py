"""Menus: which verbs a unit may be given now, and the values that their arguments may take.

HOLD, MOVE = item(Hold), item(Move)
view.menu["HOOD"] = offer(MOVE, item(Join, force=near), HOLD if ready else None)
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import overload

from msgspec import Struct

from orders.declare import DeclarationError, declared
from orders.verbs import Arg
from pbem.model import MenuArg, MenuItem

_Values = tuple[tuple[str, tuple[str, ...]], ...]


@overload
def item(kind: type[Struct]) -> MenuItem: ...
@overload
def item(kind: type[Struct], **values: Iterable[str]) -> MenuItem | None: ...
def item(kind: type[Struct], **values: Iterable[str]) -> MenuItem | None:
    """Return a verb as a menu offers it, or None if it cannot be given now.

    kind: the struct that `@verb` declares. values: for arguments, by name, the values that they may
    take now, in the order in which they are shown. An argument that is not named may take all its
    words, or any value that the public board allows. No value at all: an argument that may be left
    out is not offered, and without a required one the whole verb is not (None). Equal items are
    one object.

    Raises DeclarationError if an argument is unknown, or a value is not one of its words.
    """
    try:
        return _item(kind, tuple([(name, _listed(name, values[name])) for name in values]))
    except DeclarationError as error:
        caller = sys._getframe(1)
        where = f"{caller.f_code.co_filename}:{caller.f_lineno}"
        raise DeclarationError(f"{where}: item({kind.__name__}, ...): {error}") from None


def offer(*items: MenuItem | None) -> list[MenuItem]:
    """The menu of one unit: these items in this order, without those that are None."""
    return [one for one in items if one is not None]


def _listed(name: str, values: Iterable[str]) -> tuple[str, ...]:
    """The values of an argument; a text would pass for a list of its letters."""
    if isinstance(values, str):
        raise DeclarationError(f"{name!r} needs a list of values, not the text {values!r}")
    return tuple(values)


@lru_cache(maxsize=4096)
def _item(kind: type[Struct], values: _Values) -> MenuItem | None:
    """Make an item; a position has far fewer different ones than units."""
    verb, given = declared(kind), dict(values)
    args = []
    for arg in verb.args:
        listed = given.pop(arg.name, None)
        if listed is None:
            args.append(MenuArg(arg.name, arg.kind, arg.choices))
        elif listed:
            args.append(_limited(arg, listed))
        elif not arg.optional:
            return None
    for name in given:
        known = ", ".join(arg.name for arg in verb.args) or "none"
        raise DeclarationError(f"there is no argument {name!r}; its arguments: {known}")
    return MenuItem(verb.name, tuple(args))


def _limited(arg: Arg, listed: tuple[str, ...]) -> MenuArg:
    """An argument with the values that it may take now."""
    strange = [value for value in listed if arg.choices and value not in arg.choices]
    if strange:
        words = ", ".join(arg.choices)
        raise DeclarationError(f"{strange[0]!r} is not a word of {arg.name!r}: {words}")
    return MenuArg(arg.name, arg.kind, listed)
