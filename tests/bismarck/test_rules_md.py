"""RULES.md: every clause in scope names a function and a test, and both are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.bismarck.casebook import load
from tests.clauses import ROOT, clauses, missing, rulings, text

SCOPE = re.findall(
    r"[\d.]+",
    """1.2 2.2 2.3 2.42 2.421 2.422 2.423 2.424 2.425 2.426 2.427
2.43 2.431 2.432 2.433 2.434 2.435 2.436 2.437 2.438 2.51 2.52 2.53 2.54 2.62 2.63 2.64 2.82
3.0 4.0 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9
5.11 5.12 5.13 5.14 5.15 5.16 5.17 5.18 5.19 5.21 5.22 5.23 5.24 5.25 5.26 5.27 5.28 5.29
5.31 5.32 5.33 5.34 5.41 5.42 5.43 5.44 5.45
6.11 6.12 6.13 6.14 6.21 6.22 6.23 6.24 6.31 6.32 6.33 6.41 6.42 6.43 6.44 6.45
7.11 7.12 7.13 7.14 7.15 7.16 7.17 7.21 7.22 7.23 7.24 7.25 7.26 7.27 7.28 7.29 7.31 7.32 7.33
8.11 8.12 8.13 8.14 8.15 8.16 8.17 8.18 8.19 8.21 8.22 8.23 8.24
9.11 9.12 9.13 9.14 9.15 9.16 9.17 9.18
9.21 9.22 9.221 9.222 9.223 9.224 9.23 9.24 9.241 9.242 9.25 9.26 9.27 9.271 9.272
9.28 9.281 9.282 9.31 9.32 9.33 9.41 9.42 9.43 9.44 9.45 9.51 9.52 9.53 9.54 9.55 9.56 9.57
9.61 9.62 9.63 9.64 9.651 9.652 9.66 9.67 9.68
9.711 9.712 9.713 9.714 9.715 9.716 9.717 9.721 9.722 9.723 9.724 9.725 9.726 9.727 9.728 9.729
9.81 9.82 9.83 9.84 9.91 9.92 9.93 9.94 9.95 9.96 9.97 9.98 9.99
10.1 10.2 10.21 10.211 10.212 10.213 10.214 10.22 10.23 10.231 10.232 10.24 10.25 10.26
11.11 11.12 11.13 11.21 11.22 11.23
12.1 12.11 12.12 12.13 12.14 12.2 12.31 12.32 12.33 12.34 12.35 12.36 12.41 12.42 12.43 12.44
12.45 12.46 12.5 12.6 12.7""",
)
"""The clauses of this edition: the whole Basic Game."""

CASES = load()


def numbers(cell: str) -> set[str]:
    return set(re.findall(r"\b\d+\.\d+\b", cell))


def test_every_clause_has_a_line() -> None:
    listed = {number for row in clauses("bismarck") for number in numbers(row.number)}
    assert not set(SCOPE) - listed


def test_what_a_line_names_is_there() -> None:
    assert not missing("bismarck", {f"{c['rule']} {c['name']}" for c in CASES})


def test_a_clause_that_has_cases_names_one() -> None:
    named = {
        (number, case.split()[0])
        for row in clauses("bismarck")
        for number in numbers(row.number)
        for case in row.cases
    }
    assert not [rule for rule in sorted({c["rule"] for c in CASES}) if (rule, rule) not in named]


def test_every_case_cites_a_clause_of_the_edition() -> None:
    assert {c["rule"] for c in CASES} <= set(SCOPE)


def test_every_ruling_is_numbered_once() -> None:
    assert rulings("bismarck") == list(range(1, len(rulings("bismarck")) + 1))


HOME = ROOT / "games" / "bismarck"
CITING = [
    *HOME.rglob("*.py"),
    *(HOME / "data").glob("*.toml"),
    *(ROOT / "templates" / "bismarck").glob("*.j2"),
    *(ROOT / "tests" / "bismarck" / "cases").glob("*.toml"),
]
CITED = re.compile(r"((?:(?:\d+\.\d+|X), )*)[Rr]uling (\d+)")


def cited(path: Path) -> list[tuple[set[str], int]]:
    """Every `9.16, ruling 34` of a file with the clauses before it, in a case with its own."""
    found = []
    for block in re.split(r"(?m)^\[\[case\]\]$", path.read_text("utf-8")):
        rule = set(re.findall(r"(?m)^rule = '([\d.]+)'", block))
        found += [
            (set(re.findall(r"\d+\.\d+", before)) or rule, int(number))
            for before, number in CITED.findall(block)
        ]
    return found


@pytest.mark.parametrize("path", [p for p in CITING if cited(p)], ids=lambda p: p.name)
def test_every_ruling_that_is_cited_is_about_the_clause_cited(path: Path) -> None:
    headings = dict(re.findall(r"(?m)^(\d+)\. \*\*([^*]+)\*\*", text("bismarck")))
    for clauses_, number in cited(path):
        assert str(number) in headings, f"there is no ruling {number}"
        about = set(re.findall(r"\d+\.\d+", headings[str(number)])) or {"4.1"}  # notes
        assert clauses_ & about, f"ruling {number} is about {headings[str(number)]}, not {clauses_}"
