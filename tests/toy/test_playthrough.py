"""A whole game of Fox and Hound as it was once played: reports, receipts, result; no digests.

`GOLDEN=write` writes tests/toy/playthrough.txt anew; read the difference before keeping it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.testing.texts import golden, played

GOLDEN = Path(__file__).parent / "playthrough.txt"
PLAYED = [
    {"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"},
    {"fox": "FOX: move A3;\nBEAR: move B1;", "hunter": "Q1: D4;\nHOUND: move E4;"},
    {"fox": "@FOX: if turn over 3 then move A2 else move A1;"},
    {"hunter": "@HOUND: pounce C4;\nturn 5 HOUND: move C4;"},
]


@pytest.mark.recorded
def test_the_game_is_played_as_it_was(tmp_path: Path) -> None:
    choices = Choices(options={"play": "asked"}, seed="playthrough")
    golden(GOLDEN, played(tmp_path, SYSTEM, PLAYED, choices))
