"""Three Corsairs as an installed package of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import installed


@pytest.fixture(autouse=True)
def known(tmp_path: Path) -> Iterator[None]:
    """Make the system known to this process."""
    yield from installed.installed("corsairs", tmp_path / "site")
