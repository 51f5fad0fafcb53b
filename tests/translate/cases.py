"""Orders and reports that lie on the boundaries of checks, and one-token mutants of a translation.

A check judges by report and order alone, so both may be varied freely: a case need not occur in a
game. The numbers of the translation itself, and those beside them, are the boundaries.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from orders.canon import streams
from orders.model import Action, Condition, Order
from orders.model import Test as Comparison
from orders.parse import understand
from orders.verbs import Arg, Verb
from orders.vocabulary import Vocabulary
from pbem.model import System
from pbem.translate.translation import Translation

Report = Mapping[str, Any]
HEADER = "BEGIN ORDERS\n{}\nEND ORDERS\n"
WHEN = Condition((Comparison("night", "is", "YES"),))


class Case(NamedTuple):
    """A report and orders that answer it, as JSON data, and what Python says of each."""

    report: dict[str, Any]
    orders: list[Any]
    said: list[Any]
    """Of each order its problem or None, its note, units and menu as it leaves them, and its
    problem beside the orders before it."""


def judged(system: System, report: Report, orders: Sequence[Order]) -> Case:
    """A case; orders at which Python fails are left out, as no report of the game leads to them."""
    kept, said = [], []
    given: list[Order] = []
    for order in orders:
        try:
            left = system.after(order, report)
            after = left and {"units": left["units"], "menu": left["menu"]}
            problem, beside = system.check(order, report), system.contradicts(order, given, report)
            answer = [problem, system.note(order, report), after, beside]
        except Exception:
            continue
        given.append(order)
        kept.append(msgspec.to_builtins(order))
        said.append(msgspec.to_builtins(answer))
    return Case(dict(report), kept, said)


def cases(
    system: System, reports: Sequence[Report], made: Translation, count: int, seed: str
) -> list[Case]:
    """As many orders, over these reports and variations of them, ten to a report.

    made: the translation, whose numbers are the boundaries.
    """
    luck = Random(f"{system.name} {seed}")
    open_ = [r for r in reports if r.get("menu")]
    by_bot = [_of_bot(system, report) for report in open_]
    text = made.code + json.dumps(made.values)
    found = {int(n) for n in re.findall(r"(?<![\w$.\"])\d+(?![\w$\"])", text)} | {0}
    numbers = sorted({n + d for n in found if n < 100 for d in (-1, 0, 1) if n + d >= 0})
    made_cases = []
    for i in range(-(-count // 10)):
        at = i % len(open_)
        seen = varied(open_[at], luck, numbers) if i >= len(open_) else open_[at]
        given = list(orders(system, seen, by_bot[at], luck, 10))
        made_cases.append(judged(system, seen, given))
    return made_cases


def varied(report: Report, luck: Random, numbers: Sequence[int]) -> dict[str, Any]:
    """A report in which some facts of some units are others."""
    changed = copy.deepcopy(dict(report))
    if luck.random() < 0.3:
        changed["turn"] = luck.choice(numbers)
    near = [*numbers, *(changed["turn"] + d for d in (-2, -1, 0, 1, 2))]
    units = changed["units"]
    for unit in units:
        for key in [*unit]:
            if luck.random() < 0.02:
                del unit[key]  # so that defaults count
            elif luck.random() < 0.15 and key not in ("id", "name"):
                unit[key] = _other(unit[key], [u[key] for u in units if key in u], near, luck)
    board = changed["board"]
    places = sorted(u["place"] for u in units if u.get("place"))
    for key in board:
        if luck.random() < 0.2 and isinstance(board[key], list | dict):
            board[key] = luck.choices(places, k=3) if isinstance(board[key], list) else {}
    for items in changed["menu"].values():
        if luck.random() < 0.1:
            items.clear()
    return changed


def _other(value: Any, usual: Sequence[Any], near: Sequence[int], luck: Random) -> Any:
    """Another value of the same type: what other units have, or a number of the rules."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return luck.choice(near)
    if isinstance(value, dict) and value and all(isinstance(v, int) for v in value.values()):
        return {k: luck.choice(near) for k in value}
    return luck.choice(usual)


def orders(
    system: System, report: Report, own: Sequence[Order], luck: Random, count: int
) -> Iterator[Order]:
    """Variations of what the bot orders (`own`), and orders of every verb with arguments of its
    kind."""
    for _ in range(count):
        if own and luck.random() < 0.3:
            order = luck.choice(own)
            actions = tuple(
                replace(a, args={k: _else(v, system, report, luck) for k, v in a.args.items()})
                for a in order.actions
            )
        else:
            order = Order(luck.choice(_actors(report)), ())
            verbs = _verbs(order.actor, system, report, luck)
            actions = tuple(_action(verb, system, report, luck) for verb in verbs)
        order = replace(order, actions=actions)
        if luck.random() < 0.2:
            order = luck.choice(
                (
                    replace(order, standing=True),
                    replace(order, turn=report["turn"] + luck.choice((-1, 0, 1, 5))),
                    replace(order, when=WHEN),
                    replace(order, when=WHEN, actions=actions[:1], otherwise=actions),
                )
            )
        yield order


