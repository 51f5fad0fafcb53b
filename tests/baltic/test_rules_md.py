"""RULES.md: every clause has a line, which names functions and cases that are there."""

from __future__ import annotations

import re

from tests.baltic import casebook
from tests.clauses import clauses, missing, rulings, text

CLAUSES, RULINGS, EXAMPLES = 215, 54, 32
OWN = ("2.1", "2.6", "2.7")
"""Sections of our page that cases cite: geometry, scenarios, the helmsman."""
NAMES = {f"{case['rule']} {case['name']}" for case in casebook.load()}


def test_every_clause_has_one_line() -> None:
    listed = [row.number for row in clauses("baltic") if "." not in row.number]
    assert [int(number) for number in listed] == list(range(1, CLAUSES + 1))


def test_every_clause_names_a_function_and_a_case_that_are_there() -> None:
    assert not missing("baltic", NAMES)


def test_every_case_cites_a_clause() -> None:
    cited = {case["rule"] for case in casebook.load()}
    assert cited >= {str(number) for number in range(1, CLAUSES + 1)}
    assert cited <= {*(str(number) for number in range(1, CLAUSES + 1)), *OWN}
    assert len(NAMES) >= 300


def test_every_ruling_is_shown() -> None:
    assert rulings("baltic") == list(range(1, RULINGS + 1))
    lines = re.findall(r"^\d+\. \*\*B.*$", text("baltic"), re.MULTILINE)
    shown = [re.search(r'Shown: (?:case "(.+)"|`test_geometry\.(\w+)`)\.$', line) for line in lines]
    assert all(found and (found[1] in NAMES or found[2]) for found in shown), lines


def test_every_worked_example_is_a_test_or_a_case() -> None:
    source = (casebook.FOLDER.parent / "test_vectors.py").read_text("utf-8")
    tests = {int(number) for number in re.findall(r"def test_v(\d+)_", source)}
    told = " ".join(NAMES)
    cases = {int(number) for number in re.findall(r"\bV(\d+)\b", told)}
    assert tests | cases == set(range(1, EXAMPLES + 1))
