"""Menus: which verbs a unit may be given now, and the values that their arguments may take.

HOLD, MOVE = item(Hold), item(Move)
view.menu["HOOD"] = offer(MOVE, item(Join, force=near), HOLD if ready else None)
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from orders.declare import declared
from orders.verbs import Arg, DeclarationError
from pbem.model import MenuArg, MenuItem

Values = tuple[str, ...] | list[str]
"""What an argument may be now, in the order in which it is shown."""


@overload
def item(kind: type[Struct]) -> MenuItem: ...
@overload
def item(kind: type[Struct], **values: Values) -> MenuItem | None: ...
def item(kind: type[Struct], **values: Values) -> MenuItem | None:
    """Return a verb as a menu offers it, or None if it cannot be given now.

    kind: the struct that `@verb` declares. values: for arguments, by name, the values that they may
    take now. An argument that is not named may take all its words, or any value that the public
    board allows. No value at all: an argument that may be left out is not offered, and without a
    required one the whole verb is not (None). Equal items are one object.

    Raises DeclarationError if an argument is unknown, or a value is not one of its words.
    """
    try:
        return _item(kind, tuple(values.items()))
    except TypeError:  # a list, by which nothing can be looked up
        return _item(kind, tuple([(n, _texts(kind, n, v)) for n, v in values.items()]))


def offer(*items: MenuItem | None) -> list[MenuItem]:
    """The menu of one unit: these items in this order, without those that are None."""
    return [one for one in items if one is not None]


@lru_cache(maxsize=4096)
def limited(one: MenuItem, arg: str, values: tuple[str, ...]) -> MenuItem | None:
    """The item with these values for one of its arguments, None without any: for effects of checks
    (`pbem.kit.checks.Checks.effect`), which the order page runs and which cannot call `item`."""
    args = [replace(a, values=values) if a.name == arg else a for a in one.args]
    return replace(one, args=tuple(args)) if values else None


@lru_cache(maxsize=4096)
def _item(kind: type[Struct], values: tuple[tuple[str, Values], ...]) -> MenuItem | None:
    """Make an item; a position has far fewer different ones than units."""
    verb, given = declared(kind), dict(values)
    args = []
    for arg in verb.args:
        if arg.name not in given:
            args.append(MenuArg(arg.name, arg.kind, arg.choices))
            continue
        listed = _listed(kind, arg, given.pop(arg.name))
        if listed:
            args.append(MenuArg(arg.name, arg.kind, listed))
        elif not arg.optional:
            return None
    for name in given:
        known = ", ".join(arg.name for arg in verb.args) or "none"
        raise _wrong(kind, f"there is no argument {name!r}; its arguments: {known}")
    return MenuItem(verb.name, tuple(args))


def _texts(kind: type[Struct], name: str, values: Values) -> tuple[str, ...]:
    """Values as a tuple. A text would pass for a list of its letters, and a set has no order."""
    if not isinstance(values, (tuple, list)):
        raise _wrong(kind, f"{name!r} needs a tuple or list of values, not {values!r}")
    for value in values:
        if not isinstance(value, str):
            raise _wrong(kind, f"{name!r} needs values that are texts, not {value!r}")
    return tuple(values)


def _listed(kind: type[Struct], arg: Arg, values: Values) -> tuple[str, ...]:
    """The values that an argument may take now."""
    found = _texts(kind, arg.name, values)
    for value in found:
        if arg.choices and value not in arg.choices:
            words = ", ".join(arg.choices)
            raise _wrong(kind, f"{value!r} is not a word of {arg.name!r}: {words}")
    return found


def _wrong(kind: type[Struct], text: str) -> DeclarationError:
    """The error, with the place of the call that makes the item."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename == __file__ and frame.f_back:
        frame = frame.f_back
    where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    return DeclarationError(f"{where}: item({kind.__name__}, ...): {text}")
