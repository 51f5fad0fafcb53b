"""Three Corsairs as an installed package of its own: by entry point, with its own templates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import data

ENTRY = "[pbem.games]\ncorsairs = tests.corsairs.game:SYSTEM\n"


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the system known to this process."""
    info = tmp_path / "site" / "corsairs-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corsairs\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(ENTRY)
    monkeypatch.syspath_prepend(str(info.parent))
    data._guest.cache_clear()
    yield
    data._guest.cache_clear()
