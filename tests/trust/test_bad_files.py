"""Every file of `bad/` is refused as its first line says: `expect CODE: KIND`, CODE or words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.base.hashing import H, canonical_json
from pbem.cli.common import read_report
from pbem.crypto import age, sshsig, statements
from pbem.crypto.age_armour import files_in
from pbem.errors import PbemError
from pbem.player.joining import read_join, read_letter
from pbem.store.ledger import Ledger
from tests.encryption import identity_of
from tests.referee import key_of

FILES = sorted((Path(__file__).parent / "bad").glob("*.txt"))
FOX = key_of("fox")
TEXT = b"FOX : MOVE B1 ;"
REPORT = {"format": "pbem-report/1", "window": 2, "side": "fox"}
FACTS = {**REPORT, "digest": H("report", canonical_json(REPORT)).hex()}


def signed(content: bytes, folder: Path) -> None:
    sshsig.verify(TEXT, sshsig.dearmour(content), "orders@pbem", {FOX.wire: "fox"})


def encrypted(content: bytes, folder: Path) -> None:
    (found,) = files_in(content)
    if isinstance(found, age.BadAge):
        raise found
    age.decrypt(found, [identity_of(FOX)])


def ledger(content: bytes, folder: Path) -> None:
    path = folder / "ledger.jsonl"
    path.write_bytes(content)
    with Ledger.open(path, lock=False) as opened:
        opened.verify()


def report(content: bytes, folder: Path) -> None:
    path = folder / "report.json"
    path.write_bytes(content)
    read_report(str(path))


def signed_report(content: bytes, folder: Path) -> None:
    statements.check(content, "report", "ab" * 32, FACTS, sshsig.public_line(FOX.wire))


KINDS: dict[str, Callable[[bytes, Path], object]] = {
    "signature": signed,
    "key": lambda content, _: sshsig.wire_key(content.decode()),
    "age": encrypted,
    "letter": lambda content, _: read_letter(content),
    "answer": lambda content, _: read_join(content),
    "ledger": ledger,
    "report": report,
    "statement": signed_report,
}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_bad_file_is_refused_as_it_says(path: Path, tmp_path: Path) -> None:
    first, _, content = path.read_bytes().partition(b"\n")
    expected, _, kind = first.decode().removeprefix("expect ").rpartition(": ")
    with pytest.raises(PbemError) as refused:
        KINDS[kind](content, tmp_path)
    code = getattr(refused.value, "code", "")
    assert expected == code or (" " in expected and expected in refused.value.message), (
        refused.value
    )


def test_there_is_a_bad_file_of_every_kind_and_code() -> None:
    firsts = [path.read_text().splitlines()[0] for path in FILES]
    assert len(FILES) >= 50
    assert {first.rpartition(": ")[2] for first in firsts} == set(KINDS)


@pytest.mark.parametrize("kind", ["signature", "age", "statement"])
def test_a_valid_file_of_each_kind_is_accepted(kind: str, tmp_path: Path) -> None:
    """Otherwise the bad files could be refused for any other reason."""
    from pbem.crypto.age_armour import armour

    to = [age.recipient(sshsig.public_line(FOX.wire))]
    good = {
        "signature": sshsig.armour(sshsig.sign(TEXT, FOX, "orders@pbem")).encode(),
        "age": armour(age.encrypt(b"orders", to)).encode(),
        "statement": statements.signed("report", "ab" * 32, FACTS, FOX),
    }
    KINDS[kind](good[kind], tmp_path)
