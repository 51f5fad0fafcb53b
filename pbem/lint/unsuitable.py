"""What a module of a rule system may not contain: imports that reach out of the rules, calls whose
results differ from process to process, and orders of sets."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

PBEM = ("kit", "model", "table", "data", "scene", "beside_map", "roles", "inference")
"""The only parts of pbem that rules may import. The others hold keys, ledgers and the enemy's
mail. `[tool.importlinter]`, CONTRIBUTING.md and docs/authors.md name the same."""
OTHERS = frozenset({"orders", "msgspec"})
"""The only packages beside Python's own and the system's."""
CLOCKS = ("random", "secrets", "uuid", "time", "asyncio", "threading", "multiprocessing")
RUNS = ("concurrent", "sched", "signal", "ctypes", "importlib", "runpy", "pickle", "marshal")
FILES = ("io", "pathlib", "glob", "fileinput", "mmap", "tempfile", "shutil", "zipfile", "tarfile")
REACH = ("os", "socket", "select", "ssl", "subprocess", "urllib", "http", "smtplib", "sqlite3")
FORBIDDEN = frozenset((*CLOCKS, *RUNS, *FILES, *REACH))
"""Modules of Python whose results differ from run to run, or that reach out of the rules."""
CALLS = {
    "open": "files are read through pbem.data",
    "input": "only orders and answers come from players",
    "hash": "it differs in every process; zlib.crc32 of the bytes does not",
    "id": "it differs in every process",
    "__import__": "name what is imported at the top of the module",
    "exec": "write the rules themselves",
    "eval": "write the rules themselves",
}
NOW = frozenset({"now", "today", "utcnow"})
ORDERLESS = frozenset({"any", "all", "sum", "len", "set", "frozenset", "sorted"})
"""Functions for which it does not matter in which order they get what they look at."""
EXTREME = frozenset({"min", "max"})
"""The same, unless a key makes several values equal."""
ORDERED = frozenset({"list", "tuple", "enumerate", "iter", "map", "filter", "zip", "reversed"})
"""Functions that give what they look at in its order."""
WHY = "a turn is run again to resume and to audit a game, and must come out the same"
Found = tuple[int, str, str, str]
"""Line, code, text and hint."""


def found(tree: ast.Module, own: str) -> Iterator[Found]:
    """Each thing in a module that rules may not use. own: the package of the system."""
    free = set[ast.AST]()
    for node in ast.walk(tree):  # what contains a node comes before it
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name in _imported(node):
                if wrong := _import(name, own):
                    yield node.lineno, "forbidden-import", f"the rules import {name}", wrong
        elif isinstance(node, ast.Call):
            free.update(_orderless(node))
            yield from _call(node, node in free)
        if loop := _loop_over_set(node, free):
            text = "a loop over a set, whose order differs from process to process"
            yield loop.lineno, "set-order", text, "loop over sorted(...) of it"


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules that an import names; for `from pbem import model` it is pbem.model."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if node.level:  # from the system's own package
        return []
    if node.module == "pbem":
        return [f"pbem.{alias.name}" for alias in node.names]
    return [node.module or ""]


def _import(name: str, own: str) -> str:
    """What is wrong with importing a module; empty if nothing is."""
    top, _, rest = name.partition(".")
    if top == own or top in OTHERS:
        return ""
    if top == "pbem":
        if rest.partition(".")[0] in PBEM:
            return ""
        return f"of pbem, rules import only {', '.join(PBEM)}: all else may hold secrets"
    if top in FORBIDDEN:
        return f"{WHY}; dice come from the table, tables from pbem.data"
    if top not in sys.stdlib_module_names:
        return "beside Python's own modules and those of the system, rules import orders, msgspec"
    return ""


def _call(node: ast.Call, free: bool) -> Iterator[Found]:
    """A call that gives something else in another process. free: its order does not matter."""
    called = node.func
    if isinstance(called, ast.Name):
        if called.id in CALLS:
            text = f"the rules call {called.id}()"
            yield node.lineno, "forbidden-call", text, CALLS[called.id]
        if called.id in ORDERED and not free and any(_is_set(given) for given in node.args):
            text = f"{called.id}() of a set, whose order differs from process to process"
            yield node.lineno, "set-order", text, "write sorted(...) of it"
    elif isinstance(called, ast.Attribute):
        if called.attr in NOW:
            text = f"the rules read the clock with {called.attr}()"
            yield node.lineno, "forbidden-call", text, WHY
        if called.attr == "join" and any(_is_set(given) for given in node.args):
            text = "a text joined from a set, whose order differs from process to process"
            yield node.lineno, "set-order", text, "join sorted(...) of it"


def _orderless(node: ast.Call) -> list[ast.expr]:
    """What a call looks at, if it gives the same for every order."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    keyed = any(keyword.arg == "key" for keyword in node.keywords)
    return node.args if name in ORDERLESS or (name in EXTREME and not keyed) else []


def _loop_over_set(node: ast.AST, free: set[ast.AST]) -> ast.expr | None:
    """The set whose order decides in which order something is done or built; None without."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return node.iter if _is_set(node.iter) else None
    if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.DictComp)) and node not in free:
        return next((part.iter for part in node.generators if _is_set(part.iter)), None)
    return None


def _is_set(node: ast.expr) -> bool:
    """Does an expression give a set that may hold more than one value?"""
    if isinstance(node, ast.Set):
        return len(node.elts) > 1
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)) and (
            _is_set(node.left) or _is_set(node.right)
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("set", "frozenset")
    return isinstance(node, ast.SetComp)
