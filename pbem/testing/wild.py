"""Players who order anything: whatever a side may order, a game goes on soundly.

They write orders at random from what their report offers, beside orders of the plain bot, and send
what the checks of mail accept. So they come where bots, which play sensibly, never come, and rules
that a legal order brings to a stop are found before a player finds them.

    game = wild(SYSTEM, "raid", {"play": "asked"}, seed="7")
    assert game.accepted > game.refused
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

import msgspec
from msgspec import Struct

from orders.model import OrderSet
from orders.verbs import Arg, Grammar, Term
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.engine.position import Position, encode
from pbem.engine.quick import Quick
from pbem.model import Side, System
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of
from pbem.reports import render, wording
from pbem.reports.report import Words
from pbem.view import MenuItem

OFTEN = 5
"""Every so many windows reports are written out, and the position is stored and taken up again."""
SHARES = (0.1, 0.4, 0.8)
"""How much of what a player orders is at random: one keeps to it for a game."""
SILENT = 0.1
"""How often a side sends nothing."""
DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
WORDS = Words(wording.events, wording.questions)


class Wild(Struct):
    """A game of players who order anything."""

    result: str = ""
    """Who won, `draw`, or empty if it was not over."""
    windows: int = 0
    accepted: int = 0
    """Orders that the checks of mail accepted,"""
    refused: int = 0
    """and those they refused."""
    verbs: Counter[str] = msgspec.field(default_factory=Counter)
    """How often each verb was accepted."""


class Anything:
    """A player who orders anything; a `pbem.bots.bot_orders.Player`."""

    explained = ""

    def __init__(self, system: System, seed: str, noted: Wild) -> None:
        self.system, self.luck, self.noted = system, Random(seed), noted
        self.share = self.luck.choice(SHARES)

    def orders(self, report: Report) -> OrderSet:
        """Orders at random, those that a mailed set could contain."""
        if self.luck.random() < SILENT:
            return OrderSet()
        own = written(report, self.system.grammar, self.luck, self.share)
        block = block_of(header_of(report, 0), "\n".join([*self._sensible(report), *own]))
        reading = read_text(self.system, report, block)
        self.noted.refused += len(reading.diagnostics)
        if reading.refusals:
            return OrderSet()
        self.noted.accepted += len(reading.orders.orders) + len(reading.orders.answers)
        self.noted.verbs.update(a.verb for o in reading.orders.orders for a in o.actions)
        return reading.orders

    def _sensible(self, report: Report) -> Iterator[str]:
        """A part of what the plain bot orders."""
        lines = self.system.bot(Side(report.side), report.plain, f"{self.luck.random()}")
        return (line for line in lines.splitlines() if self.luck.random() > self.share)


def wild(
    system: System, scenario: str, options: Mapping[str, str], seed: str, most: int = 200
) -> Wild:
    """A game of such players, or its first `most` windows.

    Raises what rules, views, templates and `System.audit` raise, RulesFault among them, and
    AssertionError if a stored position is not taken up as it was.
    """
    noted = Wild()
    sides = next(s.sides for s in system.scenarios if s.name == scenario)
    players = {side: Anything(system, f"{seed} {side}", noted) for side in sides}
    chosen = options_of(system, options)
    match = Match(system, scenario, chosen, seed, players=players)
    while not match.drive.over and noted.windows < most:
        match.window()
        noted.windows += 1
        system.audit(match.drive.state)
        if noted.windows % OFTEN == 0 or match.drive.over:
            require_sound(match, chosen)
    noted.result = match.drive.over.result if match.drive.over else ""
    return noted


def require_sound(match: Match, options: Mapping[str, str]) -> None:
    """Every side's report can be written, and the stored position goes on from where it was."""
    drive, system = match.drive, match.system
    for side in drive.sides:
        report = match.report(side, WORDS)
        render.text(report.plain)
        render.html(report.plain)
    stored = msgspec.json.encode(drive.position())
    position = msgspec.json.decode(stored, type=Position)
    again = Quick.resume(system, drive.sides, options, position)
    assert encode(again.state) == encode(drive.state), "a stored position is taken up otherwise"


def written(report: Report, grammar: Grammar, luck: Random, share: float) -> Iterator[str]:
    """Orders of the menu at random: any verb, any value, for that share of the actors; and answers
    to questions."""
    writer = Writer(report, grammar, luck)
    for actor, items in report.menu.items():
        for item in luck.sample(items, min(len(items), 2)) if luck.random() < share else ():
            yield writer.order(actor, item)
    for question in report.plain["questions"]:
        if luck.random() < 0.7:
            yield f"{question['id']}: {writer.answer(question)};"


