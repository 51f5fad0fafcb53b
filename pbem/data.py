"""Data files inside packages, found wherever a wheel is installed.

`pkgutil.get_data` instead of `importlib.resources`: the same answer at a tenth of the import.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

COMPILED = "compiled.json"
TEMPLATES = "templates"
SHARED = ("base", "order_page", "fonts")
"""Folders of our templates that belong to no system."""


def read(package: str, name: str) -> bytes:
    """The bytes of `name` (a relative path with `/`) inside `package`.

    Raises FileNotFoundError.
    """
    from pkgutil import get_data

    found = get_data(package, name)
    if found is None:
        raise FileNotFoundError(f"{package}: {name}")
    return found


def template(name: str) -> bytes:
    """The bytes of a file of the templates, `toy/events.j2`: of ours, or, where another package
    brings the system by the entry point `pbem.games`, of the folder `templates` beside its game.

    Raises FileNotFoundError, also for names that climb out.
    """
    system, _, rest = name.partition("/")
    if ".." in name or not system:
        raise FileNotFoundError(f"{TEMPLATES}: {name}")
    guest = _guest(system)
    return read(guest, f"{TEMPLATES}/{rest}") if guest else read(TEMPLATES, name)


@cache
def _guest(system: str) -> str:
    """The package that brings a system whose words are not ours, empty without one."""
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
    """A TOML file inside `package`, decoded once. Callers must not change it."""
    from hashlib import sha256

    text = read(package, name)
    ready = _compiled(package).get(name)
    if ready and ready["sha256"] == sha256(text).hexdigest():
        return dict(ready["table"])
    from tomllib import loads

    return loads(text.decode())


@cache
def _compiled(package: str) -> dict[str, Any]:
    from msgspec.json import decode

    try:
        return dict(decode(read(package, COMPILED)))
    except FileNotFoundError:
        return {}


def compiled(tables: Mapping[str, bytes]) -> bytes:
    """TOML files as one JSON text, which decodes without the TOML parser in a twentieth of its
    time; `table` takes from it what fits its source. `hatch_build.py` puts it into the wheel.

    Raises ValueError for a table that JSON does not hold (dates, infinities).
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
    """SHA-256 (hex) over a data package's files, names and bytes, in order of name.

    An empty package name gives the digest of nothing. The package lists its files in `FILES`.
    """
    from hashlib import sha256
    from importlib import import_module

    total = sha256()
    for name in sorted(import_module(package).FILES) if package else ():
        data = read(package, name)
        total.update(b"%d %s %d " % (len(name), name.encode(), len(data)) + data)
    return total.hexdigest()
