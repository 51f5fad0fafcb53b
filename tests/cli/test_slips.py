"""What a moderator is told after a slip: in words, with what to do next."""

from __future__ import annotations

import errno
import os
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.admin.commands import schedule
from pbem.base.clock import now
from pbem.base.files import what_helps
from pbem.store.game_dir import Game, reading, writing
from pbem.turns.schedule import read_rule
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.referee import Referee


def test_opening_without_a_player_names_the_commands(tmp_path: Path) -> None:
    home = ("--home", tmp_path)
    pbem(*home, "new", "toy", "g1")
    assert pbem(*home, "enlist", "g1", "fox", "--bot").code == 0
    said = pbem(*home, "open", "g1")
    assert said.code == 2
    assert "`pbem invite g1 hunter --email ADDR` asks somebody" in said.err
    assert "`pbem enlist g1 hunter --bot`" in said.err


def test_a_second_bot_would_take_the_key_of_the_first(tmp_path: Path) -> None:
    home = ("--home", tmp_path)
    pbem(*home, "new", "toy", "g1")
    assert pbem(*home, "enlist", "g1", "fox", "--bot").code == 0
    key = (tmp_path / "g1/private/bot-fox").read_bytes()
    said = pbem(*home, "enlist", "g1", "fox", "--bot")
    assert (said.code, "the bot plays fox already" in said.err) == (2, True)
    assert (tmp_path / "g1/private/bot-fox").read_bytes() == key


def test_who_enlists_a_side_twice_learns_that_two_play_it(tmp_path: Path) -> None:
    home = ("--home", tmp_path)
    pbem(*home, "new", "toy", "g1")
    for name, told in (("a", False), ("b", True)):
        pbem("keygen", "-o", tmp_path / name)
        key = tmp_path / f"{name}.pub"
        said = pbem(*home, "enlist", "g1", "fox", "--email", "fox@example.org", "--key", key)
        assert ("2 play it now, and the newest set counts" in said.out) is told


def test_a_window_that_is_not_due_says_what_it_waits_for(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.toy(tmp_path / "home")
    with writing(referee.home, "g1") as game:
        schedule(game, read_rule(["every=3d", "early=30m"]))
    run = ("--home", referee.home, "run", "g1")
    assert "still missing: fox, hunter" in pbem(*run).err
    referee.order("fox", "FOX: move A2;")
    referee.order("hunter", "HOUND: fly Z9;")
    assert "not all orders of hunter count, and no FINAL; says that they may" in pbem(*run).err
    referee.order("hunter", "FINAL; HOUND: fly Z9;")
    when = now() + timedelta(minutes=30)
    assert f"all sides are in, and it closes at {when:%Y-%m-%d %H:%M} UTC" in pbem(*run).err


def test_a_file_of_somebody_else_is_said_to_be_his(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "g1" / "new"))
    said, hint = what_helps(refused)
    assert said == f"Permission denied: {tmp_path}/g1/new"
    assert hint == f"{tmp_path} is yours, but its mode forbids this: chmod u+rw"
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert (
        what_helps(refused)[1] == f"{tmp_path} belongs to {tmp_path.owner()}: run pbem as that user"
    )
    full = OSError(errno.ENOSPC, "No space left on device", "c.svg")
    assert what_helps(full) == (
        "No space left on device: c.svg",
        "make room and run the same command again",
    )


def test_two_runs_at_once_close_one_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second waits for the first; `--now` meant the window that both saw."""
    referee = Referee.toy(tmp_path / "home")

    def late(home: Path, name: str) -> Game:
        game = reading(home, name)
        referee.run(force=True)
        return game

    monkeypatch.setattr("pbem.cli.run.reading", late)
    said = pbem("--home", referee.home, "run", "g1", "--now")
    assert said.code == 4
    assert "another command has just closed window 1 of g1" in said.err
    assert referee.register.window == 2
