"""`wheel.py FILE.whl`: check the content of a wheel; print what is wrong and exit with 1."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
PACKAGES = ("pbem", "orders", "games", "templates")
SUFFIXES = (".py", ".toml", ".j2", ".js", ".css", ".json", ".typed", ".in", ".txt", ".zip")
TABLE = re.compile(r"games/\w+/data/\w+\.toml")
COMPILED = re.compile(r"games/\w+/data/compiled\.json")
ARCHIVE = re.compile(r"games/\w+/editions/[\w.-]+\.zip")
SKELETON = "pbem/skeleton/"
"""The package that `pbem new-system` writes has tests of its own."""
CHECKS = "templates/compiled/checks.json"
UNWANTED = ("tests/", "docs/", "orders/examples/", "hatch_build", ".ci/", ".md", "__pycache__")


def source_files() -> set[str]:
    """Return the files of the source tree that the wheel must contain: code, data, templates."""
    found = [p for package in PACKAGES for p in (ROOT / package).rglob("*") if p.is_file()]
    names = {p.relative_to(ROOT).as_posix() for p in found}
    return {n for n in names if n.endswith(SUFFIXES) and not _left_out(n)}


def _left_out(name: str) -> bool:
    """Tell whether a file does not belong into the wheel, or is compiled during the build."""
    made = name.startswith("templates/compiled/") or COMPILED.fullmatch(name)
    return bool(made) or "examples/" in name or "__pycache__" in name


def faults(wheel: Path) -> list[str]:
    """Describe everything that is missing from the wheel or should not be in it.

    Compiled templates, tables and checks must be complete: without them a wheel works, but starts
    slowly.
    """
    packed = ZipFile(wheel)
    names = packed.namelist()
    missing = sorted(source_files() - set(names))
    ours = [n for n in names if not n.startswith(SKELETON)]
    unwanted = sorted(n for n in ours if any(part in n for part in UNWANTED))
    compiled = [n for n in names if n.startswith("templates/compiled/t")]
    templates = [n for n in names if n.startswith("templates/") and n.endswith(".j2")]
    for archive in (n for n in names if ARCHIVE.fullmatch(n)):
        inside = ZipFile(io.BytesIO(packed.read(archive))).namelist()
        templates += [n for n in inside if n.endswith(".j2")]
    found = [f"missing: {n}" for n in missing] + [f"unwanted: {n}" for n in unwanted]
    folders = {n.rpartition("/")[0] for n in names if TABLE.fullmatch(n)}
    found += [f"missing: {n}" for n in sorted({f"{f}/compiled.json" for f in folders} - set(names))]
    if not any(n.endswith("share/man/man1/pbem-tick.1") for n in names):
        found.append("missing: man pages")
    if CHECKS not in names:
        found.append(f"missing: {CHECKS}")
    if not templates or len(compiled) != len(templates):
        found.append(f"{len(compiled)} compiled templates for {len(templates)} sources")
    return found


def main(wheel: Path) -> int:
    """Print the faults, or the number of files; return the exit code."""
    found = faults(wheel)
    print("\n".join(found) or f"{wheel.name}: {len(ZipFile(wheel).namelist())} files, complete")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
