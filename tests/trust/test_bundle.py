"""Nobody signs a public bundle; both checkers find every part that does not fit its ledger."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from games.toy.game import SYSTEM
from pbem.replay.publish import bundle
from tests.cli.commands import pbem
from tests.proving import Proven
from tests.referee import Referee
from tests.trust.bundles import ATTACKS, NAMES, members, packed, without
from tests.trust.corpus import FILE, verify

FROZEN = FILE.parent / "tests/frozen/toy/published-0.1.0.zip"


@pytest.fixture(scope="module")
def whole(played: Proven) -> bytes:
    return bundle(played.read(), SYSTEM)


def by_both(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, int, str, str]:
    """The exit codes and findings of both commands."""
    audited = pbem("audit", path)
    capsys.readouterr()
    code = verify.main([str(path)])
    told = capsys.readouterr()
    return audited.code, code, audited.out + audited.err, told.out + told.err


def found_by_both(path: Path, part: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, audited, verified = by_both(path, capsys)
    assert (first, second) == (1, 1), audited + verified
    for said in (audited, verified):
        (line,) = [one for one in said.splitlines() if "bundle: " in one]
        assert part in line.replace("\\\\", "\\"), line


def test_an_unchanged_bundle_passes_both_checkers(
    whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "anything.zip"
    path.write_bytes(whole)
    assert sorted(name for name, _ in members(whole)) == [f"g1/{name}" for name in NAMES]
    assert by_both(path, capsys)[:2] == (0, 0)
    again = packed([("g1/", b""), *members(whole)])  # as other programs pack the folder
    path.write_bytes(again)
    assert by_both(path, capsys)[:2] == (0, 0)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_part_that_does_not_fit_the_ledger_is_named_by_both(
    name: str, whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attack, part = ATTACKS[name]
    path = tmp_path / "g1.zip"
    path.write_bytes(packed(attack(members(whole))))
    found_by_both(path, part, capsys)


def test_the_ledger_of_another_game_is_found_by_both(
    whole: bytes, referee: Referee, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A valid ledger of another game with the same name."""
    ledger = (referee.folder / "ledger.jsonl").read_bytes()
    assert referee.audit().whole
    path = tmp_path / "g1.zip"
    path.write_bytes(
        packed([*without("ledger.jsonl")(members(whole)), ("g1/ledger.jsonl", ledger)])
    )
    found_by_both(path, "setup.json", capsys)


def test_a_key_for_dice_that_have_none_is_found_by_both(
    referee: Referee, whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = bundle(referee.read(), SYSTEM)
    path = tmp_path / "g1.zip"
    path.write_bytes(own)
    assert by_both(path, capsys)[:2] == (0, 0)
    key = dict(members(whole))["g1/dice.pem"]
    path.write_bytes(packed([*members(own), ("g1/dice.pem", key)]))
    found_by_both(path, "dice.pem", capsys)


def test_invalid_bundles_are_refused_by_both(
    whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No ledger; a part with a size of gigabytes; a wrong checksum."""
    path = tmp_path / "g1.zip"
    at = whole.index(b"PK\1\2") + 24
    claims = whole[:at] + b"\xfe\xff\xff\xff" + whole[at + 4 :]
    middle = len(whole) // 2
    for content in (
        packed(without("ledger.jsonl")(members(whole))),
        claims,
        whole[:middle] + bytes(9) + whole[middle + 9 :],
        whole[:-30],
    ):
        path.write_bytes(content)
        assert by_both(path, capsys)[:2] == (2, 2)


def test_a_bundle_unpacked_into_a_folder_is_checked_too(whole: bytes, tmp_path: Path) -> None:
    """The folder may have any name and contain other files of the reader."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, content in members(whole):
        (folder / name.removeprefix("g1/")).write_bytes(content)
    (folder / "report.json").write_bytes(b"{}")
    assert verify.main([str(folder)]) == 0
    (folder / "moderator.pub").write_bytes(b"ssh-ed25519 AAAA\n")
    assert verify.main([str(folder)]) == 1
    (folder / "moderator.pub").unlink()
    assert verify.main([str(folder)]) == 1
    for part in ("README.txt", "dice.pem", "reports.json", "setup.json"):
        (folder / part).unlink()
    assert verify.main([str(folder)]) == 0, "the ledger alone is no bundle"


def test_a_bundle_of_release_0_1_0_is_whole(tmp_path: Path) -> None:
    """It also has the digests of an undone window."""
    assert pbem("audit", FROZEN).code == 0
    command = [sys.executable, "-I", str(FILE), str(FROZEN)]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, ""), said.stdout
    with ZipFile(FROZEN) as old:
        assert b'"2": {' in old.read("g1/reports.json")
