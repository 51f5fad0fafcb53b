"""What templates do with data: rows of tables, sentences of a report, marks under a line.

Pure functions over JSON data, without templates of their own; templates/README.md lists them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from pbem.model import ALL, Plain
from pbem.roles import seat
from pbem.text import layout
from pbem.text.messages import the_side, the_sides

if TYPE_CHECKING:
    from markupsafe import Markup


def maybe(data: Plain, key: str) -> object:
    """The value of a key, empty if there is no such key: templates reject unknown keys."""
    return data.get(key, "")


def together(lines: Sequence[str]) -> list[str]:
    """Order lines, those that follow each other and are for the same actor and time as one."""
    found: list[str] = []
    for line in lines:
        head, colon, said = line.partition(": ")
        if found and colon and found[-1].startswith(f"{head}: "):
            found[-1] += f" {said}"
        else:
            found.append(line)
    return found


def age(turns: int) -> str:
    """The age of a sighting: `now`, `1 turn`, `5 turns`."""
    return "now" if turns == 0 else "1 turn" if turns == 1 else f"{turns} turns"


def words(value: object) -> str:
    """A value of an order as orders write it: a list as its words."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def within(report: Plain) -> str:
    """What a report's label says beside the number of its turn: `round 2` of `turn 1 of 8, round
    2`, the whole of `4 p.m., 22 May`; empty if it says the turn alone."""
    label = str(report["label"])
    return label.partition(", ")[2] if label.startswith("turn") else label


def facts(items: Iterable[Plain]) -> list[str]:
    """Each fact as `Visibility 4 (good)`: name and value; the name may be empty."""
    return [f"{f['name']} {f['value']}".strip() for f in items]


def choice(q: Plain) -> str:
    """How to answer a question: `Choose A, B or C; write "Q1: A;". Without an answer: A.`"""
    names = [str(c) for c in q["choices"]]
    listed = ", ".join(names[:-1]) + (" or " if names[1:] else "") + "".join(names[-1:])
    default = words(q["default"])
    pick = f"Choose {listed}; write" if names else "Write"
    silent = f" Without an answer: {default}." if default else ""
    return f'{pick} "{q["id"]}: {names[0] if names else "..."};".{silent}'


def cells(
    items: Iterable[Plain], keys: Sequence[str], below: Sequence[str] = ()
) -> list[list[str]]:
    """The rows of a table, a column for each key; `ships/name` means the first key with a value.

    below: keys whose text, or list of texts, follows as lines under the row.
    """
    return [[*(_cell(i, key) for key in keys), *_below(i, below)] for i in items]


def _below(item: Plain, keys: Sequence[str]) -> list[str]:
    """The texts under a row, from several keys."""
    found = [item.get(key) or () for key in keys]
    return [line for value in found for line in ([value] if isinstance(value, str) else value)]


def _cell(item: Plain, key: str) -> str:
    """The text of a cell; empty if no key of `key` has a value."""
    for name in key.split("/"):
        if item.get(name) not in (None, ""):
            value = item[name]
            return age(value) if name == "age" else _listed(value)
    return ""


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def caret(problem: Plain) -> str:
    """The sender's line with marks under the place of a problem, indented by four."""
    line, marks = layout.caret(problem["line"], problem["from"], problem["length"])
    return f"    {line}\n    {marks}"


def coloured(chart: Plain) -> Markup:
    """A chart in characters as HTML: escaped, with own marks, enemy marks and land in colour.

    chart: `rows`, and the marks in `own` and `foe`. A mark that ends in a digit does not match
    within a longer number; longer marks are tried first.
    """
    from markupsafe import Markup, escape

    kinds = dict.fromkeys(chart.get("own", ()), "ours")
    kinds |= dict.fromkeys(chart.get("foe", ()), "theirs")
    text = str(escape("\n".join(chart["rows"])))
    marks = [re.escape(str(escape(mark))) for mark in sorted(kinds, key=len, reverse=True)]
    ends = [rf"{mark}(?!\d)" if mark[-1].isdigit() else mark for mark in marks]
    pattern = "|".join([*ends, "#+"])
    return Markup(re.sub(pattern, lambda m: _span(m[0], kinds.get(m[0], "land")), text))


