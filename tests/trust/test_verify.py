"""verify.py, which imports nothing from pbem, and `pbem audit` agree about the same games."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.toy.game import SYSTEM
from pbem.audit.auditor import audit
from pbem.base.hashing import canonical_json
from pbem.dice import provable
from pbem.dice.chains import DiceChains
from pbem.model import Dice
from pbem.reports.report import digest
from tests.cli.commands import pbem
from tests.ledgers import Record, chained
from tests.luck import dice_key
from tests.proving import Proven
from tests.referee import Referee, key_of
from tests.trust.corpus import (
    FILE,
    Body,
    Change,
    alter,
    checked,
    flip,
    put,
    recommit,
    reports,
    rewrite,
    verify,
)
from tests.trust.forgeries import redone


def test_a_good_game_is_good_for_both(played: Proven) -> None:
    audited = played.audit()
    assert not audited.findings
    say, found = verify.check_all([str(played.folder), *map(str, reports(played, "fox"))])
    assert not found
    text = "\n".join(say)
    assert f"{audited.records} records, " in text
    assert f"{audited.rolls} rolls" in text
    assert not re.search("signature is not checked", text)
    assert played.report("hunter")["seed"]["links"]["hunter"]


def test_each_side_can_check_its_own_reports(played: Proven) -> None:
    for side in ("fox", "hunter"):
        assert checked(*reports(played, side)) == []
    assert checked(*reports(played, "fox"), *reports(played, "hunter")) == []


def test_counts_use_singular_and_plural(played: Proven) -> None:
    say, _ = verify.check_all([str(played.folder), *map(str, reports(played, "fox"))])
    counts = set(
        re.findall(r"(?:, |: )(\d+ (?:record|window|signed set|roll)s?)\b", "\n".join(say))
    )
    assert {"1 roll", f"{len(played.records)} records"} <= counts
    assert not [one for one in counts if one.startswith("1 ") == one.endswith("s")]


def test_it_runs_without_pbem(played: Proven, tmp_path: Path) -> None:
    alone = Path(shutil.copy(FILE, tmp_path / "verify.py"))
    command = [sys.executable, "-I", str(alone), str(played.folder / "ledger.jsonl")]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert "nothing found" in said.stdout
    imports = re.findall(r"^\s*(?:from|import) (\w+)", FILE.read_text(), re.MULTILINE)
    assert not {"pbem", "orders", "games"} & set(imports)


def test_without_cryptography_all_but_signatures_is_checked(
    copy: Proven, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output says so, because no other finding does not prove the signatures."""
    rolls, held = copy.audit().rolls, reports(copy, "fox")
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    say, found = verify.check_all([str(copy.folder), *map(str, held)])
    assert [one.split(": ")[1] for one in found] == ["cannot-verify"]
    signed = sum(r.kind == "received" for r in copy.records)
    assert f"{signed + len(held)} signatures not checked" in found[0]
    assert f"{rolls} rolls" in " ".join(say)
    number = alter(copy, "closed", 0, other_roll)
    assert checked(copy.folder) == [f"altered-roll record {number}", "cannot-verify"]


def other_order(body: Body) -> None:
    body["canonical"] = body["canonical"].replace("MOVE", "POUNCE")
    redone(body)


def other_link(body: Body) -> None:
    body["link"] = DiceChains(key_of("fox")).links("g1", "fox", 0)[2].hex()


def other_roll(body: Body) -> None:
    body["rolls"][0]["dice"] = [body["rolls"][0]["dice"][0] % 6 + 1]


def roll_again(body: Body) -> None:
    """The moderator uses the roll with another ordinal of the same label."""
    roll = body["rolls"][0]
    label = roll["label"].replace("/1/1D6", "/2/1D6")
    g0 = bytes.fromhex(G0[0])
    source = provable.Provable(dice_key(), g0, {body["window"]: bytes.fromhex(body["seed"])})
    dice, proof = source.roll(body["window"], label, Dice(1, 6))
    roll |= {"label": label, "dice": list(dice), "proof": proof}


