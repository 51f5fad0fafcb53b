"""Officers with roles by mail: their reports and orders, and what counts when a window closes."""

from __future__ import annotations

import json
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from pbem.admin.setup import Choices, Newcomer, enlist
from pbem.crypto.age import BadAge
from pbem.crypto.sshsig import public_line
from pbem.errors import NotFound
from pbem.store.game_dir import writing
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, reads
from tests.officers.game import SIDES, SYSTEM
from tests.referee import Referee, key_of
from tests.trust.corpus import checked, reports

AIR, SUBS = "hunters.air", "hunters.subs"
SEATS = (*SIDES, AIR, SUBS)


def made(home: Path, kind: type[Referee] = Referee, dice: str = "seeded", **options: str) -> Any:
    """A game that is open, with commanders and two officers of roles."""
    choices = Choices(options=options, dice=dice, seed="x" if dice == "seeded" else "")
    referee = kind.made(home, SYSTEM, choices)
    for seat in (AIR, SUBS):
        referee.enlist(seat, key_of(seat))
    referee.open()
    return referee


def whole(referee: Referee) -> None:
    """Both checkers find nothing, also in what the officers kept."""
    kept = [report for seat in SEATS for report in reports(referee, seat)]
    assert not referee.audit([json.loads(path.read_bytes()) for path in kept]).findings
    assert checked(referee.folder, *kept) == []


def placed(referee: Referee, seat: str = "hunters") -> dict[str, str]:
    """Where the units of a seat's report are."""
    return {unit["id"]: unit["place"] for unit in referee.report(seat)["units"]}


# Reports


def test_each_role_gets_a_part_of_the_sides_report(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    referee.play({"hunters": "SHEFFIELD: go A1;", AIR: "WALRUS: go A2;", SUBS: "TRIAD: go A2;"})
    report = referee.report(AIR)
    assert (report["side"], report["role"]) == ("hunters", "air")
    assert report["side_name"] == "Hunters, Air officer"
    assert list(report["menu"]) == ["WALRUS"]
    assert [u["id"] for u in report["units"]] == ["WALRUS"]
    assert {e.get("unit", e.get("by")) for e in report["events"]} == {"WALRUS"}
    assert [r["label"].split("/")[2] for r in report["rolls"]] == ["WALRUS"]
    assert len(referee.report("hunters")["rolls"]) == 2
    assert "role" not in referee.report("hunters")
    text = (referee.folder / "reports" / AIR / "2" / "report.txt").read_text()
    assert "AIR OFFICER" in text.upper() and "SHEFFIELD" not in text.upper()
    assert "What its commander orders counts before yours" in " ".join(text.split())
    whole(referee)


def test_a_roles_report_goes_to_its_officers_alone(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    for seat in SEATS:
        (path,) = (referee.folder / "outbox").glob(f"{seat}-*-report.eml")
        assert message_from_bytes(path.read_bytes())["To"] == f"{seat}@example.org"
    referee.order(AIR, "WALRUS: go B2;")
    assert len(list((referee.folder / "outbox").glob("hunters-*"))) == 1
    assert len(list((referee.folder / "outbox").glob(f"{AIR}-*"))) == 2


# Orders


def test_the_orders_of_roles_count_for_units_that_the_commander_does_not_name(
    tmp_path: Path, clock: Clock
) -> None:
    referee = made(tmp_path)
    referee.play({"hunters": "WALRUS: go A1;", AIR: "WALRUS: go B1;", SUBS: "TRIAD: go B3;"})
    assert placed(referee) == {"SHEFFIELD": "C2", "WALRUS": "A1", "TRIAD": "B3"}
    referee.play({AIR: "WALRUS: go C1;"})  # nothing came from the commander
    assert placed(referee)["WALRUS"] == "C1"
    assert referee.report("hunters")["seed"]["sets"] == {"hunters": "NMR"}
    assert referee.report(SUBS)["seed"]["sets"] == {SUBS: "NMR"}
    assert len(referee.report(AIR)["seed"]["sets"][AIR]) == 64
    whole(referee)


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("SHEFFIELD: go B1;", "unknown-unit"),
        ("@TRIAD: go B1;", "unknown-unit"),
        ("@TRIAD: none;", "unknown-unit"),
        ("WALRUS: if turn over 1 then go B1;", "role-condition"),
        ("@WALRUS: if turn over 1 then go B1 else go B2;", "role-condition"),
        ("WALRUS: when sighted then go B1;", "role-condition"),
        ("RUN 2;", "commander-only"),
        ("LINKS 3;", "commander-only"),
        ("RESIGN;", "commander-only"),
        ("ABSENT UNTIL 2026-12-20;", "commander-only"),
        ("CONSENT UNDO 1;", "commander-only"),
        ("Q1: follow;", "unknown-question"),
    ],
)
def test_a_role_orders_its_own_units_without_conditions(
    lines: str, code: str, tmp_path: Path, clock: Clock
) -> None:
    referee = made(tmp_path)
    outcome = referee.order(AIR, lines if "WALRUS" in lines else f"{lines} WALRUS: go A3;")
    assert [p["code"] for p in outcome.receipt["problems"]] == [code], outcome.text
    assert outcome.status == "partly"
    referee.run(force=True)
    assert placed(referee)["WALRUS"] == ("C2" if "WALRUS" in lines else "A3")
    assert not referee.register.mail_state.absent
    whole(referee)


