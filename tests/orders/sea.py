"""A small order language for tests: a 20 x 20 board, the words of most kinds, one report."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from orders.canon import Unit, streams
from orders.parse import understand
from orders.reading import Reading
from orders.verbs import Arg, Grammar, Term, Trigger, Verb
from orders.vocabulary import Vocabulary


class Any_(Struct):  # noqa: N801
    """The struct behind every verb here: these tests read actions, not structs."""


ROWS = "ABCDEFGHIJKLMNOPQRST"
ZONES = frozenset(f"{row}{column}" for row in ROWS for column in range(1, 21))


def shaped(token: str) -> bool:
    return token[0].isalpha() and token[1:].isdigit() and len(token) in (2, 3)


def between(first: str, last: str) -> tuple[str, ...] | None:
    low, high = int(first[1:]), int(last[1:])
    if first[0] != last[0] or low > high:
        return None
    return tuple(f"{first[0]}{i}" for i in range(low, high + 1))


HOW = Arg("how", "word", choices=("ahead", "port", "hard port"))
BY = Arg("by", "number", most=360, decimals=1)
AT = Arg("at", "point", most=200, decimals=1)

GRAMMAR = Grammar(
    verbs=(
        Verb(
            "move",
            Any_,
            (
                Arg("path", "path", least=1, most=8),
                Arg("speed", "word", "speed", True, ("slow", "full", "very full")),
                Arg("via", "place", "via", True),
            ),
            "Go along zones.",
            "TF1: move J15 K14 speed full;",
            "5.2",
            ("proceed", "move to"),
        ),
        Verb("hold", Any_, (Arg("turns", "number", "for", True, least=1, most=9),)),
        Verb("patrol", Any_, (Arg("zones", "places", most=9),), example="CL1: patrol F19-F20;"),
        Verb("radio", Any_, (Arg("state", "word", choices=("silent", "on")),)),
        Verb("shadow", Any_, (Arg("contact", "contact"),)),
        Verb(
            "detach",
            Any_,
            (Arg("ships", "units", least=1, most=4), Arg("as", "name", "as", True)),
        ),
        Verb("join", Any_, (Arg("force", "unit"),)),
        Verb("withdraw", Any_, (Arg("to", "direction", optional=True),)),
        Verb(
            "launch",
            Any_,
            (
                Arg("squadron", "unit"),
                Arg("search", "place", "search", True),
                Arg("range", "number", "range", True, most=20, decimals=1),
            ),
        ),
        Verb("attack", Any_, (Arg("kind", "word", choices=("BB", "CA", "any")),)),
        Verb("base", Any_, (Arg("port", "place"),)),
        Verb(
            "steer",
            Any_,
            (
                Arg("legs", "rows", least=1, most=4, of=(HOW, BY)),
                Arg("speed", "number", "speed", True, most=40),
            ),
            example="TF1: steer ahead 2.5 port 45 ahead 1 speed 12;",
        ),
        Verb(
            "head",
            Any_,
            (Arg("course", "bearing"), Arg("exact", "bearing", "exactly", True, decimals=1)),
        ),
        Verb(
            "fly",
            Any_,
            (Arg("route", "rows", of=(AT,)), Arg("land", "point", "land", True, least=10, most=60)),
        ),
        Verb(
            "load",
            Any_,
            (
                Arg("first", "row", of=(Arg("who", "unit"), Arg("count", "number", least=1))),
                Arg(
                    "rest",
                    "rows",
                    "plus",
                    True,
                    of=(Arg("who", "unit"), Arg("count", "number", least=1)),
                ),
            ),
            example="TF1: load Suffolk 4;",
        ),
        Verb(
            "assign",
            Any_,
            (
                Arg(
                    "tasks",
                    "rows",
                    "to",
                    most=2,
                    of=(
                        Arg("where", "place"),
                        Arg("whom", "contact"),
                        Arg("from", "direction"),
                        Arg("on", "bearing", decimals=1),
                        Arg("aim", "point", most=20),
                    ),
                ),
            ),
        ),
    ),
    terms=(
        Term("visibility", "number"),
        Term("contact", "rank", ("DD", "CL", "CA", "BB")),
        Term("enemy evasion", "number"),
        Term("own evasion", "number"),
        Term("weather", "word", ("fog", "clear sky")),
        Term("night", "flag"),
        Term("range of", "number", of="contact"),
        Term("type of", "rank", ("DD", "CL", "CA", "BB"), of="either"),
        Term("fog at", "flag", of="place"),
        Term("orders of", "word", ("sweep", "close in"), of="unit"),
    ),
    triggers=(Trigger("sighted"), Trigger("under attack")),
    places=ZONES,
    aliases={"SCAPA FLOW": "F20", "ST. NAZAIRE": "R18"},
    place=shaped,
    between=between,
)

NUMBERED = Grammar(
    verbs=(
        Verb("move", Any_, (Arg("path", "path"), Arg("turns", "number", "for", True))),
        Verb(
            "lay", Any_, (Arg("mines", "rows", of=(Arg("where", "place"), Arg("size", "number"))),)
        ),
    ),
    places=frozenset(f"{column:02}{row:02}" for column in range(1, 13) for row in range(1, 13)),
    place=lambda token: len(token) == 4 and token.isdigit(),
)
"""A board whose places are numbers."""

_ALL = [
    {"verb": v.name, "args": [{"name": a.name, "kind": a.kind} for a in v.args]}
    for v in GRAMMAR.verbs
]

REPORT: dict[str, Any] = {
    "units": [
        {"id": "TF1", "name": "TF1", "type": "TF", "place": "J16"},
        {"id": "TF2", "name": "TF2", "type": "TF", "place": "J12"},
        {"id": "CA2", "name": "London", "type": "CA", "place": "K15"},
        {"id": "CL1", "name": "Arethusa", "type": "CL", "place": "F20"},
        {"id": "KGV", "name": "King George V", "type": "BB", "place": "J16"},
        {"id": "SUFFOLK", "name": "Suffolk", "type": "CA", "place": "J12"},
        {"id": "NORFOLK", "name": "Norfolk", "type": "CA", "place": "J12"},
        {"id": "LR RECON 2", "name": "LR Recon 2", "type": "air", "place": "F20"},
    ],
    "contacts": [{"id": "EN7", "type": "BB", "place": "J9", "age": 0}],
    "questions": [
        {"id": "Q1", "kind": "shadower", "choices": ["SUFFOLK", "NORFOLK", "none"]},
        {"id": "Q2", "kind": "bid", "choices": []},
    ],
    "menu": {
        "TF1": _ALL,
        "TF2": _ALL,
        "CL1": _ALL,
        "CA2": [
            {
                "verb": "patrol",
                "args": [{"name": "zones", "kind": "places", "values": ["K15", "K16"]}],
            },
            {"verb": "hold", "args": []},
        ],
        "KING GEORGE V": _ALL,
        "LR RECON 2": _ALL,
    },
}

VOCABULARY = Vocabulary.of(REPORT, GRAMMAR)


def block(body: str) -> Unit:
    """The one unit of `BEGIN ORDERS body END ORDERS`."""
    return streams(f"BEGIN ORDERS\n{body}\nEND ORDERS\n")[0]


def read(body: str) -> Reading:
    return understand(block(body), GRAMMAR, VOCABULARY)


def codes(body: str) -> list[str]:
    return [d.code for d in read(body).diagnostics]
