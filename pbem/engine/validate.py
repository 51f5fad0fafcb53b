"""What every rule system is checked for when a command loads it: cheap, and without playing.

`pbem lint` checks the rest (`pbem.lint`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import get_type_hints

from msgspec import NODEFAULT

from orders.rows import fields_of
from orders.verbs import Verb
from orders.vocabulary import LEADING, RESERVED
from pbem.errors import RulesFault
from pbem.model import ALL, System
from pbem.roles import require_sound
from pbem.rulecode import fault, of_function, of_system

REQUIRED = ("name", "title", "edition", "scenarios", "grammar", "state")
METHODS = ("begin", "turn", "view", "truth")
SIDE = re.compile(r"[a-z][a-z0-9]{0,31}")
"""What a side is called: headers of orders have the name in capitals, games a folder of it."""
TAKEN = frozenset({ALL.upper(), "REFEREE", "DRAW", "NONE", *LEADING, *RESERVED})
"""Names of sides, in capitals, that would be read as something else: whom a report is for, how a
game ended, a word of orders."""
SIDES = (
    "a side is called by lower-case letters and digits, 32 at most, a letter first; its printed "
    f"name stands in `Scenario.names`. Not {', '.join(sorted(TAKEN)).lower()}"
)


@cache
def validate(system: System) -> None:
    """Raise RulesFault for the first mistake in what a system declares; once for each system."""
    for mistake in mistakes(system):
        raise mistake


def mistakes(system: System) -> Iterator[RulesFault]:
    """Every mistake in what a system declares, with the place of its class, state or verb."""
    missing = [name for name in REQUIRED if not hasattr(system, name)]
    missing += [m for m in METHODS if _static(type(system), m) is vars(System)[m]]
    if missing:
        text = f"{type(system).__name__} does not define {', '.join(missing)}"
        yield fault(text, "pbem.model.System says what each is for", of_system(system))
        return
    yield from _scenarios(system)
    yield from _state(system)
    names: set[str] = set()
    for verb in system.grammar.verbs:
        yield from _verb(system, verb, names)
    for option in system.options:
        if not option.values:
            text = f"the option {option.name!r} has no values"
            yield fault(text, "the first is its default", of_system(system))


def wrong_edits(system: System) -> Iterator[RulesFault]:
    """Every edit of a system whose name in rulings is that of another, or of one that all systems
    have. Apart from `mistakes`, because the module of the edits is loaded for it."""
    names = {"set", "remove"}
    for kind in system.edits():
        name = str(kind.__struct_config__.tag)
        if name in names:
            text = f"{kind.__name__} is the second edit that is called {name!r} in rulings"
            hint = "rename it: every system has `set` and `remove`"
            yield fault(text, hint, of_function(kind) or of_system(system))
        names.add(name)


def _static(kind: type, name: str) -> object:
    """What a class or its bases define under a name, without loading the module of a `part`."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


# Places are looked up only for mistakes, because reading sources would slow down every command.


def _scenarios(system: System) -> Iterator[RulesFault]:
    if not system.scenarios:
        text = "`scenarios` is empty"
        yield fault(text, "a system has at least one Scenario", of_system(system))
    for s in system.scenarios:
        if len(set(s.sides)) < len(s.sides) or not s.sides:
            text = f"the sides of the scenario {s.name!r} are {', '.join(s.sides) or 'missing'}"
            yield fault(text, "each side needs a name of its own", of_system(system))
        for side in s.sides:
            if not SIDE.fullmatch(side) or side.upper() in TAKEN:
                text = f"the scenario {s.name!r} has a side {side!r}"
                yield fault(text, SIDES, of_system(system))
        if s.names and len(s.names) != len(s.sides):
            text = f"the scenario {s.name!r} has {len(s.sides)} sides and {len(s.names)} names"
            yield fault(text, "give a printed name for each side, or none", of_system(system))
        try:
            require_sound(s.sides, s.roles)
        except ValueError as error:
            yield fault(
                f"the scenario {s.name!r}: {error}", "see `pbem.roles.Role`", of_system(system)
            )


def _state(system: System) -> Iterator[RulesFault]:
    kind = system.state
    wrong = _wrong_state(kind)
    if wrong:
        yield fault(*wrong, of_function(kind) or of_system(system))


def _wrong_state(kind: type) -> tuple[str, str] | None:
    """What is wrong with the type of the truth, and what to do."""
    if not hasattr(kind, "__struct_fields__"):
        return "`state` is not a msgspec Struct", "positions are stored as its JSON"
    if "turn" not in kind.__struct_fields__:
        return f"{kind.__name__} has no field `turn: int`", "rules and reports count by it"
    try:
        hints = get_type_hints(kind)
    except Exception as error:  # whatever an annotation raises
        return f"the types of {kind.__name__} cannot be read: {error}", "import what they name"
    if hints.get("turn") is not int:
        return f"the field `turn` of {kind.__name__} is not an int", "`turn: int`"
    return None


def _verb(system: System, verb: Verb, names: set[str]) -> Iterator[RulesFault]:
    """What is wrong with a verb, at its place."""
    for text, hint in _wrong_verb(verb, names):
        yield fault(text, hint, of_function(verb.type) or of_system(system))


def _wrong_verb(verb: Verb, names: set[str]) -> Iterator[tuple[str, str]]:
    """Its words must be its own, and its arguments the fields of its struct."""
    for word in (verb.name, *verb.synonyms):
        if word in names:
            yield f"two verbs are called {word!r}", "the parser cannot tell them apart"
        names.add(word)
    args = {arg.name: arg for arg in verb.args}
    known = {field.encode_name: field for field in fields_of(verb.type)}
    kind = verb.type.__name__
    for name in args.keys() - known.keys():
        yield (
            f"the verb {verb.name!r} has an argument {name!r}, but {kind} has no such field",
            f"fields of {kind}: {', '.join(known) or 'none'}",
        )
    for name, field in known.items():
        needed = field.default is NODEFAULT and field.default_factory is NODEFAULT
        arg = args.get(name)
        if needed and (arg is None or arg.optional):
            said = "has no argument for it" if arg is None else "may leave it out"
            text = f"the field {name!r} of {kind} has no default, and the verb {verb.name!r} {said}"
            yield text, "give the field a default, or the verb the argument"
