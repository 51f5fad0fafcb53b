"""The parts of an order form: the header, the lines that can be sent as they are, and the menu."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pbem.model import Plain
from pbem.text import layout

FORM_WIDTH = 70
"""Columns; with a quote mark before it, a line has the 72 columns of our other texts."""

FEW = 12
"""The most values of an argument that the form lists; longer lists would hide the rest."""


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


def offers(report: Plain) -> list[str]:
    """The menu as two comments of the order form: each verb once, and which units may be given it.

    Empty if the menu is. Values of an argument are listed if they are the same for every unit.
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
    if not found:
        return []
    orders = (_offer(*item.parts()) for item in found.values())
    who = [f"{', '.join(a)}: {', '.join(verbs)}" for verbs, a in groups.items() if verbs]
    said = remark("Orders; fill in words in capitals; what is in ( ) may be left out:")
    return ["\n".join([said[:-1], *orders]) + "]", remark("Who may be given which:", who)]


Args = list[tuple[str, tuple[object, ...]]]
"""The arguments of a verb: name, and the values to list (none: not listed)."""


class _Offered:
    """A verb of the menu, merged from all units that may be given it."""

    def __init__(self, verb: str, told: Plain, first: object, args: Args) -> None:
        """told: its help, example, rule and syntax. first: its arguments for the first unit that is
        offered it, as in the menu. args: the same as `Args`; `share` merges others.
        """
        self.verb, self.told, self.first, self.args = verb, told, first, args

    def share(self, args: Args) -> None:
        """Merge another unit's arguments: drop the values of an argument if they differ."""
        self.args = [
            (name, values if values == other else ())
            for (name, values), (_, other) in zip(self.args, args, strict=False)
        ]

    def parts(self) -> tuple[str, str, str, str, str]:
        """How it is written, help, rule, the values to list, and the example.

        Reports of release 0.1.0 do not have the verb's syntax; then the arguments are named.
        """
        told, syntax = self.told, self.told.get("syntax", "")
        named = " ".join((self.verb, *(name.upper() for name, _ in self.args)))
        listed = "; ".join(
            f"{name.upper()}: {', '.join(map(str, values))}"
            for name, values in self.args
            if 0 < len(values) <= FEW and name.upper() in (syntax or named).replace("]", "").split()
        )
        said, rule, example = (str(told.get(key, "")) for key in ("help", "rule", "example"))
        return syntax or named, said, rule, listed, example


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
