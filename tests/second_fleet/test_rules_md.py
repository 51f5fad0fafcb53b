"""RULES.md names functions and cases that exist, and says which clauses are missing."""

from __future__ import annotations

from tests.casetable import named
from tests.clauses import clauses, missing
from tests.second_fleet.casebook import load

COMING = 44
"""Clauses without a function."""
BARE = 0
"""Clauses with a function and neither test nor case."""


def test_rows_name_what_exists() -> None:
    wrong = missing("second_fleet", {named(case) for case in load()})
    known = ("no function", "no test and no case")
    assert [w for w in wrong if not w.endswith(known)] == []


def test_what_is_missing_becomes_less() -> None:
    rows = clauses("second_fleet")
    assert sum(not row.functions for row in rows) <= COMING
    assert sum(bool(row.functions) and not (row.tests or row.cases) for row in rows) <= BARE
