"""Whole games that were played once, audited again on every run: rules must not change under them.

A ledger pins the edition of the rules and the digest of their data. When one of these stops being
whole, a game that people play now would break just so. docs/authors.md, "Editions", says which
changes need a new edition: archive the former one, name the new one in the game's `game.py`, and
freeze games of it. Games of a former edition stay here as long as its archive does.

To freeze the games of an edition, from the root of the tree:

    python -m pbem.testing.frozen games.SYSTEM.game:SYSTEM \\
        tests/frozen/SYSTEM/EDITION-seeded.jsonl.gz
    python -m pbem.testing.frozen games.SYSTEM.game:SYSTEM \\
        tests/frozen/SYSTEM/EDITION-fast.jsonl.gz fast

`SYSTEM@EDITION` instead of the module freezes a game of a former edition again, as a change of a
report's layout may need. The second game has dice with proofs, and is another one each time: freeze
a game of Bismarck again until it holds a battle; add `konigsberg` in Far Seas, whose whole war
would take ten times as much.

The games `protocol-1-*` were made by release 0.1.0: late and carried links, locks, undos, changed
keys. Their dice follow from protocol 1 (docs/formats.md, "Protocols") for ever.

A ledger holds no addresses, names or paths; a game of Bismarck takes about 50 kB so.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import games
from pbem.audit.auditor import audit
from pbem.audit.findings import Audited
from pbem.store.game_dir import published
from pbem.testing.frozen import edition_of
from tests.trust.corpus import checked, verify

HERE = Path(__file__).parent
FROZEN = sorted(HERE.glob("*/*.jsonl.gz"))
CHANGED = """{name} is not whole any more: {findings}
A change of the rules needs a new edition (docs/authors.md, "Editions"); then freeze a new game as
tests/frozen/test_frozen.py tells. If no rule was meant to change, this change broke games that are
being played."""


def thawed(frozen: Path, folder: Path) -> Path:
    """The ledger as a file of its own."""
    ledger = folder / "ledger.jsonl"
    ledger.write_bytes(gzip.decompress(frozen.read_bytes()))
    return ledger


def audited(frozen: Path, ledger: Path) -> Audited:
    return audit(published(ledger), games.load(frozen.parent.name))


@pytest.mark.recorded
@pytest.mark.parametrize("frozen", FROZEN, ids=lambda p: f"{p.parent.name} {p.stem}")
def test_a_frozen_game_is_whole(frozen: Path, tmp_path: Path) -> None:
    found = audited(frozen, thawed(frozen, tmp_path))
    assert found.whole, CHANGED.format(name=frozen.name, findings=found.findings)
    assert found.windows and found.sets and found.rolls


@pytest.mark.parametrize("frozen", FROZEN, ids=lambda p: f"{p.parent.name} {p.stem}")
def test_verify_finds_nothing_in_a_frozen_game(frozen: Path, tmp_path: Path) -> None:
    assert checked(thawed(frozen, tmp_path)) == []


def test_a_window_that_release_0_1_0_opened_twice_is_named_by_both(tmp_path: Path) -> None:
    """Its undo gave the number of a locked window a second time, after the dice were known."""
    frozen = HERE / "toy" / "protocol-1-strict.jsonl.gz"
    ledger = thawed(frozen, tmp_path)
    said, found = verify.check_all([str(ledger)])
    assert not found
    for notes in (said, audited(frozen, ledger).flags):
        assert sum("window 4 was opened a second time" in note for note in notes) == 2


@pytest.mark.parametrize("name", sorted(games.SYSTEMS))
def test_every_system_has_a_frozen_game_of_its_edition(name: str) -> None:
    editions = {edition_of(frozen) for frozen in (HERE / name).glob("*.jsonl.gz")}
    assert games.load(name).edition in editions, f"freeze a game of {name}'s present edition"


def test_a_frozen_game_of_bismarck_holds_battles_and_proofs() -> None:
    for edition in {edition_of(frozen) for frozen in (HERE / "bismarck").glob("*.jsonl.gz")}:
        paths = (HERE / "bismarck").glob(f"{edition}-*.jsonl.gz")
        kept = [gzip.decompress(path.read_bytes()) for path in paths]
        assert any(b"BATTLE/FIRE/" in ledger and b'"dice":"fast"' in ledger for ledger in kept)


def test_a_record_taken_out_of_a_frozen_game_is_found(tmp_path: Path) -> None:
    """The audit is not whole whatever happens."""
    frozen = HERE / "toy" / "seeded.jsonl.gz"
    ledger = thawed(frozen, tmp_path)
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[:-2] + lines[-1:]))
    assert not audited(frozen, ledger).whole
