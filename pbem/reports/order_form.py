"""The parts of an order form: the header, the lines that can be sent as they are, and the menu."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from pbem.model import Plain
from pbem.text import layout

FORM_WIDTH = 70
"""Columns; with a quote mark before it, a line has the 72 columns of our other texts."""

FEW = 12
"""The most values of an argument that the form lists; longer lists would hide the rest."""

SOME = 3
"""How many actors are named where more than FEW may be given the same standing orders."""

RUN = 5
"""How many consecutively numbered names are joined to one: `TF1-TF10`."""

MANY = 6
"""From this many verbs for standing orders on, these have a comment of their own."""

_CAPITALS = re.compile(r"[A-Z]{2}")
"""A word of a verb's syntax for which a value stands."""


def header(report: Plain) -> str:
    """The header of an order file for this report, wrapped. `sign` replaces seq and link."""
    from orders.header import show_header
    from orders.model import Header

    fields = Header(
        game=report["game"],
        setup=report["setup"]["digest"],
        window=report["window"],
        side=report["side"],
        seq=report["seq"],
        report=report.get("digest", ""),
        link="none",
        moderator=report["moderator"].get("key", ""),
    )
    lines = [line for line in show_header(fields).splitlines() if not line.endswith(": ")]
    return "\n".join(layout.wrap(line, "", "  ", FORM_WIDTH) for line in lines)


def suggested(report: Plain) -> list[str]:
    """The lines of the unedited form: the game's suggestions, and each question's default."""
    lines = list(report["suggest"])
    for q in report["questions"]:
        if q["default"] in q["choices"] and not any(s.startswith(f"{q['id']}:") for s in lines):
            lines.append(f"{q['id']}: {q['default']};")
    return lines


def ready(report: Plain) -> int:
    """How many orders the unedited form gives."""
    return sum(not line.startswith("[") for line in suggested(report))


def offers(report: Plain) -> list[str]:
    """The menu as comments of the order form: each verb once, and which units may be given it.

    Empty if the menu is. Values of an argument are listed if they are the same for every unit.
    Many verbs whose example is a standing order, which is given once and holds, have a comment of
    their own, without what they do: `pbem rules` says it. A side that has given some knows them:
    its form names them only, and has no examples.
    """
    table = report.get("verbs", {})
    found: dict[str, _Offered] = {}
    groups: dict[tuple[str, ...], list[str]] = {}
    last: tuple[object, list[str]] = (None, [])
    for actor, items in report["menu"].items():
        if items == last[0]:  # most ships have the menu of the ship before, so skip the work
            last[1].append(actor)
            continue
        last = items, groups.setdefault(tuple(item["verb"] for item in items), [])
        last[1].append(actor)
        for item in items:
            verb, args = item["verb"], item["args"]
            if verb not in found:
                found[verb] = _Offered(verb, table.get(verb, {}), args, _named(args))
            elif args != found[verb].first:
                found[verb].share(_named(args))
    standing = [verb for verb, item in found.items() if item.standing]
    if len(standing) < MANY:
        return list(_acts(found, groups))
    known = any(line.startswith("@") for line in report.get("standing", ()))
    acts = {verb: item for verb, item in found.items() if verb not in standing}
    comments = list(_acts(acts, groups, examples=not known))
    how = "how they are written" if known else "more"
    said = f"Standing orders, after @ and a unit; {how}: pbem rules {report['system']} VERB"
    lines = _by_actors([found[verb] for verb in standing], groups, known)
    comments.insert(1, remark(said, list(lines)))
    return comments


def _acts(found: Mapping[str, _Offered], groups: _Groups, examples: bool = True) -> Iterator[str]:
    """These verbs with what they do, and who may be given them."""
    if found:
        said = remark("Orders; fill in words in capitals; what is in ( ) may be left out:")
        parts = _once(item.parts() for item in found.values())
        offers = [_offer(*told, example if examples else "") for *told, example in parts]
        yield "\n".join([said[:-1], *offers]) + "]"
        who = [([v for v in verbs if v in found], actors) for verbs, actors in groups.items()]
        told = [f"{', '.join(runs(actors))}: {', '.join(verbs)}" for verbs, actors in who if verbs]
        yield remark("Who may be given which:", told)


def _once(verbs: Iterable[_Parts]) -> Iterator[_Parts]:
    """What is said of each verb, without values that stood with one before."""
    told = set[str]()
    for syntax, said, rule, listed, example in verbs:
        yield syntax, said, rule, "" if listed in told else listed, example
        told.add(listed)


