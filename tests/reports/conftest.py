"""Whole games of every system, as their players were mailed them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from pbem.outbound.report_mail import made_later
from pbem.store.game_dir import reading
from tests.once import played, shared


@pytest.fixture(scope="session")
def mailed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[Path]]:
    """The folders of all reports of a whole game, each system's made once; also those of roles that
    nobody plays, with what would be made for them."""
    made: dict[str, list[Path]] = {}

    def get(system: str) -> list[Path]:
        if system not in made:
            home = played(tmp_path_factory, system, "whole")

            def fill(folder: Path) -> None:
                copytree(home / "demo", folder / "demo")
                for path in (folder / "demo" / "reports").glob("*.*/*"):
                    game = reading(folder, "demo")
                    for name, content in made_later(game, path.parent.name, int(path.name)).items():
                        (folder / "demo" / name).write_bytes(content)

            home = shared(tmp_path_factory, f"filled-{system}", fill)
            made[system] = sorted((home / "demo" / "reports").glob("*/*"))
        return made[system]

    return get
