"""How a verb is written, for order forms and `pbem rules`."""

from __future__ import annotations

from orders.verbs import Arg, Verb

FEW = 12
"""The most words that are listed; of more, the argument's name is shown."""


def syntax(verb: Verb) -> str:
    """A verb and its arguments exactly as the parser takes them: `seek [any|none] [SHIP]`.

    Words in capitals stand for a value; what is in brackets may be left out.
    """
    return " ".join((verb.name, *map(argument, verb.args)))


def argument(arg: Arg) -> str:
    """One argument: `speed full|economical`, in brackets if it may be left out."""
    row = " ".join(map(_value, arg.of or ()))
    shown = f"{row} ..." if arg.kind == "rows" else row or _value(arg)
    shown = f"{arg.keyword} {shown}".strip()
    return f"[{shown}]" if arg.optional else shown


def _value(arg: Arg) -> str:
    return "|".join(arg.choices) if 0 < len(arg.choices) <= FEW else arg.name.upper()
