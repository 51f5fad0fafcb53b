"""An example of each verb that a side's menu offers, legal for this side in this window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice

from msgspec.structs import replace

from orders.verbs import Arg, Verb
from pbem.base.report_json import Report, VerbHelp
from pbem.model import MenuItem, System
from pbem.player.reader import legal_alone

TRIED = 3
"""Units, and places, for which an example is made if the grammar's own is not legal."""
PLACES = frozenset({"place", "path", "places"})


def with_examples(system: System, report: Report) -> dict[str, VerbHelp]:
    """The report's verbs, each with an example that this side may send in this window.

    It is the grammar's example, given to a unit that may be given the verb. If that is not legal
    here, it is an order that the report suggests, or one made from menu and places of the report;
    if none of them is legal, it is empty.
    """
    legal, makings = legal_alone(system, report), _Makings(system, report)
    return {
        verb.name: replace(told, example=next(filter(legal, makings.tries(verb)), ""))
        for verb in system.grammar.verbs
        if (told := report.verbs.get(verb.name))
    }


class _Makings:
    """What examples are made from in one report."""

    def __init__(self, system: System, report: Report) -> None:
        self._system = system
        self._items: dict[str, dict[str, MenuItem]] = {}
        """Verb -> the units that may be given it, in the order of the menu, with its item."""
        for actor, items in report.menu.items():
            for item in items:
                self._items.setdefault(item.verb, {})[actor] = item
        lines = [line for line in report.suggest if not line.startswith("[")]
        self._suggested = [(line.partition(":")[2].strip(), line) for line in lines]
        self._where = {unit.id: unit.place for unit in report.units}
        self._places = list(dict.fromkeys(self._where.values()))[:TRIED]

    def tries(self, verb: Verb) -> Iterator[str]:
        """Orders that might be legal, each on one line, the best example first."""
        tried = {""}
        for example in chain([self._given(verb)], self._made(verb)):
            line = " ".join(example.split())
            if line not in tried:
                tried.add(line)
                yield line

    def _given(self, verb: Verb) -> str:
        """The grammar's example, given to the first unit of the menu unless its own is there; a
        standing order stays one."""
        actor, _, rest = verb.example.partition(":")
        actors, standing = self._items[verb.name], _standing(verb)
        if not rest or actor.removeprefix("@") in actors:
            return verb.example
        return f"{standing}{next(iter(actors))}:{rest}"

    def _made(self, verb: Verb) -> Iterator[str]:
        """Orders that might be legal: those suggested, the grammar's example for other units, and
        the first values that the menu lists, or places and names of own units."""
        yield from (line for said, line in self._suggested if said.startswith(verb.name))
        _, _, rest = verb.example.partition(":")
        standing = _standing(verb)
        for actor, item in islice(self._items[verb.name].items(), TRIED):
            yield f"{standing}{actor}:{rest}"
            listed = {arg.name: arg.values for arg in item.args}
            free = any(arg.kind in PLACES and not listed.get(arg.name) for arg in verb.args)
            near = self._near(actor) if free else ()
            for place in (*self._places, *near) if free else ("",):
                line = _line(verb, listed, place, self._mate(actor))
                if line:
                    yield f"{standing}{actor}: {line};"

    def _near(self, actor: str) -> Sequence[str]:
        """The places whose names come before and after that of the actor's place: on most boards
        these touch it, so that a way may lead there."""
        board, here = self._board, self._where.get(actor, "")
        if here not in board:
            return ()
        at = board.index(here)
        return board[max(0, at - 1) : at] + board[at + 1 : at + 2]

    @cached_property
    def _board(self) -> list[str]:
        """The names of all places, in order."""
        return sorted(self._system.grammar.places)

    def _mate(self, actor: str) -> str:
        """Another unit of the side, one that is where the actor is if there is any."""
        others = [unit for unit in self._where if unit != actor]
        here = self._where.get(actor)
        return next((u for u in others if self._where[u] == here), next(iter(others), ""))


def _standing(verb: Verb) -> str:
    """What begins an order of a verb that is meant for standing orders."""
    return "@" if verb.example.startswith("@") else ""


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