def _by_actors(standing: Sequence[_Offered], groups: _Groups, known: bool) -> Iterator[str]:
    """Standing orders as they are written, those together that the same actors may be given.
    known: by their names alone."""
    together: dict[tuple[str, ...], list[str]] = {}
    for item in standing:
        actors = tuple(a for verbs, those in groups.items() if item.verb in verbs for a in those)
        together.setdefault(actors, []).append(item.verb if known else item.parts()[0])
    for actors, written in together.items():
        named = runs(actors)
        if len(named) > FEW:
            named = [*named[:SOME], f"{len(named) - SOME} others"]
        yield f"{', '.join(named)}: {(', ' if known else '; ').join(written)}"


def runs(names: Sequence[str]) -> list[str]:
    """Names, of which five or more that are numbered on stand as one: `TF1-TF10`."""
    found: list[list[str]] = []
    for name in _numbered(names):
        if found and name == _next(found[-1][-1]):
            found[-1].append(name)
        else:
            found.append([name])
    long = [[f"{one[0]}-{one[-1]}"] if len(one) >= RUN else one for one in found]
    return [name for one in long for name in one]


def _numbered(names: Sequence[str]) -> list[str]:
    """Names, those that differ by their numbers alone in the order of these, at the place of the
    first."""
    places: dict[str, list[str]] = {}
    for name in names:
        word = name.rstrip("0123456789")
        places.setdefault(word if word != name else f"{name} ", []).append(name)
    return [n for alike in places.values() for n in sorted(alike, key=lambda n: (len(n), n))]


def _next(name: str) -> str:
    """The name with the number behind it one higher; empty without a number."""
    word = name.rstrip("0123456789")
    return f"{word}{int(name[len(word) :]) + 1}" if len(word) < len(name) else ""


_Groups = Mapping[tuple[str, ...], Sequence[str]]
"""The verbs of a menu, and the actors that have it."""
_Parts = tuple[str, str, str, str, str]
"""What the form says of a verb: see `_Offered.parts`."""
Args = list[tuple[str, tuple[object, ...]]]
"""The arguments of a verb: name, and the values to list (none: not listed)."""


class _Offered:
    """A verb of the menu, merged from all units that may be given it."""

    def __init__(self, verb: str, told: Plain, first: object, args: Args) -> None:
        """told: its help, example, rule and syntax. first: its arguments for the first unit that is
        offered it, as in the menu. args: the same as `Args`; `share` merges others.
        """
        self.verb, self.told, self.first, self.args = verb, told, first, args

    @property
    def standing(self) -> bool:
        """Is it meant to be given as a standing order?"""
        return str(self.told.get("example", "")).startswith("@")

    def share(self, args: Args) -> None:
        """Merge another unit's arguments: drop the values of an argument if they differ."""
        self.args = [
            (name, values if values == other else ())
            for (name, values), (_, other) in zip(self.args, args, strict=False)
        ]

    def parts(self) -> _Parts:
        """How it is written, help, rule, the values to list, and the example if anything must be
        filled in.

        Reports of release 0.1.0 do not have the verb's syntax; then the arguments are named.
        """
        told, syntax = self.told, self.told.get("syntax", "")
        named = " ".join((self.verb, *(name.upper() for name, _ in self.args)))
        listed = "; ".join(
            f"{name.upper()}: {', '.join(runs([*map(str, values)]))}"
            for name, values in self.args
            if 0 < len(values) <= FEW and name.upper() in (syntax or named).replace("]", "").split()
        )
        said, rule, example = (str(told.get(key, "")) for key in ("help", "rule", "example"))
        needed = re.sub(r"\[[^]]*\]", "", syntax or named)
        kept = self.standing or _CAPITALS.search(needed)
        return syntax or named, said, rule, listed, example if kept else ""


def _named(args: Sequence[Plain]) -> Args:
    """The arguments of a menu item as `Args`."""
    return [(arg["name"], tuple(arg.get("values") or ())) for arg in args]


@lru_cache(maxsize=4096)
def _offer(syntax: str, said: str, rule: str, listed: str, example: str) -> str:
    """One verb as lines of the comment: how it is written, what it does, values, an example.

    Most reports of a system repeat it, so the wrapped text is cached.
    """
    what = f"{syntax} - {said}{f' ({rule})' if rule else ''}".rstrip(" -")
    lines = [
        what,
        *([f"  {listed}"] if listed else ()),
        *([f"  as in {example}"] if example else ()),
    ]
    return "\n".join(map(_hung, lines))


def remark(said: str, lines: Sequence[str] = ()) -> str:
    """A comment of the order form, in square brackets: a first line and further lines, wrapped."""
    first = layout.wrap(layout.comment(said), "[", " ", FORM_WIDTH)
    return "\n".join((first, *map(_hung, lines))) + "]"


def _hung(line: str) -> str:
    """A further line of a comment, wrapped; if it begins with a blank, indented more."""
    indent = "    " if line[:1] == " " else "  "
    return layout.wrap(layout.comment(line), indent, "      ", FORM_WIDTH)
