"""Random order texts as players and their programs write them: valid, mistyped and mangled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from orders.verbs import Arg, Grammar, Term
from orders.vocabulary import LEADING
from tests.orders.test_canon import MANGLINGS

ODD = "\u201c\u201d\u2019\u2013\u2014\u00a0\u00ad\u200b\ufeff\u0301\u00df\u00e9\u0141"
ODD += "\x93\x96\x85\x1c\u2026\U0001f600\U00010400\u017f\ufb01\u212a\u0130\u1e9e\u202e"
ODD += "\u3000\u2028\ud7ff\uffff"
SIGNS = "&-:;@,\".'`<>|=[]#()!*~ \t\n\r\v\f" + ODD
DECIMALS = ("2.5", "2.0", "02.50")
WORDS = (
    "if",
    "then",
    "else",
    "also",
    "and",
    "or",
    "not",
    "none",
    "turn",
    "turn 7",
    "@",
    "final",
    "absent until 2026-12-24",
    "absent until 2026-02-30",
    "resign",
    "consent undo",
    "at least",
    "at most",
    "over",
    "under",
    "is",
    "yes",
    "no",
    "begin",
    "end",
    "Q1",
    "Q9",
    "12",
    "0",
    "2.50",
    "99999",
    "1.2345",
    "TF1",
    "TF07",
    "TF100",
    "as",
    "hodl",
    "mvoe",
    "zone",
    "to",
    "at",
    "(Pacific)",
    "Cape Horn",
    "and Suffolk",
    "BEGIN ORDERS",
    "END ORDERS",
    "[a comment]",
    "[begin]",
    '"',
    "begin seal aaaa end seal",
)


class Scribbler:
    """Writes random orders in a game's language from one report, some with typing mistakes."""

    def __init__(self, seed: str, grammar: Grammar, report: Mapping[str, Any]) -> None:
        self.luck, self.grammar = Random(seed), grammar
        self.menu: Mapping[str, Any] = report.get("menu") or {}
        self.units = [u["id"] for u in report["units"]] + [u["name"] for u in report["units"]]
        self.contacts = [c["id"] for c in report.get("contacts") or []] or ["EN1"]
        self.asked = report.get("questions") or []
        self.places = sorted(grammar.places)
        self.near = [u["place"] for u in report["units"] if u.get("place")] or self.places

    def text(self) -> str:
        """A block of a few orders, which may be mangled."""
        lines = "\n".join(self.line() for _ in range(self.luck.randint(1, 6)))
        first = self.leading() if self.luck.random() < 0.3 else ""
        block = f"BEGIN ORDERS\n{first}{lines}\nEND ORDERS\n"
        for _ in range(self.luck.choice((0, 0, 0, 1, 3))):
            block = self.slip(block)
        return mangled(block, self.luck) if self.luck.random() < 0.3 else block

    def calm(self) -> str:
        """Twenty orders, each of its actor's menu and for now, with arguments of its kinds."""
        luck, lines = self.luck, []
        for _ in range(20):
            who = luck.choice(list(self.menu))
            verb = self.grammar.verb(luck.choice([i["verb"] for i in self.menu[who]] or ["move"]))
            args = [a for a in verb.args if not a.optional or luck.random() < 0.7]
            listed = {
                a["name"]: a.get("values")
                for i in self.menu[who]
                if i["verb"] == verb.name
                for a in i.get("args") or ()
            }
            said = [f"{a.keyword} {self.fitting(a, listed.get(a.name))}".strip() for a in args]
            lines.append(" ".join([f"{who}: {verb.name}", *said]) + ";")
        return "\n".join(["BEGIN ORDERS", *lines, "END ORDERS"])

    def fitting(self, arg: Arg, listed: Sequence[Any] | None) -> str:
        """What the menu lists, or the grammar, or what is of the kind."""
        if self.luck.random() < 0.9 and (listed or arg.choices):
            return str(self.luck.choice(listed or arg.choices))
        return self.free(arg)

    def leading(self) -> str:
        """Words that stand before the first actor, with what follows them or something else."""
        rest = ("", "3", "007", "100", "until 2026-12-24", "until 2026-02-30", "undo 3", "- 2")
        picked = self.luck.choices([*LEADING, "RAN"], k=self.luck.randint(1, 3))
        return "".join(f"{word} {self.luck.choice(rest)}; " for word in picked)

    def line(self) -> str:
        luck = self.luck
        if self.asked and luck.random() < 0.1:
            question = luck.choice(self.asked)
            said = question["choices"] or ["7", "3.5", "99", self.place(), f"by {self.actor()}"]
            return f"{question['id']}: {luck.choice([*said, 'FOO'])};"
        who = ", ".join(self.actor() for _ in range(luck.choice((1, 1, 1, 1, 2))))
        scope = luck.choice(("",) * 12 + ("@", "@", "turn 7 ", "turn 30 ", "@ turn 3 "))
        return f"{scope}{who}: {self.content(who)};"

    def actor(self) -> str:
        known = self.luck.choice([*self.menu, *self.units])
        return self.luck.choice((known,) * 12 + (known.lower(), f'"{known}"', "NOBODY"))

    def content(self, who: str) -> str:
        luck = self.luck
        if luck.random() < 0.05:
            return "none"
        deeds = " also ".join(self.deed(who) for _ in range(luck.choice((1, 1, 1, 1, 2))))
        if luck.random() < 0.75:
            return deeds
        other = f" else {self.deed(who)}" if luck.random() < 0.4 else ""
        if self.grammar.triggers and luck.random() < 0.3:
            when = f"when {luck.choice(['found', *(t.name for t in self.grammar.triggers)])}"
            then = luck.choice(("then ", f"if {self.condition()} then ", ""))
            return f"{when} {then}{deeds}{other if 'if' in then else ''}"
        return f"if {self.condition()} then {deeds}{other}"

    def deed(self, who: str) -> str:
        """One action: mostly of the actor's own menu, with mostly fitting arguments."""
        luck = self.luck
        offered = [item["verb"] for item in self.menu.get(who) or ()]
        names = (
            offered if offered and luck.random() < 0.85 else [v.name for v in self.grammar.verbs]
        )
        verb = self.grammar.verb(luck.choice(names))
        items = [i for i in self.menu.get(who) or () if i["verb"] == verb.name]
        listed = {a["name"]: a.get("values") for i in items for a in i.get("args") or ()}
        args = [a for a in verb.args if luck.random() < (0.6 if a.optional else 0.97)]
        if luck.random() < 0.2:
            luck.shuffle(args)
        said = [f"{a.keyword} {self.argument(a, listed.get(a.name))}".strip() for a in args]
        return " ".join([luck.choice((verb.name, *verb.synonyms)), *said])

    def argument(self, arg: Arg, listed: Sequence[Any] | None) -> str:
        luck = self.luck
        if luck.random() < 0.04:
            return luck.choice(WORDS)
        if listed and luck.random() < 0.8:
            count = luck.randint(1, 3) if arg.kind in ("units", "places", "path") else 1
            return luck.choice((" ", ", ")).join(str(luck.choice(listed)) for _ in range(count))
        return self.free(arg)

    def free(self, arg: Arg) -> str:
        luck = self.luck
        made: dict[str, Callable[[], str]] = {
            "place": self.place,
            "path": lambda: " ".join(self.place() for _ in range(luck.choice((1, 1, 2, 3)))),
            "places": lambda: luck.choice((f"{self.place()}-{self.place()}", self.place())),
            "unit": lambda: str(luck.choice(self.units)),
            "units": lambda: ", ".join(luck.choices(self.units, k=luck.choice((1, 2, 40)))),
            "contact": lambda: str(luck.choice([*self.contacts, "EN99"])),
            "word": lambda: luck.choice([*arg.choices, "so"]),
            "number": lambda: luck.choice([*DECIMALS, str(luck.randint(0, 50)), "07", "12345"]),
            "name": lambda: luck.choice(("TF6", "TF99", "TF0", "HUNTERS", "K14", "THEN")),
            "direction": lambda: luck.choice(("N", "SSW", "UP")),
            "bearing": lambda: luck.choice(("N", "SW", "ENE", "045", "22.5", "360", "361")),
            "point": lambda: f"{self.size()}{luck.choice((' ', ', '))}{self.size()}",
            "row": lambda: self.row(arg),
            "rows": lambda: luck.choice((" ", ", ")).join(
                self.row(arg) for _ in range(luck.choice((1, 1, 2, 3)))
            ),
        }
        return made[arg.kind]()

    def row(self, arg: Arg) -> str:
        """The parts of a row; now and then one is missing or wrong."""
        parts = [self.fitting(part, ()) for part in arg.of or ()]
        if self.luck.random() < 0.1:
            parts[self.luck.randrange(len(parts))] = self.luck.choice(("", "so", "speed"))
        return " ".join(parts)

    def size(self) -> str:
        return self.luck.choice([*DECIMALS, str(self.luck.randint(0, 50))])

    def place(self) -> str:
        """Mostly near an own unit, now and then anywhere or nowhere."""
        luck = self.luck
        roll, start = luck.random(), str(luck.choice(self.near))
        if roll < 0.5 and start[1:].isdigit():
            row, column = ord(start[0]) + luck.randint(-3, 3), int(start[1:]) + luck.randint(-4, 4)
            return f"{chr(row)}{column}" if chr(row).isalpha() and column >= 0 else start
        if roll < 0.95:
            return luck.choice([*self.places, *self.grammar.aliases] or ["A1"])
        return luck.choice(("Q99", "A0", "F2O", "ZZ9", "nowhere"))

    def condition(self) -> str:
        tests = [self.test() for _ in range(self.luck.choice((1, 1, 2, 3)))]
        return "".join(
            t if not i else f" {self.luck.choice(('and', 'and', 'or'))} {t}"
            for i, t in enumerate(tests)
        )

    def test(self) -> str:
        luck, terms = self.luck, self.grammar.terms
        term = luck.choice(terms) if terms else Term("fog", "flag")
        name = f"{term.name} {self.about(term)}".strip()
        if term.kind == "flag" and luck.random() < 0.8:
            return f"{luck.choice(('', 'not '))}{name}"
        op = luck.choice(("is", "over", "under", "at least", "at most", "near"))
        peer = luck.choice(terms) if terms else term
        other = f"{peer.name} {self.about(peer)}".strip()
        values = [*term.values, str(luck.randint(0, 20)), *DECIMALS, "yes", other, "so"]
        return f"{name} {op} {luck.choice([*term.values * 3, *values])}"

    def about(self, term: Term) -> str:
        """What stands behind a term that is about something."""
        luck = self.luck
        known = {
            "": [""],
            "unit": self.units,
            "contact": self.contacts,
            "either": [*self.units, *self.contacts],
            "place": [self.place()],
        }[term.of]
        return str(luck.choice([*known * 8, "EN99", ""] if term.of else known))

    def slip(self, text: str) -> str:
        """The text with one typing mistake."""
        luck, at = self.luck, self.luck.randrange(len(text))
        long = at + luck.randint(1, 4)
        word = luck.choice(WORDS)
        return luck.choice(
            (
                text[:at] + text[long:],
                text[:at] + luck.choice(SIGNS) + text[at:],
                f"{text[:at]} {word} {text[at:]}",
                text[:at] + text[at:long].swapcase() + text[long:],
                text[:at] + text[at:long][::-1] + text[long:],
                f"{text[:at]}\n{text[at:]}",
            )
        )


def mangled(text: str, luck: Random) -> str:
    """What a mail program or two make of a text, and perhaps a stray sign."""
    for _ in range(luck.choice((1, 1, 2))):
        name = luck.choice(sorted(MANGLINGS))
        try:
            text = MANGLINGS[name](text)
        except UnicodeError:  # not every program can write every character
            continue
    for _ in range(luck.choice((0, 0, 1, 2, 8))):
        at = luck.randrange(len(text) + 1)
        text = text[:at] + luck.choice(SIGNS) + text[at:]
    return text
