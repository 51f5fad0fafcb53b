"""What takes long to make, made once: for each module, or for all processes of a run."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from shutil import rmtree
from typing import TypeVar

import pytest

import games
from pbem.bots.demo import demo
from tests.conftest import Clock

Made = TypeVar("Made")


def once(
    folders: pytest.TempPathFactory, make: Callable[[Path, str], Made]
) -> Callable[[str], Made]:
    """`make` in a folder of its own under a clock that stands, the first time a name is asked
    for."""

    @cache
    def get(name: str) -> Made:
        with pytest.MonkeyPatch.context() as patch:
            Clock(patch)
            return make(folders.mktemp(name), name)

    return get


def shared(folders: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of this name that the first process fills with `make`; the others wait for it."""
    base = folders.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # that of the run
    found, begun = base / name, base / f"{name}-begun"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            rmtree(begun, ignore_errors=True)  # of a process that failed
            begun.mkdir()
            make(begun)
            begun.rename(found)
    return found


def played(
    folders: pytest.TempPathFactory,
    name: str,
    seed: str = "a",
    scenario: str = "",
    options: Mapping[str, str] | None = None,
) -> Path:
    """The home of a game `demo` of our system `name`, which bots have played through files to its
    end under a clock that stands. Do not change it.

    Tests to which any game will do take that of the seed `a`, so that it is played once in a run.
    """
    system = games.load(name)

    def make(home: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            Clock(patch)
            list(demo(home, system, seed, scenario=scenario, options=options))

    return shared(folders, "-".join(("played", name, seed, scenario)), make)
