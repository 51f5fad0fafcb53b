"""What is known of an expression's type from the annotations that mypy has checked.

It only makes the JavaScript shorter: where nothing is known, python.js asks the value itself.
"""

from __future__ import annotations

import ast
import operator
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from msgspec import Struct

LISTS: tuple[object, ...] = (list, tuple, Sequence, Iterable)
MANY: tuple[object, ...] = (*LISTS, set, frozenset)


@cache
def _hints(thing: object) -> Mapping[str, object]:
    try:
        return typing.get_type_hints(thing)
    except (NameError, TypeError):
        return {}


def plain(hint: object) -> object:
    """A hint without None and new names: `Zone | None` is str."""
    while True:
        if isinstance(hint, typing.NewType):
            hint = hint.__supertype__
        elif typing.get_origin(hint) in (typing.Union, types.UnionType):
            some = {plain(a) for a in typing.get_args(hint)} - {type(None)}
            return some.pop() if len(some) == 1 else None
        elif typing.get_origin(hint) is typing.Literal:
            kinds = {type(a) for a in typing.get_args(hint)}
            return kinds.pop() if len(kinds) == 1 else None
        else:
            return hint


def hints(thing: object) -> Mapping[str, object]:
    """Annotations of a function or class; empty where they name what is not there at run time."""
    return _hints(thing)


def may_be_none(hint: object) -> bool:
    """Is None among what it may be, or is nothing known?"""
    return hint is None or hint is Any or type(None) in typing.get_args(hint)


def part(hint: object, at: int | None = None) -> object:
    """The hint of an item. at: of this one, where it is known."""
    origin, args = typing.get_origin(plain(hint)), typing.get_args(plain(hint))
    if plain(hint) is str:
        return str
    if origin is tuple and at is not None and Ellipsis not in args:
        return args[at] if -len(args) <= at < len(args) else None
    if origin is tuple:
        return args[0] if len(args) == 2 and args[1] is Ellipsis else None
    if origin is not None and issubclass(origin, Mapping):
        return args[-1]
    return args[0] if args and origin in MANY else None


def _agreed(found: Sequence[object], strict: bool) -> object:
    some = [h for h in found if strict or h is not None]
    return some[0] if some and all(h == some[0] for h in some) else None


