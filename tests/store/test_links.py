"""A commit on a file system that has no hard links, or whose reports are on another disk."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tests.referee import Referee


@pytest.mark.parametrize("code", [errno.EXDEV, errno.EPERM, errno.EMLINK])
def test_a_mail_is_written_where_it_cannot_be_linked(
    code: int, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, target: str) -> None:
        raise OSError(code, "no link", str(target))

    monkeypatch.setattr(Path, "hardlink_to", refused)
    referee.go("fox", "hunter")
    for side in ("fox", "hunter"):
        kept = referee.folder / "reports" / side / "2" / "report.eml"
        newest = sorted((referee.folder / "outbox").glob(f"{side}-*-report.eml"))[-1]
        assert newest.read_bytes() == kept.read_bytes()
    assert referee.audit().whole
