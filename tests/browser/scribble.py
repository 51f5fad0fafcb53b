"""Random order texts as players and their programs write them: valid, mistyped and mangled."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from orders.report import MenuItem, OpenQuestion
from orders.verbs import Arg, Grammar, Term
from orders.vocabulary import LEADING
from pbem.bots.random_orders import Writer
from tests.orders.test_canon import MANGLINGS

ODD = "\u201c\u201d\u2019\u2013\u2014\u00a0\u00ad\u200b\ufeff\u0301\u00df\u00e9\u0141"
ODD += "\x93\x96\x85\x1c\u2026\U0001f600\U00010400\u017f\ufb01\u212a\u0130\u1e9e\u202e"
ODD += "\u3000\u2028\ud7ff\uffff"
SIGNS = "&-:;@,\".'`<>|=[]#()!*~ \t\n\r\v\f" + ODD
DECIMALS = ("2.5", "2.0", "02.50")
WORDS = re.split(
    r" /\s",
    """if / then / else / also / and / or / not / none / turn / turn 7 / @ / final /
absent until 2026-12-24 / absent until 2026-02-30 / resign / consent undo / at least / at most /
over / under / is / yes / no / begin / end / Q1 / Q9 / 12 / 0 / 2.50 / 99999 / 1.2345 / TF1 /
TF07 / TF100 / as / hodl / mvoe / zone / to / at / (Pacific) / Cape Horn / and Suffolk /
BEGIN ORDERS / END ORDERS / [a comment] / [begin] / " / begin seal aaaa end seal""",
)
WRONG: Mapping[str, Sequence[str]] = {
    "contact": ("EN99",),
    "word": ("so",),
    "number": (*DECIMALS, "07", "50", "12345"),
    "name": ("TF99", "TF0", "HUNTERS", "K14", "THEN"),
    "direction": ("UP", "SSW"),
    "bearing": ("22.5", "360", "361"),
    "point": ("2.5 2.0", "12, 50", "02.50 1", "7"),
}
"""What is of a kind, or nearly so, but hardly fits."""
COMPARED = ("is", "over", "under", "at least", "at most", "near")


class Scribbler(Writer):
    """Writes random orders in a game's language from one report, some with typing mistakes."""

    def __init__(self, seed: str, grammar: Grammar, report: Mapping[str, Any]) -> None:
        super().__init__(report, grammar, Random(seed))
        self.units += [unit["name"] for unit in report["units"]]

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
        actors = self.luck.choices([who for who, items in self.menu.items() if items], k=20)
        lines = [f"{a}: {' '.join(self.parts(self.luck.choice(self.menu[a])))};" for a in actors]
        return "\n".join(["BEGIN ORDERS", *lines, "END ORDERS"])

    def wrong(self, share: float) -> bool:
        """Whether to make a mistake."""
        return self.luck.random() < share

    def leading(self) -> str:
        """Words that stand before the first actor, with what follows them or something else."""
        rest = ("", "3", "007", "100", "until 2026-12-24", "until 2026-02-30", "undo 3", "- 2")
        picked = self.luck.choices([*LEADING, "RAN"], k=self.luck.randint(1, 3))
        return "".join(f"{word} {self.luck.choice(rest)}; " for word in picked)

    def line(self) -> str:
        if self.questions and self.luck.random() < 0.1:
            return self.reply(self.luck.choice(self.questions))
        return self.order(self.luck.choice([*self.menu, *self.units]))

    def scope(self) -> str:
        wrong = ("turn 1 ", "turn 30 ", "@ turn 3 ")
        return self.luck.choice(wrong) if self.wrong(0.1) else super().scope()

    def reply(self, question: OpenQuestion) -> str:
        said = super().reply(question)
        return f"{question.id}: {self.luck.choice(WORDS)};" if self.wrong(0.3) else said

    def named(self, actor: str) -> str:
        known = super().named(actor)
        odd = (known.lower(), f'"{actor}"', "NOBODY", f"{actor}, NOBODY", f'{actor}, "{actor}"')
        return self.luck.choice(odd) if self.wrong(0.2) else known

    def content(self, actor: str) -> str:
        said = super().content(actor)
        return self.luck.choice(("none", said.replace("then ", ""))) if self.wrong(0.1) else said

    def trigger(self) -> str:
        return "found" if self.wrong(0.2) else super().trigger()

    def offered(self, actor: str) -> Sequence[MenuItem]:
        """Mostly the actor's own menu, else every verb."""
        every = tuple(MenuItem(verb.name) for verb in self.grammar.verbs)
        return every if self.wrong(0.15) else self.menu.get(actor) or every

    def deed(self, item: MenuItem) -> str:
        verb, *said = self.parts(item)
        if self.wrong(0.2):
            self.luck.shuffle(said)
        return " ".join((verb, *(said[1:] if self.wrong(0.05) else said)))

    def value(self, arg: Arg, listed: Sequence[str] = ()) -> str:
        if self.wrong(0.04):
            return self.luck.choice(WORDS)
        return super().value(arg, () if self.wrong(0.1) else listed)

    def count(self, arg: Arg) -> int:
        return self.luck.choice((1, 5, 40)) if self.wrong(0.1) else super().count(arg)

    def one(self, arg: Arg) -> str:
        wrong = WRONG.get(arg.kind, ())
        return self.luck.choice(wrong) if wrong and self.wrong(0.25) else super().one(arg)

    def place(self) -> str:
        """Often any, now and then one beside the board, or nowhere."""
        if self.wrong(0.05):
            return self.luck.choice(("Q99", "A0", "F2O", "ZZ9", "nowhere"))
        if self.wrong(0.3):
            return self.luck.choice(self.places)
        if self.wrong(0.2):
            return re.sub(r"\b[A-Z](?=\d)|\d+", self._moved, super().place())
        return super().place()

    def _moved(self, part: re.Match[str]) -> str:
        by = self.luck.randint(-4, 4)
        return f"{int(part[0]) + by}" if part[0].isdigit() else chr(ord(part[0]) + by)

    def range(self) -> str:
        return f"{self.place()}-{self.place()}" if self.wrong(0.3) else super().range()

    def condition(self) -> str:
        said = super().condition()
        return f"{said} or {self.test()} and {self.test()}" if self.wrong(0.1) else said

    def test(self) -> str:
        if not self.wrong(0.2):
            return super().test()
        one, other = self.luck.choices(self.grammar.terms, k=2)
        return f"{self.term(one)} {self.luck.choice(COMPARED)} {self.compared(other)}"

    def term(self, term: Term) -> str:
        return "fog" if self.wrong(0.05) else super().term(term)

    def compared(self, term: Term) -> str:
        wrong = (*DECIMALS, "20", "yes", "so")
        return self.luck.choice(wrong) if self.wrong(0.2) else super().compared(term)

    def about(self, term: Term) -> str:
        said = super().about(term)
        return self.luck.choice(("EN99", "")) if said and self.wrong(0.1) else said

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
