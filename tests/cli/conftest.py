"""What tests of the command line share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import WorkFolder
from tests.conftest import Clock


@pytest.fixture
def work(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkFolder]:
    """A working folder, which is the current folder; the home is elsewhere, in PBEM_HOME."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    yield WorkFolder(tmp_path / "work")
