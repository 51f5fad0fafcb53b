"""No command imports what it does not use: start-up is part of the design."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli import COMMANDS
from tests.cli.commands import WorkFolder
from tests.conftest import Clock

HEAVY = (
    "jinja2",
    "tinydb",
    "email",
    "cryptography",
    "asyncio",
    "fcntl",
    "resource",
    "msvcrt",
    "multiprocessing",
    "concurrent",
    "ssl",
    "css_inline",
    "games.toy",
    "games.bismarck",
)
PROBE = """
import pathlib, sys
before = set(sys.modules)  # from 3.14 on, Python's own pathlib imports fcntl
from pbem.cli import main
try:
    main(sys.argv[1:])
finally:
    for name in {heavy!r}:
        if name in set(sys.modules) - before:
            print("LOADED", name, file=sys.stderr)
"""
LEDGER, KEYS, WORDS, GAME = "fcntl", "cryptography", "jinja2", "games.toy"
ALLOWED: dict[str, tuple[str, set[str]]] = {
    "help": ("--help", set()),
    "version": ("--version", set()),
    "usage": ("opne", set()),
    "systems": ("systems", {GAME, "games.bismarck", "email"}),  # email: entry points
    "rules": ("rules toy", {GAME}),
    "new": ("new toy g2", {GAME, LEDGER, KEYS}),
    "enlist": ("enlist g1 fox --key new.pub --email a@b", {GAME, LEDGER, KEYS}),
    "receive": ("receive g1 fox.signed", {GAME, LEDGER, KEYS, WORDS}),
    "run": ("run g1 --now", {GAME, LEDGER, KEYS, WORDS}),
    "report": ("report g1 fox", {GAME}),
    "status": ("status g1", {"tinydb"}),
    "log": ("log g1", set()),
    "digest": ("digest", set()),
    "outbox": ("outbox g1", {"email"}),
    "init": ("init new", set()),
    "undo": ("undo g1", {GAME, LEDGER, KEYS, WORDS}),
    "note": ("note g1 hello", {LEDGER}),
    "resend": ("resend g1 fox", {LEDGER}),
    "end": ("end g1 --result draw --reason fog", {LEDGER}),
    "audit": ("audit g1", {GAME, KEYS, WORDS}),
    "keygen": ("keygen -o made.key", {KEYS}),
    "form": ("form fox.json", {WORDS}),
    "chart": ("chart fox.json -o fox.svg", {GAME, WORDS}),
    "where": ("where fox.json -o where.svg", {GAME, WORDS}),
    "page": ("page fox.json -o fox.html", {GAME, WORDS}),
    "check": ("check fox.txt --report fox.json", {GAME}),
    "sign": ("sign fox.txt --report fox.json --key fox.key", {GAME, KEYS}),
    "offer": ("offer", {LEDGER}),
    "standings": ("standings", {LEDGER}),
    "standby": ("standby", {LEDGER}),
    "tournament": ("tournament", {LEDGER}),
    "wish": ("wish JOIN g1 fox --key new.key --email a@b.c --to d@e.f -o w.txt", {KEYS}),
    "rekey": ("rekey --report fox.json --key fox.key --new new.key", {GAME, KEYS}),
}
"""Command to an example and the heavy modules that it may load. What only opens a game may not
read keys; player commands (form check sign keygen) run where there is no fcntl."""
LATER = {
    "mail-test",
    "open",
    "demo",
    "simulate",
    "lint",
    "new-system",
    "publish",
    "story",
    "analyse",
}
"""Commands that are a whole session of others."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("imports")
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        patch.setenv("PBEM_HOME", str(folder))
        patch.chdir(folder)
        work = WorkFolder(folder).new().open().window()
        work.signed("fox")
        from pbem.crypto.private_keys import generate

        private, public = generate()
        (folder / "new.pub").write_text(public)
        (folder / "new.key").write_bytes(private)
        yield folder


def loaded(folder: Path, args: str) -> tuple[int, set[str]]:
    """The exit code of a command and the heavy modules that it loaded."""
    env = {**os.environ, "PBEM_HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROBE.format(heavy=HEAVY), *args.split()]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)
    lines = done.stderr.decode().splitlines()
    return done.returncode, {n.split()[1] for n in lines if n.startswith("LOADED ")}


@pytest.mark.parametrize("name", ALLOWED)
def test_a_command_imports_what_it_uses(name: str, home: Path, tmp_path: Path) -> None:
    import shutil

    folder = Path(shutil.copytree(home, tmp_path / "home"))
    args, allowed = ALLOWED[name]
    code, found = loaded(folder, args)
    assert code == (2 if name == "usage" else 0)
    assert found <= allowed, f"{name} imports {sorted(found - allowed)}"


def test_every_command_has_its_table_of_imports() -> None:
    missing = set(COMMANDS) - set(ALLOWED) - LATER - UNLISTED
    assert not missing, f"add {sorted(missing)} to ALLOWED"


UNLISTED = {
    "invite",
    "join",
    "replace",
    "extend",
    "hold",
    "resume",
    "schedule",
    "rule",
    "press",
    "spectators",
    "publish",
    "tick",
    "play",
    "read",
    "renew-age",
    "reveal",
    "spool",
}
"""Commands of the contract whose examples need more than this small session."""


def test_modules_that_are_loaded_later_are_loaded_when_used() -> None:
    """Whoever uses one finds it whole, however it was imported; a name that it lacks is an error as
    of any module. `pathlib` of Python 3.12 uses `fnmatch` at once."""
    script = """
import sys, types
import pbem.cli
from pbem.cli.later import NAMES
waiting = [name for name in NAMES if type(sys.modules[name]) is not types.ModuleType]
assert [*NAMES[1:]] == [name for name in waiting if name != "fnmatch"]
import tempfile, textwrap
from ipaddress import ip_address
try:
    textwrap.no_such_name
except AttributeError:
    pass
with tempfile.TemporaryDirectory() as folder:
    print(textwrap.fill("a b", 1).split(), ip_address("::1"), "shutil" in sys.modules)
print(*(type(sys.modules[name]).__name__ for name in ("ipaddress", "tempfile", "textwrap")))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "['a', 'b'] ::1 True",
        "module module module",
    ]


def test_a_turn_does_without_the_modules_that_are_loaded_later(home: Path, tmp_path: Path) -> None:
    import shutil

    folder = Path(shutil.copytree(home, tmp_path / "home"))
    env = {**os.environ, "PBEM_HOME": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    script = "import sys, types; from pbem.cli import main, later\n"
    script += "try: main(sys.argv[1:])\n"
    script += (
        "finally: print(*(n for n in later.NAMES if type(sys.modules[n]) is types.ModuleType))"
    )
    command = [sys.executable, "-c", script, "run", "g1", "--now"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    used_at_once = "fnmatch" if sys.version_info[:2] == (3, 12) else ""  # by `pathlib`
    assert done.stdout.splitlines()[-1] == used_at_once
