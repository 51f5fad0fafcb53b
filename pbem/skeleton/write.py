"""Write the skeleton of a rule system: its files, and what its tests keep of games."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from re import fullmatch
from runpy import run_path
from sys import stdlib_module_names
from tempfile import TemporaryDirectory

from pbem import __version__, data
from pbem.errors import Usage

HERE = Path(__file__).parent
PACKAGE, KEPT = "package", "tests/kept.py"
"""The folder of the skeleton that is written under the system's name; the script that writes what
the tests keep."""
RESERVED = ("base", "compiled", "docs", "fonts", "games", "orders", "order_page", "pbem", "tests")


def write(name: str, title: str, folder: Path, taken: Collection[str] = ()) -> list[str]:
    """Write the package of a rule system into `folder`; return the paths of its files, sorted.

    name: of the system and of its Python package. taken: names that it cannot have. Raises Usage if
    name or title will not do, or if there is anything in the folder.
    """
    _require_name(name, taken)
    if not fullmatch(r'[^"\\\x00-\x1f]{1,60}', title):
        raise Usage("the title is longer than 60 characters, or has quotation marks in it")
    if folder.exists() and any(folder.iterdir()):
        raise Usage(f"{folder} is not empty", "name another folder with --dir")
    for path, text in files(name, title):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    with _installed(name, folder):
        run_path(str(folder / KEPT), run_name="__main__")
    written = (p.relative_to(folder) for p in folder.rglob("*") if p.is_file())
    return sorted(p.as_posix() for p in written if "__pycache__" not in p.parts)


def files(name: str, title: str) -> Iterator[tuple[str, str]]:
    """Path and text of each file that is not kept of a game."""
    words = {"@NAME@": name, "@TITLE@": title, "@VERSION@": __version__}
    for source in sorted(HERE.rglob("*")):
        path = source.relative_to(HERE)
        if source.is_dir() or path.suffix in (".py", ".pyc"):
            continue
        text = source.read_text("utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        parts = (name if path.parts[0] == PACKAGE else path.parts[0], *path.parts[1:])
        yield "/".join(parts).removesuffix(".in"), text


def _require_name(name: str, taken: Collection[str]) -> None:
    """Raise Usage if a system or a Python package cannot have that name."""
    if not fullmatch("[a-z][a-z0-9_]{0,31}", name) or iskeyword(name):
        raise Usage(
            f"{name!r} cannot be the name of a Python package",
            "use small letters, digits and _, such as 'north_sea'",
        )
    found = find_spec(
        name
    )  # a folder without modules, such as one of that name here, has no origin
    if name in (*RESERVED, *stdlib_module_names, *taken) or (found and found.origin):
        raise Usage(f"the name {name!r} is taken", "choose another name for the system")


@contextmanager
def _installed(name: str, folder: Path) -> Iterator[None]:
    """Make the new package importable in this process as if it were installed."""
    with TemporaryDirectory(prefix="pbem-new-system-") as site:
        told = Path(site) / f"{name}-0.1.0.dist-info"
        told.mkdir()
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n"
        (told / "METADATA").write_text(head, "utf-8")
        points = f"[pbem.games]\n{name} = {name}.game:SYSTEM\n"
        (told / "entry_points.txt").write_text(points, "utf-8")
        before, writes = list(sys.path), sys.dont_write_bytecode
        sys.path[:0] = [str(folder.resolve()), site]
        sys.dont_write_bytecode = True
        invalidate_caches()  # of folders that have these files only now
        data._guest.cache_clear()
        try:
            yield
        finally:
            sys.path[:], sys.dont_write_bytecode = before, writes
            data._guest.cache_clear()
            for module in [m for m in sys.modules if m.partition(".")[0] == name]:
                del sys.modules[module]
