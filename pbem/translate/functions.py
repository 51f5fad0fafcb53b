"""Functions and methods, as JavaScript (`pbem.translate.program`)."""

from __future__ import annotations

import ast
from types import FunctionType

from pbem.translate.calls import Calls
from pbem.translate.expressions import Names
from pbem.translate.hints import hints
from pbem.translate.statements import Statements
from pbem.translate.subset import Outside, Source, bound, dotted, ends, word, yields


def function(
    program: Names, source: Source, plain: FunctionType, node: ast.FunctionDef, name: str
) -> list[str]:
    """The lines of a function."""
    star = "*" if yields(node) else ""
    return _Function(program, source, plain, node, None).lines(f"function{star} {name}")


def method(
    program: Names, source: Source, plain: FunctionType, node: ast.FunctionDef, of: type
) -> list[str]:
    """The lines of a method or property of the class `of`."""
    if node.name == "__init__":
        head = "constructor"
    else:
        got = "get " if any(dotted(d) == "property" for d in node.decorator_list) else ""
        head = f"{got}{'*' if yields(node) else ''}{node.name}"
    return _Function(program, source, plain, node, of).lines(head)


class _Function:
    """One function or method. of: the class of a method."""

    def __init__(
        self,
        program: Names,
        source: Source,
        plain: FunctionType,
        node: ast.FunctionDef,
        of: type | None,
    ) -> None:
        self.w = Calls(program, source, plain)
        self.node, self.of, self.said = node, of, hints(plain)

    def lines(self, head: str) -> list[str]:
        """The whole, after a head such as `function name`."""
        node, w = self.node, self.w
        args = node.args
        if args.vararg or args.kwarg:
            w.fault(node, "a function with * or **", "name every parameter")
        given = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        names = {a.arg for a in given}
        parameters = self._parameters(given)[bool(self.of) :]
        w.scopes.append(names | bound(node.body))
        w.types.enter({})
        w.types.body(node, {a.arg: self.said.get(a.arg, self._self(a.arg)) for a in given})
        block = Statements(w, node)
        inner = block.lines(node.body)
        first = ["const self = this;"] if self.of and node.name != "__init__" else []
        loose = [f"let {word(n)};" for n in sorted(bound(node.body) - names - block.placed)]
        w.scopes.pop()
        w.types.leave()
        body = [*first, *loose, *inner, *self._last()]
        return [f"{head}({', '.join(parameters)}) {{", *(f"  {line}" for line in body), "}"]

    def _self(self, name: str) -> object:
        return self.of if name == "self" else None

    def _last(self) -> list[str]:
        """What a function returns whose end is reached."""
        silent = self.said.get("return") is type(None) or yields(self.node)
        return [] if silent or ends(self.node.body) else ["return null;"]

    def _parameters(self, given: list[ast.arg]) -> list[str]:
        args = self.node.args
        plain = len(args.posonlyargs) + len(args.args) - len(args.defaults)
        defaults = [*[None] * plain, *args.defaults, *args.kw_defaults]
        return [
            word(a.arg) + (f" = {self._default(d)}" if d else "")
            for a, d in zip(given, defaults, strict=True)
        ]

    def _default(self, node: ast.expr) -> str:
        try:
            return self.w.value(node)
        except Outside as no:
            self.w.fault(no.node, no.text, no.hint)
            return "null"
