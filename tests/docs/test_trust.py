"""docs/trust.md: the codes it promises are codes that the programs say."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "trust.md").read_text()
AUDIT = "".join(
    (ROOT / "pbem" / name).read_text()
    for name in (
        "audit/auditor.py",
        "audit/findings.py",
        "audit/rerun.py",
        "audit/verify_report.py",
        "audit/dice_checks.py",
        "dice/provable.py",
        "turns/strict_dice.py",
    )
)
VERIFY = (ROOT / "verify.py").read_text()


def codes(cell: str) -> set[str]:
    return set(re.findall(r"`([a-z-]+)`", cell))


def said_by(code: str, source: str) -> bool:
    """Whether a program says that code, whole or put together from a kind of paper."""
    begin, _, kind = code.partition("-")
    made = f'f"{begin}-{{kind}}"' in source and kind in ("report", "receipt", "lock")
    return made or f'"{code}"' in source


def test_every_code_of_the_table_is_said() -> None:
    section = PAGE.split("## What is found")[1].split("\n## ")[0]
    rows = [line.split("|")[2:4] for line in section.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 10
    for audit, verify in rows:
        shared = codes(audit) if "the same" in verify else codes(verify)
        assert codes(audit)
        for code in codes(audit):
            assert said_by(code, AUDIT), code
        for code in shared:
            assert said_by(code, VERIFY), code


def test_the_pages_it_leads_to_are_there() -> None:
    for name in re.findall(r"\]\(([a-z]+\.md)\)", PAGE):
        assert (ROOT / "docs" / name).is_file()
