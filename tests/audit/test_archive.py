"""`pbem audit` of several files: the same findings wherever they are checked."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.audit import archive
from pbem.store.ledger import line_of
from tests.cli.commands import pbem

FROZEN = Path(__file__).parents[1] / "frozen" / "toy"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two ledgers that are whole, a bundle, a ledger with an altered record, and a letter."""
    ledgers = []
    for name in ("protocol-1-played", "seeded"):
        ledger = tmp_path / f"{name}.jsonl"
        ledger.write_bytes(gzip.decompress((FROZEN / f"{name}.jsonl.gz").read_bytes()))
        ledgers.append(ledger)
    altered = tmp_path / "altered.jsonl"
    lines = ledgers[1].read_bytes().splitlines(keepends=True)
    altered.write_bytes(b"".join([*lines[:4], lines[4].replace(b'"n":5', b'"n":6'), *lines[5:]]))
    bundle, letter = tmp_path / "bundle.zip", tmp_path / "letter.txt"
    bundle.write_bytes((FROZEN / "published-0.1.0.zip").read_bytes())
    letter.write_text("Dear moderator,\n")
    return [str(path) for path in (*ledgers, bundle, altered, letter)]


def test_the_findings_are_the_same_on_several_cores(files: Sequence[str], tmp_path: Path) -> None:
    alone = pbem("audit", *files, "--json")
    assert (alone.code, alone.json["whole"]) == (1, False)
    games = {Path(game["file"]).stem: game for game in alone.json["games"]}
    assert list(games) == [Path(file).stem for file in files]
    assert [name for name, game in games.items() if not game["whole"]] == ["altered", "letter"]
    assert games["altered"]["findings"][0]["record"] == 5
    kept = tmp_path / "kept.jsonl"
    assert pbem("audit", *files, "--jobs", "2", "--keep", kept, "--json").json == alone.json
    assert pbem("audit", *files, "--keep", kept, "--json").json == alone.json


def test_a_single_game_says_the_same_as_among_others(files: Sequence[str]) -> None:
    several = pbem("audit", *files).out
    for file in files[:4]:
        assert pbem("audit", file).out.strip() in several
    assert several.splitlines()[-1] == "5 games, 3 whole"
    assert [line for line in several.splitlines() if line.endswith(" is not whole")] == [
        f"{file} is not whole" for file in files[3:]
    ]


def test_a_file_that_changed_is_checked_anew(files: Sequence[str], tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    asked = ["audit", *files[:2], "--keep", str(kept), "--json"]
    assert pbem(*asked).code == 0
    Path(files[0]).write_bytes(Path(files[3]).read_bytes())
    assert [game["whole"] for game in pbem(*asked).json["games"]] == [False, True]


def test_a_report_is_no_game(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("{}")
    said = pbem("audit", str(report), str(report))
    assert (said.code, "reports come after --held" in said.err) == (2, True)


def test_other_machines_are_sent_portions(
    files: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "PORTION", 100)
    keys = [archive.key_of(Path(file)) for file in files]
    assert [list(portion) for portion in archive.portions(keys)] == [[key] for key in keys]
    monkeypatch.setattr(archive, "PORTION", 1 << 24)
    assert [list(portion) for portion in archive.portions(keys)] == [keys]


@pytest.mark.parametrize("hashed", [False, True])
@pytest.mark.parametrize("body", [b"[" * 200_000, b'{"a":' * 200_000])
def test_a_ledger_nested_too_deeply_is_a_finding(body: bytes, hashed: bool, tmp_path: Path) -> None:
    file, content = tmp_path / "deep.jsonl", body
    if hashed:
        closed = body + (b"]" if body[:1] == b"[" else b"1" + b"}") * 200_000
        content = b'{"at":"2026-11-20T12:00:00Z","body":' + closed + b',"kind":"x"}'
    file.write_bytes(line_of(content) if hashed else content + b"\n")
    said = pbem("audit", file, "--json")
    assert said.code == 1
    assert [f["code"] for f in said.json["findings"]] == ["altered-record"]
