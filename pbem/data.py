"""Data files inside packages: tables of rule systems, templates, and archives of former editions.

Reads them through the loader of the package, which finds them wherever the wheel is installed, as
`importlib.resources` does, but takes a tenth of its time to import.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
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
    try:
        module = import_module(package)
    except ModuleNotFoundError:
        module = None
    get_data = getattr(module and module.__loader__, "get_data", None)
    if module is None or not module.__file__ or get_data is None:
        raise FileNotFoundError(f"{package}: {name}")
    return bytes(get_data(str(Path(module.__file__).parent / name)))


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
    system, at, edition = system.partition("@")
    guest = archived(system, edition) if at else _guest(system)
    return (guest, f"{TEMPLATES}/{rest}") if guest else (TEMPLATES, name)


def files(folder: str) -> list[str]:
    """The names of the files in a folder of templates (`toy/symbols`), sorted; found where
    `template` finds them. Empty if there is no such folder."""
    package, inside = location(folder)
    if archive := archive_of(package):
        return _members(archive, f"{package}/{inside}".rstrip("/"))
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


# Archives. The package that provides a system may have a folder `editions`: EDITION.zip in it is a
# package of its own, with code, tables and templates of a former edition (pbem.testing.archive).

EDITIONS = "editions"
"""The folder of archives in the package that provides a system."""
MANIFEST = "edition.json"
"""The file of an archive that says what it holds."""


def archived(system: str, edition: str) -> str:
    """The package of an archived edition, imported; empty if the edition is not archived.

    Only the package itself is imported, its modules follow as they are used. No archive is ever
    taken from anywhere but the package that provides the system. Raises ImportError if the archive
    is damaged.
    """
    return _imported(_archive(provider(system), edition), archived_name(system, edition))


def archived_name(system: str, edition: str) -> str:
    """The name of the package inside an archive: `archived_far_seas_cruisers_1`."""
    import re

    return re.sub(r"\W", "_", f"archived_{system}_{edition}")


def editions(system: str) -> list[str]:
    """The archived editions of a system, sorted."""
    folder = _archives(provider(system))
    return sorted(p.stem for p in folder.glob("*.zip") if is_word(p.stem)) if folder else []


def is_word(edition: str) -> bool:
    """Tell whether an edition may be archived: letters and digits, and `._-` inside. A ledger may
    say anything; what it says must never become a path."""
    inner = edition.translate(dict.fromkeys(map(ord, "._-")))
    return edition.isascii() and inner.isalnum() and edition[0].isalnum() and edition[-1].isalnum()


def folder(system: str, edition: str) -> str:
    """The folder of templates of a system's edition: `toy`, of an archived one `toy@1`."""
    return f"{system}@{edition}" if _archive(provider(system), edition) else system


def provider(system: str) -> str:
    """The package that provides a system: `games.toy`; it need not exist."""
    return _guest(system) or f"games.{system}"


def archive_of(module: str) -> Path | None:
    """The archive that an imported module is from; None if it is not from an archive."""
    from sys import modules

    path = getattr(getattr(modules.get(module), "__loader__", None), "archive", "")
    return Path(path) if path else None


@cache
def _archive(provider: str, edition: str) -> Path | None:
    """The archive of an edition; None if there is none."""
    folder = _archives(provider) if is_word(edition) else None
    path = folder / f"{edition}.zip" if folder else None
    return path if path and path.is_file() else None


@cache
def _archives(provider: str) -> Path | None:
    """The folder of archives; None if there is no such package."""
    from importlib.util import find_spec

    try:
        spec = find_spec(provider)
    except (ImportError, ValueError):  # a report may name any system
        return None
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) / EDITIONS if places else None


@cache
def _imported(archive: Path | None, name: str) -> str:
    """Import the package of an archive and return its name; empty without an archive."""
    if archive is None:
        return ""
    from importlib.util import module_from_spec
    from sys import modules
    from zipimport import zipimporter

    spec = zipimporter(str(archive)).find_spec(name)
    if spec is None or spec.loader is None:
        raise ImportError(f"{archive} does not hold the package {name}")
    modules[name] = module_from_spec(spec)
    spec.loader.exec_module(modules[name])
    return name


def _members(archive: Path, folder: str) -> list[str]:
    """The names of the files directly in a folder of an archive, sorted."""
    from zipfile import ZipFile

    with ZipFile(archive) as zipped:
        split = (name.rpartition("/") for name in zipped.namelist())
        return sorted(name for home, _, name in split if home == folder and name)


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

    total = sha256()
    for name in sorted(import_module(package).FILES) if package else ():
        data = read(package, name)
        # with both lengths, so that bytes cannot move from a name into a file unnoticed
        total.update(b"%d %s %d " % (len(name), name.encode(), len(data)) + data)
    return total.hexdigest()
