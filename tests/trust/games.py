"""Toy games that together have every kind of ledger record: links, reveals, keys, runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from games.toy import game as toy
from pbem.admin.commands import replace
from pbem.admin.lost_keys import carry_out, lose
from pbem.admin.setup import Newcomer, enlist
from pbem.crypto import recovery
from pbem.crypto.sshsig import public_line
from pbem.errors import Busy
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.proving import Proven, proven
from tests.referee import key_of
from tests.trust.key_games import OTHER, PAPER, change, papered
from tests.turns import test_run_on as runs

Made = Callable[[Path, pytest.MonkeyPatch, Clock], Proven]


def fast(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A late anchor, a new anchor, silent sides, both kinds of undo, and a refused mail."""
    referee = proven(home, patch, ("fox",), play="asked")
    referee.window("fox", "hunter")
    troubled(referee)
    referee.receive("rubbish")
    referee.window("fox", "hunter")
    return referee


def troubled(referee: Proven) -> None:
    """Add a new anchor, a window without each side's orders, and both kinds of undo."""
    assert referee.sends("fox", referee.suggested("fox"), renew=True).good
    referee.window("hunter")
    referee.undo()
    referee.run()
    referee.window("fox")
    referee.undo(reopen=True)


def revealed(referee: Proven, *silent: str) -> None:
    """Close a strict window; sides in `silent` do not reveal their link."""
    for side in ("fox", "hunter"):
        assert referee.sends(side, referee.suggested(side)).good
    with pytest.raises(Busy):
        referee.run(force=True)
    for side in ("fox", "hunter"):
        assert side in silent or referee.reveals(side).good
    referee.run(force=True)


def strict(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """Two locked windows; in the second, the fox does not reveal its link."""
    referee = proven(home, patch, dice="strict")
    revealed(referee)
    revealed(referee, "fox")
    return referee


def keys(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A change of keys, a recovery, a lost key, a new officer and a replacement, in this order."""
    referee = papered(home, patch, "fast")
    assert change(referee, key_of("fox")).good
    referee.window("hunter")
    assert change(referee, recovery.key_of(PAPER), OTHER).good
    with writing(referee.home, "g1") as game:
        lose(game, "hunter", Newcomer(public_line(key_of("third").wire)))
    clock.advance(hours=48)
    with writing(referee.home, "g1") as game:
        carry_out(game)
        enlist(game, "fox", Newcomer(public_line(key_of("fourth").wire)))
        replace(game, "hunter", Newcomer(public_line(key_of("fifth").wire)))
    referee.run(force=True)
    return referee


def run(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A run of three turns, with links given in advance."""
    patch.setattr(toy.Toy, "public", lambda system, event: "")
    referee = proven(home, patch)
    for side, lines in (("fox", runs.FOX), ("hunter", runs.HOUND)):
        assert referee.sends(side, f"RUN 3;\n{lines}").good
    referee.run()
    return referee


GAMES: dict[str, Made] = {"fast": fast, "strict": strict, "keys": keys, "run": run}
