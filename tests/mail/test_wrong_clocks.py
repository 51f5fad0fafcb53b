"""What ticks do and say of wrong clocks, replayed mail and full disks."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from pbem.admin.commands import schedule
from pbem.store.game_dir import Game, writing
from pbem.turns.schedule import read_rule
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import CONFIG, Office
from tests.referee import Referee
from tests.trust.corpus import checked


@pytest.fixture
def office(referee: Referee) -> Office:
    return Office(referee)


def test_replays_of_an_old_mail_bring_no_sets_and_no_more_answers_than_others(
    office: Office,
) -> None:
    (office.home / "pbem.toml").write_text(CONFIG + "[limits]\nanswers = 3\n")
    text = office.referee.orders("fox", "FOX: move A2;")
    office.mail("fox", text)
    assert office.tick()["g1"].dealt.taken == 1
    for sender in ("outsider@example.com", "other@example.com") * 4:
        office.mail("fox", text, sender=sender)
        assert office.tick()["g1"].dealt.taken == 0
    kinds = [record.kind for record in office.referee.records]
    assert (kinds.count("received"), kinds.count("resent")) == (1, 3)
    receipts = list((office.referee.folder / "outbox").glob("fox-*-receipt.eml"))
    sent = list((office.home / "out").rglob("*"))
    assert len(receipts) <= 4
    assert len([path for path in sent if path.is_file()]) <= 6


@pytest.mark.parametrize("step", ["stage", "record"])
def test_a_full_disk_leaves_nothing_in_the_summary(
    step: str, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.base.files import no_room

    for side in ("fox", "hunter"):
        office.orders(side)

    def full(*_: object) -> None:
        raise no_room(OSError(errno.ENOSPC, "No space left on device", "ledger.jsonl"))

    before = len(office.referee.records)
    with monkeypatch.context() as patch:
        patch.setattr(Game, step, full)
        said = pbem("--home", office.home, "tick")
    assert said.code == 4
    assert "set" not in said.out
    assert "window" not in said.out
    assert "1 BROKEN" in said.out
    assert "nothing was changed" in said.err
    assert len(office.referee.records) == before
    assert "2 sets in, 1 window closed" in pbem("--home", office.home, "tick").out


def test_a_file_that_cannot_be_synced_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.base.files import write_atomic

    def broken(fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match=r"report\.json") as caught:
        write_atomic(tmp_path / "report.json", b"x")
    assert caught.value.filename


def go_on(office: Office, *more: str) -> Any:
    return pbem("--home", office.home, "resume", "g1", *more)


def test_a_record_of_a_wrong_clock_says_what_to_do_and_that_does_it(
    office: Office, clock: Clock
) -> None:
    """The moderator's clock was in 2036 once, when a set came; then it is right again."""
    with writing(office.home, "g1") as game:
        schedule(game, read_rule(["every=1d"]))
    clock.set("2036-01-01T00:00:00Z")
    office.referee.order("fox", "FOX: move A2;")
    number = office.referee.register.n
    clock.set("2026-11-20T13:00:00Z")
    office.referee.read()
    said = pbem("--home", office.home, "tick")
    assert f"record {number} of the ledger is dated" in said.err
    assert "`pbem resume g1`" in said.err
    assert said.code == 4
    told = pbem("--home", office.home, "status", "g1").out
    assert "ahead of this clock" in " ".join(told.split())
    for _ in range(3):  # cron's mail may reach nobody, and once is enough
        clock.advance(hours=2)
        office.tick()
    mailed = [mail for mail in office.sent("mod") if "ahead of the clock" in mail["Subject"]]
    assert len(mailed) == 1
    assert "`pbem resume g1`" in str(mailed[0].get_payload())
    clock.set("2026-11-22T13:00:00Z")
    assert office.tick()["g1"].closed == 0
    assert go_on(office).code == 0
    office.referee.order("hunter", office.referee.suggested("hunter"))
    clock.advance(minutes=40)
    assert office.tick()["g1"].closed == 1  # all in, and old enough by the right clock
    office.referee.order("fox", office.referee.suggested("fox"))
    assert office.referee.audit().whole
    assert [one for one in checked(office.referee.folder) if "cannot-verify" not in one] == []
    assert go_on(office).code == 4  # once is enough


def test_a_window_that_a_wrong_clock_opened_gets_a_deadline_of_the_right_one(
    office: Office, clock: Clock
) -> None:
    with writing(office.home, "g1") as game:
        schedule(game, read_rule(["every=1d"]))
    clock.set("2036-01-01T00:00:00Z")
    office.referee.go("fox", "hunter")
    assert office.referee.register.deadline.startswith("2036")
    clock.set("2026-11-20T13:00:00Z")
    assert go_on(office, "--deadline", "2026-11-21T12:00:00Z").code == 0
    assert office.referee.register.deadline == "2026-11-21T12:00:00Z"
    for side in ("fox", "hunter"):
        assert office.referee.order(side, office.referee.suggested(side)).good
    clock.advance(days=1)
    assert office.tick()["g1"].closed == 1
    for side in ("fox", "hunter"):
        assert office.referee.order(side, office.referee.suggested(side)).good
    assert office.referee.audit().whole
    assert [one for one in checked(office.referee.folder) if "cannot-verify" not in one] == []


def test_a_lost_key_is_not_replaced_while_the_clock_cannot_be_believed(
    office: Office, clock: Clock
) -> None:
    from pbem.admin.lost_keys import lose
    from pbem.admin.setup import Newcomer
    from pbem.crypto.sshsig import public_line
    from tests.referee import key_of

    with writing(office.home, "g1") as game:
        lose(game, "fox", Newcomer(public_line(key_of("new").wire)))
    clock.advance(days=-30)
    office.tick()
    assert "replaced" not in [r.kind for r in office.referee.records]
    clock.advance(days=30, hours=47)
    office.tick()
    assert "replaced" not in [r.kind for r in office.referee.records]
    clock.advance(hours=2)
    office.tick()
    assert "replaced" in [r.kind for r in office.referee.records]
    assert office.referee.audit().whole
