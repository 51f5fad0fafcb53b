"""Values of a rule system's modules that change while games are played.

They outlive a window, so that a game in another process, after an undo or in an audit goes another
way. Everything that changes belongs into the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from types import FunctionType, ModuleType

from pbem.lint import source
from pbem.lint.difference import differences
from pbem.lint.finding import Notes
from pbem.model import System

SIMPLE = (list, dict, set, bytearray, tuple, int, float, str, bytes, type(None))
Snapshot = dict[tuple[str, str], tuple[ModuleType, object]]
"""(module, name) -> the module, and a copy of the value."""


def taken(system: System) -> Snapshot:
    """A copy of every value that the system's modules, classes and the system itself keep."""
    found: Snapshot = {}
    for module, name, value in _values(system):
        try:
            found[module.__name__, name] = module, deepcopy(value)
        except Exception:
            continue
    return found


def check(system: System, before: Snapshot, notes: Notes) -> None:
    """Note every value that is no longer what it was `before`."""
    after = {(module.__name__, name): value for module, name, value in _values(system)}
    for key, (module, value) in before.items():
        if key in after and _changed(value, after[key]):
            name = key[1]
            notes.add(
                "module-state",
                source.assigned(module, name),
                f"{name} of the module {module.__name__} changed while games were played"
                f"{_where(value, after[key])}",
                "keep it in the state; for what is only computed once, use functools.cache",
            )


def _changed(one: object, other: object) -> bool:
    try:
        return bool(one != other)
    except Exception:
        return False


def _where(one: object, other: object) -> str:
    found = next(differences(one, other), "")
    return f": {found}" if found else ""


def _values(system: System) -> Iterator[tuple[ModuleType, str, object]]:
    modules = source.modules(system)
    for module in modules:
        for name, value in list(vars(module).items()):
            if name.startswith("__"):
                continue
            if type(value) in SIMPLE:
                yield module, name, value
            elif isinstance(value, type) and value.__module__ == module.__name__:
                yield from _of_class(module, value)
            elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
                yield from _defaults(module, name, value)
    here = next(m for m in modules if m.__name__ == type(system).__module__)
    for name, value in list(vars(system).items()):
        if type(value) in SIMPLE:
            yield here, f"{type(system).__name__}().{name}", value


def _of_class(module: ModuleType, kind: type) -> Iterator[tuple[ModuleType, str, object]]:
    for name, value in list(vars(kind).items()):
        if name.startswith("__"):
            continue
        if type(value) in SIMPLE:
            yield module, f"{kind.__name__}.{name}", value
        elif isinstance(value, FunctionType):
            yield from _defaults(module, f"{kind.__name__}.{name}", value)


def _defaults(
    module: ModuleType, name: str, function: FunctionType
) -> Iterator[tuple[ModuleType, str, object]]:
    if function.__defaults__ and any(type(v) in (list, dict, set) for v in function.__defaults__):
        yield module, f"{name}()", function.__defaults__
