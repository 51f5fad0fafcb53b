"""What a dishonest moderator may try, alone or with a dishonest side; docs/trust.md lists it all.

Each attack is refused, or found by what one honest player holds, or by the published ledger.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.toy.game import SYSTEM
from pbem.audit.open_file import attached
from pbem.base.hashing import H, canonical_json
from pbem.cli import main
from pbem.crypto import statements
from pbem.errors import Busy
from pbem.store.ledger import Record
from pbem.store.records import Received
from pbem.store.register import Register
from pbem.store.secrets import signing_key
from tests.proving import Proven, proven
from tests.referee import Referee
from tests.trust.corpus import Body, alter, checked, flip, put, reports, rewrite, verify
from tests.trust.games import revealed

ROOT = Path(__file__).parent.parent.parent


def found(referee: Proven) -> tuple[int, str]:
    (finding,) = referee.audit().findings
    return finding.record, finding.code


# Undo to re-roll


def consenting(referee: Proven, window: int, *sides: str) -> None:
    for side in sides:
        lines = f"CONSENT undo {window};\n{referee.suggested(side)}"
        assert referee.sends(side, lines).good


@pytest.mark.parametrize(
    ("sides", "without"),
    [((), "fox, hunter"), (("fox",), "hunter"), (("hunter", "fox"), "")],
)
def test_an_undo_to_re_roll_is_named_unless_all_sides_signed(
    sides: tuple[str, ...], without: str, fast: Proven
) -> None:
    fast.window("fox", "hunter")
    before = fast.stated("fox", 2)
    consenting(fast, 1, *sides)
    fast.undo(reopen=True)
    fast.window("fox", "hunter")
    report = fast.stated("hunter")
    assert report["seed"]["window"] == 3
    assert not set(report["seed"]["links"].values()) & set(before["seed"]["links"].values())
    assert "Windows undone so far: 1." in report["flags"]
    audited, say = fast.audit(), verify.check_all([str(fast.folder)])
    assert not audited.findings
    assert not say[1]
    flag = "re-rolled by the moderator without the signed consent of"
    for said in ("\n".join(audited.flags), "\n".join(say[0])):
        assert "window 1 undone" in said
        assert (f"{flag} {without}" in said) == bool(without)
        assert bool(without) or flag not in said


def test_consent_to_undo_one_window_does_not_cover_another(fast: Proven) -> None:
    fast.window("fox", "hunter")
    consenting(fast, 2, "fox", "hunter")
    fast.undo(reopen=True)
    assert any("consent of fox, hunter" in flag for flag in fast.audit().flags)


def test_consent_entered_by_the_moderator_does_not_count(fast: Proven) -> None:
    fast.window("fox", "hunter")
    consenting(fast, 1, "fox")
    block = fast.block("hunter", f"CONSENT undo 1;\n{fast.suggested('hunter')}")
    assert fast.receive(block, side="hunter")[0].good
    fast.undo(reopen=True)
    said, bad = verify.check_all([str(fast.folder)])
    assert not bad
    for flags in (fast.audit().flags, said):
        assert any("signed consent of hunter" in flag for flag in flags)


def test_consent_forged_in_the_record_is_found(fast: Proven) -> None:
    fast.window("fox", "hunter")
    consenting(fast, 2, "fox")

    def other(body: Body) -> None:
        body["consent"] = "UNDO 1"

    number = alter(fast, "received", -1, other)
    assert found(fast) == (number, "header")
    assert checked(fast.folder) == []  # verify.py reads the signed text, not the record's word


def test_what_a_signed_text_consents_to_is_read_alike() -> None:
    for text, window in (
        ("FINAL ; CONSENT UNDO 14 ; FOX : HOLD ;", 14),
        ("CONSENT UNDO 14 ; END ORDERS", 14),
        ("CONSENT UNDO 14 END ORDERS", 14),
        ("FOX : HOLD ; CONSENT UNDO 14 ; END ORDERS", 0),
        ("ABSENT UNTIL 2026 - 11 - 24 ; FOX : HOLD ;", 0),
        ("E : HOLD CONSENT UNDO 14 ; END ORDERS", 0),  # no header field, though SIDE ends with it
    ):
        assert verify.consent(["BEGIN", "ORDERS", *text.split()]) == window


def test_a_window_run_again_with_other_dice_is_found(fast: Proven) -> None:
    """An undo that keeps the orders must give the same dice."""
    fast.window("fox", "hunter")
    fast.undo()
    fast.run()
    number = alter(fast, "closed", 1, put("links", "fox", value=""))
    assert found(fast) == (number, "swapped-link")
    assert checked(fast.folder) == [f"swapped-link record {number}"]


# One-sided windows


def test_a_window_hidden_from_one_side_shows_in_its_reports(fast: Proven) -> None:
    for _ in range(3):
        fast.window("fox", "hunter")
    held = reports(fast, "hunter")
    said, bad = verify.check_all([str(p) for p in held])
    assert not bad
    assert not [s for s in said if "for others alone" in s]
    said, bad = verify.check_all([str(p) for p in held if p.parent.name != "3"])
    assert not bad
    (note,) = [s for s in said if "for others alone" in s]
    assert "dice of window 3" in note


# Labels


@pytest.mark.parametrize("name", ["basic-1-fast", "basic-1-seeded"])
def test_no_label_holds_a_name_that_a_player_chose(name: str) -> None:
    """Otherwise a side could try names until a label gives good dice. The test plays whole games
    with battles and task forces."""
    path = ROOT / "tests" / "frozen" / "bismarck" / f"{name}.jsonl.gz"
    chosen: set[str] = set()
    labels: set[str] = set()
    for line in gzip.decompress(path.read_bytes()).splitlines():
        body = json.loads(line)["body"]
        chosen |= set(re.findall(r"\bAS (\w+)", body.get("canonical", "")))
        labels |= {roll["label"] for roll in body.get("rolls", ())}
    assert len(chosen) >= 4
    assert any(label.startswith("BATTLE/") for label in labels)
    parts = {part for label in labels for part in label.split("/")[:4]}
    assert not {part for part in parts if set(re.findall(r"\w+", part)) & chosen}
    assert not [part for part in parts if re.match(r"(?:EN|TF)\d", part)]


# Locks and reveals


def test_a_set_added_after_the_lock_is_found(strict: Proven) -> None:
    revealed(strict)
    records = strict.records
    (locked,) = [r.n for r in records if r.kind == "locked"]
    (last,) = [r.n for r in records if r.kind == "received"][-1:]
    moved = [*records[: last - 1], records[locked - 1], records[last - 1], *records[locked:]]
    rewrite(strict, moved)
    number, code = found(strict)
    assert (number, code) == (last, "sets")
    assert checked(strict.folder) == [f"dropped-order record {last}"]


def test_orders_changed_after_the_lock_are_found(strict: Proven) -> None:
    """The published lock is that of the first orders, but the ledger has others."""
    for side in ("fox", "hunter"):
        assert strict.sends(side, strict.suggested(side)).good
    with pytest.raises(Busy):
        strict.run(force=True)
    notice = dict(strict.notice("hunter"))
    records = strict.records[:-1]
    rewrite(strict, records)
    assert strict.sends("fox", "FOX: move B1;").good
    with pytest.raises(Busy):
        strict.run(force=True)
    assert strict.audit().whole
    assert checked(strict.folder) == []
    told_otherwise(strict, notice)


def told_otherwise(referee: Proven, notice: dict[str, Any]) -> None:
    """The files of one side show that the ledger has another lock."""
    assert [f.code for f in referee.audit([notice]).findings] == ["two-locks"]
    path = referee.home / "lock.json"
    path.write_bytes(canonical_json(notice))
    assert checked(referee.folder, path) == ["two-locks"]


def test_two_locks_told_to_two_sides_are_found(strict: Proven, tmp_path: Path) -> None:
    """Two different locks are found from two notices, and from a notice and the later report."""
    revealed(strict)
    g0, key = strict.stated("fox")["setup"]["digest"], signing_key(strict.read())
    mail = min((strict.folder / "outbox").glob("fox-*-lock.eml")).read_bytes()
    honest = json.loads(attached(mail)["lock.json"])
    forged = {k: v for k, v in honest.items() if k != "digest"} | {"side": "hunter"}
    flip("lock")(forged)
    forged["digest"] = H("lock-notice", canonical_json(forged)).hex()
    paths = []
    for facts in (honest, forged):
        path = tmp_path / f"{facts['side']}.json"
        path.write_bytes(canonical_json(facts))
        path.with_suffix(".seal").write_bytes(statements.signed("lock", g0, facts, key))
        paths.append(path)
    report = reports(strict, "hunter")[-1]
    assert checked(*paths) == ["two-locks"]
    assert checked(report, paths[1]) == ["two-locks"]
    assert checked(report, paths[0], strict.folder) == []
    told_otherwise(strict, forged)
    path = paths[0].with_suffix(".seal")
    path.write_bytes(paths[1].with_suffix(".seal").read_bytes())
    assert checked(report, paths[0]) == ["forged-lock"]


def test_a_second_lock_in_the_ledger_is_found(strict: Proven) -> None:
    revealed(strict)
    records = strict.records
    (locked,) = [r.n for r in records if r.kind == "locked"]
    rewrite(strict, [*records[:locked], records[locked - 1], *records[locked:]])
    assert found(strict) == (locked + 1, "two-locks")
    assert checked(strict.folder) == [f"two-locks record {locked + 1}"]


def test_a_lost_reveal_is_shown_by_its_receipt(strict: Proven, tmp_path: Path) -> None:
    """The moderator claims that a revealed link never arrived."""
    for side in ("fox", "hunter"):
        assert strict.sends(side, strict.suggested(side)).good
    with pytest.raises(Busy):
        strict.run(force=True)
    assert strict.reveals("hunter").good
    receipt = strict.reveals("fox").receipt
    g0, key = strict.stated("fox")["setup"]["digest"], signing_key(strict.read())
    paper = tmp_path / "receipt.json"
    paper.write_bytes(canonical_json(receipt))
    paper.with_suffix(".seal").write_bytes(statements.signed("receipt", g0, receipt, key))
    rewrite(strict, strict.records[:-1])
    strict.run(force=True)
    assert strict.stated("fox")["seed"]["links"]["fox"] == ""
    assert strict.audit().whole
    held = reports(strict, "fox")
    assert checked(*held) == []
    assert checked(*held, paper) == ["lost-reveal"]
    assert "dropped-record" in checked(strict.folder, *held, paper)
    assert [f.code for f in strict.audit([receipt]).findings] == ["dropped-record"]


def test_lost_orders_are_shown_by_their_receipt(fast: Proven, tmp_path: Path) -> None:
    receipt = fast.sends("fox", fast.suggested("fox")).receipt
    paper = tmp_path / "receipt.json"
    paper.write_bytes(canonical_json(receipt))
    rewrite(fast, fast.records[:-1])
    fast.window("hunter")
    assert checked(*reports(fast, "fox"), paper) == ["dropped-order"]
    assert checked(fast.folder, paper) == ["dropped-record"]
    assert [f.code for f in fast.audit([receipt]).findings] == ["dropped-record"]


def test_orders_recorded_and_left_out_are_found(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moderator's own program forgets a set: receipt, lock, dice and reports all fit. Only in
    games whose links would betray it was it found before."""
    with monkeypatch.context() as patch:
        taken = Register._received

        def forgetful(register: Register, record: Record, body: Received) -> None:
            taken(register, record, body)
            del register.sets[body.side]

        patch.setattr(Register, "_received", forgetful)
        referee.order("fox", "FOX: move A2;")
        referee.run(force=True)
        assert referee.stated("fox")["units"][0]["place"] == "A1"
    number = referee.records[-1].n
    assert [(f.record, f.code) for f in referee.audit().findings] == [(number, "sets")]
    assert checked(referee.folder) == [f"dropped-order record {number}"]


