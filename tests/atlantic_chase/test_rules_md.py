"""RULES.md: every clause has a line, which names functions and cases that are there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.atlantic_chase import casebook
from tests.clauses import clauses, missing, rulings, text

SCOPE = range(1, 255)


def numbers(rule: str) -> set[int]:
    """`R138-R140` and `R034, R035` as numbers."""
    found: set[int] = set()
    for low, high in re.findall(r"R(\d+)(?:-R(\d+))?", rule):
        found |= set(range(int(low), int(high or low) + 1))
    return found


def test_every_clause_has_one_line() -> None:
    listed = [int(row.number.split()[0]) for row in clauses("atlantic_chase")]
    assert sorted(listed) == list(SCOPE)


def test_every_clause_names_a_function_and_a_case_that_are_there() -> None:
    names = {f"{c['rule']} {c['name']}" for c in casebook.load()}
    assert not missing("atlantic_chase", names)


def test_the_advanced_battle_has_its_table() -> None:
    """8.3: rows A1, A2 and so on, each with function and case."""
    names = {f"{c['rule']} {c['name']}" for c in casebook.load()}
    assert len(clauses("atlantic_chase", r"A\d")) >= 12
    assert not missing("atlantic_chase", names, r"A\d")


def test_every_case_that_is_named_is_there() -> None:
    """Those of the lists of choices and of worked tests, too."""
    names = {f"{c['rule']} {c['name']}" for c in casebook.load()}
    named = re.findall(r'case "([^"]+)"', text("atlantic_chase"))
    assert len(named) > 400 and not [name for name in named if name not in names]


def test_the_list_of_worked_tests_is_whole() -> None:
    found = re.findall(r"^\| T(\d\d) \|", text("atlantic_chase"), re.MULTILINE)
    assert [int(n) for n in found] == list(WORKED)


def test_every_case_cites_clauses() -> None:
    assert all(numbers(c["rule"]) <= set(SCOPE) for c in casebook.load())
    assert len(casebook.load()) >= 350


WORKED = range(1, 61)
"""The worked examples of the page; T40 to T44 are whole tables (`test_tables`)."""


def test_every_worked_example_is_a_case() -> None:
    """Each is named `(T07)` in the name of its case, or in a test of a table."""
    found = {int(n) for c in casebook.load() for n in re.findall(r"\bT(\d\d)\b", c["name"])}
    tested = (Path(__file__).parent / name for name in ("test_tables.py", "test_battle_dice.py"))
    for path in (*tested, Path(__file__).parent / "test_time_lapse.py"):
        text = path.read_text("utf-8")
        found |= {int(n) for n in re.findall(r"\bT(\d\d)\b", text)}
    assert set(WORKED) - found == set()


def test_every_ruling_is_numbered_once() -> None:
    found = rulings("atlantic_chase")
    assert found == list(range(1, len(found) + 1)) and len(found) >= 20
