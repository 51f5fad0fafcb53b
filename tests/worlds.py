"""Secrecy tests in memory: two worlds that look the same to one side must stay so.

The test of a system makes two worlds that differ only in what one side does not know. This side
gives the same orders in both. `World.artefacts` collects everything that it receives; the
artefacts of both worlds must be equal byte for byte; `tests.secrecy.what_differs` names the path at
which they are not.
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
            notes = [self.system.note(o, report) for o in reading.orders.orders]
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
        drawn = picture(self.system, report, "svg")
        assert drawn
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


Leak = Callable[[pytest.MonkeyPatch], None]


def view_leak(system: System, tell: Callable[[Any], str]) -> Leak:
    """Plant a leak: the `news` of every view contain what `tell` says of the true state."""

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
    """Play one window of one of two worlds; in both, `side` gives the same orders.

    own: the orders to choose from; swap: which of the two worlds; page: whether the rendered pages
    are artefacts too. Return the world, with its artefacts.
    """
    known, world = Random(f"{side} {seed}"), make(side, swap, f"{seed} ")
    orders = known.choice(own)
    if known.random() < 0.5:
        orders += " " + known.choice(own)
    world.close(world.sets(orders))
    if page:
        world.show()
    world.artefacts += [canonical_json(world.before), canonical_json(world.report(side))]
    return world
