"""CONTRIBUTING.md tells where everything is, and its paths lead somewhere."""

from __future__ import annotations

import ast
import os
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LAYERS = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]


def tree() -> str:
    """The packages of pbem from the top layer to the lowest, in the words of their `__init__`."""
    lines = [f"{'pbem/':<17}{said(ROOT / 'pbem' / '__init__.py')}"]
    for name in (layer for layer in LAYERS if layer != "__main__"):
        module = ROOT / "pbem" / f"{name}.py"
        if module.exists():
            lines.append(f"  {module.name:<15}{said(module)}")
            continue
        lines.append(f"  {name + '/':<15}{said(module.with_suffix('') / '__init__.py')}")
        inner = sorted(module.with_suffix("").glob("*/__init__.py"))
        lines += [f"    {path.parent.name + '/':<13}{said(path)}" for path in inner]
    return "\n".join(lines)


def said(path: Path) -> str:
    """The first line of a module."""
    return (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[0]


def test_the_tree_is_what_the_packages_say() -> None:
    """`GOLDEN=write` before it writes the page anew."""
    shown = PAGE[PAGE.index("\npbem/") + 1 : PAGE.index("\norders/")]
    if os.environ.get("GOLDEN") == "write":
        (ROOT / "CONTRIBUTING.md").write_text(PAGE.replace(shown, tree()), "utf-8")
    else:
        assert shown == tree()


def test_its_paths_lead_somewhere() -> None:
    paths = re.findall(r"`((?:pbem|orders|games|templates|tests|tools|docs)/[\w./]*)`", PAGE)
    missing = [p for p in set(paths) if "yours" not in p and not (ROOT / p).exists()]
    assert len(paths) > 20
    assert missing == []
