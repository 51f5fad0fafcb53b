"""Links of sets that reach ahead of their window: what headers hold, what windows are rolled with,
what is said of it, and what both auditors find."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from games.toy import game as toy
from orders.canon import canonical, signature_text
from pbem.admin.commands import replace
from pbem.admin.setup import Newcomer
from pbem.audit.open_file import attached
from pbem.audit.verify_report import check_report
from pbem.base.report_json import Report
from pbem.cli import main
from pbem.crypto.sshsig import bare, public_line, sign
from pbem.dice import provable
from pbem.dice.chains import DiceChains, header_fields
from pbem.errors import Busy
from pbem.player.sign import NAMESPACE, block_of, header_of
from pbem.store.game_dir import writing
from pbem.store.register import Register
from tests.conftest import Clock
from tests.proving import Proven, proven
from tests.referee import key_of
from tests.trust.corpus import alter, checked, put, reports
from tests.turns.test_run_on import FOX, HOUND, closed, stumble


@pytest.fixture
def fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A game whose proved dice, different in every test, stop nothing."""
    monkeypatch.setattr(toy.Toy, "public", lambda system, event: "")
    return proven(tmp_path / "home", monkeypatch)


def links(side: str) -> list[str]:
    return [link.hex() for link in DiceChains(key_of(side)).links("g1", side, 0)]


def chosen(referee: Proven, side: str, lines: str, link: str) -> str:
    """The code that refuses a signed set whose header has this link; empty where it is taken."""
    referee._seq += 1
    report = referee.report(side)
    block = block_of(header_of(Report.of(report), report["seq"] + referee._seq, link), lines)
    text = block + signature_text(bare(sign(canonical(block), key_of(side), NAMESPACE)))
    (outcome,) = referee.receive(text)
    return str(outcome.receipt["code"])


def test_a_set_that_reaches_ahead_gives_the_link_of_its_last_window(fast: Proven) -> None:
    report, dice_chains = fast.report("fox"), DiceChains(key_of("fox"))
    assert header_fields(Report.of(report), dice_chains, ahead=2) == (links("fox")[3], "")
    assert header_fields(Report.of(report), dice_chains, ahead=provable.CHAIN_LENGTH)[0] == "none"
    assert chosen(fast, "fox", f"RUN 3;\n{FOX}", links("fox")[1]) == "bad-link"
    assert chosen(fast, "fox", FOX, links("fox")[3]) == "bad-link"
    assert chosen(fast, "fox", f"RUN 3;\n{FOX}", "none") == "no-link"
    assert chosen(fast, "fox", f"RUN 3;\n{FOX}", links("fox")[3]) == ""


def test_a_run_is_rolled_with_the_links_of_its_windows(fast: Proven) -> None:
    for side, lines in (("fox", FOX), ("hunter", HOUND)):
        assert fast.sends(side, f"RUN 3;\n{lines}").good
    fast.run()
    for body in closed(fast):
        window = body["window"]
        assert body["links"] == {side: links(side)[window] for side in ("fox", "hunter")}
        known = {} if window == 1 else {"fox": 1, "hunter": 1}
        assert body.get("carried", {}) == known
        report = fast.report("fox", window + 1)
        assert report["seed"].get("carried", {}) == known
        assert any("was carried" in flag for flag in report["flags"]) == bool(known)
        for side in ("fox", "hunter"):
            held = json.loads(fast.saved(side, window + 1))
            signature = fast.folder / "reports" / side / str(window + 1) / "report.seal"
            check_report(held, signature.read_bytes(), DiceChains(key_of(side)))
    assert "carried" not in json.dumps(fast.report("fox", 2))
    both(fast)


def both(referee: Proven) -> None:
    """Nothing is found by either auditor."""
    assert referee.audit().findings == []
    every = [*reports(referee, "fox"), *reports(referee, "hunter")]
    assert checked(referee.folder, *every) == []


def test_a_silent_side_is_served_by_the_link_it_gave(fast: Proven) -> None:
    """One side plots three turns and goes away; the other agrees to no run."""
    assert fast.sends("fox", f"RUN 3;\n{FOX}").good
    fast.window("hunter")
    for window, given in ((2, links("fox")[2]), (3, links("fox")[3]), (4, "")):
        fast.window("hunter")
        body = closed(fast)[-1]
        assert (body["window"], body["links"]["fox"]) == (window, given)
        assert body.get("carried", {}) == ({"fox": 1} if given else {})
    both(fast)


def test_a_newer_set_decides_the_link_and_what_was_known_stays_known(fast: Proven) -> None:
    assert fast.sends("fox", f"RUN 3;\n{FOX}").good
    fast.window("hunter")
    fast.window("fox", "hunter")
    assert closed(fast)[-1]["links"]["fox"] == links("fox")[2]
    assert closed(fast)[-1]["carried"] == {"fox": 1}
    fast.window("hunter")
    assert closed(fast)[-1]["links"]["fox"] == links("fox")[3]
    assert closed(fast)[-1]["carried"] == {"fox": 1}
    both(fast)


def test_a_set_replaced_in_its_own_window_has_given_its_links_away(fast: Proven) -> None:
    assert fast.sends("fox", f"RUN 3;\n{FOX}").good
    fast.window("fox", "hunter")
    assert "carried" not in closed(fast)[-1]
    fast.window("fox", "hunter")
    assert closed(fast)[-1]["carried"] == {"fox": 1}
    both(fast)


def test_a_new_anchor_takes_no_link_away_that_was_carried(fast: Proven) -> None:
    assert fast.sends("fox", f"RUN 4;\n{FOX}", renew=True).good
    fast.window("hunter")
    fast.window("hunter")
    fast.window("hunter")
    assert [b["links"]["fox"] != "" for b in closed(fast)] == [True, True, True]
    both(fast)


