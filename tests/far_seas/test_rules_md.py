"""RULES.md: every clause names a function and a test, and both are there."""

from __future__ import annotations

import ast
import re

from tests.clauses import ROOT, clauses, missing, rulings, text
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


def brackets() -> set[str]:
    """Every place of the digests that a clause names: `M4`, `found f`, `5.5`."""
    found: set[str] = set()
    for row in clauses("far_seas"):
        inner = row.number.partition("(")[2].rstrip(")")
        prefix = "found " if inner.startswith("found") else ""
        parts = re.split(r",\s*", inner.removeprefix("found "))
        found |= {prefix + part for part in parts} | {part.split()[0] for part in parts}
    return found


def cited() -> dict[str, str]:
    """Every rule that messages, verbs, options and scores of the game cite, and where."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "games" / "far_seas").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = [k.value for k in node.keywords if k.arg == "rule"]
            place = {"Refused": 1, "verb": 0, "Option": 3, "score": 3, "asked": 2}.get(name)
            given += [] if place is None else node.args[place : place + 1]
            for value in given:
                if isinstance(value, ast.Constant) and value.value:
                    found.setdefault(str(value.value), f"{path.name}:{node.lineno}")
    return found


def test_whatever_a_message_cites_is_a_clause_of_this_page() -> None:
    found = cited()
    assert len(found) > 30
    unknown = {rule: where for rule, where in found.items() if rule not in brackets()}
    assert not unknown


def test_every_ruling_belongs_to_a_clause_and_every_clause_knows_its_rulings() -> None:
    said = text("far_seas").partition("## Rulings of each clause")[2].partition("## Calibration")[0]
    lines = re.findall(r"(\d+): ([\d, ]+)", " ".join(said.split()))
    named = {int(n) for _, rulings_ in lines for n in rulings_.replace(" ", "").split(",")}
    assert {int(clause) for clause, _ in lines} <= set(SCOPE)
    assert named <= set(rulings("far_seas"))
    assert set(rulings("far_seas")) - named <= {33}  # what ships do that have no orders