def _span(mark: str, kind: str) -> str:
    """A mark, or land, whose colour is in the sheet of the page; in bold without the sheet."""
    return f"<i>{mark}</i>" if kind == "land" else f'<b class="{kind}">{mark}</b>'


def receipt_lead(receipt: Plain) -> str:
    """What a receipt says first: `12 orders received, all understood.`, `18 orders: 9 count, 9 do
    not.`, and of words about the set alone `Received: FINAL.`"""
    if special := {
        "revealed": "Your dice link has arrived.",
        "rekeyed": "Your key has changed.",
    }.get(receipt["code"]):
        return special
    if receipt["status"] == "refused":
        return "Your orders do not count."
    if receipt["status"] == "known":
        return "These orders arrived before. Nothing changes."
    said = [str(item["order"]).rstrip(";") for item in receipt["understood"]]
    good, bad = len([one for one in said if ":" in one]), len(receipt["problems"])
    counted = f"{good + bad} order{'' if good + bad == 1 else 's'}"
    if not bad:
        return f"{counted} received, all understood." if good or not said else _words_alone(said)
    if not good:
        return f"{counted}: {'it does not count' if bad == 1 else 'none counts'}."
    stand, fall = "counts" if good == 1 else "count", "does" if bad == 1 else "do"
    return f"{counted}: {good} {stand}, {bad} {fall} not."


def _words_alone(said: Sequence[str]) -> str:
    return f"Received: {', '.join(said)}; no orders for units."


def sooner(receipt: Plain) -> str:
    """How a window closes before its deadline, as a sentence; empty if it does not. It says the
    rule alone, never whether another side has sent orders. That the window waits for one side
    alone is no secret: all reports say so."""
    early = receipt.get("early")
    if early is None or (receipt.get("alone") and receipt["status"] != "accepted"):
        return ""
    after = f"{early} minute{'' if early == 1 else 's'} after"
    if receipt.get("alone"):
        soon = f"about {after} this set" if early else "as soon as this set is in"
        return f"The window closes {soon}: it waits for you."
    soon = f"{after} the last orders" if early else "as soon as all orders are in"
    return f"The window closes {soon} that it waits for."


def carried(receipt: Plain) -> list[list[str]]:
    """The understood orders of a receipt as rows: who, and what he does, with the note of each."""
    rows: list[list[str]] = []
    for item in receipt["understood"]:
        who, colon, order = str(item["order"]).partition(": ")
        said = (order if colon else who).rstrip(";")
        rows.append([who if colon else "", said, *([item["note"]] if item["note"] else [])])
    return rows


UNPROVEN = {
    "seeded": "The dice of this game come from a seed that the moderator can know in advance.",
    "hand": "The moderator rolls physical dice and types them in; nothing proves them.",
}
"""Kinds of dice that prove nothing, and what every report of such a game says about them."""
UNAIDED = "Agreed for this game: nobody lets a program reckon where enemies are (pbem where)."
"""What every report of a game without such aids says."""
UNBOUND = "The dice of the last window have no link of {sides}."
"""What reports say of sides whose orders brought no link for the dice."""
PLAINER = {
    UNPROVEN[
        "seeded"
    ]: "The moderator could foresee these dice; ask for keyed dice if that matters to you.",
    UNPROVEN["hand"]: UNPROVEN["hand"],
    UNAIDED: UNAIDED,
}
"""Notices of report.json that are the same from turn to turn, and how the foot of a page says
them."""


_UNBOUND = "Dice not yet bound by a key of {} (usual for the first two turns)."
_EARLY = (
    (re.compile(r"^No dice anchor of ([a-z0-9_]+) counts in window [12]\.$"), _UNBOUND),
    (
        re.compile(r"^The first dice anchor of ([a-z0-9_]+) came with its orders"),
        "The first dice link of {} came with its orders: it and the moderator together could have "
        "chosen it to suit (usual for the first two turns).",
    ),
    (
        re.compile(r"^New dice anchor of ([a-z0-9_]+): [0-9a-f]+, counts from window [23]\.$"),
        "The dice are bound by a key of {} from now on.",
    ),
)
"""Notices about dice that every game has in which a key was registered without a letter, and how
the foot of a page says them; of a later window they stand at the head."""


