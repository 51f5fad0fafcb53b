"""Data files inside packages, found wherever a wheel is installed.

`pkgutil.get_data` instead of `importlib.resources`: the same answer at a tenth of the import.
"""

from __future__ import annotations

from functools import cache
from typing import Any


def read(package: str, name: str) -> bytes:
    """The bytes of `name` (a relative path with `/`) inside `package`.

    Raises FileNotFoundError.
    """
    from pkgutil import get_data

    found = get_data(package, name)
    if found is None:
        raise FileNotFoundError(f"{package}: {name}")
    return found


@cache
def table(package: str, name: str) -> dict[str, Any]:
    """A TOML file inside `package`, decoded once. Callers must not change it."""
    from tomllib import loads

    return loads(read(package, name).decode())


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
