"""`pbem new-system`: the package that it writes is a whole game that passes everything.

Its own tests and `pbem lint` are run by tests/docs/test_authors.py, as an author runs them first.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.errors import Usage
from pbem.skeleton.write import files, write
from tests.cli.commands import pbem

ROOT = Path(__file__).parents[2]
NAME = "narrows"


class Package:
    """A package that was written, as if it were installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / NAME
        said = pbem("new-system", NAME, "--title", "The Narrows", "--dir", self.folder, "--json")
        assert said.code == 0, said.err
        self.files: list[str] = said.json["files"]
        told = folder / "site" / f"{NAME}-0.1.0.dist-info"
        told.mkdir(parents=True)
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 0.1.0\n")
        (told / "entry_points.txt").write_text(f"[pbem.games]\n{NAME} = {NAME}.game:SYSTEM\n")
        found = [str(folder / "site"), str(self.folder), str(ROOT)]
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join(found)}

    def run(self, *command: str) -> str:
        """What a Python module says, run in the package's folder; it must succeed."""
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return Package(tmp_path_factory.mktemp("new-system"))


def test_commands_play_it(package: Package, tmp_path: Path) -> None:
    assert f"{NAME}: The Narrows" in package.run("pbem", "systems")
    assert "The Narrows was played" in package.run("pbem", "demo", NAME, "--dir", str(tmp_path))
    assert "the game is over" in package.run("pbem", "play", NAME, "--yes", "--seed", "a")
    audited = package.run("pbem", "--home", str(tmp_path), "audit", "demo")
    assert "whole" in audited
    drawn = package.run(
        "pbem", "--home", str(tmp_path), "report", "demo", "raider", "--format", "svg"
    )
    assert "your ship" in drawn
    assert package.run("pbem", "page", "--system", NAME).startswith("<!DOCTYPE html>")


def test_bots_of_both_sides_win_now_and_then(package: Package) -> None:
    won = package.run("pbem", "simulate", NAME, "--games", "40")
    assert all(f"  {side:<12}     0 " not in won for side in ("raider", "patrol"))


@pytest.mark.parametrize("command", ["ruff check --no-cache .", "ruff format --no-cache --check ."])
def test_ruff_finds_nothing(command: str, package: Package) -> None:
    if not importlib.util.find_spec("ruff"):
        pytest.skip("ruff is not installed (the extra `dev`)")
    package.run(*command.split())


def test_mypy_finds_nothing(package: Package, tmp_path: Path) -> None:
    if not importlib.util.find_spec("mypy"):
        pytest.skip("mypy is not installed (the extra `dev`)")
    assert "Success" in package.run("mypy", "--cache-dir", str(tmp_path))


def test_its_clauses_name_their_tests(package: Package) -> None:
    tests = (package.folder / "tests" / "test_rules.py").read_text("utf-8")
    rows = (package.folder / NAME / "RULES.md").read_text("utf-8").splitlines()[4:]
    assert len(rows) == 9
    for row in rows:
        assert f"def {row.split('`')[-2]}(" in tests, row


def test_nothing_of_the_pattern_is_left(package: Package) -> None:
    for path in package.files:
        if not path.endswith(".gz"):
            assert "@NAME@" not in (text := (package.folder / path).read_text("utf-8")), path
            assert "@TITLE@" not in text, path
        assert not path.endswith(".in")
    assert f"{NAME}/game.py" in package.files
    assert "tests/frozen/1.jsonl.gz" in package.files


@pytest.mark.parametrize(
    "name", ["toy", "orders", "json", "msgspec", "North", "2nd", "class", "a-b", ""]
)
def test_a_name_that_will_not_do_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Usage):
        write(name, "Title", tmp_path / "new", ("toy",))
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("title", ['The "Narrows"', "x" * 61, "two\nlines", "back\\slash", ""])
def test_a_title_that_will_not_do_is_refused(title: str, tmp_path: Path) -> None:
    with pytest.raises(Usage):
        write(NAME, title, tmp_path / "new")


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    said = pbem("new-system", NAME, "--dir", tmp_path)
    assert (said.code, [p.name for p in tmp_path.iterdir()]) == (2, ["mine.txt"])
    assert "is not empty" in said.err


def test_the_longest_name_and_title_keep_lines_short() -> None:
    for path, text in files("n" * 32, "T" * 60):
        if path.endswith(".py"):
            assert max(map(len, text.splitlines()), default=0) <= 100, path
