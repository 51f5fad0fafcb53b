"""docs/authors.md: every block runs as it stands there, and every public name has its place."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import msgspec
import pytest

from orders.declare import check_examples
from orders.model import Action, Order
from pbem import model
from pbem.text.jinja_env import environment
from tests.docs.test_commands import ROOT, commands

PAGE = ROOT / "docs" / "authors.md"
LONGEST = 1080
"""Lines of the page: what is added must replace something."""
KINDS = {"console", "diff", "jinja", "python", "toml"}
NEEDED = (model.System, model.TableLike)
"""Classes whose public attributes the page names."""


class Block(NamedTuple):
    """A block of code of the page."""

    kind: str
    line: int
    """Of its first line of code."""
    text: str


def blocks(*kinds: str) -> Iterator[Block]:
    """The blocks of these kinds, in their order."""
    page = PAGE.read_text("utf-8")
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        if not kinds or found[1] in kinds:
            yield Block(found[1], page[: found.start()].count("\n") + 2, found[2])


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert {block.kind for block in blocks()} == KINDS
    assert len(PAGE.read_text("utf-8").splitlines()) <= LONGEST


def test_the_blocks_of_python_run_as_one_module(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sound")
    monkeypatch.setitem(sys.modules, "sound", module)
    for block in blocks("python"):
        source = "\n" * (block.line - 1) + block.text  # so that an error names the page's line
        exec(compile(source, str(PAGE), "exec"), vars(module))
    check_examples(module.GRAMMAR)
    report = {
        "side": "north",
        "turn": 1,
        "units": msgspec.to_builtins(module.view(module.sound, module.NORTH).units),
    }
    order = Order("HOOD", (Action("sail", {"path": ["B3", "D3"]}),))
    assert module.CHECKS.check(order, report) == model.Problem(
        "no-way", "D3 does not touch B3", "name every cell on the way", "5.2", "path", 1
    )
    assert module.CHECKS.noted(order, report) == "2 cells"


def test_the_blocks_of_toml_and_templates_are_read() -> None:
    for block in blocks("toml"):
        assert tomllib.loads(block.text)
    for block in blocks("jinja"):
        environment({}).parse(block.text)


# The first hour


def changed(text: str, hunk: str) -> str:
    """A file with one hunk of a diff applied: lines that begin with a blank or `-` stand in it."""
    lines = [(line[:1], line[1:]) for line in hunk.splitlines()]
    old = "\n".join(rest for mark, rest in lines if mark != "+") + "\n"
    new = "\n".join(rest for mark, rest in lines if mark != "-") + "\n"
    assert text.count(old) == 1, f"the file has {text.count(old)} times:\n{old}"
    return text.replace(old, new)


def change(place: Path, diff: str) -> None:
    """Apply a diff whose hunks begin with `--- FILE`."""
    for part in re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]:
        name, _, hunk = part.partition("\n")
        file = place / name
        file.write_text(changed(file.read_text("utf-8"), hunk), "utf-8")


def installed(place: Path, name: str) -> None:
    """What `pip install -e` of a package leaves, without the network that it needs."""
    told = place / "site" / f"{name}-0.1.0.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    points = tomllib.loads((place / name / "pyproject.toml").read_text("utf-8"))
    ((group, entries),) = points["project"]["entry-points"].items()
    lines = "".join(f"{key} = {value}\n" for key, value in entries.items())
    (told / "entry_points.txt").write_text(f"[{group}]\n{lines}")


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `pbem`, `python` and `pytest` are those of this test."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("pbem", "-m pbem"), ("pytest", "-m pytest"), ("python", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        program.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PBEM_", "PYTEST_"))}
    found = [str(tmp_path / "place" / "site"), str(tmp_path / "place" / "strait"), str(ROOT)]
    path = os.pathsep.join([str(programs), kept.get("PATH", "")])
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # its tests need pytest alone
    return {**kept, **alone, "PATH": path, "PYTHONPATH": os.pathsep.join(found)}


@pytest.mark.long
def test_the_first_hour(tmp_path: Path, shell: dict[str, str]) -> None:
    place = tmp_path / "place"
    place.mkdir()
    shell["PYTEST_ADDOPTS"] = "-k 'not lint'"  # the page has run it; once more after the change
    for block in blocks("console", "diff"):
        if block.kind == "diff":
            change(place, block.text)
            shell.pop("PYTEST_ADDOPTS", None)
            continue
        for shown in commands(f"```console\n{block.text}```\n"):
            if shown.command.startswith("pip install"):
                installed(place, "strait")
                continue
            done = subprocess.run(
                ["sh", "-c", shown.command],
                cwd=place,
                env=shell,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            said = done.stdout + done.stderr
            assert done.returncode == 0, f"$ {shown.command}\n{said}"
            for line in shown.output:
                assert line in said, f"$ {shown.command}\n{said}\nlacks: {line}"


# Names


def public(path: Path) -> Iterator[str]:
    """The public names that a module defines, and the public methods of its classes."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, ast.FunctionDef):
                    yield inner.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            made = node.value.func if isinstance(node.value, ast.Call) else None
            if not (isinstance(made, ast.Name) and made.id == "TypeVar"):
                yield from (t.id for t in targets if isinstance(t, ast.Name))


def test_every_public_name_has_its_place() -> None:
    """It stands in backticks or in a block of code; as a word of the prose it explains nothing."""
    prose = re.sub(r"^```.*?^```$", "", PAGE.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    marked = [*re.findall(r"`([^`]+)`", prose), *(block.text for block in blocks())]
    words = {word for text in marked for word in re.findall(r"\w+", text)}
    paths = [
        ROOT / "orders/declare.py",
        ROOT / "orders/terms.py",
        *(ROOT / "pbem/kit").glob("*.py"),
    ]
    for path in paths:
        missing = [n for n in public(path) if not n.startswith("_") and n not in words]
        assert missing == [], f"docs/authors.md does not name, of {path.name}: {missing}"
    for kind in NEEDED:
        known = [*vars(kind), *kind.__annotations__]
        missing = [n for n in known if not n.startswith("_") and n not in words]
        assert missing == [], f"docs/authors.md does not name, of {kind.__name__}: {missing}"
