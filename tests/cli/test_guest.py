"""A rule system that another package brings: its rules, words, chart and order page, by entry
point."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound

import games
from pbem import data
from pbem.text import jinja_env
from pbem.translate import program
from pbem.translate.program import translate
from pbem.translate.translation import NotTranslatable
from pbem.web import order_language
from tests.cli.commands import pbem
from tests.conftest import Clock

ROOT = Path(__file__).parents[2]
CALLED = 'name, title, edition, state, turns = "toy", "Fox and Hound"'
RENAMED = 'checks, name, title, edition, state, turns = "oak.check:CHECKS", "oak", "Under the oak"'
CHECKER = '''"""What orders of the game will do."""

from oak.game import SYSTEM, Move
from pbem.kit.checks import Checks, Refused, Seen

CHECKS = Checks(SYSTEM.grammar, Seen)


@CHECKS.note(Move)
def move(seen: Seen, order: Move) -> str:
    """Where it is."""
    return "below the oak"
'''


@pytest.fixture
def oak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[Path]:
    """The toy as CONTRIBUTING has it: copied, renamed, in an installed package of its own."""
    folder = tmp_path / "site" / "oak"
    shutil.copytree(ROOT / "games" / "toy", folder)
    shutil.copytree(ROOT / "templates" / "toy", folder / "templates")
    for file in folder.glob("*.py"):
        text = file.read_text("utf-8").replace("games.toy", "oak").replace(CALLED, RENAMED)
        file.write_text(text, "utf-8")
    words = folder / "templates" / "events.j2"
    words.write_text(words.read_text("utf-8").replace("A twig snapped", "An acorn fell"), "utf-8")
    (folder / "check.py").write_text(CHECKER, "utf-8")
    told = folder.parent / "oak-0.1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: oak\nVersion: 0.1\n", "utf-8")
    (told / "entry_points.txt").write_text("[pbem.games]\noak = oak.game:SYSTEM\n", "utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    data._guest.cache_clear()
    yield tmp_path
    data._guest.cache_clear()
    program._file.cache_clear()
    for name in [n for n in sys.modules if n.partition(".")[0] == "oak"]:
        del sys.modules[name]


def test_a_package_of_its_own_brings_a_whole_game(oak: Path) -> None:
    assert "oak: Under the oak" in pbem("systems").out
    assert "FOX: move B1;" in pbem("rules", "oak", "move").out
    assert pbem("demo", "oak", "--seed", "a", "--dir", oak / "home").code == 0
    told = pbem("--home", oak / "home", "report", "demo", "hunter", "--window", "2").out
    assert "An acorn fell" in told
    drawn = pbem("--home", oak / "home", "report", "demo", "fox", "--format", "svg").out
    assert "Under the oak" in drawn
    assert pbem("--home", oak / "home", "audit", "demo").code == 0


def test_its_checker_runs_on_the_order_page(oak: Path) -> None:
    own = order_language.program([games.load("oak")]).partition("SYSTEMS.oak")[2]
    assert 'return "below the oak";' in own
    assert pbem("page", "--system", "oak").out.startswith("<!DOCTYPE html>")


def test_checks_outside_the_subset_are_told_with_their_line_and_the_page_leaves_them_out(
    oak: Path,
) -> None:
    file = oak / "site" / "oak" / "check.py"
    file.write_text(CHECKER.replace('"below the oak"', 'f"below {0.5:.1f} oaks"'), "utf-8")
    system = games.load("oak")
    with pytest.raises(NotTranslatable) as caught:
        translate(system, {})
    assert "oak/check.py:12:" in str(caught.value)
    assert "hint: format the text before" in str(caught.value)
    assert "SYSTEMS.oak" not in order_language.program([system])
    assert pbem("page", "--system", "oak").out.startswith("<!DOCTYPE html>")


def test_a_system_without_words_is_told_from_ours(oak: Path) -> None:
    assert data.template("oak/questions.j2")
    for name in ("oak/body.txt.j2", "oak/../game.py", "/oak/events.j2", "elm/events.j2"):
        with pytest.raises(FileNotFoundError):
            data.template(name)
        with pytest.raises(TemplateNotFound):
            jinja_env.source(name)


def test_words_of_ours_cannot_be_taken_over(oak: Path) -> None:
    points = oak / "site" / "oak-0.1.dist-info" / "entry_points.txt"
    points.write_text("[pbem.games]\ntoy = oak.game:SYSTEM\nbase = oak.game:SYSTEM\n", "utf-8")
    assert b"A twig snapped" in data.template("toy/events.j2")
    with pytest.raises(FileNotFoundError):
        data.template("base/events.j2")
    titles = [one["title"] for one in json.loads(pbem("systems", "--json").raw)]
    assert titles[: len(games.SYSTEMS)] == [games.load(name).title for name in games.SYSTEMS]


def test_a_package_that_is_broken_is_in_nobodys_way(oak: Path) -> None:
    points = oak / "site" / "oak-0.1.dist-info" / "entry_points.txt"
    points.write_text("[pbem.games]\noak = oak.game:SYSTEM\nelm = elm.game:SYSTEM\n", "utf-8")
    assert games.load("oak").title == "Under the oak"
    assert f"systems: {', '.join(games.SYSTEMS)}, elm, oak" in pbem("demo", "ash").err
    listed = pbem("systems")
    assert (listed.code, "oak: Under the oak" in listed.out) == (0, True)
    broken = pbem("demo", "elm")
    assert broken.code == 3
    assert broken.err in listed.err
    assert "elm cannot be loaded: No module named 'elm'" in broken.err


def test_a_verb_that_is_declared_wrongly_is_named_with_its_place(oak: Path) -> None:
    file = oak / "site" / "oak" / "game.py"
    text = file.read_text("utf-8").replace("to: Place", "to: str")
    file.write_text(text, "utf-8")
    line = text[: text.index("to: str")].count("\n") + 1
    broken = pbem("rules", "oak")
    assert broken.code == 5
    said = "Move.to: its annotation names no kind of argument; write a Literal of words, or Place"
    assert f"fault in the rules: {file}:{line}: the system oak cannot be loaded: {said}" in (
        " ".join(broken.err.split())
    )


STATE = "class Hide(Struct):\n"
BROKEN = (
    (
        STATE,
        "class Bad(Struct):\n    a: int = 0\n    b: str\n\n\n",
        "TypeError: Required field 'b'",
    ),
    (STATE, "def broken(:\n    pass\n\n\n", "SyntaxError: "),
    (STATE, 'raise KeyError("x")\n\n\n', "KeyError: 'x'"),
    (STATE, "no_such_name\n\n\n", "NameError: name 'no_such_name'"),
    (STATE, 'class Bad(m.Event, frozen=True):\n    kind: str = ""\n\n\n', "ValueError: "),
)
"""Before which line, what is written there, and what is said of it."""


@pytest.mark.parametrize(("before", "planted", "said"), BROKEN, ids=lambda text: text[:20])
def test_a_mistake_on_import_is_its_authors_and_hides_no_other_system(
    oak: Path, before: str, planted: str, said: str
) -> None:
    file = oak / "site" / "oak" / "game.py"
    text = file.read_text("utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, planted + before), "utf-8")
    line = text[: text.index(before)].count("\n") + 1
    listed = pbem("systems")
    assert (listed.code, "toy: Fox and Hound" in listed.out) == (0, True)
    for broken in (listed, pbem("lint", "oak"), pbem("demo", "oak"), pbem("simulate", "oak")):
        assert f"fault in the rules: {file}:{line}" in broken.err
        assert "the system oak cannot be loaded: " in broken.err
        assert said in broken.err
        assert "bug in pbem" not in broken.err
    assert pbem("lint", "oak").code == 5
    page = pbem("page")
    assert (page.code, "oak cannot be loaded" in page.err) == (0, True)


def test_a_table_that_is_missing_hides_no_other_system(oak: Path) -> None:
    file = oak / "site" / "oak" / "game.py"
    text = file.read_text("utf-8")
    file.write_text(text.replace("    checks, name,", '    data = "oak.none"\n    checks, name,'))
    listed = pbem("systems")
    assert (listed.code, "toy: Fox and Hound" in listed.out) == (0, True)
    assert "ModuleNotFoundError: No module named 'oak.none'" in listed.err
    assert "hint: repair the package that provides oak" in listed.err