def _of_bot(system: System, report: Report) -> Sequence[Order]:
    (unit,) = streams(HEADER.format(system.bot(report["side"], report, "x")))
    words = Vocabulary.of(report, system.grammar)
    return understand(unit, system.grammar, words).orders.orders


def _actors(report: Report) -> list[str]:
    units = [unit["id"] for unit in report["units"] if "id" in unit]
    return [*units, *report["menu"], report["side"].upper(), "TF9"]


def _verbs(actor: str, system: System, report: Report, luck: Random) -> list[Verb]:
    """One verb or two, more often those of the actor's menu than any."""
    offered = [system.grammar.verb(item["verb"]) for item in report["menu"].get(actor, ())]
    some = offered if offered and luck.random() < 0.8 else system.grammar.verbs
    return [luck.choice(some) for _ in range(luck.choice((1, 1, 1, 2)))]


def _action(verb: Verb, system: System, report: Report, luck: Random) -> Action:
    given = [arg for arg in verb.args if not arg.optional or luck.random() < 0.5]
    return Action(verb.name, {arg.name: _value(arg, system, report, luck) for arg in given})


def _value(arg: Arg, system: System, report: Report, luck: Random) -> Any:
    """A value of the kind of an argument."""
    if arg.choices:
        return luck.choice(arg.choices)
    if arg.kind == "number":
        return luck.choice((0, 1, 2, report["turn"], report["turn"] + 1, 17, 18, 23, 24, 34))
    if arg.kind in ("place", "path", "places"):
        places = [_place(system, report, luck) for _ in range(luck.choice((1, 1, 2, 3)))]
        return places[0] if arg.kind == "place" else places
    if arg.kind == "units":
        return [luck.choice(_actors(report)) for _ in range(luck.choice((1, 2, 3)))]
    if arg.kind == "name":
        return luck.choice(("TF1", "TF01", "TF99", "TF100", "TF0", "WOLF", "TFX", "TF", "T1"))
    named = [c["id"] for c in report.get("contacts", ())]
    return luck.choice([*_actors(report), *named])


def _place(system: System, report: Report, luck: Random) -> str:
    """Where a unit is, a neighbour of it, or any place."""
    places = sorted(system.grammar.places)
    near = [u["place"] for u in report["units"] if u.get("place") in system.grammar.places]
    at = luck.choice(near or places)
    if luck.random() < 0.5:
        where = places.index(at) + luck.choice((-2, -1, 0, 1, 2))
        return places[max(0, min(where, len(places) - 1))]
    return luck.choice((at, luck.choice(places)))


def _else(value: Any, system: System, report: Report, luck: Random) -> Any:
    if luck.random() < 0.6:
        return value
    if isinstance(value, list):
        return [_else(v, system, report, luck) for v in value]
    if isinstance(value, int):
        return max(0, value + luck.randint(-2, 2))
    if value in system.grammar.places:
        return _place(system, report, luck)
    units = [unit["id"] for unit in report["units"] if "id" in unit]
    return luck.choice(units) if value in units else value


# Mutants

TOKENS = re.compile(
    r"""
    "(?:[^"\\]|\\.)*" | `(?:[^`\\]|\\.)*` | //[^\n]* | static\ f.* | \$\w+ | [\w$]+
    | ===|!==|<=|>=|&&|\|\||=>|\.\.\.|[-+<>!]
""",
    re.VERBOSE,
)
INSTEAD = {
    "===": "!==",
    "!==": "===",
    "<=": "<",
    "<": "<=",
    ">=": ">",
    ">": ">=",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    "!": "",
    "true": "false",
    "false": "true",
    "$lt": "$le",
    "$le": "$lt",
    "some": "every",
    "every": "some",
    "continue": "break",
}


class Mutant(NamedTuple):
    """The translation with one token changed."""

    line: str
    """The changed line."""
    code: str


def mutants(code: str) -> Iterator[Mutant]:
    """Every mutant; the classes' methods and the functions, not the lists of names."""
    for found in TOKENS.finditer(code):
        token = found[0]
        instead = str(int(token) + 1) if token.isdigit() else INSTEAD.get(token)
        if instead is None:
            continue
        changed = code[: found.start()] + instead + code[found.end() :]
        begin = changed.rfind("\n", 0, found.start()) + 1
        yield Mutant(changed[begin : changed.find("\n", begin)].strip(), changed)
