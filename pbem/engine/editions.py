"""Finds a former edition of a rule system, by which games that began with it go on."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module

from pbem import data
from pbem.model import System


def former(name: str, edition: str) -> System | None:
    """An edition of a system from its archive (`pbem.data`); None if it is not archived.

    Raises ImportError, AttributeError if the archive cannot be loaded.
    """
    package = data.archived(name, edition)
    if not package:
        return None
    module, _, own = json.loads(data.read(package, data.MANIFEST))["entry"].partition(":")
    system: System = getattr(import_module(module), own)
    if (system.name, system.edition) != (name, edition):
        raise ImportError(f"the archive {name} {edition} holds {system.name} {system.edition}")
    return system


@cache
def orders_answer(module: str) -> bool:
    """Whether orders of the set that comes with questions answer them too. Not in editions that
    were archived before release 1.0: their games go on as they began. module: in which a rule
    system is."""
    package = module.partition(".")[0]
    if not data.archive_of(package):
        return True
    manifest = json.loads(data.read(package, data.MANIFEST))
    return not str(manifest["release"]).startswith("0.")
