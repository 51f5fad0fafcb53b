"""docs/trust.md: the codes it promises are codes that the programs say."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "trust.md").read_text()
AUDIT = "".join(
    (ROOT / "pbem" / name).read_text()
    for name in ("audit.py", "held.py", "proofs.py", "provable.py", "strict.py")
)
VERIFY = (ROOT / "verify.py").read_text()


def codes(cell: str) -> set[str]:
    return set(re.findall(r"`([a-z-]+)`", cell))


def test_every_code_of_the_table_is_said() -> None:
    section = PAGE.split("## What is found")[1].split("\n## ")[0]
    rows = [line.split("|")[2:4] for line in section.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 10
    for audit, verify in rows:
        shared = codes(audit) if "the same" in verify else codes(verify)
        assert codes(audit)
        for code in codes(audit):
            assert f'"{code}"' in AUDIT or f'f"{code.split("-")[0]}-{{kind}}"' in AUDIT, code
        for code in shared:
            assert f'"{code}"' in VERIFY, code


def test_the_pages_it_leads_to_are_there() -> None:
    for name in re.findall(r"\]\(([a-z]+\.md)\)", PAGE):
        assert (ROOT / "docs" / name).is_file()
