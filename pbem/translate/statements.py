"""Statements of one function, as JavaScript (`pbem.translate.program`)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from pbem.translate.calls import Calls
from pbem.translate.hints import hints
from pbem.translate.subset import (
    HINTS,
    MISSING,
    OPERATE,
    Outside,
    bare,
    bound,
    dotted,
    word,
    yields,
)


class Statements:
    """The statements of one function, and where its names are declared."""

    def __init__(self, writer: Calls, node: ast.FunctionDef) -> None:
        self.w, self.node = writer, node
        self.placed = placed(node)
        """Local names that are declared where they are first set."""
        self._done: set[str] = set()
        self._stores = [u.name for u in uses(node) if u.kind != "load"]

    def lines(self, body: Sequence[ast.stmt]) -> list[str]:
        """Statements as lines; what is outside is noted and left out."""
        found: list[str] = []
        for node in body:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            try:
                write = getattr(self, f"_{type(node).__name__.lower()}", None)
                if write is None:
                    text = f"`{type(node).__name__.lower()}` is outside the subset"
                    raise Outside(node, text, HINTS.get(type(node), ""))
                found += write(node)
            except Outside as no:
                self.w.fault(no.node, no.text, no.hint)
        return found

    def _inner(self, body: Sequence[ast.stmt]) -> list[str]:
        return [f"  {line}" for line in self.lines(body)]

    def _pass(self, node: ast.Pass) -> list[str]:
        return []

    def _break(self, node: ast.Break) -> list[str]:
        return ["break;"]

    def _continue(self, node: ast.Continue) -> list[str]:
        return ["continue;"]

    def _return(self, node: ast.Return) -> list[str]:
        if yields(self.node) or node.value is None:
            return ["return;" if yields(self.node) or self._is_silent() else "return null;"]
        return [f"return {bare(self.w.value(node.value))};"]

    def _is_silent(self) -> bool:
        return hints(self.w.function).get("return") is type(None)

    def _raise(self, node: ast.Raise) -> list[str]:
        if node.exc is None or not isinstance(node.exc, ast.Call):
            raise Outside(node, "raise without a new exception", "raise Refused(...)")
        return [f"throw {self.w.value(node.exc)};"]

    def _expr(self, node: ast.Expr) -> list[str]:
        if isinstance(node.value, ast.Yield) and node.value.value:
            return [f"yield {self.w.value(node.value.value)};"]
        if isinstance(node.value, ast.YieldFrom):
            return [f"yield* $each({self.w.value(node.value.value)});"]
        if dotted(getattr(node.value, "func", node.value)).endswith("__init__"):
            call = node.value
            assert isinstance(call, ast.Call)
            return [f"super({', '.join(map(self.w.value, call.args))});"]
        return [f"{self.w.value(node.value)};"]

    def _assign(self, node: ast.Assign) -> list[str]:
        if len(node.targets) > 1:
            raise Outside(node, "one value for two names", "write two lines")
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Subscript):
            key = self.w.value(target.slice)
            return [f"{self.w.value(target.value)}.set($key({key}), {bare(self.w.value(value))});"]
        if (
            isinstance(target, ast.Tuple)
            and isinstance(value, ast.Tuple)
            and all(isinstance(e, ast.Attribute) for e in target.elts)
        ):
            rows = zip(target.elts, value.elts, strict=True)
            return [f"{self._set_field(t)} = {self.w.value(v)};" for t, v in rows]
        if isinstance(target, ast.Attribute):
            return [f"{self._set_field(target)} = {bare(self.w.value(value))};"]
        said = self.w.value(value)
        if isinstance(target, ast.Tuple | ast.List) and not isinstance(value, ast.Tuple | ast.List):
            said = f"$iter({said})"
        return [f"{self._declare(target)}{self.w.target(target)} = {bare(said)};"]

    def _set_field(self, node: ast.expr) -> str:
        if not (
            isinstance(node, ast.Attribute)
            and dotted(node.value) == "self"
            and self.node.name == "__init__"
        ):
            raise Outside(
                node, "a field changes after __init__", "make a new struct with structs.replace"
            )
        self.w.program.fields.add(node.attr)
        return f"this.{node.attr}"

    def _annassign(self, node: ast.AnnAssign) -> list[str]:
        if node.value is None:
            return []
        said = bare(self.w.value(node.value))
        return [f"{self._declare(node.target)}{self.w.target(node.target)} = {said};"]

    def _augassign(self, node: ast.AugAssign) -> list[str]:
        if not isinstance(node.target, ast.Name):
            raise Outside(node, "an item or field changes in place", "use a name of the function")
        name, op = word(node.target.id), OPERATE.get(type(node.op))
        if op is None:
            raise Outside(node, f"{type(node.op).__name__} is outside the subset")
        return [f"{name} = {op}({name}, {self.w.value(node.value)});"]

    def _declare(self, target: ast.expr) -> str:
        names = bound([target])
        if names <= self.placed and not names & self._done:
            self._done |= names
            once = all(self._stores.count(name) == 1 for name in names)
            return "const " if once else "let "
        return ""

    def _if(self, node: ast.If) -> list[str]:
        lines = [f"if ({bare(self.w.test(node.test))}) {{", *self._inner(node.body)]
        rest = node.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            lines += [
                f"}} else if ({bare(self.w.test(rest[0].test))}) {{",
                *self._inner(rest[0].body),
            ]
            rest = rest[0].orelse
        return [*lines, *(["} else {", *self._inner(rest)] if rest else []), "}"]

    def _while(self, node: ast.While) -> list[str]:
        if node.orelse:
            raise Outside(node.orelse[0], "a loop with else", "return, or set a name")
        return [f"while ({bare(self.w.test(node.test))}) {{", *self._inner(node.body), "}"]

    def _for(self, node: ast.For) -> list[str]:
        if node.orelse:
            raise Outside(node.orelse[0], "a loop with else", "return, or set a name")
        items = self.w.value(node.iter)
        items = items if self.w.is_array(node.iter) else f"$each({items})"
        head = f"for ({self._declare(node.target)}{self.w.target(node.target)} of {items}) {{"
        return [head, *self._inner(node.body), "}"]

    def _try(self, node: ast.Try) -> list[str]:
        if node.finalbody or node.orelse:
            raise Outside(
                [*node.finalbody, *node.orelse][0],
                "try with else or finally",
                "write it after the try",
            )
        if len(node.handlers) != 1:
            raise Outside(node, "try with several excepts", "catch Refused")
        (handler,) = node.handlers
        kind = self.w.live(handler.type) if handler.type else MISSING
        if not (isinstance(kind, type) and self.w.program.own(kind)):
            raise Outside(handler, "an exception of Python is caught", "test before: `in`, get()")
        name = word(handler.name or "no$")
        self.w.scopes.append({handler.name or ""})
        self.w.types.enter({handler.name or "": kind})
        lines = [
            "try {",
            *self._inner(node.body),
            f"}} catch ({name}) {{",
            f"  if (!({name} instanceof {self.w.program.name_of(kind)})) throw {name};",
            *self._inner(handler.body),
            "}",
        ]
        self.w.scopes.pop()
        self.w.types.leave()
        return lines

    def _match(self, node: ast.Match) -> list[str]:
        """`match` as a chain of ifs."""
        if not isinstance(node.subject, ast.Name):
            raise Outside(node.subject, "match of an expression", "give it a name before")
        lines: list[str] = []
        for case in node.cases:
            test = self._fits(node.subject, case.pattern)
            if case.guard:
                test = ast.BoolOp(ast.And(), [test, case.guard])
            shown = f"if ({bare(self.w.test(test))}) {{"
            lines += [f"}} else {shown}" if lines else shown, *self._inner(case.body)]
        return [*lines, "}"]

    def _fits(self, subject: ast.Name, pattern: ast.pattern) -> ast.expr:
        """A pattern as a condition: a class without arguments, a value, `_`, or several with |."""
        if isinstance(pattern, ast.MatchOr):
            return ast.BoolOp(ast.Or(), [self._fits(subject, p) for p in pattern.patterns])
        if isinstance(pattern, ast.MatchClass) and not pattern.patterns + pattern.kwd_patterns:
            return ast.Call(ast.Name("isinstance"), [subject, pattern.cls], [])
        if isinstance(pattern, ast.MatchValue):
            return ast.Compare(subject, [ast.Eq()], [pattern.value])
        if isinstance(pattern, ast.MatchAs) and pattern.name is None:
            return ast.Constant(True)
        raise Outside(pattern, "a pattern that takes things apart", "match classes and values only")

    def _functiondef(self, node: ast.FunctionDef) -> list[str]:
        raise Outside(node, "a function inside a function", "move it to the top level of the file")


class Use(NamedTuple):
    """One place of a name. kind: `load`, `store`, or `loop` and `plain` for the target of a loop
    or of a plain assignment; blocks: those that it stands in, from outside; line."""

    name: str
    kind: str
    blocks: tuple[int, ...]
    line: int


def uses(node: ast.FunctionDef) -> list[Use]:
    """Every place of every name, in the order of the text."""
    found: list[Use] = []

    def expression(part: ast.expr | ast.stmt, kind: str, blocks: tuple[int, ...]) -> None:
        for each in ast.walk(part):
            if isinstance(each, ast.Name):
                set_ = isinstance(each.ctx, ast.Store)
                said = "load" if not set_ else kind if kind != "load" else "store"
                found.append(Use(each.id, said, blocks, part.lineno))

    def block(body: Sequence[ast.stmt], blocks: tuple[int, ...]) -> None:
        inner = (*blocks, id(body))
        for each in body:
            statement(each, inner)

    def statement(each: ast.stmt, blocks: tuple[int, ...]) -> None:
        if isinstance(each, ast.Assign | ast.AnnAssign):
            if each.value:
                expression(each.value, "load", blocks)
            for target in targets(each):
                expression(target, "plain", blocks)
        elif isinstance(each, ast.AugAssign):
            expression(each.value, "load", blocks)
            found.append(Use(getattr(each.target, "id", ""), "load", blocks, each.lineno))
            found.append(Use(getattr(each.target, "id", ""), "store", blocks, each.lineno))
        elif isinstance(each, ast.For):
            expression(each.iter, "load", blocks)
            expression(each.target, "loop", (*blocks, id(each.body)))
            block(each.body, blocks)
        elif isinstance(each, ast.If | ast.While):
            expression(each.test, "load", blocks)
            block(each.body, blocks)
            block(each.orelse, blocks)
        elif isinstance(each, ast.Try):
            for body in (each.body, *(h.body for h in each.handlers), each.orelse):
                block(body, blocks)
        else:
            expression(each, "load", blocks)

    block(node.body, ())
    return found


def placed(node: ast.FunctionDef) -> set[str]:
    """Local names that may be declared where they are set first, since the block of that place
    holds all their uses. Where a loop makes functions, none: those see the last value."""
    loops = [n for n in ast.walk(node) if isinstance(n, ast.For | ast.While)]
    if any(isinstance(x, ast.Lambda) for n in loops for x in ast.walk(n)):
        return set()
    params = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    rows: dict[str, list[Use]] = {}
    for use in uses(node):
        rows.setdefault(use.name, []).append(use)
    found = {
        name: uses[0].line
        for name, uses in rows.items()
        if name not in params
        and uses[0].kind in ("loop", "plain")
        and all(u.blocks[: len(uses[0].blocks)] == uses[0].blocks for u in uses)
    }
    groups = [(t.lineno, bound([t])) for n in ast.walk(node) for t in targets(n)]
    while True:
        wrong = {
            n
            for line, names in groups
            if len({found.get(n) for n in names}) > 1
            for n in names
            if found.get(n) == line
        }
        if not wrong:
            return set(found)
        for name in wrong:
            del found[name]


def targets(node: ast.AST) -> list[ast.expr]:
    """What a statement binds."""
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.For | ast.AnnAssign) else []
