"""Where two values of JSON data differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

import msgspec

LONGEST = 60
"""Characters of a value that a message shows."""
_NOTHING = object()


def differences(one: object, other: object, path: str = "$") -> Iterator[str]:
    """Each place at which two values differ: `$.units[0].place: 'B1' and 'C2'`, in the order of the
    first; what only one of them has is compared with `nothing`."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in [*one, *(key for key in other if key not in one)]:
            here, there = one.get(key, _NOTHING), other.get(key, _NOTHING)
            yield from differences(here, there, f"{path}.{key}")
    elif _is_list(one) and _is_list(other):
        assert isinstance(one, Sequence) and isinstance(other, Sequence)
        for i, (here, there) in enumerate(zip_longest(one, other, fillvalue=_NOTHING)):
            yield from differences(here, there, f"{path}[{i}]")
    elif one != other or type(one) is not type(other):
        yield f"{path}: {_shown(one)} and {_shown(other)}"


def first_difference(one: object, other: object) -> str:
    """The first of `differences`; empty if the values are equal."""
    if msgspec.json.encode(one) == msgspec.json.encode(other):
        return ""  # nearly always, and sooner known than by a walk through all values
    return next(differences(one, other), "")


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _shown(value: object) -> str:
    if value is _NOTHING:
        return "nothing"
    said = repr(value)
    return said if len(said) <= LONGEST else said[: LONGEST - 3] + "..."
