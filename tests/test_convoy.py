"""The game Convoy, a package outside: written by its author from docs/authors.md alone.

`tests/convoy` is his project with his own tests and settings; here it is installed and played.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import data
from pbem.lint.run import lint
from pbem.model import System
from tests.browser.writing import unpacked

ROOT = Path(__file__).parents[1]
PROJECT = ROOT / "tests" / "convoy"
MOST = 683
"""Lines of a small whole game: rules, bots, chart, words and tests, without generated files."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The project beside the files by which Python knows an installed package."""
    folder = tmp_path_factory.mktemp("convoy")
    left = shutil.ignore_patterns("__pycache__", ".*")
    shutil.copytree(PROJECT, folder, ignore=left, dirs_exist_ok=True)
    told = folder / "convoy-0.1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: convoy\nVersion: 0.1.0\n", "utf-8")
    (told / "entry_points.txt").write_text("[pbem.games]\nconvoy = convoy.game:SYSTEM\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        data._guest.cache_clear()
        yield folder
        for name in [m for m in sys.modules if m.partition(".")[0] == "convoy"]:
            del sys.modules[name]
    data._guest.cache_clear()


@pytest.fixture(scope="module")
def system(project: Path) -> System:
    from games import load

    return load("convoy")


def done(project: Path, *words: str | Path) -> str:
    """What a program prints that runs in the project; it must not fail."""
    paths = {"PYTHONPATH": os.pathsep.join((str(project), str(ROOT)))}
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # its tests need pytest alone
    command = [sys.executable, "-m", *words]
    env = os.environ | paths | alone
    ran = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_it_is_short() -> None:
    found = [path for name in ("convoy", "tests") for path in (PROJECT / name).rglob("*")]
    files = [path for path in found if path.suffix in (".py", ".md", ".j2")]
    assert len(files) == 11
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST


def test_its_own_tests_pass(project: Path) -> None:
    """Without lint, which the next test runs in this process."""
    done(project, "pytest", "-q", "-p", "no:cacheprovider", "-k", "not lint")


def test_lint_finds_nothing(system: System) -> None:
    assert [str(finding) for finding in lint(system)] == []


def test_bots_play_games_without_faults(project: Path) -> None:
    done(project, "pbem", "simulate", "convoy", "--games", "20")


def test_a_demo_can_be_audited_and_published(project: Path, tmp_path: Path) -> None:
    done(project, "pbem", "demo", "convoy", "--seed", "a", "--dir", tmp_path)
    (game,) = (path.parent for path in tmp_path.rglob("ledger*"))
    home = ("pbem", "--home", game.parent)
    assert "whole" in done(project, *home, "audit", game.name)
    done(project, *home, "publish", game.name)
    page = tmp_path / "page.html"
    done(project, "pbem", "page", "--system", "convoy", "-o", page)
    assert "torpedoes" in unpacked(page)
