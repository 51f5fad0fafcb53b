"""The tests that every rule system has, in one line of its test module:

test_lint, test_playthrough, test_frozen = standard(SYSTEM, Path(__file__).parent, SETS)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pbem.admin.setup import Choices
from pbem.lint.run import lint
from pbem.model import System
from pbem.testing import frozen
from pbem.testing.texts import golden, played

Tests = tuple[Callable[[], None], Callable[[Path], None], Callable[[], None]]


def standard(system: System, folder: Path, sets: Sequence[Mapping[str, str]]) -> Tests:
    """Three tests: lint finds nothing; a game reads as in `folder`/playthrough.txt; the frozen game
    of the edition, `folder`/frozen-EDITION.jsonl.gz, is whole.

    sets: what the sides order in the playthrough, as for `pbem.testing.texts.played`. With
    `GOLDEN=write` in the environment the text is written anew, and the game of an edition that has
    none is frozen.
    """

    def no_findings() -> None:
        found = [str(finding) for finding in lint(system)]
        assert not found, "\n".join(found)

    def reads_as_it_did(tmp_path: Path) -> None:
        choices = Choices(options={"play": "asked"}, seed="playthrough")
        golden(folder / "playthrough.txt", played(tmp_path, system, sets, choices))

    def is_whole() -> None:
        file = folder / f"frozen-{system.edition}.jsonl.gz"
        if os.environ.get("GOLDEN") == "write" and not file.exists():
            frozen.freeze(system, file)
        frozen.require_whole(system, file)

    return no_findings, reads_as_it_did, is_whole
