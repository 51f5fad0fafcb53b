"""The files around a release say what is true of it."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pbem import __version__
from pbem.cli import COMMANDS

ROOT = Path(__file__).parents[2]
RELEASE = ROOT / "release"


def unit(name: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(interpolation=None, strict=False)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(RELEASE / name)
    return found


def test_every_file_names_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = re.search(r"(?m)^version: (.+)$", (ROOT / "CITATION.cff").read_text())
    newest = re.search(r"(?m)^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text() + " ")
    assert cited and newest
    assert {project["version"], __version__, cited[1], newest[1]} == {__version__}


def test_the_service_ticks() -> None:
    service = unit("pbem-tick.service")["Service"]
    program, command = service["ExecStart"].split()
    assert program.endswith("/bin/pbem") and command == "tick"
    assert service["Environment"] == f"PBEM_HOME={service['ReadWritePaths']}"
    assert unit("pbem-tick.timer")["Install"]["WantedBy"] == "timers.target"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for name in ("pbem-tick.service", "pbem-tick.timer"):
        text = (RELEASE / name).read_text()
        text = text.replace("/srv/pbem/.venv/bin/pbem", sys.executable)
        (tmp_path / name).write_text(text.replace("Documentation=man:pbem-tick(1)\n", ""))
    command = ["systemd-analyze", "verify", "--man=no", *map(str, tmp_path.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "pbem-tick" not in done.stderr and done.returncode == 0, done.stderr


def test_the_container_runs_the_command_of_the_service() -> None:
    text = (RELEASE / "Containerfile").read_text()
    assert 'ENTRYPOINT ["pbem"]' in text
    found = re.search(r'CMD \["(.+)"\]', text)
    assert found and found[1] in COMMANDS


def test_players_have_what_their_commands_need() -> None:
    """Every requirement of the program is in the file for players, but for the pictures."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (RELEASE / "players.py").read_text()
    pictures = {"resvg", "resvg-py", "pillow", "tdewolff-minify"}
    moderators = {"tinydb", "openskill"}
    for requirement in project["dependencies"]:
        bare = requirement.partition(";")[0].strip()
        name = re.split(r"[<>=\[]", bare)[0]
        if name not in pictures | moderators and name != "tzdata":
            assert f'"{bare}"' in text, requirement