def test_standing_orders_of_a_role_stay_and_are_the_commanders_to_see(
    tmp_path: Path, clock: Clock
) -> None:
    referee = made(tmp_path)
    referee.play({AIR: "@WALRUS: go B1;"})
    assert referee.report("hunters")["standing"] == ["@WALRUS: go B1;"]
    assert referee.report(AIR)["standing"] == []
    referee.play({"hunters": "@WALRUS: none;", AIR: "@WALRUS: go B3;"})
    assert referee.report("hunters")["standing"] == []
    whole(referee)


def test_a_role_never_holds_a_window_open(tmp_path: Path, clock: Clock) -> None:
    from pbem.turns.close_window import due

    referee = made(tmp_path)
    referee.order("hunters", "SHEFFIELD: go A1;")
    assert due(referee.read()) == ""
    referee.order(AIR, "WALRUS: go A1;")
    assert due(referee.read()) == ""
    referee.order("raider", "PINGUIN: go A3;")
    assert due(referee.read()) == "all sides are in"
    done = referee.run()
    assert done.missing == []
    whole(referee)


def test_a_run_needs_the_sides_alone(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    referee.order(AIR, "WALRUS: go A3;")
    referee.order("hunters", "RUN 3; SHEFFIELD: go C1;")
    referee.order("raider", "RUN 3; PINGUIN: go B1;")
    referee.run()
    assert referee.register.window == 4
    assert placed(referee, AIR) == {"WALRUS": "A3"}
    earlier = sorted(p.name for p in (referee.folder / "outbox").glob(f"{AIR}-*-report.eml"))
    assert len(earlier) == 2  # one mail for the run
    whole(referee)


def test_questions_are_for_the_commander(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path, play="asked")
    referee.play({AIR: "WALRUS: go A2;"})
    if not referee.report("hunters")["questions"]:
        pytest.fail("the dice of this seed no longer sight anything")
    assert referee.report(AIR)["questions"] == []
    assert referee.order(AIR, "Q1: leave;").receipt["problems"]
    whole(referee)


def test_receipts_are_numbered_and_judged_for_each_seat(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    first = referee.order(AIR, "WALRUS: go A2;").receipt
    again = referee.order(AIR, "WALRUS: go A3;").receipt
    assert (first["side"], first["number"], again["number"]) == (AIR, 1, 2)
    assert again["replaces"] == 1
    assert first["side_name"] == "Hunters, Air officer"
    assert referee.order("hunters", "FINAL;").receipt["number"] == 1


def test_the_moderator_enters_orders_for_a_role(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    report = referee.report(AIR)
    (outcome,) = referee.receive(referee.block(AIR, "WALRUS: go A2;", report), side=AIR)
    assert outcome.good
    assert pbem("--home", tmp_path, "receive", "g1", "--for", "hunters.cook", "-").code == 3
    referee.run(force=True)
    assert placed(referee)["WALRUS"] == "A2"
    whole(referee)


def test_a_form_of_another_desk_is_refused(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    for seat, of in ((AIR, "hunters"), (AIR, SUBS), ("hunters", AIR)):
        (outcome,) = referee.receive(referee.orders(seat, "FINAL;", referee.report(of)))
        assert outcome.receipt["code"] == "wrong-report"


# Dice, undo, encrypted mail, the end


@pytest.mark.parametrize("dice", ["fast", "strict"])
def test_dice_links_are_those_of_the_commanders(
    dice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    from pbem.base.report_json import Report
    from pbem.dice.chains import DiceChains, header_fields
    from tests.luck import pinned

    pinned(monkeypatch, dice)
    referee = made(tmp_path, dice=dice)
    report = Report.of(referee.report(AIR))
    assert header_fields(report, DiceChains(key_of(AIR))) == ("none", "")
    assert not [a for a in referee.register.anchors if a.side == AIR]
    outcome = referee.order(AIR, "WALRUS: go A2;", anchor="ab" * 32)
    assert outcome.good
    assert not referee.register.pending
    assert referee.order(AIR, "WALRUS: go A1;", link="ab" * 32).receipt["code"] == "bad-link"


@pytest.mark.parametrize("reopen", [False, True])
def test_an_undo_keeps_or_drops_the_sets_of_roles(
    reopen: bool, tmp_path: Path, clock: Clock
) -> None:
    referee = made(tmp_path)
    referee.play({"raider": "PINGUIN: go A1;", AIR: "WALRUS: go B1;"})
    referee.undo(reopen=reopen)
    assert (AIR in referee.register.sets) == (not reopen)
    assert len(list((referee.folder / "outbox").glob(f"{AIR}-*"))) == 4
    referee.run(force=True)
    assert placed(referee)["WALRUS"] == ("C2" if reopen else "B1")
    whole(referee)


def test_roles_play_by_encrypted_mail(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path, kind=EncryptedReferee)
    referee.play({"hunters": "SHEFFIELD: go A1;", AIR: "WALRUS: go A2;"})
    opened = reads(referee.newest(AIR, "report"), key_of(AIR))
    assert b"AIR OFFICER" in str(opened).upper().encode()
    with pytest.raises(BadAge):
        reads(referee.newest(AIR, "report"), key_of("hunters"))
    whole(referee)


def test_an_officer_who_comes_later_reads_the_open_window(tmp_path: Path, clock: Clock) -> None:
    from pbem.admin.setup import open_game

    referee = EncryptedReferee.made(tmp_path, SYSTEM, Choices(dice="seeded", seed="x"))
    with writing(tmp_path, "g1") as game:
        open_game(game, SYSTEM)
    referee.enlist(AIR, key_of(AIR))
    assert [o.side for o in referee.register.officers][-1] == AIR
    opened = reads(referee.newest(AIR, "report"), key_of(AIR))
    assert b"AIR OFFICER" in str(opened).upper().encode()
    assert not list((referee.folder / "outbox").glob(f"{SUBS}-*"))
    referee.play({AIR: "WALRUS: go A1;"})
    assert placed(referee)["WALRUS"] == "A1"
    whole(referee)


def test_a_key_changes_by_signature(tmp_path: Path, clock: Clock) -> None:
    from pbem.admin.key_change import change
    from pbem.base.report_json import Report
    from pbem.dice.chains import DiceChains

    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="fast"))
    referee.enlist(AIR, key_of(AIR))
    referee.open()
    report = Report.of(referee.report(AIR))
    block = change(report, key_of(AIR), DiceChains(key_of("new")))
    (outcome,) = referee.receive(block)
    assert outcome.receipt["code"] == "rekeyed", outcome.text
    referee.run(force=True)
    assert list(referee.report("raider")["keys"]) == [AIR]
    assert f"New key of {AIR}" in " ".join(referee.report("raider")["flags"])
    assert not referee.register.anchors
    whole(referee)


def test_an_officer_signs_with_the_usual_commands(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="fast"))
    key, form, orders = tmp_path / "key", tmp_path / "form", tmp_path / "orders"
    assert pbem("keygen", "-o", key).code == 0
    home = ("--home", tmp_path)
    args = ("enlist", "g1", "hunters", "--role", "air", "--email", "a@example.org")
    assert pbem(*home, *args, "--key", f"{key}.pub").code == 0
    referee.open()
    report = referee.folder / "reports" / AIR / "1" / "report.json"
    assert pbem("form", report, "-o", form).code == 0
    assert pbem("check", form, "--report", report).code == 0
    assert "WALRUS: go C2;" in form.read_text()
    done = pbem("sign", form, "--key", key, "--report", report, "-o", orders)
    assert done.code == 0, done.err
    assert "side: hunters" in orders.read_text()
    assert "link: none" in orders.read_text()
    assert pbem(*home, "receive", "g1", orders).code == 0
    form.write_text(form.read_text().replace("WALRUS: go C2;", "LINKS 3; WALRUS: go C2;"))
    assert "commander-only" in pbem("check", form, "--report", report).out
    (receipt,) = (referee.folder / "outbox").glob(f"{AIR}-*-receipt.eml")
    done = pbem("read", receipt, "--key", key, "--report", report)
    assert done.code == 0, done.err
    mail = referee.folder / "reports" / AIR / "1" / "report.eml"
    assert pbem("read", mail, "--key", key).code == 0
    referee.run(force=True)
    whole(referee)


def test_a_whole_game_is_published_and_checked(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    while not referee.register.over:
        referee.play({seat: referee.suggested(seat) for seat in SEATS})
    assert pbem("--home", tmp_path, "audit", "g1").code == 0
    assert pbem("--home", tmp_path, "publish", "g1").code == 0
    assert pbem("audit", tmp_path / "g1" / "g1.zip").code == 0
    assert "You have lost: " in referee_subject(referee, AIR)
    whole(referee)


def referee_subject(referee: Referee, seat: str) -> str:
    """The subject of a seat's newest mail."""
    mail = sorted((referee.folder / "outbox").glob(f"{seat}-*"))[-1]
    return str(message_from_bytes(mail.read_bytes())["Subject"])


# Commands


def test_commands_know_roles(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    home = ("--home", tmp_path)
    kept = (referee.folder / "reports" / AIR / "1" / "report.txt").read_text()
    assert pbem(*home, "report", "g1", "hunters", "--role", "air").out == kept
    assert pbem(*home, "report", "g1", AIR).out == kept
    assert pbem(*home, "report", "g1", "hunters", "--role", "cook").code == 3
    assert "roles: air, subs" in pbem(*home, "report", "g1", "hunters", "--role", "cook").err
    assert pbem(*home, "resend", "g1", "hunters", "--role", "air").code == 0
    assert pbem(*home, "note", "g1", AIR, "well done").code == 0
    assert pbem(*home, "note", "g1", "to all").code == 0
    for kind in ("note", "note", "report"):
        assert list((referee.folder / "outbox").glob(f"{AIR}-*-{kind}.eml"))
    referee.order(AIR, "WALRUS: go A2;")
    said = pbem(*home, "status", "g1").out
    assert "hunters.air" in said
    found = pbem(*home, "status", "g1", "--json").json
    assert list(found["sides"]) == list(SIDES)
    assert found["roles"][AIR]["in"] and not found["roles"][SUBS]["in"]
    assert not found["roles"][AIR]["owes"]
    assert "sides hunters (air, subs), raider" in pbem("systems").out
    (system,) = (one for one in pbem("systems", "--json").json if one["name"] == "officers")
    assert system["scenarios"][0]["roles"]["hunters"]["air"] == "Air officer"


def test_an_officer_with_a_role_joins_by_letter_and_later(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="fast"))
    home = ("--home", tmp_path)
    invited = pbem(*home, "invite", "g1", "hunters", "--role", "air", "--email", "a@example.org")
    assert invited.code == 0, invited.err
    letter, key, answer = tmp_path / "letter", tmp_path / "key", tmp_path / "answer"
    letter.write_text(invited.out)
    assert pbem("keygen", "-o", key).code == 0
    assert pbem("join", letter, "--key", key, "-o", answer).code == 0
    assert pbem(*home, "enlist", "g1", "--letter", answer).code == 0
    assert [o.side for o in referee.register.officers][-1] == AIR
    assert not [a for a in referee.register.anchors if a.side == AIR]
    referee.open()
    public = tmp_path / "subs.pub"
    public.write_text(public_line(key_of("s").wire))
    args = ("enlist", "g1", "hunters", "--role", "subs", "--email", "s@example.org")
    done = pbem(*home, *args, "--key", public)
    assert done.code == 0, done.err
    (mail,) = (referee.folder / "outbox").glob(f"{SUBS}-*-report.eml")
    assert message_from_bytes(mail.read_bytes())["To"] == "s@example.org"
    public.write_text(public_line(key_of("t").wire))
    args = ("replace", "g1", "hunters", "--role", "subs", "--email", "t@example.org")
    done = pbem(*home, *args, "--key", public)
    assert done.code == 0, done.err
    referee.run(force=True)
    whole(referee)
    assert pbem(*home, "enlist", "g1", "hunters", "--role", "air", "--bot").code == 2


def test_a_role_without_an_officer_gets_no_mail(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="seeded", seed="x"))
    referee.open()
    assert not list((referee.folder / "outbox").glob("*.*-*"))
    assert referee.report(AIR)["role"] == "air"
    done = pbem("--home", tmp_path, "replace", "g1", AIR, "--email", "x@example.org")
    assert done.code == 2
    referee.play({"hunters": "WALRUS: go A1;"})
    whole(referee)


@pytest.mark.parametrize("mail", ["plain", "sealed"])
def test_what_nobody_reads_of_a_role_is_made_when_somebody_does(
    tmp_path: Path, clock: Clock, mail: str
) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="seeded", seed="x", mail=mail))
    referee.open()
    referee.run(force=True)
    home, folder = ("--home", tmp_path), referee.folder / "reports" / SUBS
    bare = {"report.json", "report.seal"}
    assert {path.name for path in (folder / "2").iterdir()} == bare
    first = pbem(*home, "report", "g1", SUBS)
    assert first.code == 0 and "Submarine officer" in first.out
    assert pbem(*home, "report", "g1", SUBS, "--format", "html").out.startswith("<!DOCTYPE html>")
    assert {path.name for path in (folder / "2").iterdir()} == bare  # reading writes nothing

    public = tmp_path / "subs.pub"
    public.write_text(public_line(key_of("s").wire))
    args = ("enlist", "g1", "hunters", "--role", "subs", "--email", "s@example.org")
    assert pbem(*home, *args, "--key", public).code == 0
    whole_folder = bare | {"report.txt", "report.html", "report.eml", "orders.txt"}
    assert {path.name for path in (folder / "2").iterdir()} == whole_folder
    assert {path.name for path in (folder / "1").iterdir()} == bare
    assert (folder / "2" / "report.txt").read_text() == first.out
    (sent,) = (referee.folder / "outbox").glob(f"{SUBS}-*-report.eml")
    assert message_from_bytes(sent.read_bytes())["To"] == "s@example.org"
    assert pbem(*home, "resend", "g1", SUBS).code == 0
    assert pbem(*home, "resend", "g1", SUBS, "--window", "1").code == 0
    assert pbem(*home, "resend", "g1", SUBS, "--window", "3").code == 3
    referee.run(force=True)
    assert {path.name for path in (folder / "3").iterdir()} == whole_folder
    whole(referee)


