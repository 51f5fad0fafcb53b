"""A tick killed at any write, on a full disk, or beside another: nothing lost, nothing twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter as Count
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.outbound.spectators import enrol
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.faults.hooks import (
    CALLS,
    KILLED,
    Counter,
    Sends,
    constant,
    count,
    full,
    in_child,
    in_sends,
)
from tests.ledgers import Record
from tests.mail.office import CONFIG, Office
from tests.mail.smtpd import Start
from tests.mail.test_dispatch import bounce
from tests.referee import Referee

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")

Sample = Callable[[Sequence[int], int], Sequence[int]]


@pytest.fixture(autouse=True)
def same_random(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[None]:
    """Runs come out alike: the clock stands and random bytes are the same."""
    monkeypatch.setattr(os, "urandom", constant)
    yield


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """A home of three games with mail of every kind waiting, and reports to be sent."""
    referee = Referee.toy(tmp_path / "prepared", play="asked")
    other = Referee.made(referee.home, SYSTEM, Choices(seed="y", press="open"), "g2")
    with writing(other.home, "g2") as game:
        enrol(game, "watcher@example.org")
    other.open()
    third = Referee.made(referee.home, SYSTEM, Choices(seed="z"), "g3")
    third.open()
    office = Office(referee)
    first = (referee.folder / "outbox" / "fox-0001-report.eml").read_text()
    mark = next(li for li in first.splitlines() if li.startswith("Message-ID")).split(": ")[1]
    office.mail("fox", "help")
    office.mail("hunter", referee.block("hunter", "HOUND: move E4;"))
    office.orders("fox")
    office.orders("hunter")
    for side in ("fox", "hunter"):
        for one in (other, third):
            office.mail(side, one.orders(side, one.suggested(side)))
    office.mail("fox", "BEGIN PRESS TO ALL\nPeace?\nEND PRESS\n", subject="g2")
    office.mail("hunter", "BEGIN PRESS TO FOX\nNever.\nEND PRESS\n", subject="g2")
    office.mail("hunter", "resend", subject="g2")
    office.mail("fox", "status", subject="g2")
    office.mail("hunter", "status", subject="g1")
    office.mail("hunter", "Dear moderator!", subject="g1")
    office.mail("stranger", "Buy!")
    office.drop(bounce(mark))
    for path in (office.home / "in" / "new").iterdir():
        os.utime(path, (1_800_000_000, 1_800_000_000))
    return referee.home


def copy(home: Path, to: Path) -> Office:
    shutil.copytree(home, to)
    return Office(Referee(to, SYSTEM), (home / "pbem.toml").read_text())


def told(records: Sequence[Record]) -> list[tuple[str, dict[str, Any]]]:
    """What happened, mail by mail, in order; heads and hashes apart."""
    return [
        (r.kind, {k: v for k, v in r.body.items() if k not in ("files", "receipt", "reports")})
        for r in records
    ]


def take(office: Office) -> list[bytes]:
    """A reader takes what was delivered, by its Message-ID line."""
    found = []
    for path in sorted((office.home / "out").glob("new/*")):
        found += [li for li in path.read_bytes().splitlines() if li.startswith(b"Message-ID")]
        path.unlink()
    return found


def games(office: Office) -> list[Referee]:
    return [Referee(office.home, SYSTEM, name) for name in ("g1", "g2", "g3")]


def happened(office: Office) -> list[list[str]]:
    """What each game's ledger says; how many mails were recorded at once is of no matter."""
    found = []
    for referee in games(office):
        records = told(referee.records)
        sent = [mail for kind, body in records if kind == "sent" for mail in body["mails"]]
        found.append(sorted([*sent, *(str(one) for one in records if one[0] != "sent")]))
    return found


def left(office: Office) -> list[str]:
    """Mail that is still on its way inside the referee."""
    inboxes = [referee.folder / "private" / "inbox" for referee in games(office)]
    parts = (office.home / ".pbem" / "spool", *inboxes)
    return [p.name for part in parts if part.is_dir() for p in part.iterdir() if p.suffix != ".tmp"]


