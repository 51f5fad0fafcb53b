"""RULES.md: every clause has a line; what it names is there, or it says what is missing."""

from __future__ import annotations

import re

from tests.atlantic_chase import casebook
from tests.clauses import clauses, missing, rulings, text

SCOPE = range(1, 255)
OUT, BARE = "not in play", "in play, without a case"


def numbers(rule: str) -> set[int]:
    """`R138-R140` and `R034, R035` as numbers."""
    found: set[int] = set()
    for low, high in re.findall(r"R(\d+)(?:-R(\d+))?", rule):
        found |= set(range(int(low), int(high or low) + 1))
    return found


def saying(what: str) -> set[int]:
    """The clauses whose line says so in a cell."""
    lines = (line for line in text("atlantic_chase").splitlines() if f"| {what} |" in line)
    return {int(found[1]) for line in lines if (found := re.match(r"\| (\d+)", line))}


def test_every_clause_has_one_line() -> None:
    listed = [int(row.number.split()[0]) for row in clauses("atlantic_chase")]
    assert sorted(listed) == list(SCOPE)


def test_what_a_line_names_is_there() -> None:
    names = {f"{c['rule']} {c['name']}" for c in casebook.load()}
    wrong = [(int(w.partition(" ")[0].rstrip(":")), w) for w in missing("atlantic_chase", names)]
    told = [(number, w) for number, w in wrong if number not in saying(OUT)]
    bare = saying(BARE)
    assert not [w for number, w in told if number not in bare or "no test and no case" not in w]


def test_every_case_cites_clauses() -> None:
    assert all(numbers(c["rule"]) <= set(SCOPE) for c in casebook.load())
    assert len(casebook.load()) >= 190


def test_a_clause_with_a_case_is_in_play() -> None:
    cited: set[int] = set()
    for case in casebook.load():
        cited |= numbers(case["rule"])
    assert not cited & saying(OUT)


def test_every_ruling_is_numbered_once() -> None:
    found = rulings("atlantic_chase")
    assert found == list(range(1, len(found) + 1)) and len(found) >= 20
