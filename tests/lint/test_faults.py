"""What the commands say of a mistake in a rule system: its line, and that it is not pbem's."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from pbem import data
from pbem.errors import RulesFault
from pbem.lint.run import lint
from pbem.reports import wording
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.lint.guest import install
from tests.lint.test_planted import BEGIN, COUNT, GAME, WORDS

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


def test_an_event_without_words_names_the_file_of_its_macros(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    folder = install("fault5", tmp_path, WORDS, "macro Moved(e)", "macro Walked(e)")
    monkeypatch.syspath_prepend(str(tmp_path))
    data._guest.cache_clear()
    said = pbem("demo", "fault5", "--seed", "a")
    assert said.code == 5
    assert f"{folder}/templates/events.j2: the event Moved has no macro" in said.err
    assert "bug in pbem" not in said.err


def test_tests_of_a_system_that_is_not_installed_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("fault6", tmp_path)
    shutil.rmtree(tmp_path / "fault6-0.1.dist-info")
    monkeypatch.syspath_prepend(str(tmp_path))
    data._guest.cache_clear()
    system = import_module("fault6.game").SYSTEM
    (found,) = [f for f in lint(system, games=1) if f.code == "not-installed"]
    assert "fault6 is not installed" in found.text
    with pytest.raises(RulesFault, match="fault6 is not installed"):
        wording.events("fault6", [{"kind": "Moved"}])


def test_lint_remarks_on_verbs_that_no_bot_uses(plant: Plant) -> None:
    name = plant("fault7", "class Pounce(Move)", "class Pounce(Move)")
    said = pbem("lint", name, "--games", "1")
    assert (said.code, f"{name}: no findings" in said.out) == (0, True)
    assert "remark: no bot ordered pounce, so that games of bots do not try" in said.out
    assert json.loads(pbem("lint", name, "--games", "1", "--json").raw)["remarks"]


def test_lint_lists_findings_by_line(plant: Plant) -> None:
    name = plant("fault4", ", m.D6, to=table.sides)", ", m.D6)")
    said = pbem("lint", name, "--games", "1")
    assert said.code == 1
    assert "fault4/game.py" in said.out
    assert "no-audience" in said.out
    assert f"{name}: 1 finding" in said.out
