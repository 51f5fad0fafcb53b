"""Spectators: what they get, what they never get, and what nobody learns of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from games import load
from games.toy.game import SYSTEM
from pbem import model
from pbem.admin.setup import Choices
from pbem.engine.runner import Closing
from pbem.model import Side
from pbem.outbound import spectators
from pbem.outbound.notices import end
from pbem.outbound.spectators import dismiss, enrol
from pbem.reports.report import Account
from pbem.store.game_dir import writing
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.ledgers import line_of
from tests.mail.office import Office
from tests.referee import Referee
from tests.secrecy import Artefacts, artefacts, differences, opened
from tests.systems import OURS
from tests.turns.test_run_on import agree, quiet


def watch(referee: Referee, email: str = "w@example.org") -> int:
    with writing(referee.home, referee.name) as game:
        return enrol(game, email, "Wendy")


def seen(referee: Referee) -> Artefacts:
    """Everything that leaves for spectators."""
    found = artefacts(referee, "spectators")
    for path in sorted((referee.folder / "outbox").glob("spectator*")):
        found |= opened(path.name, path.read_bytes())
    return found


def public(referee: Referee, window: int) -> dict[str, Any]:
    path = referee.folder / "reports" / "spectators" / str(window) / "report.json"
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def test_a_spectator_gets_what_both_were_told_and_no_more(referee: Referee) -> None:
    watch(referee)
    referee.play({"fox": "FOX: move B1;", "hunter": "HOUND: move D5;"})
    report = public(referee, 2)
    assert report["side"] == "spectators"
    assert (report["units"], report["contacts"], report["menu"], report["form"]) == ([], [], {}, "")
    assert [r["label"].split("/")[1] for r in report["rolls"]] == ["TWIG"]
    assert "Moved" in {e["kind"] for e in referee.report("fox")["events"]}
    assert "Moved" not in {e["kind"] for e in report["events"]}
    assert report["seed"]["sets"] == {}
    assert referee.audit().whole


def test_every_spectator_has_a_mail_of_his_own(office: Office) -> None:
    watch(office.referee)
    watch(office.referee, "v@example.org")
    office.referee.go("fox", "hunter")
    office.one()
    mine = [m for m in office.sent() if m["To"] == "w@example.org"]
    assert sorted(str(m["Subject"]) for m in mine) == [
        "[g1] All was quiet",
        "[g1] You are a spectator",
    ]
    assert all("v@example.org" not in m.as_string() for m in mine)
    assert len({m["Message-ID"] for m in office.sent()}) == len(office.sent())
    office.empty()
    assert office.one().sent == 0


def test_no_side_can_tell_that_somebody_watches(tmp_path: Path, clock: Clock) -> None:
    Referee.toy(tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    one, other = Referee(tmp_path / "a", SYSTEM), Referee(tmp_path / "b", SYSTEM)
    watch(other)
    for referee in (one, other):
        referee.go("fox", "hunter")
    for side in ("fox", "hunter"):
        assert not differences(artefacts(one, side), artefacts(other, side))


def worlds(tmp_path: Path) -> tuple[Artefacts, Artefacts]:
    """What spectators get in two worlds in which all that both sides know is the same."""
    watched = Referee.toy(tmp_path / "a")
    watch(watched)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    found = []
    for name, moves in (("a", ("B1", "D5")), ("b", ("A2", "E4"))):
        referee = Referee(tmp_path / name, SYSTEM)
        referee.play({"fox": f"FOX: move {moves[0]};", "hunter": f"HOUND: move {moves[1]};"})
        referee.play({})
        found.append(seen(referee))
    return found[0], found[1]


def test_two_worlds_are_one_to_spectators(tmp_path: Path, clock: Clock) -> None:
    one, other = worlds(tmp_path)
    assert not differences(one, other)
    assert any("report.json" in name for name in one)


def leaky(sides: tuple[Side, ...], closing: Closing | None) -> Account:
    """What any side was told, as if all were."""
    from msgspec.structs import replace

    told = closing.told if closing else ()
    return Account(told=[replace(t, to=(model.ALL,)) for t in told])


def test_a_planted_leak_is_found(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "account", leaky)
    assert differences(*worlds(tmp_path))


def test_at_the_end_they_see_the_truth(office: Office) -> None:
    referee = office.referee
    watch(referee)
    while not referee.register.over:
        referee.go("fox", "hunter")
    report = public(referee, referee.register.window)
    assert {u["id"] for u in report["units"]} == {"FOX", "HOUND"}
    office.one()
    last = [m for m in office.sent() if m["To"] == "w@example.org" and "won:" in str(m["Subject"])]
    assert "THE TRUTH" in last[0].as_string()
    assert referee.audit().whole
    before = public(referee, referee.register.window - 1)
    assert not before["units"]


def test_who_is_sent_away_gets_nothing_more(office: Office) -> None:
    referee = office.referee
    assert (watch(referee), watch(referee, "v@example.org")) == (1, 2)
    referee.go("fox", "hunter")
    with writing(referee.home, "g1") as game:
        dismiss(game, 1)
    referee.go("fox", "hunter")
    office.one()
    assert len([m for m in office.sent() if m["To"] == "w@example.org"]) == 2
    assert len([m for m in office.sent() if m["To"] == "v@example.org"]) == 3
    with writing(referee.home, "g1") as game:
        dismiss(game, 2)
    referee.go("fox", "hunter")
    assert "public" not in referee.records[-1].body
    assert watch(referee) == 3
    assert referee.audit().whole


def test_an_audit_finds_a_spectators_report_that_was_altered(referee: Referee) -> None:
    watch(referee)
    referee.go("fox", "hunter")
    last = referee.records[-1]
    last.body["public"] = "0" * 64
    path = referee.folder / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-1], line_of(last)]))
    (finding,) = referee.audit().findings
    assert (finding.code, "spectators" in finding.text) == ("report", True)


def test_what_a_spectator_holds_is_audited(referee: Referee) -> None:
    watch(referee)
    referee.go("fox", "hunter")
    assert referee.audit([public(referee, 2)]).whole
    forged = public(referee, 2) | {"turn": 7}
    assert not referee.audit([forged]).whole


def test_an_undo_sends_spectators_their_report_again(office: Office) -> None:
    watch(office.referee)
    office.referee.go("fox", "hunter")
    office.referee.undo(reopen=True)
    assert "Windows undone so far: 1." in public(office.referee, 3)["flags"]
    assert office.referee.audit().whole


def test_an_end_by_the_moderator_is_told_to_them_too(office: Office) -> None:
    watch(office.referee)
    with writing(office.home, "g1") as game:
        end(game, "draw", "snow")
    office.one()
    last = [m for m in office.sent() if m["To"] == "w@example.org"]
    assert any("Reason: snow" in m.as_string() for m in last)


def test_the_command_lists_adds_and_ends(office: Office) -> None:
    home = office.home
    assert pbem("--home", home, "spectators", "g1").out == "no spectators\n"
    assert pbem("--home", home, "spectators", "g1", "--add", "w@example.org").code == 0
    assert pbem("--home", home, "spectators", "g1").out == "1  w@example.org\n"
    assert pbem("--home", home, "spectators", "g1", "--add", "no address").code == 2
    assert pbem("--home", home, "spectators", "g1", "--end", "7").code == 3
    assert pbem("--home", home, "spectators", "g1", "--add", "a@b.example", "--end", "1").code == 2
    assert pbem("--home", home, "spectators", "g1", "--end", "1").code == 0
    assert pbem("--home", home, "spectators", "g1").out == "no spectators\n"


def test_press_and_orders_of_a_spectator_are_nobodys(office: Office) -> None:
    watch(office.referee)
    office.mail("w", "BEGIN PRESS TO ALL\nboo\nEND PRESS\n", "g1")
    ticked = office.one()
    assert (ticked.dealt.pressed, ticked.dealt.passed) == (0, 1)


def test_turns_that_run_on_come_in_one_mail(tmp_path: Path, clock: Clock) -> None:
    """Nobody who watches reads of a window before the sides do."""
    referee = quiet(tmp_path)
    office = Office(referee)
    watch(referee)
    office.tick()
    office.empty()
    agree(referee, 3, 3)
    office.one()
    (mine,) = [m for m in office.sent() if m["To"] == "w@example.org"]
    (fox,) = [m for m in office.sent("fox") if "received" not in str(m["Subject"])]
    reports = {"report-2.json", "report-3.json", "report.json"}
    for mail in (mine, fox):
        assert {str(p.get_filename()) for p in mail.walk()} >= reports
    (text,) = [p for p in mine.walk() if p.get_content_type() == "text/plain"][:1]
    assert str(text.get_payload()).count("WHAT ALL SIDES WERE TOLD") == 3
    assert referee.audit().whole


@pytest.mark.parametrize("name", OURS)
def test_the_page_and_chart_show_what_lies_open_until_the_end(
    tmp_path: Path, clock: Clock, name: str
) -> None:
    system, pictures = load(name), name == "toy"  # its charts are drawn soonest
    choices = Choices(seed="x", chart="png" if pictures else "none")
    referee = Referee.made(tmp_path / "home", system, choices)
    office = Office(referee)
    watch(referee)
    referee.open()
    referee.go(*referee.register.sides)
    office.tick()
    mine = [m for m in office.sent() if m["To"] == "w@example.org"]
    told = [m for m in mine if "a spectator" not in str(m["Subject"])]
    (mail,) = [m for m in told if "window   2 " in m.as_string() or "window 2 " in m.as_string()]
    kinds = {p.get_content_type(): p for p in mail.walk()}
    page = bytes(kinds["text/html"].get_payload(decode=True)).replace(b"\r\n", b"\n")
    assert page == (referee.folder / "reports/spectators/2/report.html").read_bytes()
    assert b"What all sides were told" in page
    assert len(page) < 90_000
    if pictures:
        assert bytes(kinds["image/png"].get_payload(decode=True)).startswith(b"\x89PNG")
    shown = public(referee, 2)
    assert shown["units"] == []
    open_to_all(referee, shown)
    with writing(referee.home, referee.name) as game:
        end(game, "draw", "snow")
    assert referee.audit().whole


def open_to_all(referee: Referee, shown: dict[str, Any]) -> None:
    """Whatever spectators see of the board stands in every side's own report too."""
    for side in referee.register.sides:
        report = referee.report(side)
        for key, value in shown["board"].items():
            if value and key != "chart":
                assert report["board"][key] == value, (side, key)
        seen = {(one["id"], one["place"]) for one in (*report["units"], *report["contacts"])}
        assert {(one["id"], one["place"]) for one in shown["contacts"]} <= seen
