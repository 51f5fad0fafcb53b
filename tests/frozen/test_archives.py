"""Every archived edition: it works by itself, and nothing of the present rules is in it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import games
from pbem import data
from pbem.engine.editions import former, orders_answer
from pbem.model import System
from pbem.reports import wording
from pbem.translate.program import translate

ROOT = Path(__file__).parents[2]
ARCHIVED = [(name, edition) for name in games.SYSTEMS for edition in data.editions(name)]
EACH = pytest.mark.parametrize(("name", "edition"), ARCHIVED, ids=map(" ".join, ARCHIVED))
ALONE = """
import importlib, json, sys
from zipfile import ZipFile
from pbem import data

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.startswith({present!r} + "."):
            raise ImportError(name + " is of the present rules")

sys.meta_path.insert(0, Blocked())
package = data.archived({name!r}, {edition!r})
with ZipFile({path!r}) as zipped:
    names = [n[:-3].replace("/", ".") for n in zipped.namelist() if n.endswith(".py")]
for name in names:
    importlib.import_module(name.removesuffix(".__init__"))
print(len(names), [m for m in sys.modules if m.startswith({present!r} + ".")])
"""


def archive(name: str, edition: str) -> Path:
    found = data.archive_of(data.archived(name, edition))
    assert found
    return found


def loaded(name: str, edition: str) -> System:
    found = former(name, edition)
    assert found
    return found


def test_the_first_editions_are_archived() -> None:
    assert {("bismarck", "basic-1"), ("far_seas", "cruisers-1")} <= set(ARCHIVED)


@EACH
def test_an_archive_is_of_a_former_edition(name: str, edition: str) -> None:
    """Games of an archived edition are played by the archive, whatever the tree holds."""
    assert games.load(name).edition != edition, "give the changed rules a new edition"


@EACH
def test_every_module_of_an_archive_can_be_imported_without_the_present_rules(
    name: str, edition: str
) -> None:
    """A change of the interface (pbem.kit, orders ...) must not break an archive."""
    path = archive(name, edition)
    script = ALONE.format(name=name, edition=edition, path=str(path), present=f"games.{name}")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    count, _, present = done.stdout.partition(" ")
    assert int(count) > 20
    assert present.strip() == "[]"


@EACH
def test_no_line_of_an_archive_names_the_present_package(name: str, edition: str) -> None:
    with ZipFile(archive(name, edition)) as zipped:
        code = {n: zipped.read(n).decode() for n in zipped.namelist() if n.endswith((".py", ".j2"))}
    for file, text in code.items():
        assert f"games.{name}" not in text, file
        if file.endswith(".py"):
            words = [n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant)]
            assert not [w for w in words if isinstance(w, str) and w.startswith(f"{name}/")]
        else:
            assert f'"{name}/' not in text, file


@EACH
def test_an_archive_says_what_it_holds(name: str, edition: str) -> None:
    package = data.archived(name, edition)
    said = json.loads(data.read(package, data.MANIFEST))
    system = loaded(name, edition)
    assert (said["system"], said["edition"], said["data"]) == (name, edition, system.digest())
    assert type(system).__module__.startswith(f"{package}.")


@EACH
def test_an_archive_has_its_own_templates_tables_and_checks(name: str, edition: str) -> None:
    system, folder = loaded(name, edition), f"{name}@{edition}"
    assert system.templates == data.folder(name, edition) == folder
    assert b"macro" in data.template(f"{folder}/events.j2")
    assert data.location(f"{folder}/coast.json")[0] == data.archived(name, edition)
    assert data.table(system.data, "ships.toml")
    assert "events.j2" in data.files(folder)
    assert translate(system, {}).code.startswith(f"SYSTEMS.{name} = ")
    assert wording._kinds(folder, "routine") or wording.macros(f"{folder}/events.j2")


def test_games_of_the_first_editions_go_on_with_the_answers_that_they_recorded() -> None:
    """Since release 1.0 orders that come with a question answer it; before, they did not."""
    for name, edition in (("bismarck", "basic-1"), ("far_seas", "cruisers-1")):
        assert not orders_answer(type(loaded(name, edition)).__module__)
        assert orders_answer(type(games.load(name)).__module__)


@pytest.mark.parametrize(
    "edition", ["../basic-1", "..", "", "basic-1/", "/basic-1", "basic 1", "basic-9", "editions/x"]
)
def test_an_edition_is_a_word_and_never_a_path(edition: str) -> None:
    """A ledger or a report may say anything, and nothing outside the package is imported."""
    assert data.archived("bismarck", edition) == ""
    assert data.folder("bismarck", edition) == "bismarck"
    assert former("bismarck", edition) is None
    assert data.folder("../x", "1") == "../x"


def test_the_present_rules_are_not_loaded_for_an_archive() -> None:
    """Nor the archive for the present rules: a command loads one edition."""
    script = (
        "import sys, games; from pbem.cli.common import system_named; system_named({0}); "
        "print([m for m in sys.modules if m.endswith('.game') or m.startswith('archived_')])"
    )
    for given, wanted in (
        ('"bismarck", "basic-2"', "['games.bismarck.game']"),
        ('"bismarck", "basic-1"', "['archived_bismarck_basic_1', "),
    ):
        done = subprocess.run(
            [sys.executable, "-c", script.format(given)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.startswith(wanted)
        assert ("games.bismarck.game" in done.stdout) == ("basic-2" in given)