def one_link_less(body: Body) -> None:
    """The moderator leaves out a link and makes proofs that fit."""
    body["links"]["fox"] = ""
    g0 = bytes.fromhex(G0[0])
    seed = provable.seed(
        g0, body["window"], {s: bytes.fromhex(x) for s, x in body["links"].items()}
    )
    source = provable.Provable(dice_key(), g0, {body["window"]: seed})
    for roll in body["rolls"]:
        dice, roll["proof"] = source.roll(body["window"], roll["label"], Dice(1, 6))
        roll["dice"] = list(dice)


G0: list[str] = []

ATTACKS: dict[str, tuple[str, int, Change]] = {
    "modulus": ("created", 0, flip("modulus")),
    "root": ("created", 0, lambda b: b["roots"].reverse()),
    "dice mode": ("created", 0, put("dice", value="hand")),
    "key": ("enlisted", 0, put("key", value="ssh-ed25519 AAAA")),
    "anchor": ("enlisted", 0, flip("anchor")),
    "set-up": ("opened", 0, put("setup", value="{}")),
    "altered order": ("received", 0, other_order),
    "signature": ("received", 0, flip("signature")),
    "side": ("received", 0, put("side", value="hunter")),
    "officer": ("received", 0, put("officer", value=2)),
    "order digest": ("received", 0, flip("order")),
    "sequence": ("received", 0, put("seq", value=1)),
    "window": ("received", 0, put("window", value=2)),
    "link": ("received", 0, other_link),
    "link withheld": ("received", 0, put("link", value="")),
    "anchor announced": ("received", 1, flip("anchor")),
    "altered roll": ("closed", 0, other_roll),
    "proof": ("closed", 0, flip("rolls", 0, "proof")),
    "no proof": ("closed", 0, put("rolls", 0, "proof", value="")),
    "label": ("closed", 0, put("rolls", 0, "label", value="NOISE/TWIG/-/HOUND/1/1D6")),
    "window of a roll": ("closed", 0, put("rolls", 0, "window", value=2)),
    "roll twice": ("closed", 0, lambda b: b["rolls"].append(b["rolls"][0])),
    "one link less": ("closed", 0, one_link_less),
    "lock": ("closed", 0, flip("lock")),
    "set withheld": ("closed", 0, put("sets", "fox", value={"order": "NMR", "record": 0})),
    "closed window": ("closed", 0, put("window", value=2)),
    "next window": ("closed", 0, put("opens", value=7)),
    "undone window": ("undone", 0, put("windows", value=[1])),
    "kept set": ("undone", 0, flip("sets", "fox", "order")),
    "reopened number": ("undone", 1, put("opens", value=2)),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_both_find_what_was_altered_on_a_sound_chain(attack: str, copy: Proven) -> None:
    kind, nth, change = ATTACKS[attack]
    G0[:] = [copy.report("fox")["setup"]["digest"]]
    alter(copy, kind, nth, change)
    audited, mine = copy.audit().findings, checked(copy.folder)
    assert len(audited) == len(mine) == 1
    said = mine[0].split()
    assert int(said[2]) == audited[0].record, (mine, audited)


@pytest.mark.parametrize(
    ("change", "nth", "code"),
    [
        (roll_again, 0, "replay"),
        (put("turn", value=9), 0, "result"),
        (flip("position"), 0, "state"),
        (lambda b: b["rolls"].clear(), 0, "replay"),
    ],
)
def test_only_an_audit_finds_broken_rules(
    change: Change, nth: int, code: str, copy: Proven
) -> None:
    """The limit that verify.py states: whether the rules were followed. The commitment is made
    anew, so that it fits."""
    G0[:] = [copy.report("fox")["setup"]["digest"]]

    def changed(body: Body) -> None:
        change(body)
        recommit(body, G0[0])

    number = alter(copy, "closed", nth, changed)
    assert checked(copy.folder) == []
    assert [(f.record, f.code) for f in copy.audit().findings] == [(number, code)]


def lines_of(referee: Referee) -> list[bytes]:
    return (referee.folder / "ledger.jsonl").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda x: x[:5] + x[6:], "dropped-record"),
        (lambda x: [*x[:5], x[6], x[5], *x[7:]], "dropped-record"),
        (lambda x: [*x[:6], x[4], *x[6:]], "moved-record"),
        (lambda x: [*x[:5], x[5].replace(b'"window":', b'"windov":'), *x[6:]], "altered-record"),
        (lambda x: [*x[:5], x[5][:-9] + b'0000000"}\n'], "altered-record"),
    ],
)
def test_removed_and_moved_records_are_found(
    change: Callable[[list[bytes]], list[bytes]], code: str, copy: Proven
) -> None:
    (copy.folder / "ledger.jsonl").write_bytes(b"".join(change(lines_of(copy))))
    (mine,) = checked(copy.folder)
    (audited,) = copy.audit().findings
    assert (mine.split()[0], audited.code) == (code, code)


