"""A game's RULES.md: its table of clauses, and whether what each row names is there."""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Clause(NamedTuple):
    """A row of the table."""

    number: str
    """The first cell: the numbers that the rulebook gives."""
    functions: list[str]
    """Dotted names below the game's package."""
    tests: list[str]
    """Dotted names below the game's folder of tests."""
    cases: list[str]
    """Names of cases of its case files."""


def text(game: str) -> str:
    return (ROOT / "games" / game / "RULES.md").read_text("utf-8")


def clauses(game: str, first: str = r"\d") -> list[Clause]:
    """Every row whose first cell begins with a number, or with what `first` matches."""
    found = []
    for line in text(game).splitlines():
        if re.match(rf"\| *{first}", line):
            number, *_, code, tests = (cell.strip() for cell in line.strip("|").split("|"))
            named = re.findall(r"`([\w.]+)`", tests), re.findall(r'case "([^"]+)"', tests)
            found.append(Clause(number, re.findall(r"`([\w.]+)`", code), *named))
    assert found, game
    return found


def missing(game: str, cases: Collection[str], first: str = r"\d") -> list[str]:
    """What rows name and is not there, and rows without a function, or without test and case.

    cases: the names of all cases."""
    wrong = []
    for row in clauses(game, first):
        if not row.functions:
            wrong.append(f"{row.number}: no function")
        if not row.tests and not row.cases:
            wrong.append(f"{row.number}: no test and no case")
        wrong += [f"{row.number}: {n}" for n in row.functions if not _exists(f"games.{game}.{n}")]
        wrong += [f"{row.number}: {n}" for n in row.tests if not _is_test(game, n)]
        wrong += [f"{row.number}: {name}" for name in row.cases if name not in cases]
    return wrong


def rulings(game: str) -> list[int]:
    """The numbers of the rulings, in the order written."""
    return [int(n) for n in re.findall(r"^(\d+)\. \*\*", text(game), re.MULTILINE)]


def _exists(name: str) -> bool:
    try:
        return resolve_name(name) is not None
    except (AttributeError, ImportError):
        return False


def _is_test(game: str, name: str) -> bool:
    module, _, function = name.partition(".")
    try:
        found = import_module(f"tests.{game}.{module}")
    except ImportError:
        return False
    return not function or callable(getattr(found, function, None))
