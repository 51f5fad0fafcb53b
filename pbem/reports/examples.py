"""An example of each verb that a side's menu offers, legal for this side in this window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from orders.verbs import Arg, Verb
from orders.vocabulary import Vocabulary
from pbem.base.report_json import Report, VerbHelp
from pbem.model import MenuItem, System
from pbem.player.reader import refused_alone

TRIED = 3
"""Units, and places, for which an example is made if the grammar's own is not legal."""
PLACES = frozenset({"place", "path", "places"})


def with_examples(system: System, report: Report) -> dict[str, VerbHelp]:
    """The report's verbs, each with an example that this side may send in this window.

    It is the grammar's example, given to a unit that may be given the verb. If that is not legal
    here, it is an order that the report suggests, or one made from menu and places of the report;
    if none of them is legal, it is empty.
    """
    verbs = {v.name: v for v in system.grammar.verbs if v.name in report.verbs}
    actors = _actors(report.menu)
    words = Vocabulary.of(report.plain, system.grammar)
    open_ = {name: _tries(verb, actors[name], report) for name, verb in verbs.items()}
    found: dict[str, str] = {}
    while open_:
        tried = {name: example for name, some in open_.items() if (example := next(some, ""))}
        refused = refused_alone(system, report, list(tried.values()), words)
        good = {
            name: example for i, (name, example) in enumerate(tried.items()) if i not in refused
        }
        found |= good
        open_ = {name: open_[name] for name in tried if name not in good}
    return {
        name: msgspec.structs.replace(told, example=found.get(name, ""))
        for name, told in report.verbs.items()
    }


def _actors(menu: Mapping[str, Sequence[MenuItem]]) -> dict[str, list[str]]:
    """Verb -> the units that may be given it, in the order of the menu."""
    found: dict[str, list[str]] = {}
    for actor, items in menu.items():
        for item in items:
            found.setdefault(item.verb, []).append(actor)
    return found


def _given(example: str, actors: Sequence[str]) -> str:
    """The grammar's example, given to the first of `actors` unless its unit is among them."""
    actor, _, rest = example.partition(":")
    return example if not rest or actor in actors else f"{actors[0]}:{rest}"


def _tries(verb: Verb, actors: Sequence[str], report: Report) -> Iterator[str]:
    """Orders that might be legal, each on one line, the best example first."""
    for example in chain([_given(verb.example, actors)], _made(verb, actors, report)):
        if example:
            yield " ".join(example.split())


def _made(verb: Verb, actors: Sequence[str], report: Report) -> Iterator[str]:
    """Orders that might be legal: those suggested, the grammar's example for other units, and the
    first values that the menu lists, or places and names of own units."""
    for line in report.suggest:
        comment = line.startswith("[")
        if not comment and line.partition(":")[2].strip().startswith(verb.name):
            yield line
    _, _, rest = verb.example.partition(":")
    places = list(dict.fromkeys(unit.place for unit in report.units))[:TRIED]
    for actor in actors[:TRIED]:
        yield f"{actor}:{rest}"
        item = next(item for item in report.menu[actor] if item.verb == verb.name)
        listed = {arg.name: arg.values for arg in item.args}
        free = any(arg.kind in PLACES and not listed.get(arg.name) for arg in verb.args)
        for place in places if free else ("",):
            line = _line(verb, listed, place, _mate(report, actor))
            if line:
                yield f"{actor}: {line};"


def _mate(report: Report, actor: str) -> str:
    """Another unit of the side, one that is where the actor is if there is any."""
    where = {unit.id: unit.place for unit in report.units}
    here = where.pop(actor, None)
    return next((i for i in where if where[i] == here), next(iter(where), ""))


def _line(verb: Verb, listed: Mapping[str, Sequence[str]], place: str, mate: str) -> str:
    """The verb with the first value of each argument; empty if one is missing. Of the arguments
    that may be left out it takes only the first, if no other was given."""
    parts = [verb.name]
    for arg in verb.args:
        value = next(iter(listed.get(arg.name) or _free(arg, verb.example, place, mate)), "")
        if value and not (arg.optional and len(parts) > 1):
            parts += [arg.keyword, value]
        elif not value and not arg.optional:
            return ""
    return " ".join(filter(None, parts))


def _free(arg: Arg, example: str, place: str, mate: str) -> Sequence[str]:
    """Values that an argument may take whatever the menu says."""
    if arg.kind == "number":
        return () if arg.optional else (str(arg.least),)
    if arg.kind == "name" and arg.keyword:
        return example.partition(f" {arg.keyword} ")[2].rstrip(";").split()[:1]
    if arg.kind == "unit" and mate and not arg.optional:
        return (mate,)
    return (place,) if arg.kind in PLACES and place else arg.choices
