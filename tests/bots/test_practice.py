"""Practice: one person's order files against the bots."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices, create
from pbem.bots.practice import NAME, begin, send
from pbem.cli import cli
from pbem.cli.play import command as play
from pbem.errors import Findings, NotFound, Usage
from tests.referee import Referee


def test_a_window_is_an_edited_file(tmp_path: Path) -> None:
    practice = begin(tmp_path, SYSTEM, "hunter", {}, "x")
    assert "HOUND" in practice.report.read_text()
    practice.orders.write_text(practice.orders.read_text().replace("move C5", "move D5"))
    done = send(practice)
    assert done.window == 1
    assert done.missing == []
    assert f"window {done.opens}" in practice.report.read_text()


def test_mistakes_are_told_and_nothing_is_sent(tmp_path: Path) -> None:
    practice = begin(tmp_path, SYSTEM, "fox", {}, "x")
    practice.orders.write_text(practice.orders.read_text().replace("FOX: move", "FOX: mvoe"))
    with pytest.raises(Findings, match="unknown-verb"):
        send(practice)
    assert Referee(tmp_path, SYSTEM, NAME).register.sets == {}


def test_a_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    send(begin(tmp_path, SYSTEM, "hunter", {}, "x"))
    again = begin(tmp_path, SYSTEM, "", {}, "")
    assert again.side == "hunter"
    assert send(again).window == 2


def test_a_side_that_is_none_leaves_no_game_behind(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="toy has no side 'cow'"):
        begin(tmp_path, SYSTEM, "cow", {}, "x")
    assert begin(tmp_path, SYSTEM, "hunter", {}, "x").side == "hunter"


def test_a_game_whose_making_was_broken_off_is_named(tmp_path: Path) -> None:
    create(tmp_path, SYSTEM, NAME, Choices(seed="x"))
    with pytest.raises(Usage, match="was broken off"):
        begin(tmp_path, SYSTEM, "", {}, "")


def test_a_script_plays_to_the_end_unasked(tmp_path: Path) -> None:
    runner = CliRunner()
    done = runner.invoke(cli, ["play", "toy", "--yes", "--seed", "x", "--dir", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "the game is over" in done.output
    assert Referee(tmp_path, SYSTEM, NAME).audit().whole


def test_without_a_terminal_it_says_so() -> None:
    done = CliRunner().invoke(cli, ["play", "toy"])
    assert done.exit_code != 0


def test_the_player_reads_what_was_understood_before_the_window_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    told: list[str] = []
    monkeypatch.setattr("pbem.cli.play.say", told.append)
    answers = iter(["", "q"])
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(answers))
    play.callback("toy", "hunter", "", (), tmp_path, (), "x", False, False)  # type: ignore[misc]
    said = "\n".join(told)
    assert said.index("Understood as\n  HOUND: ") < said.index("window 1 is closed")
