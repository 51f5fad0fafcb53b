"""Whole toy games with one thing each that a ledger can hold: links, reveals, keys, runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from games.toy import game as toy
from pbem.admin.commands import replace
from pbem.admin.officers import carry_out, lose
from pbem.admin.setup import Newcomer, enlist
from pbem.crypto import recovery
from pbem.crypto.sshsig import public_line
from pbem.errors import Busy
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.house import key_of
from tests.proving import Proven, proven
from tests.trust.keyhouse import OTHER, PAPER, change, papered
from tests.turns import test_run_on as runs

Made = Callable[[Path, pytest.MonkeyPatch, Clock], Proven]


def fast(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A late anchor, a new one, silence, undos that keep and reopen, a refused mail."""
    house = proven(home, patch, ("fox",), play="asked")
    house.window("fox", "hunter")
    troubled(house)
    house.receive("rubbish")
    house.window("fox", "hunter")
    return house


def troubled(house: Proven) -> None:
    """A new anchor, silence on either side, a window undone and run again, one reopened."""
    assert house.sends("fox", house.suggested("fox"), renew=True).good
    house.window("hunter")
    house.undo()
    house.run()
    house.window("fox")
    house.undo(reopen=True)


def revealed(house: Proven, *silent: str) -> None:
    """Close a strict window; `silent` sides open nothing."""
    for side in ("fox", "hunter"):
        assert house.sends(side, house.suggested(side)).good
    with pytest.raises(Busy):
        house.run(force=True)
    for side in ("fox", "hunter"):
        assert side in silent or house.reveals(side).good
    house.run(force=True)


def strict(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """Locks and links, one of them kept back."""
    house = proven(home, patch, dice="strict")
    revealed(house)
    revealed(house, "fox")
    return house


def keys(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A change, a recovery, a loss, an officer, a replacement, in this order."""
    house = papered(home, patch, "fast")
    assert change(house, key_of("fox")).good
    house.window("hunter")
    assert change(house, recovery.key_of(PAPER), OTHER).good
    with writing(house.home, "g1") as game:
        lose(game, "hunter", Newcomer(public_line(key_of("third").wire)))
    clock.advance(hours=48)
    with writing(house.home, "g1") as game:
        carry_out(game)
        enlist(game, "fox", Newcomer(public_line(key_of("fourth").wire)))
        replace(game, "hunter", Newcomer(public_line(key_of("fifth").wire)))
    house.run(force=True)
    return house


def run(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """Three turns in one go, with links given ahead."""
    patch.setattr(toy.Toy, "public", lambda system, event: "")
    house = proven(home, patch)
    for side, lines in (("fox", runs.FOX), ("hunter", runs.HOUND)):
        assert house.sends(side, f"RUN 3;\n{lines}").good
    house.run()
    return house


GAMES: dict[str, Made] = {"fast": fast, "strict": strict, "keys": keys, "run": run}
