"""Checks of a rule system that need no game: what it declares, imports, words and cites."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from inspect import iscoroutinefunction
from types import ModuleType

from orders.verbs import Verb
from pbem import data
from pbem.engine import validate
from pbem.lint import source, unsuitable
from pbem.lint.finding import Notes
from pbem.model import Event, System, TableLike
from pbem.player.reader import parse_text
from pbem.reports import wording
from pbem.rulecode import Place, of_function, of_system, template_file

CITED = re.compile(r"(?i)\bsource\b|\bconfidence\b|\d\.\d|\bp(age|p?\.) ?\d")
"""What a comment contains that says where a table comes from."""
HEAD = re.compile(r"\s*\[+([^\]]+)\]")
UNNAMED = frozenset({"unknown-unit", "unknown-contact"})
"""Codes of an example's diagnostics that depend on the position, not on its syntax."""


def check(system: System, notes: Notes) -> None:
    """Note what is wrong with declarations, sources, wordings, examples and tables."""
    for mistake in validate.mistakes(system):
        notes.error("declaration", mistake, of_system(system), "loading the system")
    for mistake in validate.wrong_edits(system):
        notes.error("declaration", mistake, of_system(system), "loading the system")
    for module in source.modules(system):
        own = module.__name__.partition(".")[0]
        for line, code, text, hint in unsuitable.found(source.tree(module), own):
            notes.add(code, source.place(module, line), text, hint)
        _unawaited(module, notes)
        _wordings(system, module, notes)
    for verb in system.grammar.verbs:
        _example(system, verb, notes)
    if system.data:
        _tables(system, notes)
    if system.checks:
        _translation(system, notes)


def _translation(system: System, notes: Notes) -> None:
    """Note what order pages cannot run of the checks of orders."""
    from sys import modules

    from pbem.translate.program import translate
    from pbem.translate.translation import NotTranslatable

    place = of_system(system, "checks")
    with notes.watching("checks-fail", place, "translating the checks of orders"):
        try:
            translate(system, {})
        except NotTranslatable as found:
            for fault in found.faults:
                text = f"order pages cannot run this check: {fault.text}: {fault.source.strip()}"
                name = fault.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                notes.add(
                    "not-for-pages", source.place(modules[name], fault.line), text, fault.hint
                )


def _unawaited(module: ModuleType, notes: Notes) -> None:
    """Note scripts that are called and never run, as `await` is missing before the call."""
    for node in ast.walk(source.tree(module)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = ast.unparse(node.value.func)
            if _is_script(module, called):
                text = f"`{called}` is called, but never runs"
                notes.add("no-await", source.place(module, node.lineno), text, "write await before")


def _is_script(module: ModuleType, called: str) -> bool:
    """Whether that is an `async` function of a module, a method of its classes or of the table."""
    first, *rest = called.split(".")
    found = vars(module).get(first)
    for name in rest:
        found = getattr(found, name, None)
    own = (kind for kind in vars(module).values() if isinstance(kind, type))
    owners = {"self": own, "table": iter([TableLike])}.get(first, iter(()))
    methods = [getattr(kind, name, None) for kind in owners for name in rest[:1]]
    return any(map(iscoroutinefunction, (found, *methods)))


def _wordings(system: System, module: ModuleType, notes: Notes) -> None:
    """Every event has a macro in events.j2. A question without one is worded by its `about`."""
    if missing := wording.uninstalled(system.name):
        notes.error("not-installed", missing, of_system(system), "looking for its templates")
        return
    name = f"{system.name}/events.j2"
    words = _macros(name)
    for kind in vars(module).values():
        ours = isinstance(kind, type) and kind.__module__ == module.__name__
        if not ours or not issubclass(kind, Event) or kind.__subclasses__():
            continue
        if kind.__name__ not in words:
            notes.add(
                "no-macro",
                of_function(kind) or source.place(module, 1),
                f"the event {kind.__name__} has no macro in {template_file(name)}",
                f"add one: {{% macro {kind.__name__}(e) %}}...{{% endmacro %}}",
            )


def _macros(name: str) -> set[str]:
    try:
        text = data.template(name).decode()
    except FileNotFoundError:
        return set()
    return set(re.findall(r"{%-?\s*macro\s+(\w+)\(", text))


def _example(system: System, verb: Verb, notes: Notes) -> None:
    """The verb's example must parse, whatever units there are."""
    place = of_function(verb.type) or of_system(system)
    if not verb.example:
        text = f"the verb {verb.name!r} has no example"
        notes.add("bad-example", place, text, "form and rules show one: `FOX: move B1;`")
        return
    actor = verb.example.partition(":")[0].strip().removeprefix("@")
    item = {"verb": verb.name, "args": []}
    named = re.findall(r"[A-Z][A-Z0-9]+", verb.example.partition(":")[2])
    report: dict[str, object] = {
        "units": [{"id": actor, "name": actor, "type": "", "place": ""}],
        "menu": {actor: [item]},
        "contacts": [{"id": word, "type": "", "place": ""} for word in named],
        "questions": [],
        "turn": 1,
    }
    with notes.watching("bad-example", place, f"reading the example of {verb.name!r}"):
        read = parse_text(system, report, f"BEGIN ORDERS\n{verb.example}\nEND ORDERS\n")
        for wrong in read.diagnostics:
            if wrong.code not in UNNAMED:
                notes.add(
                    "bad-example",
                    place,
                    f"the example of {verb.name!r} does not parse: {verb.example!r}: {wrong.text} "
                    f"({wrong.code})",
                    wrong.hint,
                )
        used = {action.verb for order in read.orders.orders for action in order.actions}
        if not read.diagnostics and verb.name not in used:
            text = f"the example of {verb.name!r} is an order of another verb: {verb.example!r}"
            notes.add("bad-example", place, text, "show this verb")


def _tables(system: System, notes: Notes) -> None:
    """Every table of the data files cites its source: by a key `source`, or in a comment at its
    head or at the head of the file."""
    from importlib import import_module

    package = import_module(system.data)
    folder = source.place(package, 1).file.removesuffix("__init__.py")
    for name in package.FILES:
        text = data.read(system.data, name).decode()
        for head, line in _uncited(text, data.table(system.data, name)):
            what = f"the table [{head}] of {name}" if head else name
            notes.add(
                "no-source",
                Place(folder + name, line),
                f"{what} has no source, so that nobody can check it against the printed rules",
                'add `source = "page or rule"`, or a comment with the number of the rule',
            )


def _uncited(text: str, table: Mapping[str, object]) -> Iterator[tuple[str, int]]:
    """Each table that cites nothing: its name (empty for the file) and its line."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    if "source" in table or CITED.search("\n".join(lines[:first])):
        return
    heads = [(i, found[1]) for i, line in enumerate(lines) if (found := HEAD.match(line))]
    if not heads:
        yield "", 1
    cited = set[str]()
    for i, head in heads:
        above = lines[i - 1] if i and lines[i - 1].startswith("#") else ""
        comment = above + lines[i].partition("#")[2]
        part: object = table
        for key in head.split("."):
            part = part.get(key.strip()) if isinstance(part, Mapping) else None
        keyed = isinstance(part, Mapping) and "source" in part
        parent = head.rpartition(".")[0]
        if keyed or CITED.search(comment):
            cited.add(parent)
        elif not parent or parent not in cited:
            yield head, i + 1
