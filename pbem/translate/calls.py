"""Calls of one function, as JavaScript (`pbem.translate.program`)."""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Callable, Mapping
from types import ModuleType

import msgspec

from orders.rows import typed
from pbem.translate.conversions import conversion
from pbem.translate.expressions import Expressions
from pbem.translate.hints import may_be_none
from pbem.translate.hints import plain as plain_type
from pbem.translate.subset import FRESH, METHODS, MISSING, Outside, bare, dotted, simple

TABLES = "a function without parameters, or of `house` alone, may call it: its result is sent"


class Calls(Expressions):
    """Expressions, and what each call means."""

    def _call(self, node: ast.Call) -> str:
        asked = self.live(node.func)
        if asked is MISSING:
            return self._asked(node)
        if isinstance(asked, typing.NewType):
            return self.value(node.args[0])
        if asked in _SPECIAL:
            return _SPECIAL[asked](self, node)
        if asked in FRESH:
            return self._of_python(asked, node)
        return self._of_the_game(asked, node)

    def _of_the_game(self, asked: object, node: ast.Call) -> str:
        """A function or class of the game, or of what every check may use."""
        if not self.program.own(asked) or not callable(asked):
            raise Outside(node, f"{dotted(node.func)} is not available in a check", TABLES)
        try:
            name = self.program.name_of(asked)
        except TypeError as no:
            raise Outside(node, str(no)) from None
        if self.program.is_given(asked):
            return f"{name}()"
        sign = "new " if isinstance(asked, type) else ""
        return f"{sign}{name}({self._arguments(node, asked)})"

    def _of_python(self, asked: object, node: ast.Call) -> str:
        """A function of Python."""
        name, least, most = FRESH[asked]
        if node.keywords or not least <= len(node.args) <= most:
            raise Outside(node, f"{dotted(node.func)} with these arguments")
        hint = self.types.of(node.args[0]) if node.args else None
        known = plain_type(hint) if not may_be_none(hint) else None
        given = [self.spread(a) for a in node.args]
        if asked in (str, int) and known is asked:
            return given[0]
        if asked is len and typing.get_origin(known) in (list, tuple):
            return f"{given[0]}.length"
        return f"{name}({', '.join(given)})"

    def _arguments(self, node: ast.Call, asked: Callable[..., object]) -> str:
        """By position, however they were given; `undefined` takes the usual value."""
        if not node.keywords:
            return ", ".join(map(self.spread, node.args))
        names = list(inspect.signature(asked).parameters)
        given = {k.arg: self.value(k.value) for k in node.keywords if k.arg}
        if len(given) < len(node.keywords):
            raise Outside(node, "** in a call", "name every argument")
        last = max(names.index(str(k)) for k in given) + 1
        rest = [given.get(n, "undefined") for n in names[len(node.args) : last]]
        return ", ".join([*map(self.spread, node.args), *rest])

    def _asked(self, node: ast.Call) -> str:
        """A method, or a function that is no global one."""
        if node.keywords:
            raise Outside(
                node, "a method or local function called with keywords", "pass by position"
            )
        given = ", ".join(map(self.spread, node.args))
        if not isinstance(node.func, ast.Attribute):
            sign = "new " if typing.get_origin(self.types.of(node.func)) is type else ""
            return f"{sign}{self.value(node.func)}({given})"
        if isinstance(self.live(node.func.value), ModuleType):
            raise Outside(node.func, f"there is no {dotted(node.func)}")
        if node.func.attr == "join" and len(node.args) == 1:
            return f"{self.items(node.args[0])}.join({self.value(node.func.value)})"
        if node.func.attr in METHODS:
            text = METHODS[node.func.attr].format(self.value(node.func.value), given)
            return text.replace(", )", ")")
        self.program.uses.append((self, node.func, True))
        return f"{self.value(node.func.value)}.{node.func.attr}({given})"

    def converted(self, node: ast.Call) -> str:
        """msgspec.convert: to a type, or to one that a name stands for only when it runs."""
        if len(node.args) != 2 or node.keywords:
            raise Outside(node, "convert with these arguments", "a value and a type")
        value, kind = self.value(node.args[0]), node.args[1]
        if typing.get_origin(self.types.of(kind)) is type:
            return f"$made({value}, {self.value(kind)})"
        try:
            hint = eval(ast.unparse(kind), dict(self.known))
            return conversion(hint, value, self.program.value_of)
        except (NameError, TypeError) as no:
            raise Outside(
                kind, f"convert: {no}", "a type of the file, or a type[T] parameter"
            ) from None


