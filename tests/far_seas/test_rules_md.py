"""RULES.md: every clause names a function and a test, and both are there."""

from __future__ import annotations

import re

from tests.clauses import clauses, missing, rulings
from tests.far_seas import casebook, fights

ALL_CASES = [*casebook.load(), *fights.load()]
SCOPE = range(1, 94)


def numbers(cell: str) -> set[int]:
    """`39-41 (R1)` and `5, 7` as numbers."""
    found: set[int] = set()
    for low, high in re.findall(r"(\d+)(?:-(\d+))?", cell.partition("(")[0]):
        found |= set(range(int(low), int(high or low) + 1))
    return found


def test_every_clause_has_a_line() -> None:
    listed = {number for row in clauses("far_seas") for number in numbers(row.number)}
    assert not set(SCOPE) - listed


def test_what_a_line_names_is_there() -> None:
    assert not missing("far_seas", {f"{c['rule']} {c['name']}" for c in ALL_CASES})


def test_there_are_cases_enough_and_each_cites_a_clause() -> None:
    assert len(ALL_CASES) >= 120
    assert {int(c["rule"]) for c in ALL_CASES} <= set(SCOPE)


def test_every_ruling_is_numbered_once() -> None:
    assert rulings("far_seas") == list(range(1, len(rulings("far_seas")) + 1))