def alarms(report: Plain) -> list[str]:
    """The notices of a report that its reader has to see first: rulings, keys, void orders; their
    times in the reader's zone."""
    tz, dates = report.get("tz", ""), report.get("dates", "")
    own = report.get("side_name", "").partition(", ")[0]
    told = (flag for flag in report["flags"] if not _aside(flag))
    return [layout.moved(_printed(flag, own), tz, dates) for flag in told]


_OF_A_SIDE = re.compile(
    r"^((?:The first dice anchor|No dice anchor|New dice anchor|The dice link|The orders|New key"
    r"|A key) of )([a-z0-9_]+(?:\.[a-z0-9_]+)?(?:, [a-z0-9_]+(?:\.[a-z0-9_]+)?)*)\b"
)
"""How notices about the dice and keys of sides begin."""
_MISSED = re.compile(r"^(.+) missed (the last turn|the last window), the (\w+) time\.$")
"""The notice of a missed window, as report.json has it since the first games that say so."""


def _printed(flag: str, own: str) -> str:
    """A notice with the names of sides in place of the words that commands use for them; what is
    said of the reader's own side, `own`, is said to him."""
    if found := _MISSED.match(flag):
        who = "You" if found[1] == own else found[1]
        return f"{who} missed {found[2]}, for the {found[3]} time."
    return _OF_A_SIDE.sub(lambda of: of[1] + the_sides(of[2].split(", ")), flag)


def asides(report: Plain) -> list[str]:
    """The notices of a report that are the same from turn to turn, about its dice and what was
    agreed, in plain words: they stand at its foot."""
    return list(dict.fromkeys(said for flag in report["flags"] if (said := _aside(flag))))


def _aside(flag: str) -> str:
    """A notice as the foot of a page says it; empty for one that stands at the head."""
    before, after = UNBOUND.split("{sides}")
    if flag.startswith(before):
        return _UNBOUND.format(the_sides(flag.removeprefix(before).removesuffix(after).split(", ")))
    for usual, plainer in _EARLY:
        if found := usual.match(flag):
            return plainer.format(the_side(found[1]))
    return PLAINER.get(flag, "")


def owing(report: Plain) -> str:
    """Who must answer a window that not every side must: `Orders are due from the German side; you
    may write.`; empty if every side must. report: as JSON data."""
    owed, reader = report.get("owed", ()), seat(report["side"], report.get("role", ""))
    if not owed:
        return ""
    others = [the_sides([side for side in owed if side != reader])] if {*owed} - {reader} else []
    names = " and ".join(["you"] * (reader in owed) + others)
    if reader == ALL:
        return f"Orders are due from {names}."
    return f"Orders are due from {names}; {'the others' if reader in owed else 'you'} may write."


def because(result: Plain) -> str:
    """Why the game is over, as a sentence with the rule, unless it says that word itself. result:
    of a report, as JSON data."""
    why = result.get("why") or "By the rules"
    named = result.get("rule") or ""
    rule = f" ({named})" if named and named not in why else ""
    return f"{why[:1].upper()}{why[1:]}{rule}."


def outcome(result: str, report: Plain) -> str:
    """A result in words for the reader of a report: `you have won`, for spectators
    `the British side won`.

    result: a side, `draw` or `none`.
    """
    return _outcome(result, report["side"])


def _outcome(result: str, reader: str) -> str:
    if result in ("draw", "none"):
        return "a draw" if result == "draw" else "no result"
    if reader == ALL:
        return f"{the_side(result)} won"
    return "you have won" if result == reader else "you have lost"


# What every template can use; the pages have more.
PURE: dict[str, Callable[..., object]] = {
    "wrap": layout.wrap,
    "first_named": layout.first_named,
    "table": layout.table,
    "ends": layout.ends,
    "hexes": layout.hexes,
    "date": layout.date,
    "when": layout.when,
    "day_of": layout.day_of,
    "place": layout.place,
    "flow": layout.flow,
    "coloured": coloured,
    "because": because,
    "outcome": outcome,
    "owing": owing,
    "receipt_lead": receipt_lead,
    "within": within,
    "sooner": sooner,
    "carried": carried,
    "alarms": alarms,
    "asides": asides,
    "maybe": maybe,
    "age": age,
    "together": together,
    "words": words,
    "cells": cells,
    "choice": choice,
    "facts": facts,
    "caret": caret,
    "lines": str.splitlines,
}
