"""What a translation is: code, constants, and the part of python.js that the code uses; or faults.

This module imports nothing heavy: commands that only put finished translations into pages load it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple, NotRequired, TypedDict

from msgspec import Struct

from pbem.data import template

SHARED = ("orders", "pbem.model", "pbem.view", "pbem.kit")
"""Packages besides the game's own whose functions and classes a check may use."""
_HELPER = re.compile(r"(?<![\w$])\$\w+")
_TOP = re.compile(r"^(?=(?:function\*?|class) )", re.MULTILINE)


class Fault(NamedTuple):
    """A place outside the subset."""

    file: str
    """Path from the folder of the outermost package."""
    line: int
    column: int
    text: str
    hint: str
    """What to write instead; may be empty."""
    source: str
    """The line."""

    def __str__(self) -> str:
        mark = " " * (self.column - 1) + "^"
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        place = f"{self.file}:{self.line}:{self.column}"
        return f"{place}: {self.text}\n  {self.source}\n  {mark}{hint}"


class NotTranslatable(Exception):  # noqa: N818
    """Checks outside the subset of Python that the order page can run. faults: all places."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


class Constant(TypedDict):
    """A constant of the rules as JSON data: the value, and the house rules that would change it."""

    v: object
    by: NotRequired[list[str]]


class Translation(Struct, frozen=True):
    """A system's checks for the order page."""

    code: str
    """The system's part of the page's script; empty if it has no checks."""
    values: list[Constant]
    """Its constants, in the order in which the code numbers them."""


@lru_cache(8)
def runtime(code: str) -> str:
    """The part of python.js that this code uses."""
    parts = _parts()
    wanted, left = set[str](), set(_HELPER.findall(code))
    while left:
        name = left.pop()
        if name in parts and name not in wanted:
            wanted.add(name)
            left.update(_HELPER.findall(parts[name]))
    return "\n".join(text for name, text in parts.items() if name in wanted)


@cache
def _parts() -> dict[str, str]:
    """The functions of python.js by name."""
    rows = _TOP.split(template("order_page/js/python.js").decode())[1:]
    return {_HELPER.findall(row)[0]: f"{row.rstrip()}\n" for row in rows}
