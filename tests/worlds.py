"""A game that one side sees only in part, driven in memory: half of every two-world test.

A system's test makes two worlds that are equal under one side's view, plays both through the same
orders of that side, and compares `artefacts`, which is everything that side got.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

import pytest

from orders.model import OrderSet
from pbem.base.hashing import canonical_json
from pbem.base.report_json import Moderator, Report
from pbem.charts.picture_cache import picture
from pbem.dice.sources import Seeded, Source
from pbem.engine.drive import Closing, Drive
from pbem.model import Plain, Side, System, View
from pbem.player.reader import read_text
from pbem.reports import render
from pbem.reports.report import SILENT, Account, Frame, Words, draft, with_digest


class World:
    """One world of a system of two sides. state: its position; random: for what is hidden. before:
    the report that the side ordered by."""

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
        self.side, self.random, self.dice = side, random, dice
        scenario = next(s for s in self.system.scenarios if s.name == self.scenario)
        self.drive = Drive(self.system, tuple(scenario.sides), options)
        self.drive.dice = dice
        self.drive._run_turns(state)
        self.closing: Closing | None = None
        self.artefacts: list[bytes] = []
        self.before: Plain = {}

    def hidden_orders(self, side: Side) -> str:
        """What the other side does, out of this side's sight."""
        raise NotImplementedError

    def report(self, side: Side) -> Plain:
        """What `made` makes, as plain data."""
        return self.made(side).plain

    def made(self, side: Side) -> Report:
        """The report.json that opens the window for `side`; without words and digest for the
        other side, which needs it only to be read."""
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
        """Read as a mail would be; the side's own diagnostics and notes are artefacts too."""
        made = self.made(side)
        report = made.plain
        if side == self.side:
            self.before = report
        reading = read_text(self.system, made, f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
        if side == self.side:
            self.artefacts.append(repr(reading.diagnostics).encode())
            notes = [self.system.note(o, report) for o in reading.orders.orders]
            self.artefacts.append(repr(notes).encode())
        return reading.orders

    def sets(self, own: str) -> dict[Side, OrderSet]:
        """Both sides' orders for a window: the side's own, and what is hidden from it."""
        other = next(s for s in self.drive.sides if s != self.side)
        theirs = self.hidden_orders(other)
        return {self.side: self.orders(self.side, own), other: self.orders(other, theirs)}

    def close(self, sets: Mapping[Side, OrderSet]) -> Closing:
        """Play the window."""
        self.closing = self.drive.close(sets, self.dice)
        return self.closing

    def show(self) -> None:
        """All pages that the side is sent, its chart, and what its bot would make of them."""
        report = self.report(self.side)
        drawn = picture(self.system, report, "svg")
        assert drawn
        pages = (json.dumps(report), render.text(report), render.html(report), drawn.decode())
        self.artefacts += [page.encode() for page in pages]
        self.artefacts.append(self.system.bot(self.side, report, "luck").encode())

    def window(self, own: str) -> None:
        """A window that the side plays by `own` orders, with all that it is sent."""
        self.close(self.sets(own))
        self.show()


def seeded(seed: str = "") -> Source:
    """The dice of both worlds of a pair."""
    return Seeded(f"{seed}two worlds", b"0")


Leak = Callable[[pytest.MonkeyPatch], None]


def view_leak(system: System, tell: Callable[[Any], str]) -> Leak:
    """Plants a leak: the view's news tell something of the truth."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        kind, real = type(system), type(system).view

        def view(self: Any, state: Any, side: Side) -> View:
            seen = real(self, state, side)
            seen.news += tell(state)
            return seen

        patch.setattr(kind, "view", view)

    return plant


W = TypeVar("W", bound=World)


def one_window(
    make: Callable[[Side, bool, str], W],
    own: Sequence[str],
    side: Side,
    swap: bool,
    seed: int,
    page: bool,
) -> W:
    """A window of one of two worlds in which `side` orders the same; everything that leaves for
    it is in the world's artefacts. own: what it may order; page: show the pages, too."""
    known, world = Random(f"{side} {seed}"), make(side, swap, f"{seed} ")
    orders = known.choice(own)
    if known.random() < 0.5:
        orders += " " + known.choice(own)
    world.close(world.sets(orders))
    if page:
        world.show()
    world.artefacts += [canonical_json(world.before), canonical_json(world.report(side))]
    return world
