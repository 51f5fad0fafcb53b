"""A tick end to end over Maildirs: what comes in, what runs, what goes out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from pbem.admin.commands import schedule
from pbem.admin.setup import Choices
from pbem.base.files import Lock
from pbem.base.report_json import Report
from pbem.inbound.sandbox import Sandbox
from pbem.inbound.spool import place
from pbem.scheduler import parallel
from pbem.scheduler.tick import _boot_clock
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.cli.commands import Said, pbem
from tests.conftest import Clock
from tests.luck import pinned
from tests.mail.office import CONFIG, Office
from tests.referee import Referee, tree

SIDES = ("fox", "hunter")


def test_the_first_tick_sends_the_reports_once(referee: Referee) -> None:
    office = Office(referee)
    assert office.one().sent == 2
    assert len(office.sent("fox")) == len(office.sent("hunter")) == 1
    assert office.one().sent == 0
    assert len(office.sent()) == 2


def test_a_sent_mail_is_the_committed_file_byte_for_byte(referee: Referee) -> None:
    office = Office(referee)
    office.tick()
    sent = {p.read_bytes() for p in (referee.home / "out" / "new").iterdir()}
    assert sent == {p.read_bytes() for p in (referee.folder / "outbox").iterdir()}
    assert (referee.folder / "reports" / "fox" / "1" / "report.eml").read_bytes() in sent


def test_orders_come_by_mail_and_the_window_closes(office: Office) -> None:
    office.orders("fox")
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.closed) == (1, 0)
    assert [path.name for path in (office.home / "in" / "cur").iterdir()] == ["0001.mail:2,S"]
    assert "received, all understood" in office.subjects("fox")[0]
    office.orders("hunter")
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.closed) == (1, 1)
    assert office.referee.register.window == 2
    assert len(office.sent("fox")) == 2
    assert office.referee.audit().whole


def test_a_whole_game_by_mail(office: Office) -> None:
    for _ in range(40):
        if office.referee.register.over:
            break
        for side in SIDES:
            office.orders(side)
        assert office.one().closed == 1
    assert office.referee.register.over
    assert office.one().closed == 0
    assert office.referee.audit().whole


def test_a_tick_without_configuration_runs_on_files_alone(referee: Referee) -> None:
    for side in SIDES:
        assert referee.order(side, referee.suggested(side)).good
    said = pbem("--home", referee.home, "tick")
    assert said.code == 0
    assert said.out.count("\n") == 1
    assert "1 window closed" in said.out
    assert referee.register.window == 2
    assert len(list((referee.folder / "outbox").glob("*-report.eml"))) == 4
    before = (referee.folder / "ledger.jsonl").read_bytes()
    assert "nothing to do" in pbem("--home", referee.home, "tick").out
    assert (referee.folder / "ledger.jsonl").read_bytes() == before


def test_an_empty_home_ticks(tmp_path: Path) -> None:
    assert pbem("--home", tmp_path, "tick").code == 0
    assert pbem("--home", tmp_path, "tick", "g9").code == 3
    assert pbem("--home", tmp_path / "typo", "tick").code == 3
    assert not (tmp_path / "typo").exists()


def test_no_window_runs_in_a_tick_whose_fetch_failed(office: Office) -> None:
    for side in SIDES:
        office.referee.order(side, office.referee.suggested(side))
    box = office.home / "in"
    box.rename(office.home / "away")
    assert office.one().closed == 0
    (office.home / "away").rename(box)
    assert office.one().closed == 1


def test_the_command_says_that_the_fetch_failed(office: Office) -> None:
    (office.home / "in").rename(office.home / "away")
    said = pbem("--home", office.home, "tick")
    assert said.code == 4
    assert "NOT fetched" in said.out
    assert "no window closes" in said.err


def test_a_trouble_that_lasts_is_said_once_a_day(office: Office, clock: Clock) -> None:
    """Cron mails whatever a tick says on stderr."""

    def complaints(*names: str) -> int:
        return pbem("--home", office.home, "tick", *names).err.count("no window closes")

    away, box = office.home / "away", office.home / "in"
    box.rename(away)
    assert [complaints(), complaints(), complaints("g1")] == [1, 0, 0]
    clock.advance(hours=23)
    assert complaints() == 0
    clock.advance(hours=1)
    assert [complaints(), complaints()] == [1, 0]
    away.rename(box)
    assert complaints("g1") == 0  # looks at one game alone: others may be as they were
    box.rename(away)
    assert complaints() == 0
    away.rename(box)
    assert complaints() == 0
    box.rename(away)
    assert complaints() == 1
    place(office.home).joinpath("said.json").write_bytes(b"[]")
    assert complaints() == 1


def test_one_broken_game_never_stops_the_others(tmp_path: Path, clock: Clock) -> None:
    referees = [Referee.toy(tmp_path / "home")]
    for name in ("g2", "g3"):
        from games.toy.game import SYSTEM

        referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed=name), name)
        referee.open()
        referees.append(referee)
    for referee in referees:
        for side in SIDES:
            referee.order(side, referee.suggested(side))
    path = referees[1].folder / "ledger.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"window":1', b'"window":9', 1))
    office = Office(referees[0])
    done = office.tick()
    assert [done[n].closed for n in ("g1", "g2", "g3")] == [1, 0, 1]
    assert done["g2"].code == 5
    assert done["g2"].error.startswith(str(path))
    assert "damaged" in done["g2"].error
    said = pbem("--home", referees[0].home, "tick")
    assert (said.code, "1 BROKEN" in said.out) == (5, True)
    assert said.err.startswith("g2: error: ")


def test_jobs_share_the_games(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.toy.game import SYSTEM

    referees = [Referee.toy(tmp_path / "home")]
    for name in ("g2", "g3", "g4", "g5"):
        referees.append(Referee.made(tmp_path / "home", SYSTEM, Choices(seed=name), name))
        referees[-1].open()
    office = Office(referees[0])
    started: list[str] = []
    real = parallel._start_method

    def way_to_start() -> str:
        started.append(real())
        return started[-1]

    monkeypatch.setattr(parallel, "_start_method", way_to_start)
    done = office.tick(jobs=2)
    assert len(started) == 1
    assert sorted(done) == ["g1", "g2", "g3", "g4", "g5"]
    assert sum(t.sent for t in done.values()) == 10
    assert len(office.sent()) == 10


@pytest.mark.parametrize("count", [1, 2, 5, 30, 200, 1001])
def test_shares_take_every_game_once_and_leave_nobody_idle(count: int) -> None:
    names = [f"g{n}" for n in range(count)]
    found = list(parallel._shares(names, 2))
    assert [name for share in found for name in share] == names
    assert max(map(len, found)) <= max(1, min(parallel.GROUP_SIZE, count // 4))
    assert len(found[-1]) <= parallel.MIN_BATCH


def test_mail_finds_its_game(tmp_path: Path, clock: Clock) -> None:
    from games.toy.game import SYSTEM

    first = Referee.toy(tmp_path / "home")
    second = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="y"), "g2")
    second.open()
    office = Office(first)
    office.mail("fox", second.orders("fox", second.suggested("fox")))
    office.mail("fox", "status", head=["To: games+g2@example.org"])
    office.mail("fox", "status", subject="Re: g1: report")
    answered = second.folder.joinpath("outbox", "fox-0001-report.eml").read_bytes()
    mark = next(li for li in answered.decode().splitlines() if li.startswith("Message-ID"))
    office.mail("fox", "help", subject="x", head=[f"In-Reply-To: {mark.split(': ')[1]}"])
    office.mail("fox", "status", subject="which?")
    done = office.tick()
    assert done["g2"].dealt.taken == 1
    assert (done["g1"].mails, done["g2"].mails) == (1, 3)
    assert office.subjects("mod") == ["a mail for the moderator"]


def test_another_run_that_fetches_is_waited_for_and_then_named(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.inbound.fetch.WAIT", 0.0)
    for side in SIDES:
        office.orders(side)
    with Lock(place(office.home) / "fetch.lock"):
        assert office.one().closed == 0
    assert office.one().closed == 1


def test_a_game_in_use_is_left_for_the_next_tick(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.store.game_dir.WAIT", 0.0)
    office.orders("fox")
    with writing(office.home, "g1"):
        done = office.tick()["g1"]
    assert (done.code, done.mails) == (4, 0)
    assert office.one().dealt.taken == 1


def test_bots_answer_in_a_tick(tmp_path: Path, clock: Clock) -> None:
    from games.toy.game import SYSTEM
    from pbem.admin.setup import create, enlist_bot, open_game

    home = tmp_path / "home"
    create(home, SYSTEM, "g1", Choices(seed="x"))
    with writing(home, "g1") as game:
        for side in SIDES:
            enlist_bot(game, side)
        open_game(game, SYSTEM)
    office = Office(Referee(home, SYSTEM))
    for _ in range(3):
        assert office.one().closed == 1
    assert not office.sent()  # bots have no address


def test_the_clock_set_back_runs_nothing(office: Office, clock: Clock) -> None:
    for side in SIDES:
        office.referee.order(side, office.referee.suggested(side))
    clock.advance(hours=-3)
    ticked = office.one()
    assert ticked.closed == 0
    assert "clock" in ticked.talk[0]
    clock.advance(hours=4)
    assert office.one().closed == 1


def test_the_clock_set_forward_runs_nothing(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.scheduler.tick._boot_clock", lambda: {"boot": "b", "up": 1000.0})
    state = place(office.home) / "tick.json"
    state.write_text(json.dumps({"at": "2026-11-10T12:00:00Z", "outage": "", "boot": "b", "up": 0}))
    for side in SIDES:
        office.referee.order(side, office.referee.suggested(side))
    assert office.one().closed == 0
    state.unlink()
    assert office.one().closed == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the clock of Linux")
def test_the_machine_s_own_clock_is_read_unless_a_test_sets_the_time(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _boot_clock() == {}
    monkeypatch.delenv("PBEM_NOW")
    before, after = _boot_clock(), _boot_clock()
    assert before["boot"] == after["boot"]
    assert 0 < float(str(before["up"])) < float(str(after["up"]))


def test_strict_dice_are_revealed_by_mail(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned(monkeypatch, "strict by mail")
    from games.toy.game import SYSTEM
    from pbem.admin.setup import Newcomer, create, enlist, open_game
    from pbem.crypto.sshsig import public_line
    from pbem.dice.chains import DiceChains, first_anchor
    from pbem.turns.strict_dice import read_notice, reveal
    from tests.referee import key_of

    home = tmp_path / "home"
    create(home, SYSTEM, "g1", Choices(dice="strict"))
    with writing(home, "g1") as game:
        for side in SIDES:
            key = key_of(side)
            anchor = first_anchor(DiceChains(key), "g1", side)
            address = f"{side}@example.org"
            enlist(game, side, Newcomer(public_line(key.wire), address, anchor=anchor))
        open_game(game, SYSTEM)
    office = Office(Referee(home, SYSTEM))
    for side in SIDES:
        office.orders(side)
    ticked = office.one()
    assert (ticked.locked, ticked.closed) == (1, 0)
    assert office.one().closed == 0
    for side in SIDES:
        (notice,) = [m for m in office.sent(side) if "locked" in str(m["Subject"])]
        (first,) = [m for m in office.sent(side) if "turn 1" in str(m["Subject"])]
        assert notice["References"] == notice["In-Reply-To"] == first["Message-ID"]
        part = next(p for p in notice.walk() if p.get_filename() == "lock.json")
        body = part.get_payload(decode=True)
        assert isinstance(body, bytes)
        office.mail(side, "Here it is.\n\n" + reveal(read_notice(body), DiceChains(key_of(side))))
    ticked = office.one()
    assert (ticked.dealt.links, ticked.dealt.taken, ticked.closed) == (2, 0, 1)
    assert office.referee.audit().whole


def test_bismarck_by_mail(tmp_path: Path, clock: Clock, nightly: bool) -> None:
    """Some windows of a hunt, the whole of it nightly: orders, receipts, deadlines, reports."""
    from games.bismarck.game import SYSTEM as BISMARCK
    from tests.playing import order_file
    from tests.referee import key_of

    referee = Referee.made(tmp_path / "home", BISMARCK, Choices(seed="x"))
    with writing(referee.home, "g1") as game:
        schedule(game, read_rule(["every=1d early=10m"]))
    referee.open()
    office = Office(referee)
    office.one()
    for _ in range(400 if nightly else 3):
        window = referee.register.window
        for side in referee.register.sides:
            report = referee.report(side)
            seq = max(report["seq"], referee.register.last_seq(side) + 1)
            office.mail(side, order_file(BISMARCK, Report.of(report), key_of(side), "x", seq))
        ticked = office.one()
        assert (ticked.dealt.taken, ticked.closed) == (2, 0), office.bodies()[-3000:]
        clock.advance(minutes=11)
        assert office.one().closed >= 1, "bots may agree to a run"
        assert referee.register.used > window
        office.empty()
        if referee.register.over:
            break
    assert referee.register.over or not nightly
    assert referee.audit().whole


def test_a_mail_that_crashes_the_program_stops_its_game_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> None:
        raise TypeError("a mistake of ours")

    office.mail("fox", "help")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.inbound.dispatch.orders_of", broken)
        patch.setattr("pbem.inbound.dispatch.first_words", broken)
        ticked = office.tick()["g1"]
    assert ticked.code == 5
    assert "a mistake of ours" in ticked.error
    assert len(list((office.home / ".pbem" / "unread").iterdir())) == 1
    for side in SIDES:
        office.orders(side)
    assert office.one().closed == 1
    assert "could not be processed" in "".join(office.subjects("mod"))


def test_a_dry_run_says_what_a_tick_would_do_and_does_nothing(tmp_path: Path, clock: Clock) -> None:
    """What it foretells is what the tick then does; no byte of the home changes before."""
    office = Office(Referee.toy(tmp_path / "home"))
    with writing(office.home, "g1") as game:
        schedule(game, read_rule(["every=2d remind=1d"]))
    said = dry(office)
    assert said.err == ""
    assert said.out.splitlines() == ["g1: 4 mails to send", "0 letters in the mailbox"]
    assert office.one().sent == 4
    office.orders("fox")
    clock.advance(hours=30)
    said = dry(office)
    assert said.out.splitlines() == [
        "g1: fox, hunter would be reminded",
        "1 letter in the mailbox",
    ]
    office.one()
    assert dry(office).out.startswith("g1: nothing to do")
    clock.advance(hours=18)
    assert dry(office).out.startswith("g1: window would close: its deadline has passed")
    assert office.one().closed == 1
    (office.home / "g2").mkdir()
    (office.home / "g2" / "ledger.jsonl").write_text("spoilt\n")
    said = dry(office)
    assert said.code == 5
    assert [line.split(": ")[:2] for line in said.out.splitlines()[:2]] == [
        ["g1", "nothing to do"],
        ["g2", "error"],
    ]


def dry(office: Office) -> Said:
    """A dry run, which leaves every file of the home as it was."""
    before = tree(office.home)
    said = pbem("--home", office.home, "tick", "--dry-run")
    assert tree(office.home) == before
    return said


def test_no_window_closes_while_more_mail_waits_than_a_tick_fetches(
    office: Office, clock: Clock
) -> None:
    """Orders that came in time may lie behind a flood of other mail."""
    (office.home / "pbem.toml").write_text(CONFIG + "[limits]\nfetch = 3\n")
    with writing(office.home, "g1") as game:
        schedule(game, read_rule(["every=1d", "early=off"]))
    for n in range(4):
        office.mail("stranger", f"Buy! {n}", head=["Auto-Submitted: auto-generated"])
    for side in SIDES:
        office.orders(side)
    clock.advance(days=1)
    said = pbem("--home", office.home, "tick")
    assert said.code == 4
    assert "3 fetched, 3 more wait" in said.out
    assert "no window closes: 3 more mails wait in the mailbox" in said.err
    assert office.referee.register.window == 1
    said = pbem("--home", office.home, "tick")
    assert (said.code, office.referee.register.window) == (0, 2)
    closed = [r for r in office.referee.records if r.kind == "closed"]
    assert "NMR" not in str(closed[-1].body["sets"])


def test_a_machine_on_which_no_mail_can_be_opened_loses_none(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poor(sandbox: Sandbox) -> None:
        raise OSError(12, "Cannot allocate memory")

    for side in SIDES:
        office.orders(side)
    office.mail("stranger", "Buy!")
    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "_started", poor)
        said = pbem("--home", office.home, "tick")
    assert said.code == 4
    assert "mail NOT fetched: mail cannot be opened: its reader does not start" in said.out
    assert "Cannot allocate memory" in said.err
    assert office.referee.register.window == 1
    assert not list((office.home / ".pbem").glob("unread/*"))
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.closed) == (2, 1)


def test_a_game_that_memory_does_not_suffice_for_waits_for_the_next_tick(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is neither damaged, nor is the mail at fault that was open when memory ended."""

    def full(*_: object) -> None:
        raise MemoryError

    for side in SIDES:
        office.orders(side)
    with monkeypatch.context() as patch:
        patch.setattr("pbem.scheduler.tick.deal", full)
        said = pbem("--home", office.home, "tick")
    assert (said.code, "g1: error: no memory left" in said.err) == (4, True)
    assert not office.sent("mod")
    assert office.one().closed == 1


def test_the_moderator_gets_by_mail_what_keeps_ticks_from_going_on(
    office: Office, clock: Clock
) -> None:
    """Cron's own mail needs a mail server on the machine; the referee's goes where all others
    go."""
    away, box = office.home / "away", office.home / "in"
    box.rename(away)
    pbem("--home", office.home, "tick")
    for _ in range(3):
        clock.advance(minutes=5)
        pbem("--home", office.home, "tick")
    assert office.subjects("mod") == ["pbem tick needs you"]
    assert "no window closes: mail could not be fetched" in office.bodies("mod")
    office.empty()
    away.rename(box)
    for _ in range(2):
        pbem("--home", office.home, "tick")
    assert not office.sent("mod")
