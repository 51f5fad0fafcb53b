"""Expressions of one function, as JavaScript (`pbem.translate.program`)."""

from __future__ import annotations

import ast
import builtins
import json
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Protocol

from msgspec import Struct

from pbem.translate.hints import Types, may_be_none
from pbem.translate.hints import plain as plain_type
from pbem.translate.subset import (
    COMPARE,
    HINTS,
    LARGEST,
    MISSING,
    OPERATE,
    SIGNS,
    Outside,
    Source,
    bare,
    bound,
    dotted,
    simple,
    template,
    word,
)


class Names(Protocol):
    """The whole that is translated, as far as one function needs it."""

    fields: set[str]
    """Every field of its classes."""
    uses: list[tuple[Expressions, ast.Attribute, bool]]
    """Attributes that are read, and whether they are called: they must be of its classes."""

    def name_of(self, thing: object, where: str = "") -> str:
        """The JavaScript name of a function, class or constant, which becomes part of the whole.
        where: module and name of a constant. Raises TypeError for what cannot be data."""

    def value_of(self, thing: object) -> str:
        """The same of one that is passed as a value; data may be converted to such a class."""

    def own(self, thing: object) -> bool:
        """Is it of the game's own package, or of those that every check may use?"""

    def is_given(self, thing: object) -> bool:
        """Is it a function whose result is sent as data? Ask after `name_of`."""

    def fault(self, source: Source, node: ast.AST, text: str, hint: str = "") -> None:
        """Note something outside the subset."""


