"""Games are listed as people count, and nothing else that lies beside them is."""

import shutil
from pathlib import Path

import pytest

from pbem.store.game_dir import LEDGER, games, reading, writing
from tests.cli.commands import pbem
from tests.referee import Referee


def test_the_tenth_game_comes_after_the_second(tmp_path: Path) -> None:
    names = ["g1", "g2", "g10", "g10b2", "g10b10", "hunt"]
    for name in reversed(names):
        (tmp_path / name).mkdir()
        (tmp_path / name / LEDGER).write_text("x")
    assert games(tmp_path) == names


@pytest.mark.parametrize("name", ["g1.bak", "g1-backup", "lost+found", "Hunt", "g" * 17, ".git"])
def test_a_folder_that_no_game_can_be_called_is_none(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / LEDGER).write_text("x")
    assert games(tmp_path) == []


def test_a_link_to_itself_hides_no_game(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "g1").mkdir()
    (tmp_path / "g1" / LEDGER).write_text("x")
    assert games(tmp_path) == ["g1"]


STRANGE = (".DS_Store", ".nfs00000000001", "12.orig", "12 (copy)", "notes.txt")
"""Files that other programs leave in folders."""


@pytest.mark.parametrize("folder", ["stage", "issued"])
def test_files_of_other_programs_stop_no_game(folder: str, referee: Referee) -> None:
    here = referee.folder / "private" / folder
    for name in STRANGE:
        (here / name).write_bytes(b"x")
    referee.order("fox", referee.suggested("fox"))
    (referee.folder / "reports" / "fox" / "1" / "report.txt").unlink()
    assert reading(referee.home, "g1").read("reports", "fox", "1", "report.txt")
    assert pbem("--home", referee.home, "status", "g1").code == 0
    assert {path.name for path in here.iterdir()} >= set(STRANGE)
    with writing(referee.home, "g1") as game:
        assert game.register.sets


def test_a_copy_under_another_name_is_not_played(tmp_path: Path) -> None:
    """Its mails would go out a second time, and the players' orders would fit neither game."""
    referee = Referee.toy(tmp_path / "home")
    referee.go("fox")
    for name in ("copy", "g1.bak"):
        shutil.copytree(referee.folder, referee.home / name)
    (referee.home / "lost+found").mkdir(mode=0)  # a disk of its own has one, which is root's
    assert games(referee.home) == ["copy", "g1"]
    for command in (("tick",), ("status", "copy"), ("run", "copy", "--now")):
        said = pbem("--home", referee.home, *command)
        assert said.code == 5, command
        assert "copy is a folder of game g1" in said.err, command
    shutil.rmtree(referee.home / "copy")
    assert pbem("--home", referee.home, "tick").code == 0