def begun(lines: list[bytes], **body: Any) -> list[bytes]:
    """A changed first record, with the hash chain computed anew."""
    records = [msgspec.json.decode(line, type=Record) for line in lines]
    first = msgspec.structs.replace(records[0], body={**records[0].body, **body})
    return chained([first, *records[1:]])


FIRST: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "cut off": (lambda x: x[1:], "dropped-record"),
    "left out of a chain made anew": (
        lambda x: chained([msgspec.json.decode(line, type=Record) for line in x[1:]]),
        "dropped-record",
    ),
    "all there was": (lambda _: [], "dropped-record"),
    "torn": (lambda x: [x[0][:-1]], "dropped-record"),
    "damaged": (lambda x: [x[0].replace(b"dice", b"dicf"), *x[1:]], "altered-record"),
    "no record": (lambda x: [b"\x89PNG\n", *x[1:]], "altered-record"),
    "of no system": (lambda x: begun(x, system=None), "altered-record"),
    "of no sides": (lambda x: begun(x, sides=["fox"]), "officer"),
    "of another kind": (lambda x: [x[0].replace(b"created", b"looked"), *x[1:]], "altered-record"),
}


@pytest.mark.parametrize("how", FIRST)
def test_a_ledger_without_its_first_record_is_named_by_both(how: str, copy: Proven) -> None:
    change, code = FIRST[how]
    path = copy.folder / "ledger.jsonl"
    path.write_bytes(b"".join(change(lines_of(copy))))
    (mine,) = checked(path)
    for place in (str(path), "g1"):
        said = pbem("--home", copy.home, "audit", place, "--json")
        (found,) = said.json["findings"]
        assert (said.code, found["code"]) == (1, code)
        assert mine == f"{code} record {found['record']}"


def test_a_game_of_a_system_not_installed_is_found_by_both(copy: Proven) -> None:
    """audit cannot play it, and says so as of another edition; verify.py finds what the set-up
    text says instead."""
    path = copy.folder / "ledger.jsonl"
    path.write_bytes(b"".join(begun(lines_of(copy), system="yonder")))
    (opened,) = (r.n for r in copy.records if r.kind == "opened")
    assert checked(path) == [f"setup record {opened}"]
    for place in (str(path), "g1"):
        said = pbem("--home", copy.home, "audit", place, "--json")
        (found,) = said.json["findings"]
        assert (said.code, found["record"], found["code"]) == (1, 1, "edition")
        assert "yonder" in found["text"]


def test_a_cut_tail_and_a_fork_are_found_by_what_one_side_holds(copy: Proven) -> None:
    held, records = reports(copy, "fox"), copy.records
    kept = [json.loads(p.read_bytes()) for p in held if "seed" in json.loads(p.read_bytes())]
    closed = [r.n for r in records if r.kind == "closed"][-1]
    rewrite(copy, records[: closed - 1])
    assert checked(copy.folder) == []
    assert checked(copy.folder, *held)[-1] == "cut-or-forked"
    assert [f.code for f in copy.audit([kept[0], kept[-1]]).findings] == ["cut-tail"]
    rewrite(copy, [msgspec.structs.replace(r, salt="1" * 32) for r in records])
    assert set(checked(copy.folder, *held[1:])) == {"cut-or-forked"}


