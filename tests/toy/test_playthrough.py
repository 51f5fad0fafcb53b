"""A whole game of Fox and Hound as it was once played: reports, receipts, result; no digests.

`GOLDEN=write` writes tests/toy/playthrough.txt anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.testing.texts import golden
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.referee import Referee
from tests.secrecy import masked

GOLDEN = Path(__file__).parent / "playthrough.txt"
PLAYED = [
    {"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"},
    {"fox": "FOX: move A3;\nBEAR: move B1;", "hunter": "Q1: D4;\nHOUND: move E4;"},
    {"fox": "@FOX: if turn over 3 then move A2 else move A1;"},
    {"hunter": "@HOUND: pounce C4;\nturn 5 HOUND: move C4;"},
]


def script(referee: Referee) -> list[str]:
    """Everything both sides read, in order."""
    said: list[str] = []
    windows = 0
    while True:
        window = referee.register.window
        for side in ("fox", "hunter"):
            text = referee.folder / "reports" / side / str(window) / "report.txt"
            said.append(f"===== {side}, window {window} =====\n{text.read_text()}")
        if referee.register.over:
            return said
        sets = PLAYED[windows] if windows < len(PLAYED) else {}
        for side, lines in sets.items():
            said.append(f"===== receipt of {side} =====\n{referee.order(side, lines).text}")
        referee.run(force=True)
        windows += 1


def test_the_game_is_played_as_it_was(tmp_path: Path, clock: Clock) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", constant)
        referee = Referee.toy(tmp_path / "home", play="asked", seed="playthrough")
        found = masked("\n".join(script(referee)).encode()).decode("ascii")
    assert referee.audit().whole
    golden(GOLDEN, found)
