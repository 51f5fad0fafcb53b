"""Secrecy tests in memory: two worlds that look the same to one side must stay so.

The test of a system makes two worlds that differ only in what one side does not know. This side
gives the same orders in both. `World.artefacts` collects everything that it receives; the
artefacts of both worlds must be equal byte for byte, and `differences` names the paths at which
they are not.

    class Waters(World):
        system, scenario = SYSTEM, "strait"

        def hidden_orders(self, side: Side) -> str:
            return self.random.choice(OUT_OF_SIGHT[side])

    def world(name: str) -> Waters:
        return Waters(PATROL, state(), {}, Random(name), seeded())

    assert differences(world("one"), world("two"), OWN_ORDERS) == []
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from random import Random
from typing import Any

from orders.model import OrderSet
from pbem.base.report_json import Moderator, Report
from pbem.charts.picture_cache import picture
from pbem.dice.sources import Seeded, Source
from pbem.engine.drive import Closing, Drive
from pbem.lint.difference import first_difference
from pbem.model import Plain, Side, System
from pbem.player.reader import read_text
from pbem.reports import render
from pbem.reports.report import SILENT, Account, Frame, Words, draft, with_digest


class World:
    """One of two worlds. A subclass sets `system` and `scenario`."""

    system: System
    scenario: str

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

    def hidden_orders(self, side: Side) -> str:
        """The orders of another side, which this side does not see."""
        raise NotImplementedError

    def report(self, side: Side) -> Plain:
        """The report that opens the current window for `side`, as plain data."""
        return self.made(side).plain

    def made(self, side: Side) -> Report:
        """The report that opens the current window for `side`. The other side's has no event texts
        and no digest, because only its orders are parsed with it."""
        closed = self.closing.window if self.closing else 0
        frame = Frame(
            game="g",
            setup="",
            digest="0" * 64,
            scenario=self.scenario,
            title=self.system.title,
            window=closed + 1,
            closed=closed,
            opened="",
            deadline="",
            head="0" * 64,
            moderator=Moderator("", "0" * 16),
            dice_mode="seeded",
            owed=self.drive.pause.owed,
        )
        account = Account(
            told=self.closing.told if self.closing else (),
            rolls=self.closing.rolls if self.closing else (),
            questions=() if self.drive.over else self.drive.pause.asked.get(side, ()),
        )
        view, own = self.drive.view(side), side == self.side
        words = Words(render.events, render.questions) if own else SILENT
        report = draft(self.system, frame, side, view, account, words)
        if own:
            with_digest(report)
        return report

    def orders(self, side: Side, text: str) -> OrderSet:
        """Parse orders as if they came by mail. The own side's diagnostics and notes are
        artefacts."""
        made = self.made(side)
        report = made.plain
        if side == self.side:
            self.before = report
        reading = read_text(self.system, made, f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
        if side == self.side:
            self.artefacts.append(repr(reading.diagnostics).encode())
            read = zip(reading.orders.orders, reading.seen, strict=True)
            notes = [self.system.note(o, seen) for o, seen in read]
            self.artefacts.append(repr(notes).encode())
        return reading.orders

    def sets(self, own: str) -> dict[Side, OrderSet]:
        """The orders of all sides for a window. own: those of the side."""
        others = [side for side in self.drive.sides if side != self.side]
        hidden = {side: self.hidden_orders(side) for side in others}
        theirs = {side: self.orders(side, text) for side, text in hidden.items()}
        return {self.side: self.orders(self.side, own), **theirs}

    def close(self, sets: Mapping[Side, OrderSet]) -> Closing:
        """Close the window with these orders."""
        self.closing = self.drive.close(sets, self.dice)
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
