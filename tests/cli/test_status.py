"""`pbem status`, as a moderator reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from pbem.admin.commands import hold
from pbem.cli.status import facts, overview, page
from pbem.model import Side
from pbem.store.game_dir import writing
from pbem.text.layout import WIDTH
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.proving import proven
from tests.referee import Referee


@pytest.fixture(autouse=True)
def at_home(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(referee.home))


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_a_row_a_side(referee: Referee) -> None:
    assert ["fox", "1", "no", "orders", "yet"] in rows(pbem("status", "g1").out)
    assert not referee.order("fox", "FOX: move B1;\nRABBIT: hop;").good
    referee.order("hunter", referee.suggested("hunter"))
    said = pbem("status", "g1").out
    at = [*referee.register.sets[Side("fox")].at[:16].replace("T", " ").split(), "UTC"]
    assert ["fox", "1", "has", "bad", "orders", *at] in rows(said)
    assert ["hunter", "1", "in", *at] in rows(said)
    assert "ready" not in said
    referee.order("fox", "FOX: move B1;")
    assert "ready: all sides are in; `pbem run g1` closes the window" in pbem("status", "g1").out


def test_a_row_a_game(referee: Referee) -> None:
    pbem("new", "toy", "g2", "--seed", "x")
    referee.order("hunter", referee.suggested("hunter"))
    pbem("hold", "g1", "--reason", "a storm")
    said = rows(pbem("status").out)
    assert said[0] == ["Game", "System", "State", "Window", "In", "To", "see", "to"]
    assert said[2:] == [
        ["g1", "toy", "held", "1", "1", "of", "2", "on", "hold:", "a", "storm"],
        ["g2", "toy", "new", "0", "0", "of", "2", "-"],
    ]
    assert ["fox", "nobody", "enlisted"] in rows(pbem("status", "g2").out)


def test_a_locked_window_says_whose_link_it_awaits(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = proven(tmp_path / "strict", monkeypatch, dice="strict")
    monkeypatch.setenv("PBEM_HOME", str(strict.home))
    for side in ("fox", "hunter"):
        assert strict.sends(side, strict.suggested(side)).good
    said = pbem("run", "g1")
    assert said.code == 4
    assert "window 1 of g1 is locked; it waits for the links of fox, hunter" in said.err
    assert "the notices are in the outbox" in said.err
    assert strict.reveals("fox").good
    found = facts(strict.home, "g1")
    assert (found.locked, found.awaited) == (True, ["hunter"])
    said = pbem("status", "g1")
    assert said.out.splitlines()[0] == "g1  toy  locked  window 1"
    assert "dice links awaited: hunter" in said.out
    assert "locked" in pbem("status").out


def test_a_lock_is_read_in_words(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = proven(tmp_path / "strict", monkeypatch, dice="strict")
    monkeypatch.chdir(tmp_path)
    assert strict.sends("fox", strict.suggested("fox")).good
    pbem("keygen", "-o", "fox.key")
    Path("report.json").write_bytes(
        (strict.folder / "reports" / "fox" / "1" / "report.json").read_bytes()
    )
    pbem("--home", strict.home, "run", "g1", "--now")
    mail = next((strict.folder / "outbox").glob("fox-*-lock.eml"))
    said = pbem("read", mail, "--key", "fox.key", "--report", "report.json", "-o", "lock")
    assert "WINDOW 1 IS LOCKED" in said.out
    assert "pbem reveal lock.json" in said.out
    assert said.out in mail.read_text() + "\n"
    assert Path("lock/lock.txt").read_text() == said.out
    silent = next((strict.folder / "outbox").glob("hunter-*-lock.eml")).read_text()
    assert "It contains no orders of yours." in silent
    assert "pbem reveal" not in silent


def test_columns_stand_below_their_heads(referee: Referee) -> None:
    """Also those to the right of the page's middle."""
    with writing(referee.home, "g1") as game:
        hold(game, "a storm that nobody has seen the like of in all the years of this wood")
    head, _, row, further, *_ = pbem("status").out.splitlines()
    column = head.index("To see to")
    assert row[column:].startswith("on hold: a storm")
    assert further[column - 1 : column + 1].strip() == further[column]


def test_nothing_is_due_of_a_game_that_is_over(referee: Referee) -> None:
    pbem("schedule", "g1", "every=2d")
    assert "closes Sun 22 Nov" in pbem("status", "g1").out
    assert "2026-11-22" in pbem("status").out
    pbem("end", "g1", "--result", "draw", "--reason", "both asleep")
    for said in (pbem("status", "g1").out, pbem("status").out):
        assert "result: draw both asleep" in " ".join(said.split())
        assert not [word for word in ("Nov", "2026-11-22", "of 2", "no orders") if word in said]


def test_a_lost_key_is_something_to_see_to(referee: Referee) -> None:
    pbem("keygen", "-o", referee.home / "new.key")
    pbem("replace", "g1", "fox", "--lost", "--key", referee.home / "new.key.pub")
    wanted = "a new key of fox is valid from 2026-11-22 12:00"
    assert wanted in " ".join(pbem("status", "g1").out.split())


def test_orders_of_a_key_that_is_not_valid_yet_are_told_from_when_it_is(referee: Referee) -> None:
    pbem("schedule", "g1", "every=1d")
    pbem("keygen", "-o", referee.home / "new.key")
    lost = pbem("replace", "g1", "fox", "--lost", "--key", referee.home / "new.key.pub")
    assert "the window closes before that" in lost.out
    assert "`pbem extend g1 --by 2d` gives it time" in lost.out
    (referee.home / "orders.txt").write_text(referee.block("fox", "FOX: move A2;"))
    report = referee.folder / "reports/fox/1/report.json"
    files = ("--key", referee.home / "new.key", "--report", report)
    signed = pbem("sign", referee.home / "orders.txt", *files)
    (outcome,) = referee.receive(signed.out)
    assert (outcome.status, outcome.receipt["code"]) == ("refused", "key-not-yet")
    assert outcome.receipt["reason"] == (
        "this key signs for fox from Sun 22 Nov 2026 12:00 UTC, not yet"
    )
    assert outcome.receipt["side"] == "fox"


def test_no_line_is_too_long(referee: Referee) -> None:
    found = structs.replace(
        facts(referee.home, "g1"),
        held="weather " * 20,
        state="held",
        bounced={"outbox/fox-0001-x.eml": "5"},
    )
    for text in (page(found), overview([found])):
        assert max(map(len, text.splitlines())) <= WIDTH
        assert "weather weather" in text


def test_a_broken_game_does_not_hide_the_others(referee: Referee) -> None:
    (referee.home / "g2").mkdir()
    (referee.home / "g2" / "ledger.jsonl").write_text("spoilt\n")
    said = pbem("--home", referee.home, "status")
    assert said.code == 5
    assert said.out.splitlines()[2].startswith("g1")
    assert said.err.startswith("error: ")
    assert "g2" in said.err
