"""Whole games of every system, as their players were mailed them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.once import played


@pytest.fixture(scope="session")
def mailed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[Path]]:
    """The folders of all reports of a whole game, each system's made once."""
    made: dict[str, list[Path]] = {}

    def get(system: str) -> list[Path]:
        if system not in made:
            home = played(tmp_path_factory, system, "whole")
            made[system] = sorted((home / "demo" / "reports").glob("*/*"))
        return made[system]

    return get
