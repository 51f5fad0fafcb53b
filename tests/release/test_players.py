"""`pbem.pyz`: picks the wheels that fit, unpacks them once, and runs. The wheels are made here."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest
from packaging.tags import sys_tags

RELEASE = Path(__file__).parents[2] / "release"
PROGRAM = "import sys, helper\ndef start():\n    print(helper.WORD, *sys.argv[1:])\n"


def module(name: str) -> ModuleType:
    """A file of the folder `release`, which is no package."""
    spec = spec_from_file_location(name, RELEASE / f"{name}.py")
    assert spec and spec.loader
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


PLAYERS = module("players")


def wheel(**files: str) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as packed:
        for name, text in files.items():
            packed.writestr(name.replace("__", "/", 1) + ".py", text)
    return out.getvalue()


def wheels(tag: str) -> dict[str, bytes]:
    """pbem, and a package that it needs: compiled for this machine (with `tag`) and for another."""
    pbem = wheel(**{"pbem____init__": "", "pbem__cli": PROGRAM})
    return {
        "pbem-9-py3-none-any.whl": pbem,
        f"helper-1-{tag}.whl": wheel(helper="WORD = 'ours'"),
        "helper-1-cp311-cp311-win_arm32.whl": wheel(helper="WORD = 'theirs'"),
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("made") / "pbem.pyz"
    found.write_bytes(PLAYERS.archive(wheels(str(next(iter(sys_tags()))))))
    return found


def run(made: Path, cache: Path, *args: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PBEM_CACHE": str(cache), "PYTHONPATH": ""}
    command = [sys.executable, str(made), *args]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_it_runs_what_fits_this_machine_and_unpacks_once(made: Path, tmp_path: Path) -> None:
    assert run(made, tmp_path, "check", "o.txt").stdout == "ours check o.txt\n"
    (folder,) = tmp_path.iterdir()
    (folder / "helper.py").write_text("WORD = 'kept as it was'")
    assert run(made, tmp_path).stdout == "kept as it was\n"


def test_another_python_unpacks_what_fits_it(made: Path, tmp_path: Path) -> None:
    """After an upgrade, or in a home that several machines share."""
    assert run(made, tmp_path).stdout == "ours\n"
    upgraded = "import runpy, sys; sys.implementation.cache_tag = 'cpython-399'; "
    command = [sys.executable, "-c", f"{upgraded}runpy.run_path({str(made)!r}, {{}}, '__main__')"]
    env = {**os.environ, "PBEM_CACHE": str(tmp_path), "PYTHONPATH": ""}
    assert subprocess.run(command, env=env, capture_output=True, check=False).stdout == b"ours\n"
    assert len([*tmp_path.iterdir()]) == 2


def test_two_that_start_at_once_do_not_disturb_each_other(made: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        said = [*pool.map(lambda word: run(made, tmp_path, word).stdout, ("a", "b"))]
    assert said == ["ours a\n", "ours b\n"]
    assert len([*tmp_path.iterdir()]) == 1, "what the slower one unpacked is gone"


def test_a_machine_without_wheels_is_told_what_to_do(tmp_path: Path) -> None:
    made = tmp_path / "pbem.pyz"
    made.write_bytes(PLAYERS.archive(wheels("cp311-cp311-win_amd32")))
    said = run(made, tmp_path / "cache")
    assert said.returncode == 1 and "this file has no helper for Python 3" in said.stderr
    assert "pipx" in said.stderr and "Traceback" not in said.stderr


def test_the_same_wheels_give_the_same_bytes_in_any_order() -> None:
    some = wheels("py3-none-any")
    assert PLAYERS.archive(some) == PLAYERS.archive(dict(reversed(some.items())))
    assert PLAYERS.archive(some).startswith(b"#!/usr/bin/env python3\n")


def test_pip_is_asked_for_the_tags_of_a_platform() -> None:
    linux = PLAYERS.platforms("manylinux_2_28_aarch64")
    assert "manylinux2014_aarch64" in linux and not [t for t in linux if "x86" in t]
    assert PLAYERS.platforms("win_amd64") == ["--platform", "win_amd64"]