class Types:
    """Hints of expressions in one function. live: what a global name stands for."""

    def __init__(self, live: Callable[[ast.expr], object], known: Mapping[str, object]) -> None:
        self.live, self.known = live, known
        self.scopes: list[dict[str, object]] = [{}]

    def enter(self, names: Mapping[str, object]) -> None:
        """A scope begins, in which these are known; None for those of which nothing is."""
        self.scopes.append(dict(names))

    def leave(self) -> None:
        """It ends."""
        self.scopes.pop()

    def learn(self, target: ast.expr, hint: object) -> None:
        """Targets of an assignment or loop take a value."""
        if isinstance(target, ast.Name):
            self.scopes[-1][target.id] = hint
        elif isinstance(target, ast.Tuple | ast.List):
            for i, each in enumerate(target.elts):
                self.learn(each, part(hint, i) if hint is not None else None)

    def body(self, node: ast.FunctionDef, given: Mapping[str, object]) -> None:
        """Learn the names of a function: a hint holds where all that is set agrees with it."""
        rows = [pair for each in ast.walk(node) for pair in self._set(each)]
        guess = dict(given)
        for strict in (False, False, False, True, True, True, True):
            self.scopes[-1], found = guess, {k: [v] for k, v in given.items()}
            for target, hint in rows:
                self.scopes.append({})
                self.learn(target, hint())
                for name, one in self.scopes.pop().items():
                    found.setdefault(name, []).append(one)
            guess = {k: _agreed(v, strict) for k, v in found.items()}
        self.scopes[-1] = {k: v if guess == self.scopes[-1] else None for k, v in guess.items()}

    def _set(self, node: ast.AST) -> list[tuple[ast.expr, Callable[[], object]]]:
        """Targets, and how to ask what each gets."""
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = zip(target.elts, value.elts, strict=False)
                return [(t, partial(self.of, v)) for t, v in pairs]
            return [(target, partial(self.of, value))]
        if isinstance(node, ast.AnnAssign):
            return [(node.target, partial(self._said, node.annotation))]
        if isinstance(node, ast.AugAssign):
            return [(node.target, partial(self.of, node.target))]
        if isinstance(node, ast.NamedExpr):
            return [(node.target, lambda: None)]
        return (
            [(node.target, partial(self.of_items, node.iter))] if isinstance(node, ast.For) else []
        )

    def _said(self, node: ast.expr) -> object:
        try:
            return eval(ast.unparse(node), dict(self.known))  # the module's own annotation
        except (NameError, TypeError):
            return None

    def of_items(self, node: ast.expr) -> object:
        """What one gets who goes through it."""
        asked = self.live(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and node.args:
            if asked is enumerate:
                item = self.of_items(node.args[0])
                return types.GenericAlias(tuple, (int, item)) if item else None
            if asked in (list, tuple, sorted, reversed):
                return self.of_items(node.args[0])
            if asked is range:
                return int
        hint = self.of(node)
        origin = typing.get_origin(plain(hint))
        if origin is not None and issubclass(origin, Mapping):
            return typing.get_args(plain(hint))[0]
        return part(hint)

    def of(self, node: ast.expr) -> object:
        """The hint of an expression, None where nothing is known."""
        find = getattr(self, f"_{type(node).__name__.lower()}", None)
        return find(node) if find else None

    def _constant(self, node: ast.Constant) -> object:
        return None if node.value is None else type(node.value)

    def _joinedstr(self, node: ast.JoinedStr) -> object:
        return str

    def _name(self, node: ast.Name) -> object:
        for scope in reversed(self.scopes):
            if node.id in scope:
                return scope[node.id]
        value = self.live(node)
        return type(value) if isinstance(value, str | int | bool | Struct) else None

    def _attribute(self, node: ast.Attribute) -> object:
        value = self.live(node)
        if isinstance(value, str | int | bool | Struct):
            return type(value)
        kind = plain(self.of(node.value))
        if not isinstance(kind, type) or not issubclass(kind, Struct | Exception):
            return None
        got = getattr(kind, node.attr, None)
        return (
            hints(got.fget).get("return")
            if isinstance(got, property)
            else hints(kind).get(node.attr)
        )

    def _call(self, node: ast.Call) -> object:  # noqa: PLR0911  a table in words
        asked = self.live(node.func)
        if isinstance(asked, typing.NewType) or (
            isinstance(asked, type) and (issubclass(asked, Struct) or asked in (str, int, bool))
        ):
            return asked
        if asked in (len, ord, abs):
            return int
        if asked is chr:
            return str
        if asked in (any, all, isinstance):
            return bool
        if asked in (min, max) and not node.keywords and len(node.args) > 1:
            return int if all(plain(self.of(a)) is int for a in node.args) else None
        if asked in (list, tuple, sorted) and node.args:
            item = self.of_items(node.args[0])
            return types.GenericAlias(list, item) if item else None
        if getattr(asked, "__module__", "") == "msgspec.structs":
            return self.of(node.args[0])
        if getattr(asked, "__module__", "") == "msgspec._core" and len(node.args) > 1:
            return self._said(node.args[1])
        if isinstance(node.func, ast.Attribute) and not callable(asked):
            if node.func.attr in ("upper", "lower", "title", "strip", "join"):
                return str
            if node.func.attr in ("startswith", "endswith", "isdigit"):
                return bool
            if node.func.attr == "get" and len(node.args) == 1:
                found = part(self.of(node.func.value))
                return operator.or_(found, None) if found else None
            kind = plain(self.of(node.func.value))
            mine = getattr(kind, node.func.attr, None)
            of_struct = isinstance(kind, type) and issubclass(kind, Struct)
            return hints(mine).get("return") if mine and of_struct else None
        inner = getattr(asked, "__wrapped__", asked)
        return hints(inner).get("return") if isinstance(inner, types.FunctionType) else None

    def _subscript(self, node: ast.Subscript) -> object:
        hint = self.of(node.value)
        if isinstance(node.slice, ast.Slice):
            return hint if plain(hint) is str or typing.get_origin(plain(hint)) in LISTS else None
        at = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return part(hint, at if isinstance(at, int) else None)

    def _ifexp(self, node: ast.IfExp) -> object:
        a, b = self.of(node.body), self.of(node.orelse)
        return a if a == b else None

    def _binop(self, node: ast.BinOp) -> object:
        a, b = plain(self.of(node.left)), plain(self.of(node.right))
        if a is int and b in (int, bool):
            return int
        return str if a is str and b is str and isinstance(node.op, ast.Add) else None

    def _unaryop(self, node: ast.UnaryOp) -> object:
        return bool if isinstance(node.op, ast.Not) else plain(self.of(node.operand))

    def _compare(self, node: ast.Compare) -> object:
        return bool

    def _boolop(self, node: ast.BoolOp) -> object:
        return _agreed([self.of(v) for v in node.values], True)

    def _listcomp(self, node: ast.ListComp) -> object:
        self.enter({})
        for row in node.generators:
            self.learn(row.target, self.of_items(row.iter))
        item = self.of(node.elt)
        self.leave()
        return types.GenericAlias(list, item) if item else None

    _generatorexp = _listcomp
