"""The index is only ever what the ledger says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Busy, Damaged
from pbem.store.index import Index
from pbem.store.ledger import Ledger, Position

AT = "2026-11-20T12:00:00Z"
M1, M2, M3 = (
    "outbox/british-0001-report.eml",
    "outbox/german-0001-report.eml",
    "outbox/british-0002-report.eml",
)
GAME: list[tuple[str, dict[str, Any]]] = [
    ("created", {"setup": "{}", "digest": "00"}),
    ("enlisted", {"side": "british", "key": "k", "name_digest": "aa", "number": 1}),
    (
        "opened",
        {
            "window": 1,
            "deadline": None,
            "mailed": ["british", "german"],
            "files": {M1: "d1", M2: "d2", "reports/german/1/report.txt": "d9"},
        },
    ),
    (
        "received",
        {"window": 1, "side": "british", "seq": 5, "order": "o1", "final": False, "receipt": "r1"},
    ),
    ("refused", {"code": "unknown-key", "raw": "x", "receipt": "r2"}),
    ("refused", {"code": "late", "side": "german", "window": 1, "raw": "y", "receipt": "r3"}),
    ("refused", {"code": "late", "side": "german", "window": 1, "raw": "z", "receipt": "r4"}),
    ("sent", {"mail": M1}),
    ("bounced", {"mail": M2}),
    (
        "received",
        {"window": 1, "side": "british", "seq": 6, "order": "o2", "final": True, "receipt": "r5"},
    ),
    ("closed", {"window": 1, "mailed": ["british"], "files": {M3: "d3"}}),
    ("noted", {"text": "nothing to look up"}),
]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    with Ledger.create(tmp_path / "ledger.jsonl") as ledger:
        for kind, body in GAME:
            ledger.append(kind, body, AT)
    return ledger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.json"


def answers(index: Index) -> dict[str, Any]:
    return {
        "refusals": (index.refusals(), index.refusals("german"), index.refusals("")),
        "mail": (index.mail("british"), index.mail("german")),
        "place": index.position,
    }


def test_what_it_answers(ledger: Ledger, path: Path) -> None:
    index = Index(path)
    assert index.refresh(ledger) == len(GAME)
    assert index.refusals() == {"late": 2, "unknown-key": 1}
    assert index.refusals("german") == {"late": 2}
    assert index.refusals("british") == {}
    states = [(row["key"], row["state"]) for row in index.mail("british") + index.mail("german")]
    assert states == [(M1, "sent"), (M3, "queued"), (M2, "bounced")]
    assert index.refresh(ledger) == 0


def test_it_goes_on_from_where_it_stood(ledger: Ledger, path: Path) -> None:
    Index(path).refresh(ledger)
    with Ledger.open(ledger.path) as more:
        more.append("refused", {"code": "late", "side": "german", "receipt": "r6"}, AT)
    index = Index(path)
    assert index.refresh(ledger) == 1
    anew = Index(path.with_name("other.json"))
    assert anew.refresh(ledger) == len(GAME) + 1
    assert answers(index) == answers(anew)
    assert index.refusals("german") == {"late": 3}


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"meta":{"1":{"format":0}}}',
        b'{"meta":{"1":5}}',
        b'{"meta":{"1":{"format":2,"n":1,"hash":"x","offset":3}}}',
        b'{"meta":{"1":{"format":2,"n":900,"hash":"x","offset":90000}},"mail":{}}',
        b"[" * 100_000,
    ],
)
def test_a_spoilt_file_is_built_anew(ledger: Ledger, path: Path, spoilt: bytes) -> None:
    whole = Index(path)
    whole.refresh(ledger)
    path.write_bytes(spoilt)
    again = Index(path)
    again.refresh(ledger)
    assert answers(again) == answers(whole)
    path.unlink()
    lost = Index(path)
    assert lost.refresh(ledger) == len(GAME)
    assert answers(lost) == answers(whole)


def test_another_ledger_at_the_same_place_is_read_anew(ledger: Ledger, path: Path) -> None:
    Index(path).refresh(ledger)
    ledger.path.unlink()
    with Ledger.create(ledger.path) as other:
        for kind, body in GAME[:6]:
            other.append(kind, body, AT)
    index = Index(path)
    assert index.refresh(other) == 6
    assert index.refusals() == {"late": 1, "unknown-key": 1}


def test_a_damaged_ledger_is_reported_not_hidden(ledger: Ledger, path: Path) -> None:
    content = ledger.path.read_bytes()
    ledger.path.write_bytes(content.replace(b'"seq":5', b'"seq":4'))
    with pytest.raises(Damaged):
        Index(path).refresh(ledger)


def test_a_full_disk_leaves_the_old_index(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Index(path).refresh(ledger)
    before = path.read_bytes()
    with Ledger.open(ledger.path) as more:
        more.append("noted", {}, AT)

    def full(*_: object) -> None:
        raise Busy("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("pbem.store.index.write_private", full)
        with pytest.raises(Busy):
            Index(path).refresh(ledger)
    assert path.read_bytes() == before
    again = Index(path)
    assert again.refresh(ledger) == 1
    assert again.position.n == len(GAME) + 1


def test_the_file_is_plain_json_with_the_place_it_stands_at(ledger: Ledger, path: Path) -> None:
    index = Index(path)
    index.refresh(ledger)
    meta = json.loads(path.read_bytes())["meta"]["1"]
    assert Position(meta["n"], meta["hash"], meta["offset"]) == index.position == ledger.position