def test_undone_windows_are_rolled_with_the_same_carried_links(fast: Proven) -> None:
    assert fast.sends("fox", f"RUN 3;\n{FOX}").good
    fast.window("hunter")
    fast.window("hunter")
    fast.undo()
    fast.run()
    one, two = closed(fast)[-2:]
    assert (one["links"], one["rolls"], one["carried"]) == (two["links"], two["rolls"], {"fox": 1})
    fast.undo()
    fast.undo()
    fast.run()
    assert closed(fast)[-1]["links"]["fox"] == links("fox")[1]
    both(fast)


def test_a_link_that_reaches_a_reopened_window_stays_known_and_stays_in(fast: Proven) -> None:
    assert fast.sends("fox", f"RUN 5;\n{FOX}").good
    fast.window("hunter")
    fast.undo(reopen=True)
    fast.window("hunter")
    for sides in (("fox",), ("fox", "hunter")):
        assert closed(fast)[-1]["links"]["fox"] == links("fox")[closed(fast)[-1]["window"]]
        assert closed(fast)[-1]["carried"] == {"fox": 1}
        fast.window(*sides)
    both(fast)


@pytest.mark.parametrize(
    ("kind", "nth", "path", "value"),
    [
        ("closed", 1, ("carried",), {}),
        ("closed", 1, ("carried", "fox"), 2),
        ("closed", 0, ("run", "to"), 4),
        ("closed", 0, ("run", "why"), "told"),
        ("closed", 1, ("run", "from"), 2),
        ("received", 0, ("ahead",), 1),
        ("received", 0, ("ahead",), 3),
    ],
)
def test_altered_runs_are_found(
    kind: str, nth: int, path: tuple[str, ...], value: Any, fast: Proven
) -> None:
    for side, lines in (("fox", FOX), ("hunter", HOUND)):
        assert fast.sends(side, f"RUN 3;\n{lines}").good
    fast.run()
    at = alter(fast, kind, nth, put(*path, value=value))
    assert checked(fast.folder)
    (finding,) = fast.audit().findings
    assert finding.record == at


def test_a_window_that_runs_on_takes_no_orders_for_either_auditor(
    fast: Proven, monkeypatch: pytest.MonkeyPatch
) -> None:
    for side, lines in (("fox", FOX), ("hunter", HOUND)):
        assert fast.sends(side, f"RUN 3;\n{lines}").good
    stumble(fast, monkeypatch, after=1)
    with monkeypatch.context() as blind:
        blind.setattr(Register, "running", False)
        assert fast.sends("fox", "FOX: move B2;").good
    assert [f.code for f in fast.audit().findings] == ["header"]
    assert checked(fast.folder)[0].startswith("misplaced-order")


def test_strict_games_run_no_turns_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    strict = proven(tmp_path / "home", monkeypatch, dice="strict")
    outcome = strict.sends("fox", "FOX: move A2;")
    (outcome,) = strict.receive(strict.orders("fox", f"RUN 3;\n{FOX}"))
    assert outcome.status == "partly"
    (wrong,) = outcome.receipt["problems"]
    assert (wrong["code"], wrong["line"][wrong["from"] :][: wrong["length"]]) == ("no-run", "RUN")
    assert strict.records[-1].body["refused_orders"] == 1
    assert "ahead" not in strict.records[-1].body
    assert strict.sends("hunter", "RUN 1;\nHOUND: move D5;").good
    with pytest.raises(Busy):
        strict.run(force=True)
    for side in ("fox", "hunter"):
        strict.reveals(side)
    assert strict.run().before == []
    assert strict.audit().whole


def test_a_replacement_takes_no_link_away_that_was_given(fast: Proven) -> None:
    assert fast.sends("fox", f"RUN 3;\n{FOX}").good
    fast.window("hunter")
    with writing(fast.home, fast.name) as game:
        replace(game, "fox", Newcomer(public_line(key_of("vixen").wire), "vixen@example.org"))
    fast.window("hunter")
    assert [b["links"]["fox"] != "" for b in closed(fast)] == [True, True]
    assert closed(fast)[-1]["carried"] == {"fox": 1}
    both(fast)


def test_pbem_read_verifies_every_report_of_a_run(
    fast: Proven, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side, lines in (("fox", FOX), ("hunter", HOUND)):
        assert fast.sends(side, f"RUN 3;\n{lines}").good
    fast.run()
    key, mail = tmp_path / "fox.key", max((fast.folder / "outbox").glob("fox-*-report.eml"))
    secret = Ed25519PrivateKey.from_private_bytes(b"fox".ljust(32, b"."))  # that of key_of("fox")
    key.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    assert read_by(key, mail) == 0
    said = capsys.readouterr()
    assert "2 earlier reports of the same run, signed by the moderator" in said.err
    assert said.out.count("HAPPENED IN WINDOW") == 3
    spoiled = tmp_path / "spoiled.eml"
    parts = attached(mail.read_bytes())
    wrong = parts["report-2.json"].replace(b'"turn":2', b'"turn":3', 1)
    spoiled.write_bytes(packed(parts | {"report-2.json": wrong}))
    assert read_by(key, spoiled) == 1
    assert "does not have the digest" in capsys.readouterr().err


def read_by(key: Path, mail: Path) -> int:
    """The exit code of `pbem read`."""
    with pytest.raises(SystemExit) as done:
        main(["read", str(mail), "--key", str(key)])
    return int(done.value.code or 0)


def packed(parts: dict[str, bytes]) -> bytes:
    """A mail of attachments."""
    mail = EmailMessage()
    for name, content in parts.items():
        mail.add_attachment(content, maintype="application", subtype="json", filename=name)
    return mail.as_bytes()
