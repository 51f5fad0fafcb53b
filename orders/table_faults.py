"""What a verb table may not contain, because orders could not be read in one way only."""

from __future__ import annotations

from collections.abc import Iterator

from orders.canon import words
from orders.verbs import Arg, Grammar, Verb

_ROWS = ("row", "rows")
_PARTS = ("place", "unit", "contact", "word", "number", "direction", "bearing", "point")
_PLACES = ("place", "path", "places")
_NUMBERS = ("number", "bearing", "point")
_JOINTS = {"IF", "THEN", "ELSE", "ALSO"}


def faults(grammar: Grammar) -> list[str]:
    """Every fault of a verb table, each with the verb and argument that it is about."""
    numbered = any(place.isdigit() for place in grammar.places)
    return [
        *(fault for verb in grammar.verbs for fault in _of_verb(verb, numbered)),
        *(
            f"trigger {trigger.name!r}: one or more words are needed, none of them if or then"
            for trigger in grammar.triggers
            if not words(trigger.name) or _JOINTS & set(words(trigger.name))
        ),
    ]


def _of_verb(verb: Verb, numbered: bool) -> Iterator[str]:
    """numbered: places of this board are numbers."""
    keywords = {words(arg.keyword) for arg in verb.args if arg.keyword}
    for arg in verb.args:
        for fault in (*_of_words(arg), *_of_rows(arg, keywords)):
            yield f"verb {verb.name!r}, argument {arg.name!r}: {fault}"
    bare = [arg for arg in verb.args if not arg.keyword]
    place = next((arg for arg in bare if _leading(arg) in _PLACES), None)
    number = next((arg for arg in bare if _leading(arg) in _NUMBERS), None)
    if numbered and place and number:
        yield (
            f"verb {verb.name!r}, argument {number.name!r}: places of this board are numbers, so"
            f" that a number beside the place {place.name!r} needs a keyword"
        )


def _of_words(arg: Arg) -> Iterator[str]:
    """The words of an argument that would end its action."""
    for word in (arg.keyword, *arg.choices):
        if _JOINTS & set(words(word)):
            yield f"{word!r} contains if, then, else or also, which divide orders; take another"


def _of_rows(arg: Arg, keywords: set[tuple[str, ...]]) -> Iterator[str]:
    """The faults of the parts of rows."""
    parts = arg.of or ()
    if bool(parts) != (arg.kind in _ROWS):
        yield "`of` names the parts of a row; kinds row and rows need it, other kinds have none"
    for part in parts:
        if part.kind not in _PARTS:
            yield f"part {part.name!r}: a part is one value, not of kind {part.kind}"
        if part.keyword or part.optional or part.of:
            yield f"part {part.name!r}: a part has no keyword and no parts and is not optional"
        if keywords & set(map(words, part.choices)):
            yield f"part {part.name!r}: one of its words is a keyword of the verb"


def _leading(arg: Arg) -> str:
    """The kind that an argument begins with."""
    return arg.of[0].kind if arg.of else arg.kind
