"""Modules of the standard library that libraries import and few commands need, loaded when used."""

from __future__ import annotations

import sys
from _thread import RLock
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from types import ModuleType

NAMES = ("fnmatch", "ipaddress", "tempfile", "textwrap", "tokenize")
"""`pathlib`, `urllib`, `inspect`, Jinja and msgspec import these at their top, for functions that a
turn does not call. With what they import in turn, such as `shutil` and `lzma`, this took a fortieth
of the time of `pbem run`."""

_WAITING: dict[str, ModuleSpec] = {}
_LOCK = RLock()


class _Later(ModuleType):
    """A module that runs its code when it is first asked for a name of its own.

    `importlib.util.LazyLoader` is meant for this, but until Python 3.12 the statement `import` asks
    the module for its `__spec__`, at which LazyLoader loads it.
    """

    def __getattr__(self, name: str) -> object:
        with _LOCK:
            spec = _WAITING.pop(self.__name__, None)
            if spec and spec.loader:
                spec.loader.exec_module(self)
                self.__class__ = ModuleType  # type: ignore[assignment]
        return ModuleType.__getattribute__(self, name)


def load_later() -> None:
    """Put `NAMES` off, unless they are loaded. To be called before any library is imported."""
    for name in NAMES:
        spec = None if name in sys.modules else find_spec(name)
        if spec:
            _WAITING[name] = spec
            sys.modules[name] = module = module_from_spec(spec)
            module.__class__ = _Later
