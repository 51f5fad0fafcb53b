"""Games are listed as people count."""

from pathlib import Path

from pbem.store.game_dir import LEDGER, games


def test_the_tenth_game_comes_after_the_second(tmp_path: Path) -> None:
    names = ["g1", "g2", "g10", "g10b2", "g10b10", "hunt"]
    for name in reversed(names):
        (tmp_path / name).mkdir()
        (tmp_path / name / LEDGER).write_text("x")
    assert games(tmp_path) == names
