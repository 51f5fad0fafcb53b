"""What the commands say of a mistake in a rule system: its line, and that it is not pbem's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem import data
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.lint.guest import install
from tests.lint.test_planted import BEGIN, COUNT, GAME

Plant = Callable[[str, str, str], str]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Plant:
    """Install the game under a name, with one mistake in game.py; return the name."""

    def planted(name: str, old: str, new: str) -> str:
        install(name, tmp_path, GAME, old, new)
        monkeypatch.syspath_prepend(str(tmp_path))
        data._guest.cache_clear()
        return name

    return planted


def test_a_turn_that_returns_nothing_changes_nothing(plant: Plant, tmp_path: Path) -> None:
    name = plant("fault1", COUNT, "        hide.turn += 1\n")
    home = ("--home", tmp_path / "home")
    assert pbem(*home, "new", name, "g", "--seed", "a").code == 0
    for side in ("fox", "hunter"):
        assert pbem(*home, "enlist", "g", side, "--bot").code == 0
    assert pbem(*home, "open", "g").code == 0
    for _ in range(2):
        said = pbem(*home, "run", "g", "--now")
        assert said.code == 5
        assert "fault1/game.py" in said.err
        assert "`turn` returned None" in said.err
        assert b'"closed"' not in (tmp_path / "home" / "g" / "ledger.jsonl").read_bytes()


def test_an_error_of_the_rules_names_their_line_and_does_not_blame_pbem(plant: Plant) -> None:
    name = plant("fault2", BEGIN, BEGIN + "        hide.place['HX9']\n")
    said = pbem("demo", name, "--seed", "a")
    assert said.code == 5
    assert "fault in the rules: " in said.err
    assert "fault2/game.py:" in said.err
    assert "not in pbem" in said.err
    found = pbem("simulate", name, "--games", "1")
    assert "fault2/game.py:" in found.out
    assert "KeyError: 'HX9'" in found.out
    assert "in turn" in found.out


def test_a_verb_without_a_field_is_refused_by_the_first_command(plant: Plant) -> None:
    name = plant(
        "fault3", '(Arg("to", "place"),), "one step"', '(Arg("zone", "place"),), "one step"'
    )
    said = pbem("rules", name)
    assert said.code == 5
    assert "the verb 'move' has an argument 'zone'" in said.err


def test_lint_lists_findings_by_line(plant: Plant) -> None:
    name = plant("fault4", ", m.D6, to=table.sides)", ", m.D6)")
    said = pbem("lint", name, "--games", "1")
    assert said.code == 1
    assert "fault4/game.py" in said.out
    assert "no-audience" in said.out
    assert f"{name}: 1 finding" in said.out
