"""Many generated pairs of worlds: equal to one side, different elsewhere, one or two windows each.

Everything a side reads is made of its report alone, so each pair compares report.json, what its
orders are answered with, and, now and then, the pages and the chart.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import astuple

from games.toy import game as toy
from games.toy.game import SYSTEM, Hide
from orders.model import OrderSet
from pbem.admin.setup import options_of
from pbem.base.report_json import Report
from pbem.charts.picture_cache import picture
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing
from pbem.model import Side
from pbem.reports import render, wording
from pbem.reports.report import Words, with_digest
from pbem.testing.orders import judged, require, shown
from tests.secrecy import what_differs
from tests.toy.test_secrecy import BAD

SIDES = SYSTEM.scenarios[0].sides
CI, NIGHTLY, PAGES = 200, 20_000, 25
"""How many pairs; every how manieth shows its pages."""
WRONG = {"unknown-unit", "unknown-verb", "unknown-question", "not-now"}
"""Codes of what is wrong with the orders of `BAD`."""


class World:
    """One world of a pair, in memory. known: what both have in common; hidden: its own."""

    def __init__(self, side: Side, known: Random, hidden: Random, seed: int) -> None:
        self.side, self.hidden, self.whole = side, hidden, seed % PAGES == 0
        play = ("asked", "plotted")[seed % 2]
        self.drive = Drive(SYSTEM, SIDES, options_of(SYSTEM, {"play": play}))
        self.dice = self.drive.dice = Seeded(f"pair {seed}", b"0")
        self.drive._run_turns(self.start(known))
        self.closing: Closing | None = None
        self.artefacts: list[bytes] = []

    def start(self, known: Random) -> Hide:
        """The fox in row A, the hound in rows D and E; the hunter heard a twig, or not."""
        turn, fox, hound = known.randint(1, 7), *(known.choice("12345") for _ in range(2))
        row, heard = known.choice("DE"), known.randint(0, turn)
        if self.side == toy.FOX:
            row, hound = self.hidden.choice("DE"), self.hidden.choice("12345")
            heard = self.hidden.randint(0, turn)
        else:
            fox = self.hidden.choice("12345")
        return Hide(turn, {"FOX": f"A{fox}", "HOUND": f"{row}{hound}"}, "A" if heard else "", heard)

    def report(self, side: Side) -> Report:
        asked = () if self.drive.over else self.drive.pause.asked.get(side, ())
        words = Words(wording.events, wording.questions)
        state = self.drive.state
        return shown(SYSTEM, state, side, questions=asked, closing=self.closing, words=words)

    def read(self, side: Side, lines: str) -> OrderSet:
        reading = judged(SYSTEM, self.report(side), lines)
        if not {one.code for one in reading.diagnostics} <= WRONG:
            require(reading, lines)
        if side == self.side:
            self.artefacts.append(repr(reading.diagnostics).encode())
        return reading.orders

    def lines(self, side: Side, luck: Random) -> str:
        """Orders of a side that stay in its rows; now and then faulty, or an answer."""
        report, rows = self.report(side).plain, "A" if side == toy.FOX else "DE"
        steps = [z for z in toy.near(report["units"][0]["place"]) if z[0] in rows]
        text = f"{toy.ANIMAL[side]}: move {luck.choice(steps)};"
        answers = report["questions"][0]["choices"] if report["questions"] else ()
        stay = [z for z in answers if z[0] in rows]
        text += f"\nQ1: {luck.choice(stay)};" if stay and luck.random() < 0.7 else ""
        return text + (f"\n{luck.choice(BAD)}" if luck.random() < 0.2 else "")

    def window(self, known: Random) -> None:
        other = next(s for s in SIDES if s != self.side)
        sets = {self.side: self.read(self.side, self.lines(self.side, known))}
        if self.hidden.random() < 0.8:
            sets[other] = self.read(other, self.lines(other, self.hidden))
        self.closing = self.drive.close(sets, self.dice)
        report = self.report(self.side)
        data = with_digest(report)
        self.artefacts.append(data)
        if self.whole:
            self.artefacts += [page.encode() for page in astuple(render.pages(report.plain, data))]
            self.artefacts.append(picture(SYSTEM, report.plain, "svg") or b"")


def pair(side: Side, seed: int, windows: int = 2) -> tuple[World, World]:
    """Both worlds, played. The hidden lots differ, whatever is known is drawn alike."""
    both = []
    for name in ("one", "two"):
        known = Random(f"{side} {seed}")
        world = World(side, known, Random(f"{name} {side} {seed}"), seed)
        for _ in range(windows):
            if not world.drive.over:
                world.window(known)
        both.append(world)
    return both[0], both[1]


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_generated_worlds_are_not_told_apart(side: Side, nightly: bool) -> None:
    different = 0
    for seed in range((NIGHTLY if nightly else CI) // len(SIDES)):
        one, other = pair(side, seed)
        assert what_differs(one.artefacts, other.artefacts) == [], f"pair {seed} of {side}"
        different += one.drive.state.place != other.drive.state.place
    assert different > seed / 2, "the worlds are too much alike"


def told(how: str) -> Callable[[Any, Hide, Side], None]:
    def leak(view: Any, hide: Hide, side: Side) -> None:
        other = hide.place["HOUND" if side == toy.FOX else "FOX"]
        view.board = {"x": {"column": other[1], "heard": hide.heard, "sum": ord(other[1]) % 2}[how]}

    return leak


@pytest.mark.parametrize("how", ["column", "heard", "sum"])
def test_a_leak_is_found_within_few_pairs(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = toy.Toy.view

    def view(self: toy.Toy, hide: Hide, side: Side) -> Any:
        seen = real(self, hide, side)
        told(how)(seen, hide, side)
        return seen

    monkeypatch.setattr(toy.Toy, "view", view)
    apart = [
        s for s in range(20) for one, two in [pair(toy.FOX, s)] if one.artefacts != two.artefacts
    ]
    assert len(apart) > 5
