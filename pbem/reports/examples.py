"""An example of each verb that a side's menu offers, legal for this side in this window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from orders.verbs import Arg, Verb
from orders.vocabulary import Vocabulary
from pbem.base.report_json import Report, VerbHelp
from pbem.errors import Findings
from pbem.model import MenuItem, System
from pbem.player.reader import faults_alone

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
    own = [(name, _given(verb.example, actors[name])) for name, verb in verbs.items()]
    words = Vocabulary.of(report.plain, system.grammar)
    found = _legal(system, report, words, own)
    rest = [verb for name, verb in verbs.items() if name not in found]
    made = [(v.name, e) for v in rest for e in _made(v, actors[v.name], report)]
    found |= _legal(system, report, words, made)
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
    """The grammar's example, given to the first of `actors` unless its unit is among them; a
    standing order stays one."""
    actor, _, rest = example.partition(":")
    standing = "@" if actor.startswith("@") else ""
    return (
        example if not rest or actor[len(standing) :] in actors else f"{standing}{actors[0]}:{rest}"
    )


def _made(verb: Verb, actors: Sequence[str], report: Report) -> Iterator[str]:
    """Orders that might be legal: those suggested, the grammar's example for other units, and the
    first values that the menu lists, or places and names of own units."""
    for line in report.suggest:
        comment = line.startswith("[")
        if not comment and line.partition(":")[2].strip().startswith(verb.name):
            yield line
    _, _, rest = verb.example.partition(":")
    standing = "@" if verb.example.startswith("@") else ""
    places = list(dict.fromkeys(unit.place for unit in report.units))[:TRIED]
    for actor in actors[:TRIED]:
        yield f"{standing}{actor}:{rest}"
        item = next(item for item in report.menu[actor] if item.verb == verb.name)
        listed = {arg.name: arg.values for arg in item.args}
        free = any(arg.kind in PLACES and not listed.get(arg.name) for arg in verb.args)
        for place in places if free else ("",):
            line = _line(verb, listed, place, _mate(report, actor))
            if line:
                yield f"{standing}{actor}: {line};"


def _mate(report: Report, actor: str) -> str:
    """Another unit of the side, one that is where the actor is if there is any."""
    where = {unit.id: unit.place for unit in report.units}
    mates = sorted((i for i in where if i != actor), key=lambda i: where[i] != where.get(actor))
    return next(iter(mates), "")


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


def _legal(
    system: System, report: Report, words: Vocabulary, examples: Sequence[tuple[str, str]]
) -> dict[str, str]:
    """Verb -> the first of its examples that the checker accepts, each sent by itself."""
    asked = [(verb, " ".join(example.split())) for verb, example in examples if example]
    if not asked:
        return {}
    text = "\n".join(["BEGIN ORDERS", *(example for _, example in asked), "END ORDERS\n"])
    try:
        wrong = {d.line for d in faults_alone(system, report, text, words)}
    except Findings:
        return {}
    found: dict[str, str] = {}
    for line, (verb, example) in enumerate(asked, 2):
        if line not in wrong:
            found.setdefault(verb, example)
    return found
