"""Every import points downward: the layers in pyproject.toml, and those of the pages' scripts."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest

from pbem.lint.unsuitable import PBEM as PARTS
from pbem.replay.publish import SCRIPTS
from pbem.web.order_language import MODULES

ROOT = Path(__file__).parents[1]
PBEM, TESTS = ROOT / "pbem", ROOT / "tests"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
PACKAGES = sorted(path.parent for path in PBEM.rglob("__init__.py") if path.parent != PBEM)
ACROSS = {
    "atlantic_chase",
    "baltic",
    "benchmarks",
    "browser",
    "corsairs",
    "convoy",
    "officers",
    "docs",
    "release",
    "second_fleet",
    "faults",
    "frozen",
    "mail",
    "orders",
    "trust",
    "bismarck",
    "far_seas",
    "toy",
}
"""Folders of tests for games, for `orders`, and for what takes several packages together."""
FEW = 13
"""Modules that may lie in `pbem/` beside its packages."""


# Python


def test_every_import_points_downward() -> None:
    """Imports inside functions and those for types count, too."""
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_layers_have_no_exceptions() -> None:
    for contract in CONTRACTS["contracts"]:
        assert not {key for key in contract if key.startswith(("ignore", "unmatched", "allow_in"))}
    assert "exclude_type_checking_imports" not in CONTRACTS


def test_games_are_kept_from_every_other_package() -> None:
    (games,) = (c for c in CONTRACTS["contracts"] if c.get("source_modules") == ["games"])
    alone = {path.stem for path in PBEM.glob("*.py")}
    own = alone | {path.parent.name for path in PBEM.glob("*/__init__.py")}
    kept = {name.removeprefix("pbem.") for name in games["forbidden_modules"]}
    own -= {"edit", "view"}  # games have what these define from `model`
    assert own - kept == {*PARTS, "__init__"}
    assert re.findall(r"[a-z_]+", games["name"].partition(" sees ")[2]) == words(PARTS, "alone")
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("a game imports only ")[2]
    assert re.findall(r"`(\w+)`", page.partition(":")[0]) == [*PARTS]
    page = (ROOT / "docs" / "authors.md").read_text("utf-8").partition("and of pbem only ")[2]
    assert re.findall(r"`pbem\.(\w+)`", page.partition(". ")[0]) == [*PARTS]


def words(parts: tuple[str, ...], end: str) -> list[str]:
    """The words of a list of these parts: the kit, model and roles."""
    return ["the", *parts[:-1], "and", parts[-1], end]


def test_few_modules_lie_beside_the_packages() -> None:
    assert len([*PBEM.glob("*.py")]) <= FEW


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda p: str(p.relative_to(PBEM)))
def test_a_package_says_what_it_does_and_exports(folder: Path) -> None:
    """Its `__init__` holds nothing else, for whoever imports one module of it waits for that."""
    tree = ast.parse((folder / "__init__.py").read_text("utf-8"))
    first, _, rest = (ast.get_docstring(tree) or "").partition("\n")
    assert first.endswith(".")
    if folder.name != "cli":
        assert len(tree.body) == 1
        exported = re.findall(r"`(\w+)`", rest)
        assert exported
        assert [n for n in exported if not [*folder.glob(f"{n}.py"), *folder.glob(f"{n}/")]] == []


def test_tests_mirror_the_packages() -> None:
    folders = {path.parent.name for path in TESTS.glob("*/__init__.py")} - ACROSS
    assert folders <= {path.name for path in PACKAGES}


# Scripts

ORDER_PAGE = ROOT / "templates" / "order_page" / "js"
LAYERS = (
    ("page", "joining", "loader"),
    ("opener", "app"),
    ("join", "lists", "composer", "plot", "send", "wishes"),
    ("news", "plan"),
    ("reach",),
    ("board", "book", "dom"),
    (
        "vault",
        "letters",
        "unage",
        "age",
        "sshkey",
        "sshsig",
        "bcrypt",
        "aes",
        "ed25519",
        "sha",
        "packed",
        "inflate",
    ),
    MODULES,
    ("bytes", "python"),
)
"""Scripts of the order page; each uses those of its own layer and of the layers below."""
IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)\.js";$', re.MULTILINE)
TOP = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+|\[[^\]]*\])", re.MULTILINE)
PROSE = re.compile(r"//.*$|\"[^\"\n]*\"", re.MULTILINE)


def used(script: Path) -> list[str]:
    return IMPORT.findall(script.read_text("utf-8"))


def test_every_script_of_the_order_page_has_its_layer() -> None:
    assert sorted(chain(*LAYERS)) == sorted(path.stem for path in ORDER_PAGE.glob("*.js"))


def test_scripts_of_the_order_page_use_those_below_them() -> None:
    rank = {name: i for i, layer in enumerate(LAYERS) for name in layer}
    uses = {
        name: [one.removeprefix("./") for one in used(ORDER_PAGE / f"{name}.js")] for name in rank
    }
    assert [(a, b) for a, found in uses.items() for b in found if rank[b] < rank[a]] == []
    TopologicalSorter(uses).prepare()  # no circle


def test_scripts_of_the_replay_use_those_before_them() -> None:
    """They are one script without imports: a name of a later one is called by no earlier one."""
    texts = [
        PROSE.sub("", (ROOT / f"templates/base/replay_{name}.js").read_text("utf-8"))
        for name in SCRIPTS
    ]
    for i, text in enumerate(texts):
        later = {
            n for found in TOP.findall("\n".join(texts[i + 1 :])) for n in re.findall(r"\w+", found)
        }
        own = {n for n in later if re.search(rf"(?<![\w.$]){n}\(|\b{n}\[", text)}
        assert not own, f"{SCRIPTS[i]} uses {sorted(own)}"
