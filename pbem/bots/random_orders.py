"""Orders at random: whatever a report and the order language let a player write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from orders.report import MenuItem, OpenQuestion, typed
from orders.verbs import Arg, Grammar, Term
from pbem.model import Plain

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
LISTS = ("units", "path", "places", "rows")
"""Kinds of arguments that hold several things."""


class Writer:
    """Writes random orders from one report (decoded report.json)."""

    def __init__(self, report: Plain, grammar: Grammar, luck: Random) -> None:
        seen = typed(report)
        self.grammar, self.luck, self.turn = grammar, luck, seen.turn or 0
        self.menu, self.questions = seen.menu, seen.questions
        self.units: list[str] = [unit.id for unit in seen.units] or ["NOBODY"]
        self.contacts: list[str] = [contact.id for contact in seen.contacts] or ["EN1"]
        shown: Any = (report["units"], report.get("contacts") or ())
        board = grammar.places | grammar.aliases.keys()
        where = [str(one.get("place")) for one in (*shown[0], *shown[1])]
        self.near = [place for place in where if place in board]
        self.places = [*sorted(grammar.places), *grammar.aliases] or ["A1"]
        self.verbs = {verb.name: verb for verb in grammar.verbs}

    def lines(self, share: float) -> Iterator[str]:
        """Orders for that share of the actors, and answers to most questions."""
        luck = self.luck
        for actor, items in self.menu.items():
            for _ in items[: luck.choice((2, 3))] if luck.random() < share else ():
                yield self.order(actor)
        for question in self.questions:
            if luck.random() < 0.7:
                yield self.reply(question)

    def order(self, actor: str) -> str:
        """One order, now and then to another actor too, for later, or standing; or none."""
        if self.luck.random() < 0.02:
            return f"@{actor}: none;"
        return f"{self.scope()}{self.named(actor)}: {self.content(actor)};"

    def scope(self) -> str:
        """For when an order is: mostly for now."""
        return self.luck.choice(("", "", "", "", "@", f"turn {self.turn + 1} "))

    def reply(self, question: OpenQuestion) -> str:
        """An answer: one of the choices, or anything of the form."""
        if question.choices:
            return f"{question.id}: {self.luck.choice(question.choices)};"
        return f"{question.id}: {self.argument(question.form) if question.form else 'none'};"

    def named(self, actor: str) -> str:
        """The actor, now and then with one that may do the same."""
        if self.luck.random() < 0.95:
            return actor
        alike = [one for one, items in self.menu.items() if items == self.menu.get(actor)]
        return ", ".join(dict.fromkeys((actor, self.luck.choice([actor, *alike]))))

    def content(self, actor: str) -> str:
        """Deeds, now and then under a condition or as a reaction."""
        luck, deeds = self.luck, self.deeds(actor)
        if luck.random() < 0.75:
            return deeds
        when = f"when {self.trigger()} " if self.grammar.triggers and luck.random() < 0.3 else ""
        if not self.grammar.terms or (when and luck.random() < 0.5):
            return f"{when}then {deeds}" if when else deeds
        other = f" else {self.deeds(actor)}" if luck.random() < 0.4 else ""
        return f"{when}if {self.condition()} then {deeds}{other}"

    def trigger(self) -> str:
        """Something that a reaction waits for."""
        return self.luck.choice(self.grammar.triggers).name

    def deeds(self, actor: str) -> str:
        """What the actor may do, mostly one thing."""
        items = self.luck.choices(self.offered(actor), k=self.luck.choice((1,) * 7 + (2,)))
        return " also ".join(map(self.deed, items))

    def offered(self, actor: str) -> Sequence[MenuItem]:
        """What the actor may be given."""
        return self.menu[actor]

    def deed(self, item: MenuItem) -> str:
        """A verb with arguments."""
        return " ".join(self.parts(item))

    def parts(self, item: MenuItem) -> list[str]:
        """A verb, or a word that stands for it, and its arguments."""
        verb = self.verbs[item.verb]
        listed = {arg.name: arg.values for arg in item.args}
        args = [a for a in verb.args if not a.optional or self.luck.random() < 0.5]
        said = [self.argument(arg, listed.get(arg.name, ())) for arg in args]
        return [self.luck.choice((verb.name, *verb.synonyms)), *said]

    def argument(self, arg: Arg, listed: Sequence[str] = ()) -> str:
        """An argument with its keyword."""
        return f"{arg.keyword} {self.value(arg, listed)}".strip()

    def value(self, arg: Arg, listed: Sequence[str] = ()) -> str:
        """What the menu lists, or anything of its kind."""
        luck = self.luck
        if arg.kind not in LISTS:
            return luck.choice(listed) if listed else self.one(arg)
        count = self.count(arg)
        some = luck.sample(listed, min(count, len(listed)))
        return luck.choice((" ", ", ")).join(some or [self.one(arg) for _ in range(count)])

    def count(self, arg: Arg) -> int:
        """How many things a list holds."""
        return min(max(arg.least, self.luck.choice((1, 1, 2, 3))), arg.most)

    def one(self, arg: Arg) -> str:
        """One thing of that kind."""
        luck = self.luck
        made: dict[str, Callable[[], str]] = {
            "unit": lambda: luck.choice(self.units),
            "units": lambda: luck.choice(self.units),
            "contact": lambda: luck.choice(self.contacts),
            "number": lambda: self.number(arg, arg.least + 8),
            "point": lambda: f"{self.number(arg, 40)} {self.number(arg, 40)}",
            "bearing": lambda: luck.choice((f"{luck.randrange(360):03}", *DIRECTIONS[::3])),
            "direction": lambda: luck.choice(DIRECTIONS),
            "name": lambda: f"TF{luck.randint(1, 9)}",
            "places": lambda: luck.choice((self.place(), self.range())),
            "row": lambda: " ".join(map(self.value, arg.of or ())),
            "rows": lambda: " ".join(map(self.value, arg.of or ())),
            "word": lambda: luck.choice(arg.choices),
        }
        return made.get(arg.kind, self.place)()

    def number(self, arg: Arg, most: int) -> str:
        """A number of at most `most`, with a half where parts are measured."""
        luck = self.luck
        found = luck.randint(arg.least, max(arg.least, min(arg.most, most)))
        half = arg.decimals and found < arg.most and luck.random() < 0.3
        return f"{found}.5" if half else f"{found}"

    def place(self) -> str:
        """Mostly one beside something that the side knows, now and then any."""
        luck = self.luck
        if not self.near or luck.random() < 0.15:
            return luck.choice(self.places)
        known = luck.choice(self.near)
        beside = _moved(known, lambda: luck.choice((-1, 0, 0, 1)))
        return beside if beside in self.grammar.places else known

    def range(self) -> str:
        """A place and one behind it: `F18-F20`."""
        first, by = self.place(), self.luck.randint(1, 3)
        return f"{first}-{_moved(first, lambda: by)}"

    def condition(self) -> str:
        """Mostly one test."""
        joint = self.luck.choice((" and ", " or "))
        return joint.join(self.test() for _ in range(self.luck.choice((1, 1, 1, 2, 3))))

    def test(self) -> str:
        """A term, with what it is compared with: a value, now and then a term of its kind."""
        luck, term = self.luck, self.luck.choice(self.grammar.terms)
        name, no = self.term(term), luck.choice(("", "", "not "))
        if term.kind == "flag":
            return f"{no}{name}"
        size = ("over", "under", "at least", "at most") if term.kind != "word" else ()
        return f"{no}{name} {luck.choice(('is', *size))} {self.compared(term)}"

    def compared(self, term: Term) -> str:
        """A value of the term, now and then another term of its kind."""
        alike = [t for t in self.grammar.terms if (t.kind, t.values) == (term.kind, term.values)]
        if self.luck.random() < 0.2:
            return self.term(self.luck.choice(alike))
        return self.luck.choice(term.values or ("1", "2", "4", "12"))

    def term(self, term: Term) -> str:
        """A term with what it is about."""
        return f"{term.name} {self.about(term)}".strip()

    def about(self, term: Term) -> str:
        """What stands behind a term that is about something."""
        known: dict[str, Sequence[str]] = {
            "unit": self.units,
            "contact": self.contacts,
            "either": [*self.units, *self.contacts],
        }
        return self.place() if term.of == "place" else self.luck.choice(known.get(term.of, [""]))


def _moved(place: str, by: Callable[[], int]) -> str:
    """A place with other numbers, each of as many digits."""
    return re.sub(r"\d\d?", lambda n: f"{max(0, int(n[0]) + by())}".rjust(len(n[0]), "0"), place)