def any_all(w: Calls, node: ast.Call) -> str:
    """any() and all()."""
    every = isinstance(node.func, ast.Name) and node.func.id == "all"
    (items,) = node.args
    if isinstance(items, ast.GeneratorExp):
        return w.some(items, every)
    return f"$all({w.value(items)}).{'every' if every else 'some'}($t)"


def least(w: Calls, node: ast.Call) -> str:
    """min() and max()."""
    sign = "1" if isinstance(node.func, ast.Name) and node.func.id == "min" else "-1"
    named = {k.arg: w.value(k.value) for k in node.keywords}
    if set(named) - {"key", "default"}:
        raise Outside(node, "min and max with these arguments", "key and default")
    items = ", ".join(map(w.spread, node.args))
    if len(node.args) > 1 and not named and all(w.sort(a) is int for a in node.args):
        return f"Math.{'min' if sign == '1' else 'max'}({items})"
    items = items if len(node.args) == 1 else f"[{items}]"
    key, usual = named.get("key", "null"), named.get("default", "undefined")
    return f"$least({items}, {key}, {usual}, {sign})"


def ranked(w: Calls, node: ast.Call) -> str:
    """sorted()."""
    named = {k.arg: w.value(k.value) for k in node.keywords}
    key, down = named.get("key", "null"), named.get("reverse", "false")
    return f"$sorted({w.value(node.args[0])}, {key}, {down})"


def following(w: Calls, node: ast.Call) -> str:
    """next(), which looks no further than it must."""
    items, *other = node.args
    rest = f", {w.value(other[0])}" if other else ""
    if not isinstance(items, ast.GeneratorExp) or len(items.generators) > 1:
        return f"$first({w.value(items)}{rest})"
    (row,) = items.generators
    start = w.value(row.iter)
    with w.inside(row.target, w.types.of_items(row.iter)) as target:
        fits = bare(" && ".join(map(w.test, row.ifs)) or "true")
        made = bare(w.value(items.elt))
    return f"$find({start}, ({target}) => {fits}, ({target}) => {made}{rest})"


def replaced(w: Calls, node: ast.Call) -> str:
    """msgspec.structs.replace."""
    rows = ", ".join(f"{k.arg}: {w.value(k.value)}" for k in node.keywords)
    return f"$replaced({w.value(node.args[0])}, {{ {rows} }})"


def converted(w: Calls, node: ast.Call) -> str:
    """msgspec.convert, and orders.rows.typed, which reads the text of rows as well."""
    return w.converted(node)


def is_kind(w: Calls, node: ast.Call) -> str:
    """isinstance(), of the game's own classes, str, int, list and dict."""
    value, kind = node.args
    text = w.value(value)
    kinds = _alternatives(kind)
    if len(kinds) > 1 and not simple(value):
        raise Outside(value, "what isinstance looks at would run several times", "name it before")
    found = " || ".join(_is_one(w, text, one) for one in kinds)
    return f"({found})"


def _alternatives(kind: ast.expr) -> list[ast.expr]:
    """`A | B` and `(A, B)` one by one."""
    if isinstance(kind, ast.BinOp) and isinstance(kind.op, ast.BitOr):
        return [*_alternatives(kind.left), *_alternatives(kind.right)]
    return kind.elts if isinstance(kind, ast.Tuple) else [kind]


_CLASSES: dict[object, str] = {list: "Array", tuple: "Array", dict: "Map", Mapping: "Map"}


def _is_one(w: Calls, text: str, kind: ast.expr) -> str:
    live = w.live(kind)
    if live is str:
        return f'typeof {text} === "string"'
    if live is int:
        return f'typeof {text} === "number" || typeof {text} === "boolean"'
    name = _CLASSES.get(live)
    return f"{text} instanceof {name or _class_name(w, kind, live)}"


def _class_name(w: Calls, kind: ast.expr, live: object) -> str:
    if isinstance(live, type) and w.program.own(live):
        return w.program.name_of(live)
    raise Outside(kind, "isinstance with this type", "a class of the game, str, int, list or dict")


def zipped(w: Calls, node: ast.Call) -> str:
    """zip(), whose `strict` must be plain True or False."""
    strict = [k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)]
    if len(strict) != len(node.keywords):
        raise Outside(node, "zip with these arguments")
    sure = "true" if any(strict) else "false"
    return f"$zip({sure}, {', '.join(map(w.spread, node.args))})"


def cast(w: Calls, node: ast.Call) -> str:
    """typing.cast."""
    return w.value(node.args[1])


_SPECIAL: dict[object, Callable[[Calls, ast.Call], str]] = {
    any: any_all, all: any_all, min: least, max: least,
    sorted: ranked, next: following, isinstance: is_kind,
    msgspec.structs.replace: replaced,
    msgspec.convert: converted, typed: converted,
    typing.cast: cast, zip: zipped,
}  # fmt: skip