class Writer:
    """Writes orders at random from one report."""

    def __init__(self, report: Report, grammar: Grammar, luck: Random) -> None:
        self.grammar, self.luck, self.turn = grammar, luck, report.turn
        self.units: list[str] = [u["id"] for u in report.plain["units"]] or ["NOBODY"]
        self.contacts: list[str] = [c["id"] for c in report.plain["contacts"] or ()] or ["EN1"]
        seen = [*report.plain["units"], *(report.plain["contacts"] or ())]
        self.near = [str(one["place"]) for one in seen if one.get("place")]
        self.places = sorted(grammar.places) or ["A1"]
        self.known = {verb.name: verb for verb in grammar.verbs}

    def order(self, actor: str, item: MenuItem) -> str:
        """One order, now and then for later, standing, or under a condition."""
        luck, deed = self.luck, self.deed(item)
        if luck.random() < 0.15 and self.grammar.terms:
            deed = f"if {self.test()} then {deed}"
        elif luck.random() < 0.05 and self.grammar.triggers:
            deed = f"when {luck.choice(self.grammar.triggers).name} then {deed}"
        scope = luck.choice(("", "", "", "", "@", f"turn {self.turn + 1} "))
        return f"{scope}{actor}: {deed};"

    def deed(self, item: MenuItem) -> str:
        """A verb with arguments."""
        verb = self.known[item.verb]
        listed = {arg.name: arg.values for arg in item.args}
        args = [a for a in verb.args if not a.optional or self.luck.random() < 0.5]
        said = [f"{a.keyword} {self.value(a, listed.get(a.name, ()))}".strip() for a in args]
        return " ".join([verb.name, *said])

    def value(self, arg: Arg, listed: Sequence[str] = ()) -> str:
        """What the menu lists, or anything of its kind."""
        luck = self.luck
        if arg.kind in ("units", "path", "rows"):
            count = min(max(arg.least, luck.choice((1, 1, 2, 3))), arg.most)
            between = ", " if arg.kind == "units" else " "
            if listed:
                return between.join(luck.sample(listed, min(count, len(listed))))
            return between.join(self.one(arg) for _ in range(count))
        return luck.choice(listed) if listed else self.one(arg)

    def one(self, arg: Arg) -> str:
        """One thing of that kind."""
        luck = self.luck
        made: dict[str, Callable[[], str]] = {
            "unit": lambda: luck.choice(self.units),
            "units": lambda: luck.choice(self.units),
            "contact": lambda: luck.choice(self.contacts),
            "number": lambda: f"{luck.randint(arg.least, min(arg.most, arg.least + 8))}",
            "point": lambda: f"{luck.randint(0, 40)} {luck.randint(0, 40)}",
            "bearing": lambda: f"{luck.randrange(360):03}",
            "direction": lambda: luck.choice(DIRECTIONS),
            "name": lambda: f"TF{luck.randint(1, 9)}",
            "places": lambda: f"{self.place()}-{self.place()}",
            "row": lambda: " ".join(map(self.value, arg.of or ())),
            "rows": lambda: " ".join(map(self.value, arg.of or ())),
            "word": lambda: luck.choice(arg.choices),
        }
        return made.get(arg.kind, self.place)()

    def place(self) -> str:
        """Mostly one beside something that the side knows, now and then any."""
        luck = self.luck
        if not self.near or luck.random() < 0.15:
            return luck.choice(self.places)
        beside = re.sub(r"\d\d?", self._about, luck.choice(self.near))
        return beside if beside in self.grammar.places else luck.choice(self.near)

    def _about(self, number: re.Match[str]) -> str:
        moved = max(0, int(number[0]) + self.luck.choice((-1, 0, 0, 1)))
        return str(moved).rjust(len(number[0]), "0")

    def answer(self, question: Mapping[str, object]) -> str:
        """One of the choices, or anything of the form."""
        choices = question["choices"]
        if choices:
            return self.luck.choice(msgspec.convert(choices, list[str]))
        form = question.get("form")
        return self.value(msgspec.convert(form, Arg)) if form else str(question["default"])

    def test(self) -> str:
        """A condition of one test."""
        luck = self.luck
        term = luck.choice(self.grammar.terms)
        name = f"{term.name} {self.about(term)}".strip()
        if term.kind == "flag":
            return f"{luck.choice(('', 'not '))}{name}"
        compared = luck.choice(("is", "over", "under")) if term.kind != "word" else "is"
        return f"{name} {compared} {luck.choice(term.values or ('1', '2', '4'))}"

    def about(self, term: Term) -> str:
        """What stands behind a term that is about something."""
        match term.of:
            case "unit":
                return self.luck.choice(self.units)
            case "contact" | "either":
                return self.luck.choice(self.contacts)
            case "place":
                return self.place()
            case _:
                return ""
