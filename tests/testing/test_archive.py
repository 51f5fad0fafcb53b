"""Archives of editions: what is renamed in them, and an author's game that goes on by one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

import games
from pbem import data
from pbem.engine.editions import former
from pbem.errors import Usage
from pbem.reports import render, wording
from pbem.testing.archive import Names, archive, packed, renamed
from pbem.testing.frozen import freeze, require_whole
from pbem.text import jinja_env
from tests.cli import test_guest
from tests.cli.commands import pbem

NAMES = Names("strait", "archived_strait_1", "strait", "strait@1")
OURS = Names("games.toy", "archived_toy_1", "toy", "toy@1")
oak = test_guest.oak


@pytest.mark.parametrize(
    ("names", "line", "wanted"),
    [
        (NAMES, "from strait import board", "from archived_strait_1 import board"),
        (NAMES, "from strait.board import A", "from archived_strait_1.board import A"),
        (NAMES, "    from strait import a, b", "    from archived_strait_1 import a, b"),
        (NAMES, "import strait.board as b", "import archived_strait_1.board as b"),
        (NAMES, 'checks = "strait.check:CHECKS"', 'checks = "archived_strait_1.check:CHECKS"'),
        (NAMES, "x = part('strait.view')", "x = part('archived_strait_1.view')"),
        (NAMES, 'strait, name = {}, "strait"', 'strait, name = {}, "strait"'),
        (NAMES, 'a = coast("strait"), "strait"', 'a = coast("strait@1"), "strait"'),
        (NAMES, 'Scene(system="strait")', 'Scene(system="strait@1")'),
        (NAMES, 'template("strait/x.json")', 'template("strait@1/x.json")'),
        (NAMES, 'said = "strait/narrows are mined"', 'said = "strait/narrows are mined"'),
        (NAMES, 'said = "the strait.board is here"', 'said = "the strait.board is here"'),
        (NAMES, "from straits import board", "from straits import board"),
        (OURS, "from games.toy import chart", "from archived_toy_1 import chart"),
        (OURS, "from games.toys import chart", "from games.toys import chart"),
        (OURS, 'data = "games.toy.data"', 'data = "archived_toy_1.data"'),
        (OURS, 'tell("é", "games.toy.data")', 'tell("é", "archived_toy_1.data")'),
    ],
)
def test_imports_modules_and_templates_are_renamed_and_nothing_else(
    names: Names, line: str, wanted: str
) -> None:
    indent = "def f():\n" if line.startswith(" ") else ""
    written = f'{indent}{line}\n\n\n"""The strait."""\n'.encode()
    assert renamed("game.py", written, names).decode() == written.decode().replace(line, wanted)


def test_templates_are_renamed() -> None:
    line = b"""{% from "strait/names.j2" import a %}{{ "strait" }}{% import 'strait/b.j2' as b %}"""
    wanted = line.replace(b"strait/", b"strait@1/")
    assert renamed("templates/events.j2", line, NAMES) == wanted
    assert renamed("data/map.toml", line, NAMES) == line


@pytest.mark.parametrize(
    ("names", "line"),
    [(OURS, "from games import toy"), (NAMES, "import strait"), (NAMES, "import os, strait.board")],
)
def test_an_import_that_cannot_be_renamed_is_named_with_its_line(names: Names, line: str) -> None:
    with pytest.raises(Usage, match=r"turn\.py:2: this import cannot be renamed"):
        renamed("turn.py", f"\n{line}\n".encode(), names)


def test_the_same_sources_give_the_same_archive() -> None:
    system, home = games.load("far_seas"), Path(games.__path__[0]) / "far_seas"
    one, other = (
        packed(system, "games.far_seas", home, "games.far_seas.game:SYSTEM") for _ in range(2)
    )
    assert one == other


@pytest.fixture
def archived(oak: Path) -> Iterator[Path]:
    """The oak with its first edition archived, and other rules and words as the second."""
    forget()
    with ZipFile(archive("oak.game:SYSTEM")) as zipped:
        assert "archived_oak_1/templates/events.j2" in zipped.namelist()
    folder = oak / "site" / "oak"
    game = folder / "game.py"
    text = game.read_text("utf-8").replace('"Under the oak", "1"', '"Under the oak", "2"')
    assert '"2"' in text
    text = text.replace('Side("hunter"), 8', 'Side("hunter"), 9')
    game.write_text(f"{text}\n", "utf-8")  # another length: else the bytecode would seem to fit
    words = folder / "templates" / "events.j2"
    words.write_text(words.read_text("utf-8").replace("An acorn fell", "A cone fell"), "utf-8")
    for name in [n for n in sys.modules if n.partition(".")[0] == "oak"]:
        del sys.modules[name]
    forget()
    yield oak
    forget()
    for name in [n for n in sys.modules if n.startswith("archived_oak")]:
        del sys.modules[name]


def forget() -> None:
    """Look for archives and templates anew."""
    for known in (data._archive, data._archives, data._imported):
        known.cache_clear()
    jinja_env._text.cache_clear()
    for made in (wording.macros, wording.setting, wording._kinds, wording._templates):
        made.cache_clear()
    render.templates.cache_clear()


def test_a_game_of_another_package_goes_on_by_its_archive(archived: Path) -> None:
    """The archive lies in the package that the entry point names, and nothing declares it."""
    older, home, kept = former("oak", "1"), archived / "home", archived / "1.jsonl.gz"
    assert older
    assert games.load("oak").turns == older.turns + 1
    (listed,) = [s for s in json.loads(pbem("systems", "--json").raw) if s["name"] == "oak"]
    assert (listed["edition"], listed["editions"]) == ("2", ["1"])
    assert f"(edition 2, data {listed['data'][:16]}; older games: 1)" in pbem("systems").out
    freeze(older, kept, "a")
    require_whole(games.load("oak"), kept)
    assert pbem("demo", "oak", "--seed", "a", "--dir", home).code == 0
    told = pbem("--home", home, "report", "demo", "hunter", "--window", "2").out
    assert "A cone fell" in told
    events = wording.events("oak@1", [{"kind": "TwigSnapped", "row": "A"}])
    assert "An acorn fell" in events[0]


def test_an_archive_is_never_written_twice(archived: Path) -> None:
    archive("oak.game:SYSTEM")
    with pytest.raises(Usage, match="exists"):
        archive("oak.game:SYSTEM")


def test_a_damaged_archive_is_told(archived: Path) -> None:
    path = archived / "site" / "oak" / "editions" / "1.zip"
    path.write_bytes(path.read_bytes()[:100])
    from pbem.cli.common import system_named
    from pbem.errors import RulesFault

    with pytest.raises(RulesFault, match=r"^the system oak cannot be loaded: not a Zip file"):
        system_named("oak", "1")
