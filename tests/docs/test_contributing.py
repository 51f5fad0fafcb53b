"""CONTRIBUTING.md tells where everything is, and its paths lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_every_module_of_the_desk_has_its_subject_once() -> None:
    table = PAGE[PAGE.index("| subject |") : PAGE.index("## Set up, test")]
    listed = re.findall(r"`([a-z_]+/?)`", table)
    modules = {path.stem for path in (ROOT / "pbem").glob("*.py")} - {"__init__", "__main__"}
    folders = {f"{path.parent.name}/" for path in (ROOT / "pbem").glob("*/__init__.py")}
    assert sorted(listed) == sorted(modules | folders)


def test_its_paths_lead_somewhere() -> None:
    paths = re.findall(r"`((?:pbem|orders|games|templates|tests|tools|docs)/[\w./]*)`", PAGE)
    missing = [p for p in set(paths) if "yours" not in p and not (ROOT / p).exists()]
    assert len(paths) > 20
    assert missing == []
