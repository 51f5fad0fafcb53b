"""Data files inside packages: tables of rule systems, and templates.

Reads them with `pkgutil.get_data`, which finds them wherever the wheel is installed, as
`importlib.resources` does, but takes a tenth of its time to import.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

COMPILED = "compiled.json"
"""The file beside a package's TOML files that holds them as JSON; only wheels have it."""
TEMPLATES = "templates"
SHARED = ("base", "order_page", "fonts")
"""Folders of templates that do not belong to a system."""


def read(package: str, name: str) -> bytes:
    """The bytes of the file `name` (a relative path with `/`) inside `package`.

    Raises FileNotFoundError if there is no such file.
    """
    from pkgutil import get_data

    found = get_data(package, name)
    if found is None:
        raise FileNotFoundError(f"{package}: {name}")
    return found


def template(name: str) -> bytes:
    """The bytes of a template, named by folder and file: `toy/events.j2`.

    The folder is one of this program's templates. If another package provides the system (entry
    point `pbem.games`), it is the folder `templates` beside that package's game.

    Raises FileNotFoundError if there is no such file, or if the name contains `..`.
    """
    if ".." in name or not name.partition("/")[0]:
        raise FileNotFoundError(f"{TEMPLATES}: {name}")
    return read(*location(name))


def location(name: str) -> tuple[str, str]:
    """The package of a template, and its path inside it; there need not be such a file."""
    system, _, rest = name.partition("/")
    guest = _guest(system)
    return (guest, f"{TEMPLATES}/{rest}") if guest else (TEMPLATES, name)


def files(folder: str) -> list[str]:
    """The names of the files in a folder of templates (`toy/symbols`), sorted; found where
    `template` finds them. Empty if there is no such folder."""
    from importlib import import_module
    from pathlib import Path

    system, _, rest = folder.partition("/")
    guest = _guest(system)
    package, inside = (guest, f"{TEMPLATES}/{rest}") if guest else (TEMPLATES, folder)
    roots = (Path(root) / inside for root in import_module(package).__path__)
    return sorted(p.name for root in roots if root.is_dir() for p in root.iterdir() if p.is_file())


@cache
def _guest(system: str) -> str:
    """The package that provides a system whose templates are not ours; empty if they are, and if
    there is no such system."""
    if system in SHARED:
        return ""
    try:
        read(TEMPLATES, f"{system}/events.j2")
    except FileNotFoundError:
        from importlib.metadata import entry_points

        found = [e.module for e in entry_points(group="pbem.games") if e.name == system]
        return found[0].rpartition(".")[0] if found else ""
    return ""


@cache
def table(package: str, name: str) -> dict[str, Any]:
    """A TOML file inside `package`: `table("games.bismarck.data", "ships.toml")`.

    It is decoded once in a process. Every caller gets the same object and must not change it.
    Raises FileNotFoundError if there is no such file.
    """
    from hashlib import sha256

    text = read(package, name)
    ready = _compiled(package).get(name)
    # a table that was edited after the wheel was built must not be read from the old JSON
    if ready and ready["sha256"] == sha256(text).hexdigest():
        return dict(ready["table"])
    from tomllib import loads

    return loads(text.decode())


@cache
def _compiled(package: str) -> dict[str, Any]:
    """What `compiled` wrote into the package, empty if the program runs from its source."""
    from msgspec.json import decode

    try:
        return dict(decode(read(package, COMPILED)))
    except FileNotFoundError:
        return {}


def compiled(tables: Mapping[str, bytes]) -> bytes:
    """TOML files (name -> bytes) as one JSON text, which decodes in a twentieth of the time.

    `hatch_build.py` puts it into the wheel. It contains the SHA-256 of every source file, and
    `table` uses an entry only if the source still has that digest.

    Raises ValueError for a table that JSON cannot hold (dates, infinities).
    """
    from hashlib import sha256
    from json import dumps, loads
    from tomllib import loads as parsed

    ready = {}
    for name, text in sorted(tables.items()):
        data = parsed(text.decode())
        if loads(dumps(data, allow_nan=False, default=str)) != data:
            raise ValueError(f"{name}: JSON cannot hold it")
        ready[name] = {"sha256": sha256(text).hexdigest(), "table": data}
    return dumps(ready, separators=(",", ":")).encode()


@cache
def digest(package: str) -> str:
    """SHA-256 (hex) over names and bytes of a package's data files, in order of name.

    The package lists its data files in `FILES`. An empty package name gives the digest of no
    files.
    """
    from hashlib import sha256
    from importlib import import_module

    total = sha256()
    for name in sorted(import_module(package).FILES) if package else ():
        data = read(package, name)
        # with both lengths, so that bytes cannot move from a name into a file unnoticed
        total.update(b"%d %s %d " % (len(name), name.encode(), len(data)) + data)
    return total.hexdigest()