class Expressions:
    """The expressions of one function or method; `Calls` adds what a call means."""

    def __init__(self, program: Names, source: Source, function: FunctionType) -> None:
        self.program, self.source, self.function = program, source, function
        self.known: Mapping[str, object] = function.__globals__
        self.scopes: list[set[str]] = []
        self.types = Types(self.live, self.known)

    def fault(self, node: ast.AST, text: str, hint: str = "") -> None:
        """Note something outside the subset."""
        self.program.fault(self.source, node, text, hint)

    @contextmanager
    def inside(
        self, target: ast.expr | None, hint: object, names: Iterable[str] = ()
    ) -> Iterator[str]:
        """A scope of its own, with what a target binds; the target as JavaScript."""
        self.scopes.append(bound([target]) if target else set(names))
        self.types.enter(dict.fromkeys(self.scopes[-1]))
        if target:
            self.types.learn(target, hint)
        yield self.target(target) if target else ""
        self.types.leave()
        self.scopes.pop()

    # Names

    def live(self, node: ast.expr) -> object:
        """The thing itself that a global name, or one of a module, stands for."""
        if isinstance(node, ast.Name):
            if any(node.id in scope for scope in self.scopes):
                return MISSING
            if node.id in self.known:
                return self.known[node.id]
            return getattr(builtins, node.id, MISSING)
        if isinstance(node, ast.Attribute):
            base = self.live(node.value)
            if isinstance(base, ModuleType):
                return getattr(base, node.attr, MISSING)
        return MISSING

    def _global(self, node: ast.expr, thing: object) -> str:
        if isinstance(thing, float):
            raise Outside(node, "a number with decimals", "count in whole numbers")
        if isinstance(thing, int) and abs(thing) > LARGEST:
            raise Outside(node, f"{thing} is too large", "JavaScript counts to 2**53 - 1")
        if thing is None or isinstance(thing, str | int):
            return json.dumps(thing)
        if isinstance(thing, ModuleType):
            raise Outside(node, f"the module {thing.__name__} is no value")
        try:
            if isinstance(thing, type) or callable(thing):
                if self.program.own(thing):
                    return self.program.value_of(thing)
                text = f"{dotted(node)} is not available in a check"
                raise Outside(node, text, "see docs/formats.md, Checks")
            home = self.live(node.value) if isinstance(node, ast.Attribute) else None
            own = node.attr if isinstance(node, ast.Attribute) else node.id  # type: ignore[attr-defined]
            module = home.__name__ if isinstance(home, ModuleType) else str(self.known["__name__"])
            return self.program.name_of(thing, f"{module}.{own}")
        except TypeError as no:
            raise Outside(node, str(no)) from None

    # Values

    def value(self, node: ast.expr) -> str:
        """An expression, in parentheses if it may need them. Raises Outside."""
        kind = type(node).__name__
        write = getattr(self, f"_{kind.lower()}", None)
        if write is None:
            raise Outside(node, f"{kind} is outside the subset", HINTS.get(type(node), ""))
        return str(write(node))

    def _call(self, node: ast.Call) -> str:
        raise NotImplementedError

    def _name(self, node: ast.Name) -> str:
        thing = self.live(node)
        if thing is MISSING:
            if any(node.id in scope for scope in self.scopes):
                return word(node.id)
            raise Outside(node, f"{node.id} is not defined", "is it imported only for types?")
        return self._global(node, thing)

    def _attribute(self, node: ast.Attribute) -> str:
        thing = self.live(node)
        if thing is not MISSING:
            return self._global(node, thing)
        if isinstance(self.live(node.value), ModuleType):
            raise Outside(node, f"there is no {dotted(node)}")
        self.program.uses.append((self, node, False))
        return f"{self.value(node.value)}.{node.attr}"

    def _constant(self, node: ast.Constant) -> str:
        if isinstance(node.value, float | complex | bytes) or node.value is ...:
            raise Outside(node, f"{node.value!r} is no value of a check", "count in whole numbers")
        return self._global(node, node.value)

    def _joinedstr(self, node: ast.JoinedStr) -> str:
        parts, plain = [], True
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(template(str(part.value)))
            elif isinstance(part, ast.FormattedValue):
                if part.conversion != -1 or part.format_spec:
                    raise Outside(part, "a format after ! or :", "format the text before")
                parts.append(f"${{{bare(self.value(part.value))}}}")
                hint = self.types.of(part.value)
                plain = plain and plain_type(hint) in (str, int) and not may_be_none(hint)
        return f"{'' if plain else '$f'}`{''.join(parts)}`"

    def _tuple(self, node: ast.Tuple | ast.List) -> str:
        return f"[{', '.join(map(self.spread, node.elts))}]"

    _list = _tuple

    def _set(self, node: ast.Set) -> str:
        return f"$set([{', '.join(map(self.spread, node.elts))}])"

    def spread(self, node: ast.expr) -> str:
        """An argument or item, or all those that * stands before."""
        if isinstance(node, ast.Starred):
            return f"...$iter({self.value(node.value)})"
        return self.value(node)

    def _dict(self, node: ast.Dict) -> str:
        rows = [
            f"[{self.value(k)}, {self.value(v)}]" if k else f"...$pairs({self.value(v)})"
            for k, v in zip(node.keys, node.values, strict=True)
        ]
        return f"$map([{', '.join(rows)}])"

    def _subscript(self, node: ast.Subscript) -> str:
        base, at = self.value(node.value), node.slice
        if isinstance(at, ast.Slice):
            if at.step:
                raise Outside(node, "a slice with a step", "reversed() turns a list around")
            low = self.value(at.lower) if at.lower else "null"
            return f"$slice({base}, {low}{f', {self.value(at.upper)}' if at.upper else ''})"
        return f"$item({base}, {self.value(at)})"

    def _ifexp(self, node: ast.IfExp) -> str:
        return f"({self.test(node.test)} ? {self.value(node.body)} : {self.value(node.orelse)})"

    def _namedexpr(self, node: ast.NamedExpr) -> str:
        return f"({word(node.target.id)} = {self.value(node.value)})"

    def _lambda(self, node: ast.Lambda) -> str:
        names = [a.arg for a in node.args.args]
        if node.args.defaults or node.args.kwonlyargs or node.args.vararg or node.args.kwarg:
            raise Outside(node, "a lambda with defaults or *", "use a function")
        with self.inside(None, None, names):
            body = self.value(node.body)
        return f"(({', '.join(map(word, names))}) => {bare(body)})"

    def _binop(self, node: ast.BinOp) -> str:
        name = OPERATE.get(type(node.op))
        if name is None:
            hint = "// gives whole numbers" if isinstance(node.op, ast.Div) else ""
            raise Outside(node, f"{type(node.op).__name__} is outside the subset", hint)
        if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant | ast.JoinedStr):
            raise Outside(node, "text made with %", "use an f-string")
        left, right = self.value(node.left), self.value(node.right)
        a, b = self.sort(node.left), self.sort(node.right)
        sign = {"$add": "+", "$sub": "-", "$mul": "*"}.get(name)
        if sign and a is b is int:
            return f"$n({left} {sign} {right})"
        if sign == "+" and a is b is str:
            return f"({left} + {right})"
        return f"{name}({left}, {right})"

    def sort(self, node: ast.expr) -> object:
        """Its type, None apart, where it is known."""
        return plain_type(self.types.of(node))

    def _unaryop(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return f"!{self.test(node.operand)}"
        if isinstance(node.op, ast.USub):
            return f"(-{self.value(node.operand)})"
        raise Outside(node, f"{type(node.op).__name__} is outside the subset")

    def _compare(self, node: ast.Compare) -> str:
        left, rows = node.left, []
        for op, right in zip(node.ops, node.comparators, strict=True):
            if len(node.ops) > 1 and right is not node.comparators[-1] and not simple(right):
                raise Outside(
                    right, "the middle of a comparison would run twice", "give it a name before"
                )
            rows.append(self._compared(left, op, right))
            left = right
        return rows[0] if len(rows) == 1 else f"({' && '.join(rows)})"

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        a, b = self.value(left), self.value(right)
        if isinstance(op, ast.Is | ast.IsNot):
            if not (isinstance(right, ast.Constant) and right.value is None):
                raise Outside(right, "`is` with anything but None", "use ==")
            return f"({a} {'===' if isinstance(op, ast.Is) else '!=='} null)"
        sorts = self.sort(left), self.sort(right)
        if isinstance(op, ast.Eq | ast.NotEq) and (str in sorts or sorts == (int, int)):
            return f"({a} {'===' if isinstance(op, ast.Eq) else '!=='} {b})"
        if type(op) in SIGNS and sorts == (int, int):
            return f"({a} {SIGNS[type(op)]} {b})"
        if isinstance(op, ast.In | ast.NotIn) and sorts[0] is str:
            box = self.live(right)
            words = isinstance(right, ast.Tuple | ast.List) and all(
                self.sort(e) is str for e in right.elts
            )
            how = (
                "has" if isinstance(box, Mapping | set | frozenset) else "includes" if words else ""
            )
            if how:
                return f"{'' if isinstance(op, ast.In) else '!'}{b}.{how}({bare(a)})"
        return COMPARE[type(op)].format(a, b)

    def _boolop(self, node: ast.BoolOp) -> str:
        both = isinstance(node.op, ast.And)
        if all(map(self.is_bool, node.values[:-1])):
            return f"({(' && ' if both else ' || ').join(map(self.value, node.values))})"
        found = self.value(node.values[-1])
        for each in reversed(node.values[:-1]):
            found = f"{'$and' if both else '$or'}({self.value(each)}, () => {found})"
        return found

    def test(self, node: ast.expr) -> str:
        """A condition: true or false."""
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return f"({sign.join(map(self.test, node.values))})"
        text, kind = self.value(node), self.sort(node)
        if kind in (str, int, bool) or (isinstance(kind, type) and issubclass(kind, Struct)):
            return text
        if typing.get_origin(self.types.of(node)) in (list, tuple):
            return f"{text}.length"
        return text if self.is_bool(node) else f"$t({text})"

    def is_bool(self, node: ast.expr) -> bool:
        """Is it surely True or False?"""
        if isinstance(node, ast.BoolOp):
            return all(map(self.is_bool, node.values))
        return self.types.of(node) is bool

    # Many values

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp) -> str:
        return self._all(node.generators, lambda: self.value(node.elt), node.elt)

    _generatorexp = _listcomp

    def _setcomp(self, node: ast.SetComp) -> str:
        return f"$set({self._all(node.generators, lambda: self.value(node.elt), node.elt)})"

    def _dictcomp(self, node: ast.DictComp) -> str:
        pair = lambda: f"[{self.value(node.key)}, {self.value(node.value)}]"  # noqa: E731
        return f"$map({self._all(node.generators, pair, None)})"

    def _all(
        self, rows: Sequence[ast.comprehension], made: Callable[[], str], elt: ast.expr | None
    ) -> str:
        """Every value, at once; the difference does not show, because nothing has effects."""
        first, *rest = rows
        found = self.items(first.iter)
        with self.inside(first.target, self.types.of_items(first.iter)) as target:
            fits = " && ".join(map(self.test, first.ifs))
            if rest:
                inner = self._all(rest, made, elt)
            elif elt is not None and _same(elt, first.target):
                inner = ""
            else:
                inner = bare(made())
        if fits and any(isinstance(n, ast.NamedExpr) for c in first.ifs for n in ast.walk(c)):
            # a name that the condition binds holds while the same item is made
            item = inner if rest else f"[{inner or target}]"
            return f"{found}.flatMap(({target}) => ({fits}) ? {item} : [])"
        if fits:
            found += f".filter(({target}) => {bare(fits)})"
        if inner:
            found += f".{'flatMap' if rest else 'map'}(({target}) => {inner})"
        return found

    def items(self, node: ast.expr) -> str:
        """An Array of what one gets who goes through it."""
        text = self.value(node)
        return text if self.is_array(node) else f"$iter({text})"

    def is_array(self, node: ast.expr) -> bool:
        """Is it surely an Array?"""
        hint = self.types.of(node)
        made = isinstance(node, ast.List | ast.Tuple | ast.ListComp)
        return made or typing.get_origin(hint) in (list, tuple)

    def some(self, node: ast.GeneratorExp, every: bool) -> str:
        """any() and all(), which look no further than they must."""
        first, *rest = node.generators
        start = self.items(first.iter)
        with self.inside(first.target, self.types.of_items(first.iter)) as target:
            if rest:
                inner = self.some(ast.GeneratorExp(node.elt, rest), every)
            else:
                inner = self.test(node.elt)
            fits = [self.test(c) for c in first.ifs]
        if fits and every:
            inner = f"!({' && '.join(fits)}) || {inner}"
        elif fits:
            inner = " && ".join([*fits, inner])
        return f"{start}.{'every' if every else 'some'}(({target}) => {bare(inner)})"

    def target(self, node: ast.expr) -> str:
        """What takes a value, as a pattern."""
        if isinstance(node, ast.Name):
            return word(node.id)
        if isinstance(node, ast.Tuple | ast.List):
            if any(isinstance(e, ast.Starred) for e in node.elts[:-1]):
                raise Outside(node, "a starred name that is not the last", "use a slice")
            return f"[{', '.join(map(self.target, node.elts))}]"
        if isinstance(node, ast.Starred):
            return f"...{self.target(node.value)}"
        if isinstance(node, ast.Attribute):
            return f"{self.value(node.value)}.{node.attr}"
        raise Outside(node, "nothing can be assigned to this", "fill a dict by d[key] = value")


def _same(elt: ast.expr, target: ast.expr) -> bool:
    """Does `[elt for target in ...]` keep its items as they are?"""
    return ast.dump(elt) == ast.dump(target).replace("Store()", "Load()")
