"""Every fault that the walk in docs/pictures.md names has a test, and the test exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[a-z_/0-9]+\.py)(?:::(test_[a-z_0-9]+))?`")


def test_every_fault_of_the_walk_has_a_test() -> None:
    page = (ROOT / "docs" / "pictures.md").read_text("utf-8")
    walk = page[page.index("## A walk as a new player") : page.index("## Symbols")]
    rows = [row for row in walk.splitlines() if row.startswith("| ") and "::test_" in row]
    assert len(rows) >= 12 + 5 + 8
    for file, name in NAMED.findall(walk):
        text = (ROOT / file).read_text("utf-8")
        assert not name or f"def {name}(" in text, f"{file}::{name}"


def test_every_row_of_its_faults_names_one() -> None:
    page = (ROOT / "docs" / "pictures.md").read_text("utf-8")
    for title in ("Faults", "Stumbles", "Words"):
        table = page[page.index(f"### {title}\n") :].partition("\n### ")[0]
        rows = [row for row in table.splitlines() if row.startswith("| ")][2:]
        assert rows and all(NAMED.search(row) for row in rows), title