def test_a_forged_receipt(copy: Proven, tmp_path: Path) -> None:
    """A valid receipt, one that the moderator never gave, and one whose record was dropped."""
    from pbem.crypto import statements
    from pbem.store.secrets import signing_key

    outcome = copy.sends("fox", copy.suggested("fox"))
    receipt, game = outcome.receipt, copy.read()
    g0 = copy.report("fox")["setup"]["digest"]
    paper, signature = tmp_path / "receipt.json", tmp_path / "receipt.seal"
    paper.write_bytes(canonical_json(receipt))
    good = statements.signed("receipt", g0, receipt, signing_key(game))
    signature.write_bytes(good)
    one = reports(copy, "fox")[0]
    signatures = {receipt["digest"]: good}
    assert checked(copy.folder, one, paper) == []
    assert audit(copy.read(), SYSTEM, [receipt], signatures).whole
    signature.write_bytes(statements.signed("receipt", g0, receipt, key_of("fox")))
    assert checked(copy.folder, one, paper) == ["forged-receipt"]
    forged = audit(
        copy.read(), SYSTEM, [receipt], {receipt["digest"]: signature.read_bytes()}
    ).findings
    assert [f.code for f in forged] == ["forged-receipt"]
    signature.write_bytes(good)
    rewrite(copy, copy.records[:-1])
    assert checked(copy.folder, one, paper) == ["dropped-record"]
    assert [f.code for f in audit(copy.read(), SYSTEM, [receipt], signatures).findings] == [
        "cut-tail"
    ]


# Reports by themselves


def tampered(referee: Referee, tmp_path: Path, side: str, window: int, change: Change) -> Path:
    """A changed report with a valid digest, next to the old signature."""
    report = referee.report(side, window)
    change(report)
    report["digest"] = digest(report)
    path = tmp_path / "report.json"
    path.write_bytes(canonical_json(report))
    return path


def test_a_report_whose_digest_does_not_fit(played: Proven, tmp_path: Path) -> None:
    report = played.report("fox", 2)
    report["news"] = "all is well"
    path = tmp_path / "report.json"
    path.write_bytes(canonical_json(report))
    assert checked(path) == ["altered-report"]
    path.write_bytes(json.dumps(report).encode())
    assert checked(path) == ["not-canonical"]


def test_a_report_with_the_signature_of_another(played: Proven, tmp_path: Path) -> None:
    for signature in (("fox", 3), ("hunter", 2)):
        path = tmp_path / "report.json"
        path.write_bytes((played.folder / "reports/fox/2/report.json").read_bytes())
        other = played.folder / "reports" / signature[0] / str(signature[1]) / "report.seal"
        (tmp_path / "report.seal").write_bytes(other.read_bytes())
        assert checked(path) == ["signature"]


def test_an_anchor_that_was_not_named_in_time(played: Proven, tmp_path: Path) -> None:
    """The hunter's anchor counts from window 2, whose opening report named it."""
    named = next(a["from"] for a in played.report("fox")["anchors"]["hunter"])
    assert named == 2
    late = [p for p in reports(played, "hunter") if int(p.parent.name) > 2]
    assert checked(late[0])[0] == "no-anchor"
    assert checked(*reports(played, "hunter")) == []

    def early(report: Body) -> None:
        report["anchors"]["hunter"][0]["from"] = 1

    forged = tampered(played, tmp_path, "fox", 2, early)
    assert checked(forged, *reports(played, "fox")[2:])[0] == "no-anchor"
    assert "fork" in checked(*reports(played, "fox"), forged)


def test_two_sides_told_different_things_find_it_together(played: Proven, tmp_path: Path) -> None:
    other = tampered(played, tmp_path, "hunter", 2, flip("seed", "lock"))
    mine = played.folder / "reports/fox/2/report.json"
    assert checked(other) == []
    assert set(checked(mine, other)) == {"fork", "lock"}


def test_an_order_file_that_is_not_the_one_in_force(played: Proven, tmp_path: Path) -> None:
    report = played.report("fox", 1)
    referee = Proven(played.home, SYSTEM)
    path = tmp_path / "orders.txt"
    path.write_text(referee.orders("fox", "FOX: move B1;", report))
    assert checked(path, played.folder / "reports/fox/2/report.json") == ["other-orders"]
