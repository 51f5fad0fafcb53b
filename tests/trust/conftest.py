"""Games with provable dice for the tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from tests.conftest import Clock
from tests.proving import Proven, proven
from tests.trust import papers
from tests.trust.games import troubled


@pytest.fixture
def fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A newly opened game with `fast` dice."""
    return proven(tmp_path / "home", monkeypatch)


@pytest.fixture
def strict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A newly opened game with `strict` dice."""
    return proven(tmp_path / "home", monkeypatch, dice="strict")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proven]:
    """A game with a late anchor, a new anchor, silent sides and two undos. Do not change it: all
    tests of a session share it (see `copy`)."""
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        referee = proven(tmp_path_factory.mktemp("trust") / "home", patch, ("fox",), play="asked")
        referee.window("fox", "hunter")
        referee.window("fox", "hunter")
        troubled(referee)
        referee.window("fox", "hunter")
        referee.undo()
        referee.undo(reopen=True)
        referee.window("fox", "hunter")
        referee.receive("rubbish")
        referee.window("fox", "hunter")
        yield referee


@pytest.fixture
def copy(played: Proven, tmp_path: Path) -> Proven:
    """A copy of the played game, for a test that changes it."""
    shutil.copytree(played.home, tmp_path / "copy")
    return Proven(tmp_path / "copy", SYSTEM)


@pytest.fixture(scope="session")
def shown(played: Proven, tmp_path_factory: pytest.TempPathFactory) -> papers.Shown:
    """Invalid reports, receipts and ledgers of the played game, each with its expected code."""
    return papers.made(played, tmp_path_factory.mktemp("papers"))