def test_mail_of_an_officer_is_answered_for_his_role(tmp_path: Path, clock: Clock) -> None:
    from pbem.inbound.dispatch import _status, side_of

    game = made(tmp_path).read()
    assert side_of(game, f"{AIR}@example.org") == AIR
    assert "you need not send one" in _status(game, AIR).text


def test_press_is_for_commanders(tmp_path: Path, clock: Clock) -> None:
    from pbem.admin.press import Message, Refused, send

    Referee.made(tmp_path, SYSTEM, Choices(dice="seeded", seed="x", press="anonymous"))
    with writing(tmp_path, "g1") as game, pytest.raises(Refused, match="only commanders"):
        send(game, Message(AIR, "raider", "hello"))


def test_an_unknown_role_is_not_enlisted(tmp_path: Path, clock: Clock) -> None:
    referee = made(tmp_path)
    with writing(referee.home, "g1") as game, pytest.raises(NotFound, match="no role 'cook'"):
        enlist(game, "hunters.cook", Newcomer(public_line(key_of("c").wire)))
    with writing(referee.home, "g1") as game, pytest.raises(NotFound, match="no role 'air'"):
        enlist(game, "raider.air", Newcomer(public_line(key_of("c").wire)))
    assert json.loads(referee.register.setup)["roles"] == {"hunters": ["air", "subs"]}
