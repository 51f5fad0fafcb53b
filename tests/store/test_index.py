"""The index is only ever what the ledger says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.errors import Busy, Damaged
from pbem.model import Side
from pbem.store.index import Index
from pbem.store.ledger import Ledger, Position
from pbem.store.records import (
    Body,
    Bounced,
    Closed,
    Enlisted,
    Noted,
    Opened,
    Received,
    Refused,
    Sent,
)
from pbem.store.register import NOT_MADE

AT = "2026-11-20T12:00:00Z"
M1, M2, M3 = (
    "outbox/british-0001-report.eml",
    "outbox/german-0001-report.eml",
    "outbox/british-0002-report.eml",
)
FOX, HUNTER = Side("british"), Side("german")
SET = Received(
    window=1,
    side=FOX,
    officer=1,
    seq=5,
    digest="",
    order="o1",
    canonical="",
    signature="",
    link="",
    arrival=AT,
    final=False,
    refused_orders=0,
    receipt="r1",
)
LATE = Refused(code="late", side=HUNTER, window=1, raw="y", receipt="r3")
GAME: list[Body] = [
    NOT_MADE,
    Enlisted(side=FOX, number=1, key="k", anchor="", letter="", name="aa", email="", bot=False),
    Opened(
        setup="{}",
        window=1,
        deadline="",
        mailed=[FOX, HUNTER],
        files={M1: "d1", M2: "d2", "reports/german/1/report.txt": "d9"},
    ),
    SET,
    Refused(code="unknown-key", raw="x", window=1, receipt="r2"),
    LATE,
    replace(LATE, raw="z", receipt="r4"),
    Sent(mails=[M1], by="mail"),
    Bounced(mail=M2, code="550"),
    replace(SET, seq=6, order="o2", final=True, receipt="r5"),
    Closed(
        window=1,
        turn=1,
        sets={},
        lock="",
        links={},
        rolls=[],
        opens=2,
        deadline="",
        over=None,
        mailed=[FOX],
        files={M3: "d3"},
    ),
    Noted(sides=[], text="nothing to look up"),
]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    with Ledger.create(tmp_path / "ledger.jsonl") as ledger:
        for body in GAME:
            ledger.append(body, AT)
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
        more.append(LATE, AT)
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
        for body in GAME[:6]:
            other.append(body, AT)
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
        more.append(Noted(sides=[]), AT)

    def full(*_: object) -> None:
        raise Busy("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("pbem.store.index.write_private", full)
        index = Index(path)
        assert index.refresh(ledger) == 1
        assert index.position.n == len(GAME) + 1
        assert index.refusals() == Index(path).refusals()
    assert path.read_bytes() == before
    again = Index(path)
    assert again.refresh(ledger) == 1
    assert again.position.n == len(GAME) + 1


def test_the_file_is_plain_json_with_the_place_it_stands_at(ledger: Ledger, path: Path) -> None:
    index = Index(path)
    index.refresh(ledger)
    meta = json.loads(path.read_bytes())["meta"]["1"]
    assert Position(meta["n"], meta["hash"], meta["offset"]) == index.position == ledger.position
