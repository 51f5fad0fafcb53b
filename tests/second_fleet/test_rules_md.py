"""RULES.md: every clause has a function and a test or case, and all that it names exists."""

from __future__ import annotations

from tests.casetable import named
from tests.clauses import clauses, missing, rulings
from tests.second_fleet.casebook import load


def test_every_clause_has_a_function_and_a_case() -> None:
    assert missing("second_fleet", {named(case) for case in load()}) == []
    assert len(clauses("second_fleet")) > 400


def test_rulings_are_numbered() -> None:
    found = rulings("second_fleet")
    assert found == list(range(1, len(found) + 1))
    assert len(found) > 40
