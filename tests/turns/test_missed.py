"""Windows that closed without the orders of a side that owed them are counted for the moderator."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from pbem.model import Side
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.referee import Referee

FOX = Side("fox")


def test_the_moderator_sees_the_count(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(referee.home))
    for _ in range(2):
        assert referee.order("hunter", referee.suggested("hunter")).good
        referee.run(force=True)
    assert "missed 2 windows" in pbem("status", "g1").out
    seats = pbem("status", "g1", "--json").json["sides"]
    assert (seats["fox"]["missed"], seats["hunter"]["missed"]) == (2, 0)


def test_only_windows_that_a_side_owed_count(tmp_path: Path, clock: Clock) -> None:
    """Only the side with the Initiative owes orders."""
    referee = Referee.opened(tmp_path, games.load("atlantic_chase"), dice="seeded")
    (owing,) = referee.register.owed
    referee.run(force=True)
    assert referee.register.lapses == [(1, owing)]


def test_an_undo_takes_the_count_back(referee: Referee) -> None:
    referee.run(force=True)
    assert (1, FOX) in referee.register.lapses
    referee.undo(reopen=True)
    assert not referee.register.lapses
