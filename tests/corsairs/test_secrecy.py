"""Three Corsairs in two worlds: two sides act differently, write or not, and the third sees no
difference; a planted leak is found."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.admin.setup import Choices
from pbem.model import Side
from pbem.table import Table
from pbem.turns.close_window import report_of
from tests import mailed
from tests.conftest import Clock
from tests.corsairs.game import SIDES, SYSTEM
from tests.mailed import MailedWorld
from tests.referee import Referee
from tests.secrecy import Artefacts, differences
from tests.worlds import view_leak

WINDOWS = 8


class World(MailedWorld):
    """The side stays in the south and watches there; the others stay in the north."""

    bad = ("ROVER: enter A1;", "GANNET: fly A2;", "BOREAS: sail C9;", "Q9: yes;")

    def __init__(self, home: Path, side: str, hidden: Random, known: Random) -> None:
        options = {"play": "asked", "mail": "full"}
        referee = Referee.made(home, SYSTEM, Choices(options=options, dice="seeded", seed="x"))
        referee.open()
        super().__init__(referee, side, hidden)
        self.known = known

    def lines(self, side: str, random: Random, row: str, bid: int) -> str:
        """Orders of a side within a row, and its bid."""
        report = report_of(self.referee.read(), side, self.referee.register.window)
        if report.questions:
            return f"Q1: {bid};"
        ((ship, menu),) = report.menu.items()
        values = {item.verb: item.args[0].values for item in menu}
        lines = []
        for verb, zones in values.items():
            here = [zone for zone in zones if zone[0] == row]
            watched = verb == "watch" and row == "A"
            lines += [f"{ship}: {verb} {random.choice(['B2'] if watched else here)};"]
        return "\n".join(lines)

    def own_orders(self, n: int) -> str:
        return self.lines(self.side, self.known, "C", 4)

    def hidden_orders(self) -> str:
        """The first of the others bids more than the side, the second less: the order of play,
        which all are told, is the same."""
        first = self.other == self.others[0]
        bid = self.hidden.randint(5, 9) if first else self.hidden.randint(0, 3)
        return self.lines(self.other, self.hidden, "A", bid)

    def other_mail(self, n: int, clock: Clock, early: bool) -> None:
        """In the set-up the others write in any case: who bids nothing changes the order."""
        self.writes = 1.0 if n < 3 and not early else 0.6
        super().other_mail(n, clock, early)


def two_worlds(tmp_path: Path, side: str, seed: int) -> tuple[Artefacts, Artefacts]:
    def make(name: str) -> World:
        home = tmp_path / f"{name}{seed}{side}"
        return World(home, side, Random(f"{name}{seed}"), Random(seed))

    return mailed.two_worlds(make, WINDOWS)


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_nothing_tells_what_the_others_do(side: str, tmp_path: Path, nightly: bool) -> None:
    for seed in range(10 if nightly else 1):
        one, two = two_worlds(tmp_path, side, seed)
        assert len(one) > 100
        assert differences(one, two) == []


def test_a_leak_of_another_side_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view_leak(SYSTEM, lambda sea: str(sea.gold["red"]))(monkeypatch)
    with mailed.until_they_differ():
        assert differences(*two_worlds(tmp_path, "blue", 0))


def test_who_owes_a_window_must_be_public(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that is owed by the gold that somebody has left tells all of his bid."""

    def owing(table: Any, owed: object, asked: object = ()) -> tuple[Side, ...]:
        return (SIDES[table._dealer.state.gold[SIDES[0]] % 3],)

    monkeypatch.setattr(Table, "_owing", owing)
    with mailed.until_they_differ():
        found = differences(*two_worlds(tmp_path, "blue", 0))
    assert any("report.json" in name for name in found)
