"""`pbem log`, `outbox` and `schedule`: what the moderator sees of a game besides its secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.store.game_dir import writing
from pbem.store.records import Noted, Sent
from tests.cli.commands import pbem
from tests.referee import Referee


@pytest.fixture(autouse=True)
def at_home(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(referee.home))


def said_in_log(*options: str) -> list[str]:
    """The lines of the log without number, date, time and zone."""
    return [line.split(None, 4)[4] for line in pbem("log", "g1", *options).out.splitlines()]


def test_the_log_tells_each_record(referee: Referee) -> None:
    referee.order("hunter", referee.suggested("hunter"))
    assert not referee.order("fox", "FOX: fly B1;").good
    pbem("hold", "g1", "--reason", "a storm")
    pbem("resume", "g1")
    pbem("run", "g1", "--now")
    pbem("report", "g1", "referee")
    pbem("note", "g1", "fox", "hello")
    pbem("end", "g1", "--result", "draw", "--reason", "fog")
    lines = said_in_log()
    assert lines[0].startswith("made: toy, wood, edition ")
    assert "fox: officer 1 enlisted" in lines
    assert "window 1 opens" in lines
    assert any(line.startswith("hunter: set ") and " for window 1" in line for line in lines)
    assert any(line.startswith("fox: set ") and "1 order refused" in line for line in lines)
    assert "on hold by the moderator: a storm" in lines
    assert "off hold" in lines
    assert "window 1 closed; window 2 opens" in lines
    assert "the moderator looked at the truth in window 2" in lines
    assert "note to fox" in lines
    assert lines[-1] == "ended by the moderator: draw; fog"
    assert len(lines) == referee.register.n


def test_the_log_says_who_had_not_written(referee: Referee) -> None:
    referee.order("hunter", referee.suggested("hunter"))
    pbem("run", "g1", "--now")
    assert "window 1 closed without orders of fox; window 2 opens" in said_in_log()


def test_the_log_shows_no_orders_and_no_dice(referee: Referee) -> None:
    """They are in the records, but the moderator may see them only by a recorded look."""
    referee.play({side: referee.suggested(side) for side in referee.register.sides})
    before = referee.register.n
    texts = [pbem("log", "g1", *option).out for option in ([], ["--json"])]
    for text in texts:
        assert "move" not in text
        assert "TWIG" not in text.upper()
    assert referee.register.n == before


def test_the_newest_records_alone(referee: Referee) -> None:
    pbem("hold", "g1", "--reason", "fog")
    assert said_in_log("--last", "1") == ["on hold by the moderator: fog"]
    assert [one["kind"] for one in pbem("log", "g1", "--last", "2", "--json").json] == [
        "opened",
        "held",
    ]


def test_the_outbox_lists_every_mail_once(referee: Referee) -> None:
    mails = pbem("outbox", "g1", "--json").json
    files = [mail["file"] for mail in mails]
    assert files == ["outbox/fox-0001-report.eml", "outbox/hunter-0001-report.eml"]
    assert {mail["state"] for mail in mails} == {"waits"}
    assert all("turn 1" in mail["subject"] for mail in mails)
    assert pbem("outbox", "g1", "--by-hand").code == 0
    assert {mail["state"] for mail in pbem("outbox", "g1", "--json").json} == {"sent"}
    assert pbem("outbox", "g1", "--unsent").out == "nothing waits\n"
    shown = pbem("outbox", "g1").out
    assert "fox-0001-report.eml" in shown
    assert "turn 1" in shown


def test_an_outbox_without_its_files(referee: Referee) -> None:
    (referee.folder / "outbox/fox-0001-report.eml").unlink()
    assert pbem("outbox", "g1", "--json").json[0]["subject"] == ""


def test_a_schedule_is_shown(referee: Referee) -> None:
    before = referee.register.n
    assert pbem("schedule", "g1").out.startswith("g1: no schedule\nTime: a turn is played as soon ")
    pbem("schedule", "g1", "every=3d", "at=20:00")
    said = pbem("schedule", "g1")
    assert said.out.startswith("g1: every=3d at=20:00; due ")
    assert "\nTime: a turn stays open at least 3 days and closes at its deadline, at" in said.out
    assert pbem("schedule", "g1", "--json").json["rule"] == "every=3d at=20:00"
    assert referee.register.n == before + 1
    assert "zone=Europe/Berlin" in pbem("schedule", "g1", "every=1d", "at=20:00", "zone=Berlin").out
    assert pbem("schedule", "g1", "every=1d", "at=20:00", "zone=Atlantis").code == 2


def test_a_game_on_hold_says_why_if_there_is_a_reason(referee: Referee) -> None:
    pbem("hold", "g1")
    assert "error: g1 is already on hold\n" in pbem("hold", "g1").err
    pbem("resume", "g1")
    pbem("hold", "g1", "--reason", "fog")
    assert "g1 is already on hold: fog\n" in pbem("hold", "g1").err


def test_a_demo_does_not_move_in_with_games(referee: Referee) -> None:
    """Its mails would go out with the next tick."""
    said = pbem("demo", "toy", "--dir", referee.home)
    assert (said.code, "contains games already" in said.err) == (2, True)
    assert sorted(path.name for path in referee.home.iterdir()) == ["g1"]


def test_a_picture_of_another_kind_is_refused(referee: Referee, tmp_path: Path) -> None:
    report = referee.folder / "reports/fox/1/report.json"
    said = pbem("chart", report, "-o", tmp_path / "x.gif")
    assert (said.code, ".svg or .png" in said.err) == (2, True)
    assert not (tmp_path / "x.gif").exists()
    assert pbem("chart", report, "-o", tmp_path / "x.gif", "--format", "svg").code == 0


def test_a_tick_without_a_delivery_says_that_mail_is_left(referee: Referee) -> None:
    """Nobody should believe that it has gone."""
    assert "2 left in the outbox" in pbem("tick").out


def test_a_mistyped_system_is_called_a_system() -> None:
    said = pbem("rules", "bismark")
    assert said.code == 3
    assert "there is no system and no game 'bismark'" in said.err
    assert "bismarck" in said.err
    assert "there is no system 'bismark'" in pbem("new", "bismark", "g9").err


def test_the_rules_of_one_order_show_that_order_alone() -> None:
    one, every = pbem("rules", "toy", "move").out, pbem("rules", "toy").out
    assert "move TO" in one
    assert "Options of a new game" in every
    assert "Options" not in one
    assert len(one.splitlines()) < 6


def test_a_log_says_what_was_noted_and_how_mail_left(referee: Referee) -> None:
    with writing(referee.home, "g1") as game:
        game.commit(Noted(side="fox", prefers={"dates": "iso"}))
        game.commit(Sent(mails=["outbox/fox-0001-report.eml"], by="mail"))
        game.commit(Sent(mails=["outbox/hunter-0001-report.eml"], by="hand"))
    lines = [line.split("UTC  ")[1] for line in pbem("log", "g1").out.splitlines()[-3:]]
    assert lines == ["fox: new preferences", "1 mail sent", "1 mail sent by hand"]
