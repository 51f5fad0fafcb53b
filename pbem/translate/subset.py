"""The subset of Python in which checks are written, and helpers to read syntax trees.

The functions with `$` are those of templates/order_page/js/python.js.
"""

from __future__ import annotations

import ast
import functools
import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

MISSING = object()


class Source(NamedTuple):
    """The source of a module."""

    file: str
    """Its path, from the folder of the outermost package."""
    lines: Sequence[str]
    tree: ast.Module


LARGEST = 2**53 - 1
"""The largest whole number that JavaScript computes with exactly."""
_WORDS = """
arguments await break case catch class const continue debugger default delete do else enum eval
export extends false finally for function if implements import in instanceof interface let new null
package private protected public return static super switch this throw true try typeof undefined var
void while with yield Array Map Math Set Object
"""
RESERVED = frozenset(_WORDS.split())
"""Words that no local name may be in JavaScript, and the globals that translated code uses."""
FRESH: dict[object, tuple[str, int, int]] = {
    len: ("$len", 1, 1), str: ("$str", 1, 1), int: ("$int", 1, 1), ord: ("$ord", 1, 1),
    chr: ("$chr", 1, 1), abs: ("$abs", 1, 1), bool: ("$t", 1, 1), set: ("$set", 0, 1),
    frozenset: ("$set", 0, 1), dict: ("$map", 0, 1), list: ("$list", 0, 1),
    tuple: ("$list", 0, 1), deque: ("$list", 0, 1), enumerate: ("$enumerate", 1, 2),
    range: ("$range", 1, 3), reversed: ("$reversed", 1, 1),
    sum: ("$sum", 1, 1), type: ("$type", 1, 1), json.loads: ("$loads", 1, 1),
    msgspec.json.decode: ("$loads", 1, 1), functools.partial: ("$partial", 1, 9),
}  # fmt: skip
"""Functions of Python, with their names in python.js and the fewest and most arguments."""
METHODS = {
    "get": "$get({0}, {1})", "items": "$pairs({0})", "keys": "$iter({0})",
    "values": "$each_value({0})", "upper": "{0}.toUpperCase()", "lower": "{0}.toLowerCase()",
    "title": "$title({0})", "strip": "{0}.trim()", "split": "$split({0}, {1})",
    "join": "$iter({1}).join({0})", "startswith": "$starts({0}, {1})",
    "endswith": "$ends({0}, {1})", "isdigit": "/^[0-9]+$/.test({0})",
    "replace": "$replace({0}, {1})", "index": "$index({0}, {1})", "append": "{0}.push({1})",
    "extend": "{0}.push(...$iter({1}))", "popleft": "{0}.shift()", "add": "{0}.add($key({1}))",
    "update": "$update({0}, {1})", "count": "$count({0}, {1})",
}  # fmt: skip
"""Methods of Python's types, as JavaScript; no class of a game may have one of the same name."""
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "$lt({0}, {1})", ast.LtE: "$le({0}, {1})", ast.Gt: "$lt({1}, {0})",
    ast.GtE: "$le({1}, {0})", ast.In: "$in({0}, {1})", ast.NotIn: "!$in({0}, {1})",
    ast.Eq: "$eq({0}, {1})", ast.NotEq: "!$eq({0}, {1})",
}  # fmt: skip
SIGNS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
OPERATE: dict[type[ast.operator], str] = {
    ast.Add: "$add", ast.Sub: "$sub", ast.Mult: "$mul", ast.FloorDiv: "$floor", ast.Mod: "$mod",
    ast.BitOr: "$union", ast.BitAnd: "$both",
}  # fmt: skip
HINTS: dict[type[ast.AST], str] = {
    ast.With: "a check opens nothing", ast.AsyncFunctionDef: "a check waits for nothing",
    ast.Global: "pass it as an argument", ast.Nonlocal: "return it instead",
    ast.Delete: "make a new value instead",
    ast.Import: "import at the top of the file", ast.ImportFrom: "import at the top of the file",
    ast.Assert: "raise Refused, or leave it to the types",
    ast.ClassDef: "move the class to the top level of the file",
}  # fmt: skip


class Outside(Exception):  # noqa: N818
    """Something outside the subset. node: where; text: what; hint: what to write instead."""

    def __init__(self, node: ast.AST, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.node, self.text, self.hint = node, text, hint


def word(name: str) -> str:
    """A local name as JavaScript may have it."""
    return f"{name}$" if name in RESERVED else name


def bare(text: str) -> str:
    """Without one pair of brackets around all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for i, char in enumerate(text):
        if char in "\"`'":
            return text
        depth += (char == "(") - (char == ")")
        if depth == 0 and i < len(text) - 1:
            return text
    return text[1:-1]


def template(text: str) -> str:
    """Text between the marks of a template."""
    return json.dumps(text)[1:-1].replace('\\"', '"').replace("`", "\\`").replace("${", "\\${")


def dotted(node: ast.AST) -> str:
    """An expression as it is written."""
    return ast.unparse(node)


def simple(node: ast.expr) -> bool:
    """May it run twice without a difference?"""
    return isinstance(node, ast.Name | ast.Constant | ast.Attribute) or (
        isinstance(node, ast.Subscript) and simple(node.value)
    )


def yields(node: ast.AST) -> bool:
    """Is it a generator?"""
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node))


def ends(body: Sequence[ast.stmt]) -> bool:
    """Is nothing behind it ever reached?"""
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and ends(last.body) and ends(last.orelse)
    return isinstance(last, ast.Return | ast.Raise)


def inside_(node: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a function itself: not what comprehensions, lambdas, functions bind."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension):
            yield from walrus(child)
            continue
        yield child
        if not isinstance(child, ast.Lambda | ast.FunctionDef):
            yield from inside_(child)


def walrus(node: ast.AST) -> Iterator[ast.AST]:
    """Names that := binds for the function."""
    for each in ast.walk(node):
        if isinstance(each, ast.NamedExpr):
            yield each.target


def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that these set."""
    names: set[str] = set()
    for node in nodes:
        for each in (node, *inside_(node)):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                names.add(each.id)
            elif isinstance(each, ast.FunctionDef):
                names.add(each.name)
    return names
