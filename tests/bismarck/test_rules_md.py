"""RULES.md: every clause in scope names a function and a test, and both are there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.bismarck.casebook import load

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "games" / "bismarck" / "RULES.md").read_text("utf-8")
SCOPE = re.findall(
    r"[\d.]+",
    """1.2 2.2 2.423 2.427 2.43 2.51 3.0 4.0 4.1 4.2 4.4 4.5 4.6 4.9
5.11 5.12 5.13 5.14 5.15 5.16 5.17 5.18 5.19 5.21 5.22 5.23 5.24 5.25 5.26 5.27 5.28 5.29
5.31 5.32 5.33 5.34 5.41 5.43 5.44 5.45
6.11 6.12 6.13 6.14 6.21 6.22 6.23 6.24 6.31 6.32 6.33 6.41 6.42 6.43 6.44
7.11 7.12 7.13 7.14 7.15 7.16 7.17 7.21 7.22 7.23 7.24 7.25 7.26 7.27 7.28 7.29 7.31 7.32 7.33
10.1 10.2 10.21 10.211 10.212 10.213 10.214 10.22 10.23 10.231 10.232 10.24 10.25 10.26
11.11 11.13 11.21 11.22 11.23
12.1 12.12 12.13 12.14 12.2 12.33 12.35 12.36 12.42 12.43 12.44 12.46 12.6""",
)
"""The clauses of this edition: the search board, without combat."""

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith(("| rule", "| ---"))
]
CASES = {f"{c['rule']} {c['name']}" for c in load()}


def clauses(cell: str) -> set[str]:
    return set(re.findall(r"\b\d+\.\d+\b", cell))


@pytest.mark.parametrize("clause", SCOPE)
def test_every_clause_has_a_line(clause: str) -> None:
    assert any(clause in clauses(row[0]) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_function_is_there(row: list[str]) -> None:
    names = re.findall(r"`([\w.]+)`", row[1])
    assert names, row
    for name in names:
        module, *path = name.split(".")
        thing: Any = import_module(f"games.bismarck.{module}")
        for step in path:
            thing = getattr(thing, step)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_test_is_there(row: list[str]) -> None:
    tests, cases = re.findall(r"`([\w.]+)`", row[2]), re.findall(r'case "([^"]+)"', row[2])
    assert tests or cases, row
    assert set(cases) <= CASES
    for name in tests:
        module, _, function = name.partition(".")
        found = import_module(f"tests.bismarck.{module}")
        assert not function or callable(getattr(found, function))


def test_every_case_cites_a_clause_of_the_edition() -> None:
    assert {c["rule"] for c in load()} <= set(SCOPE)


def test_every_ruling_is_numbered_once() -> None:
    numbers = [int(n) for n in re.findall(r"^(\d+)\. \*\*", TEXT, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
