"""Fixtures for the tests of a club."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.club.club_home import ClubHome
from tests.conftest import Clock
from tests.reading import lasting_readers


@pytest.fixture(autouse=True)
def _readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share the sandboxed readers of mail."""
    lasting_readers(monkeypatch)


@pytest.fixture
def club(tmp_path: Path, clock: Clock) -> ClubHome:
    """A home with a club and no games."""
    return ClubHome(tmp_path / "home")