# Held papers


def test_a_ledger_whose_end_was_written_anew_is_a_fork(fast: Proven, tmp_path: Path) -> None:
    """The moderator replays the last windows with other orders for one side."""
    for _ in range(2):
        fast.window("fox", "hunter")
    copy = Proven(Path(shutil.copytree(fast.home, tmp_path / "copy")), SYSTEM)
    (start, _) = [r.n for r in copy.records if r.kind == "closed"]
    rewrite(copy, copy.records[:start])
    copy.window("fox")
    held = [fast.stated("hunter", w) for w in (1, 2, 3)]
    assert fast.audit(held).whole
    assert copy.audit().whole
    assert copy.audit(held[:2]).whole
    assert [f.code for f in copy.audit(held).findings] == ["fork"]
    assert checked(copy.folder, *reports(fast, "hunter")) == ["cut-or-forked"]


def test_the_command_reads_what_a_player_holds(
    strict: Proven, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    revealed(strict)
    monkeypatch.setenv("PBEM_HOME", str(strict.home))
    mails = [str(p) for p in sorted((strict.folder / "outbox").glob("fox-*.eml"))]
    assert len(mails) >= 4
    args = ["audit", "g1", "--held", *mails]
    with pytest.raises(SystemExit) as done:
        main(args)
    assert (done.value.code, "is whole" in capsys.readouterr().out) == (0, True)
    number = alter(strict, "locked", 0, flip("lock"))
    with pytest.raises(SystemExit) as done:
        main(args)
    assert (done.value.code, f"record {number}: lock" in capsys.readouterr().out) == (1, True)


def test_records_with_the_same_hash_chain_but_another_game_are_refused(
    fast: Proven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports of one game prove nothing about another game of the same name."""
    other = proven(tmp_path / "other", monkeypatch)
    for referee in (fast, other):
        referee.window("fox", "hunter")
    mixed = checked(other.folder, *reports(fast, "fox"))
    assert set(mixed) == {"cut-or-forked"}
    assert [f.code for f in other.audit([fast.stated("fox", 1)]).findings] == ["fork"]
    swapped = [msgspec.structs.replace(r, salt="0" * 32) for r in fast.records]
    rewrite(fast, swapped)
    assert fast.audit().findings
