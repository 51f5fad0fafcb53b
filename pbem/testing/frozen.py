"""Frozen games: ledgers of whole games, audited in every test run: no change goes unnoticed.

python -m pbem.testing.frozen strait.game:SYSTEM tests/frozen/1-seeded.jsonl.gz

plays one and keeps it. `fast` and the name of a scenario may follow. `strait@1` is an archived
edition.

A game under way is pinned to the edition of its rules and to the digest of their tables. If a
frozen game of an edition is not whole any more, neither are the games that people play now.
"""

from __future__ import annotations

import gzip
import json
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.audit.auditor import audit
from pbem.bots.demo import NAME, demo
from pbem.engine.editions import former
from pbem.model import System
from pbem.store.game_dir import published


def freeze(
    system: System, file: Path, seed: str = "frozen", dice: str = "seeded", scenario: str = ""
) -> None:
    """Let bots play a game and keep its ledger as `file` (`.jsonl.gz`).

    seed: of bots and of seeded dice; dice: `fast` for rolls with proofs, other ones each time.
    scenario: default the first.
    """
    with TemporaryDirectory(prefix="pbem-freeze-") as folder:
        for _ in demo(Path(folder), system, seed, dice, scenario=scenario):
            pass
        ledger = (Path(folder) / NAME / "ledger.jsonl").read_bytes()
    # without a time, so that a game frozen twice is the same file
    file.write_bytes(gzip.compress(ledger, 9, mtime=0))


def edition_of(file: Path) -> str:
    """The edition that a frozen game was played by."""
    first = gzip.decompress(file.read_bytes()).split(b"\n", 1)[0]
    return str(json.loads(first)["body"]["edition"])


def require_whole(system: System, file: Path) -> None:
    """Raise AssertionError if an audit of a frozen game finds anything.

    Then a change of the rules changed a game that was played before: it needs a new edition, or it
    is a mistake.
    """
    with TemporaryDirectory(prefix="pbem-frozen-") as folder:
        ledger = Path(folder) / "ledger.jsonl"
        ledger.write_bytes(gzip.decompress(file.read_bytes()))
        found = audit(published(ledger), system)
    assert found.whole, (
        f"{file.name} is not whole any more: {found.findings}. A change of the rules needs a new "
        f"edition, and a frozen game of it. If no rule was meant to change, it broke games "
        f"that are being played."
    )


def main() -> None:
    """Freeze a game: MODULE:NAME of the system, FILE, and perhaps `fast` and a scenario."""
    given = sys.argv[1:]
    if not 2 <= len(given) <= 4:
        sys.exit("usage: python -m pbem.testing.frozen MODULE:NAME FILE [seeded|fast] [SCENARIO]")
    dice, scenario = (*given[2:], *("seeded", "")[len(given) - 2 :])
    freeze(_named(given[0]), Path(given[1]), "frozen-2", dice, scenario)


def _named(word: str) -> System:
    """The system that MODULE:NAME or NAME@EDITION names."""
    name, at, edition = word.partition("@")
    if at:
        found = former(name, edition)
        return found or sys.exit(f"there is no archive of {word}")
    module, colon, own = word.partition(":")
    if not colon:
        sys.exit(f"{word} is not MODULE:NAME")
    system: System = getattr(import_module(module), own)
    return system


if __name__ == "__main__":
    main()
