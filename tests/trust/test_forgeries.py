"""Both checkers find each forgery, at the same record."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Clock
from tests.trust.corpus import checked
from tests.trust.forgeries import FORGERIES


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_found_by_both(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    referee, number = FORGERIES[name](tmp_path / "home", monkeypatch, clock)
    assert [f.record for f in referee.audit().findings] == [number]
    (mine,) = checked(referee.folder)
    assert mine.endswith(f" record {number}")
