"""The game `oak` as an installed package of its own, with a mistake planted in it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest

from pbem import data
from pbem.model import System

OAK = Path(__file__).parent / "oak"


def install(name: str, folder: Path, file: str = "", old: str = "", new: str = "") -> Path:
    """Copy the game into `folder` as the package `name`, with `old` replaced by `new` in one of its
    files. Return the package's folder."""
    package = folder / name
    shutil.copytree(OAK, package, ignore=shutil.ignore_patterns("__pycache__"))
    if file:
        text = (package / file).read_text("utf-8")
        assert text.count(old) == 1, f"{file} has {text.count(old)} times {old!r}"
        (package / file).write_text(text.replace(old, new), "utf-8")
    for path in package.rglob("*.py"):
        text = path.read_text("utf-8").replace("tests.lint.oak", name)
        path.write_text(text.replace('= "oak", "Under', f'= "{name}", "Under'), "utf-8")
    told = folder / f"{name}-0.1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n", "utf-8")
    (told / "entry_points.txt").write_text(f"[pbem.games]\n{name} = {name}.game:SYSTEM\n", "utf-8")
    return package


@contextmanager
def installed(
    name: str, folder: Path, file: str = "", old: str = "", new: str = ""
) -> Iterator[System]:
    """The system of an installed copy; see `install`."""
    install(name, folder, file, old, new)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        data._guest.cache_clear()
        system: System = import_module(f"{name}.game").SYSTEM
        yield system
        for module in [m for m in sys.modules if m.partition(".")[0] == name]:
            del sys.modules[module]
    data._guest.cache_clear()
