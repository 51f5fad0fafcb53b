"""Places in the code of rule systems: which file and line of its author a fault belongs to.

A message about a mistake in a rule system names the place in that system, never one in pbem.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from inspect import unwrap
from pathlib import Path
from types import CodeType, FrameType

from msgspec import Struct

from pbem.data import SHARED, location
from pbem.errors import RulesFault
from pbem.model import System

IMPORTS = ("importlib", "_frozen_importlib", "zipimport")
NOT_THEIRS = ("pbem", "orders", "games", "click", *IMPORTS)
"""Packages whose code loads rule systems: it is at work while their own modules fail."""


class Place(Struct, frozen=True):
    """A line in the code or in the templates of a rule system."""

    file: str
    """Its path, relative to the current directory if it lies below it."""
    line: int
    function: str = ""
    """The function that the line belongs to; may be empty."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


def packages() -> set[str]:
    """The packages of all rule systems that are loaded: `games.toy`, `oak`."""
    found, rest = set(), System.__subclasses__()
    while rest:
        kind = rest.pop()
        rest += kind.__subclasses__()
        if not _of("pbem", kind.__module__):
            found.add(package_of(kind))
    return found


def package_of(kind: type[System]) -> str:
    """The package that a rule system's class is defined in: `games.toy` for `games.toy.game`."""
    return kind.__module__.rpartition(".")[0] or kind.__module__


def of_function(function: object) -> Place | None:
    """Where a function, a method, a class or a running script is defined.

    None if it is not written in Python.
    """
    code = _code(function)
    if code is not None:
        return Place(shown(code.co_filename), code.co_firstlineno, code.co_name)
    if isinstance(function, type):
        return _of_class(function)
    return None


def of_system(system: System, method: str = "") -> Place:
    """Where a method of a system is defined; without one, or if it cannot be told, its class."""
    kind = type(system)
    found = of_function(getattr(kind, method, None)) if method else None
    if found and not found.file.replace("\\", "/").endswith("pbem/model.py"):
        return found
    return _of_class(kind) or Place(kind.__module__, 0)


def of_error(error: BaseException) -> Place | None:
    """The innermost line of a rule system's own code or templates that an error came through.

    None if it did not come through any: then the mistake is not its author's.
    """
    if place := _of_syntax(error):
        return place
    trace, known = error.__traceback__, tuple(packages())
    while trace is not None:
        found = _of_frame(trace.tb_frame, trace.tb_lineno, known)
        place, trace = found or place, trace.tb_next
    return place


def _of_syntax(error: BaseException) -> Place | None:
    """The line of a rule system's template that is no template: it fails before it is at work."""
    name, line = getattr(error, "name", None), getattr(error, "lineno", None)
    if not (type(error).__module__ == "jinja2.exceptions" and name and line):
        return None
    own = name.partition("/")[0] not in SHARED
    return Place(template_file(name), line, name) if own else None


def of_import(error: BaseException, package: str) -> Place | None:
    """The line of a package at which importing it failed: the innermost in its own code, else the
    innermost that is neither ours nor Python's way of importing; of a syntax error its line."""
    if isinstance(error, SyntaxError) and error.filename:
        return Place(shown(error.filename), error.lineno or 0)
    own, other, trace = None, None, error.__traceback__
    while trace is not None:
        frame, line = trace.tb_frame, trace.tb_lineno
        name, code = str(frame.f_globals.get("__name__", "")), frame.f_code
        place = Place(shown(code.co_filename), line, code.co_name)
        if _of(package, name):
            own = place
        elif not any(_of(ours, name) for ours in NOT_THEIRS):
            other = place
        trace = trace.tb_next
    return own or other


def described(error: BaseException) -> str:
    """An unexpected error in one line: whose mistake it is, where, and what."""
    place, said = of_error(error), f"{type(error).__name__}: {error}"
    if place is None:
        return f"fault: {said}"
    return f"fault in the rules: {place} in {place.function}: {said}{_raised(error)}"


def _raised(error: BaseException) -> str:
    """Where in pbem the error came up, if a line of the rules called it there."""
    inner, trace, known = "", error.__traceback__, tuple(packages())
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__") or ""
        if _of_frame(trace.tb_frame, trace.tb_lineno, known):
            inner = ""
        elif _of("pbem", name) or _of("orders", name):
            inner = f", raised in {shown(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return inner


def caller() -> Place | None:
    """The line of a rule system that is at work now; None if none is."""
    return at_work(sys._getframe(1))


def at_work(frame: FrameType | None) -> Place | None:
    """The innermost line of a rule system among `frame` and its callers; None if there is none."""
    known = tuple(packages())
    while frame is not None:
        found = _of_frame(frame, frame.f_lineno, known)
        if found:
            return found
        frame = frame.f_back
    return None


def fault(text: str, hint: str = "", place: Place | None = None) -> RulesFault:
    """The error for a mistake in a rule system. place: default the line that is at work now."""
    return RulesFault(text, hint, str(place or at_work(sys._getframe(1)) or ""))


def shown(file: str) -> str:
    """The path of a file for a message: relative to the current directory if it lies below it."""
    return _shown(file, Path.cwd())


@lru_cache(512)
def _shown(file: str, below: Path) -> str:
    path = Path(file)
    try:
        return str(path.resolve().relative_to(below))
    except (ValueError, OSError):
        return str(path)


def _of_class(kind: type) -> Place | None:
    from inspect import getsourcefile, getsourcelines

    try:
        file, (_, line) = getsourcefile(kind), getsourcelines(kind)
    except (OSError, TypeError):
        return None
    return Place(shown(file), line, kind.__name__) if file else None


def _of_frame(frame: FrameType, line: int, known: tuple[str, ...]) -> Place | None:
    name, code = frame.f_globals.get("__name__", ""), frame.f_code
    if "__jinja_template__" in frame.f_globals:
        return _of_template(frame, line)
    if any(_of(package, name or "") for package in known):
        return Place(shown(code.co_filename), line, code.co_name)
    return None


def _of_template(frame: FrameType, line: int) -> Place | None:
    """The line of a rule system's template that a compiled template executes."""
    template, name = frame.f_globals["__jinja_template__"], str(frame.f_globals.get("name", ""))
    if name.partition("/")[0] in SHARED:
        return None
    return Place(template_file(name), template.get_corresponding_lineno(line), name)


def template_file(name: str) -> str:
    """The path of a template for a message; there need not be such a file."""
    from importlib.util import find_spec

    package, path = location(name)
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return shown(str(Path(folders[0]) / path)) if folders else f"{package}/{path}"


def _of(package: str, module: str) -> bool:
    return module == package or module.startswith(package + ".")


def _code(function: object) -> CodeType | None:
    for name in ("cr_code", "gi_code", "__code__"):
        code = getattr(function, name, None)
        if isinstance(code, CodeType):
            return code
    if isinstance(function, type) or not callable(function):
        return None
    inner = getattr(unwrap(function), "__func__", unwrap(function))
    code = getattr(inner, "__code__", None)
    return code if isinstance(code, CodeType) else None


def lines_of(error: BaseException) -> Iterator[Place]:
    """Every line of a rule system that an error came through, outermost first."""
    known, trace = tuple(packages()), error.__traceback__
    while trace is not None:
        found = _of_frame(trace.tb_frame, trace.tb_lineno, known)
        if found:
            yield found
        trace = trace.tb_next
