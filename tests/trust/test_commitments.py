"""Every report commits to all rolls and the position; the published ledger opens the commitment."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.dice.commitment import Commitment, commitment, is_opened_by
from pbem.reports.report import digest
from tests.proving import Proven
from tests.referee import Referee
from tests.trust.corpus import Body, Change, alter, checked, flip, put, recommit, reports, verify

PAGE = (Path(__file__).parent.parent.parent / "docs" / "formats.md").read_text()
ISSUING = ("opened", "closed", "undone")


def opened_well(body: Body, g0: str) -> bool:
    said = Commitment(body.get("commit", ""), body.get("blind", ""))
    window, rolls = body["opens" if "opens" in body else "window"], body.get("rolls", [])
    return is_opened_by(said, g0, window, body["position"], rolls)


def test_the_vector_of_the_page() -> None:
    section = PAGE.split("## Commitments")[1].split("\n## ")[0]
    said = dict(re.findall(r"^    (\w+)  +(.+)$", section, re.MULTILINE))
    rolls = json.loads(said["rolls"])
    made = commitment("0" * 64, int(said["window"]), "11" * 32, "22" * 32, rolls)
    assert said["C"] == made
    fields = (bytes(32), verify.number(2), b"\x11" * 32, b"\x22" * 32, said["rolls"].encode())
    assert verify.digest("commit", *fields).hex() == made


def test_all_sides_get_the_same_commitment_and_the_ledger_opens_it(played: Proven) -> None:
    g0, seen = played.report("fox")["setup"]["digest"], set()
    for record in (r for r in played.records if "reports" in r.body):
        window = record.body.get("opens", 1)
        assert opened_well(record.body, g0)
        seen.add(record.body["commit"])
        last = [r for r in played.records if r.body.get("opens") == window][-1:] or [record]
        if last[0].n == record.n:
            told = {played.report(s, window)["commit"] for s in ("fox", "hunter")}
            assert told == {record.body["commit"]}
    assert len(seen) == len([r for r in played.records if "reports" in r.body])


def test_the_blinding_number_is_in_no_report_or_mail(played: Proven) -> None:
    secrets = [r.body["blind"].encode() for r in played.records if "blind" in r.body]
    sent = [
        p.read_bytes()
        for p in (*played.folder.glob("reports/*/*/*"), *played.folder.glob("outbox/*"))
    ]
    assert secrets and sent
    assert not [s for s in secrets for content in sent if s in content]


@pytest.mark.parametrize(
    ("kind", "nth", "change"),
    [
        ("opened", 0, flip("commit")),
        ("closed", 0, flip("commit")),
        ("closed", 0, flip("blind")),
        ("closed", 0, put("blind", value="00")),
        ("undone", 1, flip("blind")),
    ],
)
def test_a_commitment_that_does_not_open_is_found_by_both(
    kind: str, nth: int, change: Change, copy: Proven
) -> None:
    number = alter(copy, kind, nth, change)
    audited = [(f.record, f.code) for f in copy.audit().findings]
    assert audited == [(number, "commitment")]
    (mine,) = checked(copy.folder)
    assert mine in (f"commitment record {number}", f"not-hex record {number}")


@pytest.mark.parametrize(
    ("nth", "change"), [(-1, flip("position")), (0, flip("rolls", 0, "proof"))]
)
def test_a_state_or_roll_exchanged_under_its_commitment_is_found(
    nth: int, change: Change, copy: Proven
) -> None:
    number = alter(copy, "closed", nth, change)
    (mine,) = checked(copy.folder)
    assert int(mine.split()[2]) == number


def test_one_honest_report_finds_a_state_exchanged_behind_it(copy: Proven) -> None:
    """The newest report names the head before its own record; only its commitment covers that."""
    held, g0 = reports(copy, "fox"), copy.report("fox")["setup"]["digest"]

    def exchanged(body: Body) -> None:
        flip("position")(body)
        recommit(body, g0)

    alter(copy, "closed", -1, exchanged)
    assert checked(copy.folder) == []
    assert "commitment" in checked(copy.folder, *held)


def test_two_sides_told_different_commitments_find_it_together(
    played: Proven, tmp_path: Path
) -> None:
    report = played.report("hunter", 2)
    flip("commit")(report)
    report["digest"] = digest(report)
    other = tmp_path / "report.json"
    other.write_bytes(verify.plain(report))
    mine = played.folder / "reports/fox/2/report.json"
    assert checked(other) == []
    assert checked(mine, other) == ["fork"]


def test_a_window_opened_for_one_side_alone_is_found_by_both(copy: Proven) -> None:
    number = alter(copy, "closed", 0, lambda body: body["reports"].pop("hunter"))
    assert [(f.record, f.code) for f in copy.audit().findings] == [(number, "one-sided")]
    assert checked(copy.folder) == [f"one-sided record {number}"]


def test_games_begun_before_there_were_commitments_go_on(referee: Referee) -> None:
    for kind in ISSUING:
        records = [r for r in referee.records if r.kind == kind]
        for record in records:
            body = {k: v for k, v in record.body.items() if k not in ("blind", "commit")}
            assert opened_well(body, "0" * 64)
    assert not opened_well({"blind": "00", "position": "00", "window": 1}, "0" * 64)