def test_a_tick_killed_at_any_write_is_finished_by_the_next(
    prepared: Path, tmp_path: Path, drawn: Sample
) -> None:
    whole = copy(prepared, tmp_path / "whole")
    calls = count(whole.one)
    whole.one()
    expected, mails = happened(whole), Count(take(whole))
    for referee in games(whole):
        assert [r.kind for r in referee.records].count("closed") == 1
    assert mails.total() == len(mails) + 1 > 16  # the report that was sent again is the same mail
    assert calls >= 300, calls
    for k in drawn(range(1, calls + 1), 8):
        office = copy(prepared, tmp_path / str(k))
        assert in_child(office.one, k) == KILLED
        got = take(office)
        office.one()
        office.one()
        got += take(office)
        assert Count(got) == mails, f"killed at call {k} of {calls}"
        assert happened(office) == expected
        assert not left(office)
        assert not list((office.home / "in" / "new").iterdir())
        assert all(referee.audit().whole for referee in games(office))
        shutil.rmtree(office.home)


def test_a_tick_on_a_full_disk_is_finished_when_there_is_room(
    prepared: Path, tmp_path: Path, drawn: Sample
) -> None:
    whole = copy(prepared, tmp_path / "whole")
    calls = count(whole.one)
    expected, mails = happened(whole), Count(take(whole))
    for k in drawn(range(1, calls + 1), 8):
        office = copy(prepared, tmp_path / str(k))
        with pytest.MonkeyPatch.context() as patch:
            Counter(k, CALLS, full).install(patch)
            try:
                office.tick()
            except Exception as error:
                assert "disk" in str(error) or isinstance(error, OSError), repr(error)
        got = take(office)
        office.one()
        office.one()
        got += take(office)
        assert Count(got) == mails, f"full at call {k} of {calls}"
        assert happened(office) == expected
        assert not left(office)
        assert not list((office.home / "in" / "new").iterdir())
        assert all(referee.audit().whole for referee in games(office))
        shutil.rmtree(office.home)


def test_smtp_sends_at_least_once_and_always_the_same_bytes(
    prepared: Path, tmp_path: Path, drawn: Sample, smtpd: Start
) -> None:
    """Killed at a write, in the middle of a send, or behind it, before the server's answer."""
    server = smtpd()
    way = f'[delivery]\nkind = "smtp"\nhost = "127.0.0.1"\nport = {server.port}\ntls = "none"\n'
    (prepared / "pbem.toml").write_text(CONFIG.split("[delivery]")[0] + way)
    home = tmp_path / "home"  # always the same: mails to the moderator name files in it
    whole = copy(prepared, home)
    with pytest.MonkeyPatch.context() as patch:
        sends = Sends(0)
        sends.install(patch)
        calls = count(whole.one)
    expected, ledgers = Count(set(server.mails)), happened(whole)
    assert (len(server.mails), sends.count > 2 * len(expected)) == (expected.total() + 1, True)
    shutil.rmtree(home)
    cut = drawn(range(2 * sends.count), 7)
    kills = [partial(in_child, k=k) for k in drawn(range(1, calls + 1), 5)]
    kills += [partial(in_sends, k=n // 2 + 1, behind=bool(n % 2)) for n in cut]
    for kill in kills:
        server.mails.clear()
        office = copy(prepared, home)
        assert kill(office.one) == KILLED
        office.one()
        assert Count(set(server.mails)) == expected, str(kill)
        assert len(server.mails) <= expected.total() + 2  # one was sent again, one at the kill
        assert happened(office) == ledgers
        shutil.rmtree(home)


def test_two_ticks_at_once_do_nothing_twice(prepared: Path, tmp_path: Path) -> None:
    whole = copy(prepared, tmp_path / "whole")
    whole.one()
    mails = Count(take(whole))
    office = copy(prepared, tmp_path / "home")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "pbem", "--home", str(office.home), "tick"]
    running = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        assert out.count(b"\n") == 1
        assert b"Traceback" not in err
    assert Count(take(office)) == mails
    for referee, alone in zip(games(office), games(whole), strict=True):
        kinds = Count(record.kind for record in referee.records)
        once = Count(record.kind for record in alone.records)
        assert kinds - Count({"sent": kinds["sent"]}) == once - Count({"sent": once["sent"]})
        assert referee.register.mail_state.sent == alone.register.mail_state.sent
        assert referee.audit().whole
    assert not left(office)
    assert not list((office.home / "in" / "new").iterdir())


def test_a_sent_report_survives_a_kill_before_it_was_recorded(office: Office) -> None:
    """The file in tmp is not mail: it is written again, recorded, and shown once."""
    from pbem.outbound.notices import note

    with writing(office.home, "g1") as game:
        note(game, ["fox"], "hi\n")
    staged = office.home / "out" / "tmp"
    staged.mkdir(parents=True, exist_ok=True)
    assert office.one().sent == 1
    assert len(office.sent("fox")) == 1
    assert not list(staged.iterdir())
