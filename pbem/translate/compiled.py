"""Translated checks, kept in the wheel: translating takes a tenth of a second and loads a game's
rules, which pages made by every tick should not pay for.

`hatch_build.py` writes them. A file that does not match the sources is not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import msgspec

from pbem.data import TEMPLATES, archive_of, read
from pbem.model import System
from pbem.translate.translation import SHARED, Translation

FILE = "compiled/checks.json"
"""The file in the folder of templates; only wheels have it."""


class Compiled(msgspec.Struct, frozen=True):
    """The translated checks of one system."""

    sources: str
    """SHA-256 of what they were made from."""
    checks: Translation


def checks(system: System, house: Mapping[str, str]) -> Translation:
    """The checks of a system, from the wheel if it has them. house: the moderator's house rules.

    Raises NotTranslatable.
    """
    return _checks(system, tuple(sorted(house.items())))


@lru_cache(8)
def _checks(system: System, house: tuple[tuple[str, str], ...]) -> Translation:
    ready = _ready().get(system.templates)
    if ready and ready.sources == sources(system):
        replaced = {name for name, _ in house}
        if not any(replaced.intersection(value.get("by", ())) for value in ready.checks.values):
            return ready.checks
    from pbem.translate.program import translate

    return translate(system, dict(house))


@cache
def _ready() -> Mapping[str, Compiled]:
    """What `compiled` wrote; empty if the program runs from its source."""
    try:
        return msgspec.json.decode(read(TEMPLATES, FILE), type=dict[str, Compiled])
    except FileNotFoundError:
        return {}


def compiled(systems: Sequence[System]) -> bytes:
    """The checks of these systems with the edition's own tables, as the content of FILE.

    Raises NotTranslatable.
    """
    from pbem.translate.program import translate

    made = {s.templates: Compiled(sources(s), translate(s, {})) for s in systems if s.checks}
    return msgspec.json.encode(made)


@cache
def sources(system: System) -> str:
    """SHA-256 (hex) of the modules that the checks may use, of the translator and of the tables;
    empty if the modules are not files."""
    module = system.checks.partition(":")[0]
    home = module.rpartition(".")[0] or module
    total = sha256(system.digest().encode())
    for name in (home, *SHARED, "pbem.translate"):
        for path in _files(name):
            total.update(b"%s %s\n" % (path.name.encode(), sha256(path.read_bytes()).digest()))
    return total.hexdigest()


def _files(name: str) -> list[Path]:
    """The modules of a package, or the file of a module; for an archived edition its archive."""
    found = find_spec(name)
    if found is None or found.origin is None:
        return []
    path = Path(found.origin)
    if archive := archive_of(name):
        return [archive]
    return sorted(path.parent.glob("*.py")) if path.name == "__init__.py" else [path]
