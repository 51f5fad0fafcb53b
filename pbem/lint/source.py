"""The source of a rule system: its modules, and where something is written in them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from pbem.model import System
from pbem.rulecode import Place, package_of, shown

APART = re.compile(r"tests?|test_.*|.*_test|conftest|__main__|compiled")
"""Modules of a package that are no part of the rules."""


def modules(system: System) -> list[ModuleType]:
    """Every module of the package that the system is defined in, imported; in order of name.

    Raises what importing raises.
    """
    package = package_of(type(system))
    root = sys.modules.get(package) or import_module(package)
    found = {root.__name__: root, **{m.__name__: m for m in _below(root)}}
    here = sys.modules[type(system).__module__]
    return [found[name] for name in sorted(found)] if here.__name__ in found else [here]


def _below(package: ModuleType) -> Iterator[ModuleType]:
    for info in iter_modules(getattr(package, "__path__", ())):
        if not APART.fullmatch(info.name):
            module = import_module(f"{package.__name__}.{info.name}")
            yield module
            yield from _below(module)


def tree(module: ModuleType) -> ast.Module:
    """A module's syntax tree; empty if its source is not a file."""
    return _parsed(file_of(module))


def file_of(module: ModuleType) -> str:
    """The path of a module's source; empty if it has none."""
    return getattr(module, "__file__", None) or ""


@cache
def _parsed(file: str) -> ast.Module:
    path = Path(file)
    return ast.parse(path.read_text("utf-8") if file.endswith(".py") and path.exists() else "")


def place(module: ModuleType, line: int, function: str = "") -> Place:
    """A line of a module."""
    return Place(shown(file_of(module)), line, function)


def assigned(module: ModuleType, name: str) -> Place:
    """Where a module, or a class in it (`Class.name`), assigns a name first."""
    wanted = name.rpartition(".")[2]
    for node in ast.walk(tree(module)):
        targets: list[ast.expr] = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            targets = [node.target]
        for target in targets:
            for leaf in ast.walk(target):
                if wanted in (getattr(leaf, "id", ""), getattr(leaf, "attr", "")):
                    return place(module, target.lineno, name)
    return place(module, 1, name)


def containing(system: System, text: str) -> Place | None:
    """The first line of the system's modules in which a string constant has this value."""
    for module in modules(system):
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Constant) and node.value == text:
                return place(module, node.lineno)
    return None
