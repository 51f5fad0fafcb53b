"""Switch off the checks of a module one at a time, to prove that the tests need each of them.

`wired` compiles a module anew so that every check asks a `Switch`: every `require`, every `raise`
of a finding, and every finding that is yielded.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

RAISED = ("Bad", "Wrong", "BadProof")
"""Names of the exceptions that checks raise."""


class Switch:
    """Decides which check is off; at most one is at a time."""

    def __init__(self) -> None:
        self.checks: dict[str, str] = {}
        """By place in the code (`MODULE.FUNCTION:LINE`): the arguments of the check."""
        self.off = ""
        """The place of the check that is off, empty for none."""
        self.fired: list[str] = []
        """The places of the checks that failed, in order."""

    def fails(self, where: str) -> bool:
        """Note that a check failed; return whether it is on."""
        self.fired.append(where)
        return where != self.off

    def require(self, where: str, holds: bool, code: str, text: str, bad: type[Exception]) -> None:
        """Replaces `require`: raises `bad` if the condition is false and the check is on."""
        if not holds and self.fails(where):
            raise bad(code, text)


class _Wired(ast.NodeTransformer):
    """Rewrites every check so that it asks the switch."""

    def __init__(self, name: str, switch: Switch) -> None:
        self.name, self.switch, self.function = name, switch, ""
        self.required = "Bad" if name == "verify" else "BadProof"  # what its `require` raises

    def _where(self, node: ast.expr | ast.stmt, *said: ast.expr) -> ast.Constant:
        where = f"{self.name}.{self.function}:{node.lineno}"
        self.switch.checks[where] = " ".join(ast.unparse(one) for one in said)
        return ast.Constant(where)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.function = node.name
        return node if node.name == "require" else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if getattr(node.func, "id", "") != "require":
            return node
        given = [self._where(node, *node.args[1:]), *node.args, ast.Name(self.required, ast.Load())]
        return ast.Call(ast.parse("_switch.require", mode="eval").body, given, [])

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        made = node.exc
        if not isinstance(made, ast.Call) or getattr(made.func, "id", "") not in RAISED:
            return node
        return self._only_if(self._where(node, *made.args), node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        pair = node.value.value if isinstance(node.value, ast.Yield) else None
        made = pair.elts[-1] if isinstance(pair, ast.Tuple) else None
        if not isinstance(made, ast.Call) or getattr(made.func, "id", "") not in RAISED:
            return node
        return self._only_if(self._where(node, *made.args), node)

    def _only_if(self, where: ast.Constant, node: ast.stmt) -> ast.If:
        test = ast.Call(ast.parse("_switch.fails", mode="eval").body, [where], [])
        return ast.If(test, [node], [])


def wired(file: Path, name: str, switch: Switch, known: Mapping[str, Any] = {}) -> ModuleType:
    """Load the module in `file` with its checks wired to the switch.

    known: names of the module to replace after loading.
    """
    tree = _Wired(file.stem, switch).visit(ast.parse(file.read_text(), str(file)))
    module = ModuleType(name)
    module.__file__, module.__dict__["_switch"] = str(file), switch
    sys.modules[name] = module  # where its structs look for their annotations when they are used
    exec(compile(ast.fix_missing_locations(tree), str(file), "exec"), module.__dict__)
    module.__dict__.update(known)
    return module
