"""RULES.md: every clause names a function and a test, and both are there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tests.far_seas import casebook, fights

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "games" / "far_seas" / "RULES.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| *\d", line)
]
ALL_CASES = [*casebook.load(), *fights.load()]
CASES = {f"{c['rule']} {c['name']}" for c in ALL_CASES}
SCOPE = range(1, 94)


def numbers(cell: str) -> set[int]:
    """`39-41 (R1)` and `5, 7` as numbers."""
    found: set[int] = set()
    for low, high in re.findall(r"(\d+)(?:-(\d+))?", cell.partition("(")[0]):
        found |= set(range(int(low), int(high or low) + 1))
    return found


@pytest.mark.parametrize("clause", SCOPE)
def test_every_clause_has_a_line(clause: int) -> None:
    assert any(clause in numbers(row[0]) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_function_is_there(row: list[str]) -> None:
    names = re.findall(r"`([\w.]+)`", row[-2])
    assert names, row
    for name in names:
        assert resolve_name(f"games.far_seas.{name}") is not None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_test_is_there(row: list[str]) -> None:
    tests, cases = re.findall(r"`([\w.]+)`", row[-1]), re.findall(r'case "([^"]+)"', row[-1])
    assert tests or cases, row
    assert set(cases) <= CASES
    for name in tests:
        module, _, function = name.partition(".")
        found = import_module(f"tests.far_seas.{module}")
        assert not function or callable(getattr(found, function))


def test_there_are_cases_enough_and_each_cites_a_clause() -> None:
    assert len(ALL_CASES) >= 120
    assert {int(c["rule"]) for c in ALL_CASES} <= set(SCOPE)


def test_every_ruling_is_numbered_once() -> None:
    numbered = [int(n) for n in re.findall(r"^(\d+)\. \*\*", TEXT, re.MULTILINE)]
    assert numbered == list(range(1, len(numbered) + 1))
