"""What `pbem new` decides where nothing is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import pbem


def test_a_new_game_has_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, words in (("g1", ()), ("g2", ("--chart", "none"))):
        assert pbem("new", "toy", name, *words).code == 0
    first = [
        json.loads((tmp_path / name / "ledger.jsonl").read_text().split("\n")[0])["body"]
        for name in ("g1", "g2")
    ]
    assert [one.get("chart", "none") for one in first] == ["png", "none"]
