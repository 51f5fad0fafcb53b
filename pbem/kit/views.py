"""Views filled from the state: which fields are copied is said once, and checked on import.

A field gets into a view in one of two ways only: its name stands in the list of what is copied, or
the caller gives its value. A field that the state and the view happen to call alike is not copied,
so that a secret that is added to the state cannot reach a report through a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

Made = TypeVar("Made", bound=Struct)


def filler(made: type[Made], copied: Mapping[type, str]) -> Callable[..., Made]:
    """A function that makes a `made` from the state: copied fields, and values for the rest.

        OWN = filler(ShipView, {Ship: "id name type place=area damage"})
        OWN(ship, speed=GRADES[ship.speed])

    copied: for each type that fields are copied from, their names; `place=area` copies the field
    or property `area` into `place`. The function takes an object of each of these types, in this
    order, and all other fields by name; those with a default may be left out. It costs as much as
    the call that one would write by hand. Works for any Struct: a ship from the row of a table.

    Raises TypeError on import, naming the field: one that is copied but does not exist, is copied
    twice, or has another type in the view; and when called without a field that nothing fills.
    """
    known = {field.name: field for field in fields(made)}
    given: dict[str, str] = {}
    for place, (source, names) in enumerate(copied.items()):
        for name, attribute in _pairs(names):
            _judge(made, known, source, name, attribute)
            if name in given:
                raise TypeError(f"{made.__name__}.{name} is copied twice")
            given[name] = f"s{place}.{attribute}"
    return _compiled(made, list(known.values()), given, len(copied))


def _pairs(names: str) -> Iterator[tuple[str, str]]:
    """Field of the view, and of its source."""
    for name in names.split():
        to, _, of = name.partition("=")
        yield to, of or to


def _judge(
    made: type, known: Mapping[str, FieldInfo], source: type, name: str, attribute: str
) -> None:
    """Raises TypeError unless the field can be copied."""
    if name not in known:
        raise TypeError(f"{made.__name__} has no field {name!r}, which is copied")
    if not hasattr(source, attribute):
        text = f"{source.__name__} has no field or property {attribute!r}"
        raise TypeError(f"{made.__name__}.{name}: {text}")
    of = _type_of(source, attribute)
    if not fits(of, known[name].type):
        text = f"{source.__name__}.{attribute} is {_title(of)}, not {_title(known[name].type)}"
        raise TypeError(f"{made.__name__}.{name}: {text}; give its value in the call instead")


def _type_of(source: type, attribute: str) -> object:  # a type, of whichever kind
    if isinstance(own := getattr(source, attribute), property):
        return get_type_hints(own.fget).get("return", Any)
    return _hints(source).get(attribute, Any)


@lru_cache(maxsize=1024)
def _hints(source: type) -> Mapping[str, object]:
    """The types of a class's fields, evaluated once: that takes long, and fields share a class."""
    return get_type_hints(source)


def _title(of: object) -> str:  # a type, of whichever kind
    return getattr(of, "__name__", None) or str(of)


MOST = 15
"""Keywords of one call: CPython makes calls with more through a dict, at twice the cost."""


def _compiled(
    made: type[Made], every: list[FieldInfo], given: Mapping[str, str], sources: int
) -> Callable[..., Made]:
    """The function as if written by hand: fields in their order, which msgspec fills fastest."""
    scope: dict[str, object] = {"made": made}
    values, takes, more = {}, [], []
    for field in every:
        name = field.name
        if name not in given and field.default_factory is not NODEFAULT:
            more = ["**more"]  # the Struct makes its default, anew each time
            continue
        values[name] = given.get(name, name)
        if name not in given:
            takes.append(name if field.required else f"{name}=default_{name}")
            scope[f"default_{name}"] = field.default
    late = _late(made, [f.name for f in every if f.name in values and not f.required], len(values))
    before = [f"s{number}" for number in range(sources)] + ["*"] * bool(takes)
    words = [f"{name}={value}" for name, value in values.items() if name not in late]
    title = f"{made.__name__}_filler"
    lines = [
        f"def {title}({', '.join([*before, *takes, *more])}):",
        f"new = made({', '.join([*words, *more])})",
        *(f"new.{name} = {values[name]}" for name in late),
        "return new",
    ]
    exec("\n ".join(lines), scope)
    filled = cast("Callable[..., Made]", scope[title])
    return filled


def _late(made: type[Struct], optional: list[str], count: int) -> list[str]:
    """Fields that are set after the call, because it would have too many keywords."""
    fixed = made.__struct_config__.frozen or hasattr(made, "__post_init__")
    return [] if fixed or count <= MOST else optional[MOST - count :]


def fits(of: object, into: object) -> bool:  # types, of whichever kind
    """May a value of type `of` stand where `into` is declared? What it cannot judge, it allows."""
    of, into = _plain(of), _plain(into)
    if of == into or Any in (of, into) or into is object:
        return True
    if get_origin(of) in (Union, UnionType):
        return all(fits(one, into) for one in get_args(of))
    if get_origin(into) in (Union, UnionType):
        return any(fits(of, one) for one in get_args(into))
    if Literal in (get_origin(of), get_origin(into)):
        return _words(of, into)
    if get_args(of) and get_args(into):
        return fits(get_origin(of), get_origin(into)) and _each(get_args(of), get_args(into))
    of, into = get_origin(of) or of, get_origin(into) or into
    return not (isinstance(of, type) and isinstance(into, type)) or issubclass(of, into)


def _words(of: object, into: object) -> bool:
    """Of two types, one at least a Literal."""
    if get_origin(into) is Literal:
        return set(get_args(of)) <= set(get_args(into)) and get_origin(of) is Literal
    return all(fits(type(word), into) for word in get_args(of))


def _each(of: tuple[object, ...], into: tuple[object, ...]) -> bool:
    return len(of) == len(into) and all(map(fits, of, into))


def _plain(of: object) -> object:  # a type, of whichever kind
    """A NewType as what it is made of."""
    while hasattr(of, "__supertype__"):
        of = of.__supertype__
    return of
