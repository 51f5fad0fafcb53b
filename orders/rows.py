"""Rows: values that are written side by side, as text and as structs of the rules.

The text of a row is its values with a space between them. A value that contains a space is in
quotes, `"LR RECON 2" 4`; a point is two values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TypeVar, get_args

from msgspec import Struct, ValidationError, convert
from msgspec.structs import FieldInfo, fields

from orders.conditions import thousandths
from orders.model import Action, Value

T = TypeVar("T", bound=Struct)

_PART = re.compile(r'"([^"]*)"|([^" ]+)')


class Point(Struct, frozen=True):
    """A point of the plane, `12.5 30`, as canonical text."""

    x: str
    y: str

    @property
    def thousandths(self) -> tuple[int, int]:
        """Both numbers in thousandths: (12500, 30000)."""
        return thousandths(self.x) or 0, thousandths(self.y) or 0


def quoted(value: str) -> str:
    """A value as it stands in a row: in quotes if it contains a space."""
    return f'"{value}"' if " " in value else value


def values_of(row: str) -> list[str]:
    """The values of a row, without quotes: `"LR RECON 2" 4` -> LR RECON 2, 4."""
    return [named or bare for named, bare in _PART.findall(row)]


def text_of(row: Struct) -> str:
    """The text of a row that is a struct: `Leg("ahead", "2.5")` -> `ahead 2.5`. See `typed`."""
    values = (getattr(row, name) for name in row.__struct_fields__)
    return " ".join(text_of(v) if isinstance(v, Struct) else quoted(str(v)) for v in values)


def typed(args: Mapping[str, Value], kind: type[T]) -> T:
    """The arguments of an action as the struct of its verb.

    Where a field is a struct, or a tuple or list of one, the text of each row becomes that struct:
    its fields take the values in their order, and a field that is a struct itself (`Point`) as
    many as it has fields. Fields may be numbers, text or words (`Literal`).

    Raises msgspec.ValidationError if the arguments do not fit.
    """
    rows = _rows(kind)
    if not rows:
        return convert(args, kind)
    found: dict[str, object] = dict(args)
    for name in rows.keys() & args.keys():
        value = args[name]
        texts = value if isinstance(value, list) else [str(value)]
        made = [_made(text, rows[name]) for text in texts]
        found[name] = made if isinstance(value, list) else made[0]
    return convert(found, kind)


def made(action: Action, kind: type[T]) -> T:
    """The arguments of an action as the struct of its verb, `typed` once for each action if nobody
    can change it: rules ask for the same orders in many phases. Raises like `typed`."""
    found = action.__dict__.get("made")
    if type(found) is not kind:
        found = typed(action.args, kind)
        if kind.__struct_config__.frozen:
            action.__dict__["made"] = found
    return found


def _made(row: str, kind: type[Struct]) -> Struct:
    """One row as its struct."""
    values = iter(values_of(row))
    made = convert(_fields(values, kind, row), kind, strict=False)
    if next(values, None) is not None:
        raise ValidationError(f"{kind.__name__} has fewer fields than {row!r} has values")
    return made


def _fields(values: Iterator[str], kind: type[Struct], row: str) -> dict[str, object]:
    """The fields of a row's struct, each with the values that come next."""
    inner, found = _rows(kind), dict[str, object]()
    for name in kind.__struct_fields__:
        if name in inner:
            found[name] = _fields(values, inner[name], row)
        elif (value := next(values, None)) is not None:
            found[name] = value
        else:
            raise ValidationError(f"{kind.__name__} has more fields than {row!r} has values")
    return found


@cache
def fields_of(kind: type[Struct]) -> tuple[FieldInfo, ...]:
    """The fields of a struct, their annotations evaluated once: that takes long."""
    return fields(kind)


@cache
def _rows(kind: type[Struct]) -> dict[str, type[Struct]]:
    """The fields of a struct that are rows, each with the struct of one row."""
    found = {field.name: _struct_in(field.type) for field in fields_of(kind)}
    return {name: row for name, row in found.items() if row}


def _struct_in(annotation: object) -> type[Struct] | None:
    """`Leg` of Leg, `Leg | None`, `tuple[Leg, ...]` and the like; None without a struct."""
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return annotation
    return next(filter(None, map(_struct_in, get_args(annotation))), None)
