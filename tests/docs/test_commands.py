"""Every command that a page shows is run, and what the page shows of its output is there.

Those of the README run as people run them, in processes of their own; on the other pages a plain
`pbem` command runs in this process, which costs a third of the time.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import Struct

from pbem.cli import COMMANDS, FORMER
from tests.cli.commands import pbem

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
APART = {"authors.md"}
"""Pages whose commands another test runs (test_authors.py), because they need more than pbem."""
INSTALLS = (
    "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/pbem demo",
    "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest",
)


class Shown(Struct):
    """One command of a page with the lines of output shown below it."""

    command: str
    output: list[str]


def commands(page: str) -> list[Shown]:
    """The commands of all ```console blocks: `$ ` lines, joined where a line ends in `\\`."""
    found: list[Shown] = []
    for block in re.findall(r"^ *```console\n(.*?)^ *```", page, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                found.append(Shown(line[2:], []))
            elif line.strip() not in ("", "..."):
                found[-1].output.append(line)
    return found


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `pbem` is this tree's."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    program = bin_folder / "pbem"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PBEM_", "PYTEST_"))}
    path = os.pathsep.join([str(bin_folder), kept.get("PATH", "")])
    return {**kept, "PATH": path, "PYTHONPATH": str(ROOT)}


PLAIN = re.compile(r"pbem ([^$`|&;<>*?()]+)(?:> (\S+))?")
"""A command that needs no shell; its output may go into a file."""


def by_shell(command: str, env: dict[str, str]) -> tuple[int, str]:
    """Exit code and output of a command in the current directory."""
    done = subprocess.run(
        ["sh", "-c", command],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def inside(args: str, into: str | None) -> tuple[int, str]:
    """The same of `pbem ARGS > INTO`, in this process."""
    said = pbem(*shlex.split(args))
    if into:
        Path(into).write_bytes(said.raw)
    return said.code, said.err if into else said.out + said.err


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if commands(p.read_text()) and p.name not in APART],
    ids=lambda p: p.name,
)
@pytest.mark.long
def test_the_commands_of_a_page(
    page: Path, tmp_path: Path, shell: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    for name in set(os.environ) - set(shell):
        if name.startswith("PBEM_"):
            monkeypatch.delenv(name)
    for shown in commands(page.read_text()):
        if not (program := shutil.which(shown.command.split()[0], path=shell["PATH"])):
            pytest.skip(f"{shown.command.split()[0]} is not installed")
        assert program
        plain = PLAIN.fullmatch(shown.command) if page.name != "README.md" else None
        code, said = inside(*plain.groups()) if plain else by_shell(shown.command, shell)
        assert code == 0, f"$ {shown.command}\n{said}"
        for line in shown.output:
            assert line in said, f"$ {shown.command}\n{said}\nlacks: {line}"


def named(page: str) -> list[list[str]]:
    """Every `pbem ...` of a page that is not run: in a line of text, or in a block of another
    kind, PowerShell's too; as words. Blocks of Python are no commands."""
    unrun = re.sub(r"^ *```(?:console|python)\n.*?^ *```", "", page, flags=re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", unrun, re.MULTILINE | re.DOTALL)
    text = re.sub(r"^ *```\w*\n.*?^ *```", "", unrun, flags=re.MULTILINE | re.DOTALL)
    lines = [*re.findall(r"`([^`]+)`", text), *"\n".join(blocks).splitlines()]
    found = (re.search(r"(?:^|[\s/\\])pbem ((?:--home \S+ )?[a-z-].*)", line) for line in lines)
    return [re.sub(r"--home \S+ |\"", "", one[1]).split() for one in found if one]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_what_a_page_names_without_running_it_is_there(page: Path) -> None:
    """The names and options of these commands exist; former names of commands count too."""
    for words in named(page.read_text()):
        if words[0] in ("--help", "install"):
            continue
        name = FORMER.get(words[0], words[0])
        assert name in COMMANDS, f"{page.name}: pbem {' '.join(words)}"
        command = import_module(f"pbem.cli.{name.replace('-', '_')}").command
        known = {name for p in command.params for name in p.opts} | {"--help"}
        said = {word.strip(".,;…") for word in words if word.startswith("--")}
        assert said <= known, f"{page.name}: pbem {' '.join(words)}: no {said - known}"


def test_the_install_lines_of_the_players_guide(tmp_path: Path) -> None:
    """Both ways lead to the program that is installed beside its Python."""
    page = (ROOT / "docs" / "player.md").read_text()
    for kind, python, folder in (("sh", "python3", "/bin/"), ("powershell", "py", "\\Scripts\\")):
        (block,) = re.findall(rf"^ *```{kind}\n(.*?)^ *```", page, re.MULTILINE | re.DOTALL)
        assert block.splitlines() == [
            f"{python} -m venv pbem",
            f"pbem{folder}pip install PATH-OR-WHEEL",
            f"pbem{folder}pbem --help",
        ]


def test_the_first_screen_of_the_readme_installs_and_tests() -> None:
    first = (ROOT / "README.md").read_text().splitlines()[:24]
    assert [line for line in first if line in INSTALLS] == list(INSTALLS)
    assert any("docs/report.png" in line for line in first)


def test_ci_runs_the_readmes_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "README.md" in script
    assert INSTALLS[1].split(" && ", 1)[1] in script


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_relative_links_lead_to_existing_files(page: Path) -> None:
    text = page.read_text()
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"", text)
    for target in (one or other for one, other in targets):
        assert (page.parent / target).exists(), target


def test_no_page_names_a_place_of_the_machine_it_was_written_on() -> None:
    for page in PAGES:
        assert not re.search(r"/(?:work|root|home/\w+)/", page.read_text()), page.name
