"""Secrecy tests in memory: two worlds that look the same to one side must stay so.

The test of a system makes two worlds that differ only in what one side does not know. This side
gives the same orders in both. `World.artefacts` collects everything that it receives; the
artefacts of both worlds must be equal byte for byte, and `differences` names the paths at which
they are not.

    class Waters(World):
        system, scenario = SYSTEM, "strait"

        def apart(self, side: Side) -> Collection[str]:
            return EAST if side == PATROL else WEST

    one, two = Waters.pair(PATROL, "a pair", play="asked")
    assert differences(one, two, OWN_ORDERS) == []
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from random import Random
from typing import Any, Self

from orders.model import Action, Order, OrderSet, Value
from orders.show import show_order
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.charts.picture_cache import picture
from pbem.dice.sources import Seeded, Source
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing
from pbem.lint.difference import first_difference
from pbem.model import MenuItem, Plain, Side, System
from pbem.reports import render, wording
from pbem.reports.report import SILENT, Words, with_digest
from pbem.testing.orders import judged, legal, require, shown


class World:
    """One of two worlds. A subclass sets `system` and `scenario`."""

    system: System
    scenario: str
    wrong: frozenset[str] = frozenset()
    """Codes of what is wrong, on purpose, with some orders of the side."""

    def __init__(
        self,
        side: Side,
        state: Any,
        options: Mapping[str, str],
        random: Random,
        dice: Source,
    ) -> None:
        """side: the one that must not see a difference; state: the position to begin with;
        random: decides what the other sides do; dice: the same in both worlds."""
        self.side, self.random, self.dice = side, random, dice
        scenario = next(s for s in self.system.scenarios if s.name == self.scenario)
        self.drive = Drive(self.system, tuple(scenario.sides), options)
        self.drive.dice = dice
        self.drive._run_turns(state)
        self.closing: Closing | None = None
        self.artefacts: list[bytes] = []
        """Everything that the side received, in order."""
        self.before: Plain = {}
        """The report from which the side last gave orders."""
        self._made: dict[Side, Report] = {}

    @classmethod
    def pair(cls, side: Side, name: str, **options: str) -> tuple[Self, Self]:
        """Two worlds that begin alike and in which the other sides do different things. name: of
        the pair; options: of the system, and `play`."""
        given = options_of(cls.system, options)
        begun = [cls.system.begin(cls.scenario, given, {}) for _ in range(2)]
        lots = [Random(f"{name} {number}") for number in range(2)]
        one, other = (
            cls(side, state, given, lot, seeded(name))
            for state, lot in zip(begun, lots, strict=True)
        )
        return one, other

    def hidden_orders(self, side: Side) -> str:
        """The orders of another side, which this side does not see: for each of its units one that
        its menu offers, drawn at random, if it leads only to places of `apart`."""
        made, drawn = self.made(side), {}
        for actor, items in made.menu.items():
            for item in self.random.sample(items, len(items)):
                line = self._drawn(side, actor, item)
                if line and legal(self.system, made, [line]):
                    drawn[actor] = line
                    break
        return "\n".join(drawn.values())

    def apart(self, side: Side) -> Collection[str] | None:
        """The places to which the hidden orders of a side may lead, so that this side does not meet
        it; by default, None, all."""
        return None

    def _drawn(self, side: Side, actor: str, item: MenuItem) -> str:
        """An order that a menu offers, with values that it lists, drawn at random; empty if a value
        is needed for which there is none."""
        args: dict[str, Value] = {}
        places = self.apart(side)
        for arg in item.args:
            bound = arg.kind in ("place", "path", "places") and places is not None
            values = [v for v in arg.values if not bound or v in (places or ())]
            if arg.values and not values:
                return ""
            if values:
                value = self.random.choice(values)
                args[arg.name] = [value] if arg.kind in ("path", "places", "units") else value
        needed = [arg for arg in self.system.grammar.verb(item.verb).args if not arg.optional]
        if any(arg.name not in args for arg in needed):
            return ""
        order = Order(actor, (Action(item.verb, args),))
        return f"{show_order(order, self.system.grammar)};"

    def report(self, side: Side) -> Plain:
        """The report that opens the current window for `side`, as plain data."""
        return self.made(side).plain

    def made(self, side: Side) -> Report:
        """The report that opens the current window for `side`. The other side's has no event texts
        and no digest, because only its orders are parsed with it."""
        if side not in self._made:
            self._made[side] = self._drafted(side)
        return self._made[side]

    def _drafted(self, side: Side) -> Report:
        own = side == self.side
        report = shown(
            self.system,
            self.drive.state,
            side,
            self.scenario,
            questions=() if self.drive.over else self.drive.pause.asked.get(side, ()),
            closing=self.closing,
            owed=self.drive.pause.owed,
            words=Words(wording.events, wording.questions) if own else SILENT,
        )
        if own:
            with_digest(report)
        return report

    def orders(self, side: Side, text: str) -> OrderSet:
        """Orders as they come in by mail. The own side's diagnostics and notes are artefacts.

        Raises RefusedError if anything else is refused than the side may get wrong.
        """
        made = self.made(side)
        reading = judged(self.system, made, text)
        wrong = {one.code for one in reading.diagnostics}
        if side != self.side or not wrong <= self.wrong:
            require(reading, text)
        if side == self.side:
            self.before = made.plain
            self.artefacts.append(repr(reading.diagnostics).encode())
            read = zip(reading.orders.orders, reading.seen, strict=True)
            notes = [self.system.note(o, seen) for o, seen in read]
            self.artefacts.append(repr(notes).encode())
        return reading.orders

    def legal(self, side: Side, lines: Sequence[str]) -> str:
        """Those of these lines, an order each, that `side` may send now. Raises RefusedError if
        it may send none of them."""
        made = self.made(side)
        kept = legal(self.system, made, lines)
        if not kept:
            require(judged(self.system, made, "\n".join(lines)), "\n".join(lines))
        return "\n".join(kept)

    def sets(self, own: str) -> dict[Side, OrderSet]:
        """The orders of all sides for a window. own: those of the side."""
        others = [side for side in self.drive.sides if side != self.side]
        hidden = {side: self.hidden_orders(side) for side in others}
        theirs = {side: self.orders(side, text) for side, text in hidden.items()}
        return {self.side: self.orders(self.side, own), **theirs}

    def close(self, sets: Mapping[Side, OrderSet]) -> Closing:
        """Close the window with these orders."""
        self.closing = self.drive.close(sets, self.dice)
        self._made.clear()
        return self.closing

    def show(self) -> None:
        """Add the side's report in all formats, its chart, and its bot's orders, to `artefacts`."""
        report = self.report(self.side)
        drawn = picture(self.system, report, "svg") or b""
        pages = (json.dumps(report), render.text(report), render.html(report), drawn.decode())
        self.artefacts += [page.encode() for page in pages]
        self.artefacts.append(self.system.bot(self.side, report, "luck").encode())

    def window(self, own: str) -> None:
        """Play one window; the side gives the orders `own`."""
        self.close(self.sets(own))
        self.show()


def seeded(seed: str = "") -> Source:
    """Dice that are the same in both worlds of a pair."""
    return Seeded(f"{seed}two worlds", b"0")


def differences(one: World, other: World, own: Sequence[str]) -> list[str]:
    """Play both worlds, a window for each of the side's orders `own`, to the end of either game;
    return the artefacts that differ, each with the path at which it does."""
    for text in own:
        if one.drive.over or other.drive.over:
            break
        one.window(text)
        other.window(text)
    return what_differs(one.artefacts, other.artefacts)


def what_differs(one: Sequence[bytes], other: Sequence[bytes]) -> list[str]:
    """The artefacts of two worlds that differ, by number, each with the first place at which it
    does; empty if a side cannot tell the worlds apart."""
    pairs = zip_longest(one, other, fillvalue=b"(no artefact)")
    return [f"artefact {n}: {where(*pair)}" for n, pair in enumerate(pairs) if pair[0] != pair[1]]


def where(one: bytes, other: bytes) -> str:
    """The first place at which two artefacts differ, and what each has there: the path in JSON
    (`$.units[0].place`), else the line. Empty if they are equal."""
    if one == other:
        return ""
    with suppress(ValueError):
        return first_difference(json.loads(one), json.loads(other))
    lines = zip_longest(one.splitlines(), other.splitlines(), fillvalue=b"(no line)")
    for number, (here, there) in enumerate(lines, 1):
        if here != there:
            return f"line {number}: {_around(here, there)!r} and {_around(there, here)!r}"
    return "the ends of its lines"


def _around(line: bytes, other: bytes) -> bytes:
    """The part of a line where it begins to differ from another."""
    at = next((i for i, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), 0)
    return line[max(0, at - 30) : at + 50]
