"""A system's checks as JavaScript: everything that they call, and the constants that they read.

From the functions that a system registers (`pbem.kit.checks`) this follows every name: functions
and classes become JavaScript, constants of modules become data by their value, and functions that
read tables (without parameters, or of `house` alone) are called here, so that the page gets their
result. Nothing else of the game is sent. templates/order_page/js/python.js gives each operation the
meaning that it has in Python.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from pbem.data import archive_of, read
from pbem.kit import checks as kit
from pbem.kit.checks import Checks
from pbem.model import System
from pbem.translate import functions
from pbem.translate.conversions import fields, row_of
from pbem.translate.expressions import Expressions
from pbem.translate.subset import LARGEST, METHODS, Source
from pbem.translate.translation import SHARED, Constant, Fault, NotTranslatable, Translation

Node = TypeVar("Node", ast.FunctionDef, ast.ClassDef)
ORDER_FIELDS = frozenset(
    [
        *("actor", "actions", "when", "otherwise", "standing", "turn", "verb", "args"),
        *("tests", "joiner", "left", "right", "term"),
    ]
)
"""Fields of an order as the page reads it."""


def translate(system: System, house: Mapping[str, str]) -> Translation:
    """The checks of a system.

    house: the moderator's house rules, name -> text of the table. Raises NotTranslatable.
    """
    return translated(system.checks, system.name, house) if system.checks else Translation("", [])


def translated(checks: str, system: str, house: Mapping[str, str]) -> Translation:
    """The same of checks by module and name, as `System.checks` has them. system: its name."""
    module, _, name = checks.partition(":")
    found = cast(Checks[Any], getattr(import_module(module), name))
    program = Program(module.rpartition(".")[0] or module, house)
    try:
        return _of_checks(program, system, found)
    except TypeError as no:  # what is registered cannot be translated
        source = _file(module)
        fault = Fault(source.file, 1, 1, str(no), "register functions of the file", source.lines[0])
        raise NotTranslatable([fault]) from None


def _of_checks(program: Program, system: str, found: Checks[Any]) -> Translation:
    """The tables of registered functions, and all that these reach."""
    look, verbs = program.name_of(found.seen), program.live(found.table())
    check, note, after = (
        f"(order, report) => {program.name_of(f)}(verdicts, {look}, order, report)" if used else ""
        for f, used in (
            (kit.problem, True),
            (kit.note, True),
            (kit.after, any(verdicts.effects for verdicts in found.table().values())),
        )
    )
    asked = ", ".join([check, note, "report", after or "undefined"])
    if any(verdicts.beside for verdicts in found.table().values()):
        name = program.name_of(kit.contradiction)
        asked += f", (order, others, report) => {name}(verdicts, {look}, order, others, report)"
    end = [f"const verdicts = {verbs};", f"return $checks({asked});"]
    return program.translation(system, end)


class Program:
    """All that is reached, under the names that it has in JavaScript. home: the game's package."""

    def __init__(self, home: str, house: Mapping[str, str]) -> None:
        self.home, self.house = home, house
        self.faults: list[Fault] = []
        self.fields: set[str] = set(ORDER_FIELDS)
        self.uses: list[tuple[Expressions, ast.Attribute, bool]] = []
        self._methods: set[str] = set()
        self._properties: set[str] = set()
        self._names: dict[int, str] = {}
        self._kept: list[object] = []  # so that no id is used twice
        self._queue: deque[tuple[str, object, FunctionType]] = deque()
        self._classes: dict[str, tuple[str, list[str]]] = {}
        self._waiting: list[tuple[str, Source, FunctionType, ast.FunctionDef, type]] = []
        self._functions: list[str] = []
        self._tables: list[str] = []
        self._values: dict[str, Constant] = {}
        self._converted: dict[str, Mapping[str, str]] = {}
        self._rows: dict[str, Mapping[str, str]] = {}
        self._kinds: dict[str, int] = {}

    def translation(self, system: str, end: Sequence[str]) -> Translation:
        """Everything that is reached so far, and what that reaches.

        end: the last lines, which give the page its functions. Raises NotTranslatable.
        """
        while self._queue or self._write_methods():
            while self._queue:
                self._function(*self._queue.popleft())
        self._refuse_unknown()
        if self.faults:
            raise NotTranslatable(sorted(set(self.faults)))
        body = "\n".join([*self._body(), *end])
        return Translation(
            f"SYSTEMS.{system} = (told, report) => {{\n{body}\n}};\n", list(self._values.values())
        )

    def _body(self) -> Iterator[str]:
        """The text, each part after what it needs."""
        for head, body in self._classes.values():
            yield "\n".join([f"{head} {{", *(f"  {line}" for line in body), "}"])
        for name, made in self._converted.items():
            if made:
                yield f"{name}.c = {{ {_pairs(made)} }};"
            if row := self._rows[name]:
                yield f"{name}.r = {{ {_pairs(row)} }};"
        names, kinds = ", ".join(self._values), ", ".join(self._kinds)
        yield f"const [{names}] = $values(told, [{kinds}]);"
        yield from self._tables
        yield from self._functions

    def _refuse_unknown(self) -> None:
        """Attributes that no class of the checks has."""
        for writer, node, called in self.uses:
            if not called and node.attr in self._methods - self._properties - self.fields:
                text = f"the method {node.attr!r} is passed on and would lose its object"
                writer.fault(node, text, "pass a function that calls it")
            elif node.attr not in (self._methods if called else self.fields | self._methods):
                what = "method" if called else "field"
                hint = f"methods: {', '.join(sorted(METHODS))}" if called else ""
                writer.fault(node, f"no class of the checks has a {what} {node.attr!r}", hint)

    # Names

    def own(self, thing: object) -> bool:
        """Is it of the game's own package, or of those that every check may use?"""
        home = getattr(thing, "__module__", "") or ""
        return any(home == top or home.startswith(f"{top}.") for top in (self.home, *SHARED))

    def is_given(self, thing: object) -> bool:
        """Is it a function that depends on nothing but the house rules, whose result is data?"""
        return id(thing) in self._names and self._names[id(thing)] in self._values

    def name_of(self, thing: object, where: str = "") -> str:
        """What a function, a class or a constant is called in JavaScript.

        where: module and name of a constant. Raises TypeError for what cannot be sent.
        """
        if id(thing) not in self._names:
            self._kept.append(thing)
            home, _, own = where.rpartition(".")
            home, own = home or _told(thing, "__module__"), own or _told(thing, "__name__")
            name = f"{home.rpartition('.')[2]}${own}"
            while name in self._names.values():
                name += "$"
            self._names[id(thing)] = name
            if where:
                self._constant(name, thing)
            elif isinstance(thing, type):
                self._class(name, thing)
            elif not callable(thing) or not isinstance(
                plain := inspect.unwrap(thing), FunctionType
            ):
                raise TypeError(f"{own} is neither a function nor a class")
            elif not self._given(name, thing):
                _source(plain, ast.FunctionDef)
                self._queue.append((name, thing, plain))
        return self._names[id(thing)]

    def value_of(self, thing: object) -> str:
        """The same of what is passed as a value; data may be converted to such a class."""
        name = self.name_of(thing)
        if isinstance(thing, type) and issubclass(thing, Struct) and name not in self._converted:
            self._converted[name] = {}
            self._converted[name] = fields(thing, self.value_of)
            self._rows[name] = row_of(thing, self.value_of)
        return name

    def _callable(self, name: str, thing: object) -> None:
        """Take in a function. Raises TypeError for what is none."""
        plain = inspect.unwrap(thing) if callable(thing) else thing
        if not callable(thing) or not isinstance(plain, FunctionType):
            raise TypeError(f"{thing!r} is neither a function nor a class")
        if not self._given(name, thing):
            _source(plain, ast.FunctionDef)
            self._queue.append((name, thing, plain))

    # Data

    def _constant(self, name: str, value: object) -> None:
        if _is_data(value):
            self._values[name] = {"v": self._packed(value)}
        else:
            self._tables.append(f"const {name} = {self.live(value)};")

    def _given(self, name: str, make: Callable[..., object]) -> bool:
        """Send the result of a function without parameters, or of `house` alone, if it is data."""
        parameters = list(inspect.signature(make).parameters)
        if parameters not in ([], ["house"]) or inspect.isgeneratorfunction(inspect.unwrap(make)):
            return False
        house = _Watched(self.house)
        try:
            value = make(*[house for _ in parameters])
        except Exception:  # one that refuses is code like any other
            return False
        if not _is_data(value):
            return False
        self._values[name] = {"v": self._packed(value), "by": sorted(house.asked)}
        return True

    def _packed(self, value: object) -> object:
        """A value as JSON: a dict of plain words as it is, others with what they are (`$`)."""
        if isinstance(value, Struct):
            kind = self._kinds.setdefault(self.name_of(type(value)), len(self._kinds))
            items = [getattr(value, f) for f in value.__struct_fields__]
            return {"$": kind, "v": [self._packed(item) for item in items]}
        if isinstance(value, Mapping):
            if all(isinstance(k, str) and k != "$" and not k.isdigit() for k in value):
                return {k: self._packed(v) for k, v in value.items()}
            return {"$": "map", "v": [[self._packed(k), self._packed(v)] for k, v in value.items()]}
        if isinstance(value, set | frozenset):
            return {"$": "set", "v": [self._packed(v) for v in sorted(value)]}
        if isinstance(value, list | tuple):
            return [self._packed(v) for v in value]
        if isinstance(value, float):
            raise TypeError("it holds a number with decimals; checks count in whole numbers")
        if isinstance(value, int) and abs(value) > LARGEST:
            raise TypeError(f"it holds {value}; JavaScript counts to 2**53 - 1")
        return value

    def live(self, value: object) -> str:
        """A table of functions, classes and structs as JavaScript. Raises TypeError."""
        if isinstance(value, Struct):
            items = (self.live(getattr(value, f)) for f in value.__struct_fields__)
            return f"new {self.name_of(type(value))}({', '.join(items)})"
        if isinstance(value, Mapping):
            rows = (f"[{self.live(k)}, {self.live(v)}]" for k, v in value.items())
            return f"new Map([{', '.join(rows)}])"
        if isinstance(value, list | tuple):
            return f"[{', '.join(map(self.live, value))}]"
        if isinstance(value, set | frozenset):
            return f"new Set({self.live(sorted(value))})"
        return self.value_of(value) if callable(value) else json.dumps(value)

    # Code

    def _class(self, name: str, kind: type) -> None:
        """A Struct, or an exception that is a refusal; its base class first."""
        source, node = _source(kind, ast.ClassDef)
        above = kind.__bases__[0]
        is_refusal = issubclass(kind, Exception)
        if len(kind.__bases__) > 1 or not (is_refusal or issubclass(kind, Struct)):
            raise TypeError(f"{kind.__name__} is neither a Struct nor an exception")
        bases = {Struct: "$Struct", Exception: "$Error"}
        base = bases.get(above) or self.name_of(above)
        if not is_refusal:
            base = f"$struct({self._fields(kind)}{'' if base == '$Struct' else f', {base}'})"
        self._classes[name] = f"class {name} extends {base}", []
        for one in node.body:
            if isinstance(one, ast.FunctionDef):
                self._method(name, source, kind, one)

    def _fields(self, kind: type[Struct]) -> str:
        """The names of a struct's fields, and their defaults."""
        names = kind.__struct_fields__
        self.fields.update(names)
        usual = dict(zip(reversed(names), reversed(kind.__struct_defaults__), strict=False))
        told = {k: self._default(v) for k, v in usual.items() if v is not msgspec.NODEFAULT}
        return f'"{" ".join(names)}", {{ {_pairs(told)} }}'

    def _default(self, value: object) -> str:
        if value is msgspec.UNSET:
            return "undefined"
        factory = getattr(value, "factory", None)
        return {dict: "new Map()", list: "[]"}[factory] if factory else self.live(value)

    def _method(self, name: str, source: Source, kind: type, node: ast.FunctionDef) -> None:
        """Take note of a method, which is written when something uses its name."""
        if node.name in METHODS:
            text = f"a method called {node.name!r}, as one of Python's own types has"
            self.fault(source, node, text, "give it another name")
        self._methods.add(node.name)
        found = kind.__dict__[node.name]
        plain = found.fget if isinstance(found, property) else inspect.unwrap(found)
        assert isinstance(plain, FunctionType)
        self._properties |= {node.name} if isinstance(found, property) else set()
        self._waiting.append((name, source, plain, node, kind))

    def _write_methods(self) -> bool:
        """Write the methods that are used and not written yet; False if there are none."""
        used = {"__init__"} | {node.attr for _, node, _ in self.uses}
        due = [row for row in self._waiting if row[3].name in used]
        self._waiting = [row for row in self._waiting if row not in due]
        for name, source, plain, node, kind in due:
            self._classes[name][1].extend(self._lines(source, plain, node, "", kind))
        return bool(due)

    def _lines(
        self, source: Source, plain: FunctionType, node: ast.FunctionDef, name: str, of: type | None
    ) -> list[str]:
        """A function, or a method of the class `of`."""
        try:
            if of:
                return functions.method(self, source, plain, node, of)
            return functions.function(self, source, plain, node, name)
        except (
            Exception
        ) as no:  # a page must not fail because of what the translator did not expect
            self.fault(
                source, node, f"{node.name} cannot be translated: {no!r}", "write it plainer"
            )
            return [""]

    def _function(self, name: str, thing: object, plain: FunctionType) -> None:
        source, node = _source(plain, ast.FunctionDef)
        lines = self._lines(source, plain, node, name, None)
        if isinstance(thing, functools._lru_cache_wrapper):
            lines[0] = f"const {name} = $memo({lines[0].replace(name, '', 1)}"
            lines[-1] += ");"
        elif plain is not thing:
            self.fault(source, node, f"{node.name} has a decorator that changes it", "cache may be")
        self._functions.append("\n".join(lines))

    def fault(self, source: Source, node: ast.AST, text: str, hint: str = "") -> None:
        """Note something outside the subset."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        shown = source.lines[line - 1]
        indent = len(shown) - len(shown.lstrip())
        at = max(1, column + 1 - indent)
        self.faults.append(Fault(source.file, line, at, text, hint, shown.strip()))


class _Watched(dict[str, str]):
    """House rules, and which of them were looked for."""

    def __init__(self, house: Mapping[str, str]) -> None:
        super().__init__(house)
        self.asked: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: str | None = None) -> str | None:  # type: ignore[override]
        """As of a dict."""
        self.asked.add(name)
        return super().get(name, default)


def _pairs(rows: Mapping[str, str]) -> str:
    return ", ".join(f"{k}: {v}" for k, v in rows.items())


def _told(thing: object, what: str) -> str:
    """Where a function or class is from, or what it is called. Raises TypeError for others."""
    if not isinstance(told := getattr(thing, what, None), str):
        raise TypeError(f"{thing!r} is neither a function nor a class")
    return told


@cache
def _file(module: str) -> Source:
    path = Path(str(sys.modules[module].__file__))
    if archive_of(module):
        package = module if path.stem == "__init__" else module.rpartition(".")[0]
        text = read(package, path.name).decode()
    else:
        text = path.read_text("utf-8")
    depth = module.count(".") + 1 + (path.stem == "__init__")
    return Source("/".join(path.parts[-depth:]), text.splitlines(), ast.parse(text))


def _source(thing: type | FunctionType, sort: type[Node]) -> tuple[Source, Node]:
    """The file of a function or class, and its syntax tree. Raises TypeError if it is not at the
    top level of its module."""
    source = _file(thing.__module__)
    for node in source.tree.body:
        if isinstance(node, sort) and node.name == thing.__name__:
            return source, node
    name = f"{thing.__module__}.{thing.__qualname__}"
    raise TypeError(f"{name} is not at the top level of its file")


def _is_data(value: object) -> bool:
    """Can it be sent as JSON?"""
    if isinstance(value, Struct):
        return all(_is_data(getattr(value, f)) for f in value.__struct_fields__)
    if isinstance(value, Mapping):
        return all(_is_data(k) and _is_data(v) for k, v in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_data, value))
    return value is None or isinstance(value, str | int | float)
