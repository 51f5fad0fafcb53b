"""Man pages: one for each command, and what groff thinks of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli import COMMANDS

GROFF = shutil.which("groff")


def make(folder: Path) -> None:
    """Write the pages in a process of its own, as that loads every command."""
    call = "import pathlib, sys, pbem.cli.manual as m; m.write(pathlib.Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", call, folder], check=True)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("man")
    make(folder)
    return folder


def test_every_command_has_a_page_and_the_program_lists_it(pages: Path) -> None:
    names = {page.name for page in pages.iterdir()}
    assert names == {"pbem.1", *(f"pbem-{name}.1" for name in COMMANDS)}
    program = (pages / "pbem.1").read_text()
    for name, line in COMMANDS.items():
        assert f"\\fB{name}\\fP\n  {line.rstrip('.')}\n" in program
        page = (pages / f"pbem-{name}.1").read_text()
        assert line.rstrip(".") in page
        assert page.startswith(f'.TH "PBEM-{name.upper()}" "1"')


@pytest.mark.skipif(not GROFF, reason="groff is not installed")
def test_pages_are_set_without_warnings_and_tables_as_they_are(pages: Path) -> None:
    for page in sorted(pages.iterdir()):
        command = ["groff", "-man", "-ww", "-Kutf8", "-Tutf8", "-P-c", str(page)]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        assert done.stderr == "", page.name
        if page.name == "pbem-schedule.1":
            assert "every=3d             shortest time that a window is open\n" in done.stdout


def test_the_same_sources_give_the_same_pages(pages: Path, tmp_path: Path) -> None:
    """A wheel built later must have the same bytes."""
    make(tmp_path)
    for page in pages.iterdir():
        assert page.read_bytes() == (tmp_path / page.name).read_bytes()
