"""SIGKILL at every write, a full disk, overlapping runs: nothing lost, nothing twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import replace
from pbem.admin.rulings import read_ruling, rule
from pbem.admin.setup import Choices, Newcomer, enlist
from pbem.crypto.sshsig import public_line
from pbem.errors import Busy
from pbem.outbound.forward import resend
from pbem.outbound.notices import end, note
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.encryption import EncryptedReferee
from tests.faults.hooks import (
    CALLS,
    KILLED,
    Counter,
    constant,
    count,
    full,
    in_child,
    take_mail,
)
from tests.referee import Referee, Tree, key_of, tree
from tests.turns.test_run_on import agree, quiet

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")

Action = Callable[[Referee], object]
Sample = Callable[[Sequence[int], int], Sequence[int]]
SETS = {"fox": "FOX: move A2;\n@FOX: move A1;", "hunter": "HOUND: move E4;"}
NEXT = {"fox": "FOX: move B2;", "hunter": "HOUND: move E5;"}


@pytest.fixture(autouse=True)
def same_random(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[None]:
    """Runs come out byte-equal: the clock stands and random bytes are the same."""
    monkeypatch.setattr(os, "urandom", constant)
    yield


def before_open(home: Path) -> Referee:
    return Referee.made(home, SYSTEM, Choices(seed="x", options={"play": "asked"}))


def at_window_2(home: Path) -> Referee:
    referee = before_open(home)
    referee.open()
    referee.play(SETS)
    return referee


def all_in(home: Path) -> Referee:
    referee = at_window_2(home)
    for side, text in NEXT.items():
        assert referee.order(side, text).good
    return referee


def agreed(home: Path) -> Referee:
    """Three turns to be run in one go."""
    referee = quiet(home.parent / f"{home.name}.made")
    agree(referee, 3, 3)
    referee.home.rename(home)
    return Referee(home, SYSTEM)


def resent(home: Path) -> Referee:
    referee = at_window_2(home)
    moderate(resend, "fox", 1)(referee)
    return referee


def receive(referee: Referee) -> None:
    """Always the same bytes: the sequence is the report's own."""
    referee._seq = 50
    referee.receive(referee.orders("fox", "FOX: move A1;"))


def moderate(act: Callable[..., object], *args: object) -> Action:
    def action(referee: Referee) -> None:
        with writing(referee.home, referee.name) as game:
            act(game, *args)

    return action


def two_foxes(home: Path) -> Referee:
    referee = at_window_2(home)
    with writing(referee.home, referee.name) as game:
        enlist(game, "fox", Newcomer(public_line(key_of("cub").wire), "cub@example.org"))
    return referee


VIXEN = Newcomer(public_line(key_of("vixen").wire), "vixen@example.org", "Vixen", "Europe/Rome")
RULING = read_ruling(
    'text = "the fox is in C3"\n[[edit]]\ndo = "put"\nanimal = "FOX"\nzone = "C3"\n', "ruling.toml"
)


def encrypted_at_window_2(home: Path) -> Referee:
    sea = EncryptedReferee.begun(home, SYSTEM, play="asked")
    sea.play(SETS)
    return sea


def encrypted_all_in(home: Path) -> Referee:
    sea = encrypted_at_window_2(home)
    for side, text in NEXT.items():
        assert sea.order(side, text).good
    return sea


def encrypted_receive(referee: Referee) -> None:
    receive(EncryptedReferee(referee.home, SYSTEM))


CASES: dict[str, tuple[Callable[[Path], Referee], Action]] = {
    "open": (before_open, lambda h: None if h.register.window else h.open()),
    "receive": (at_window_2, receive),
    "run": (all_in, lambda h: h.run() if h.register.window == 2 else None),
    "run on": (agreed, lambda h: h.run() if h.register.window < 4 else None),
    "undo": (all_in, lambda h: h.register.undone or h.undo()),
    "reopen": (all_in, lambda h: h.register.undone or h.undo(reopen=True)),
    "resend": (at_window_2, moderate(resend, "fox", 1)),
    "resend again": (resent, moderate(resend, "fox", 1)),
    "note": (at_window_2, moderate(note, ["fox", "hunter"], "Gale warning.\n")),
    "end": (at_window_2, lambda h: h.register.over or moderate(end, "draw", "both asleep")(h)),
    "enlist": (at_window_2, moderate(enlist, "fox", VIXEN)),
    "replace": (at_window_2, moderate(replace, "fox", VIXEN)),
    "replace an officer": (two_foxes, moderate(replace, "fox", VIXEN, 1)),
    "rule": (at_window_2, moderate(rule, SYSTEM, RULING, "a slip")),
    "encrypted receive": (encrypted_at_window_2, encrypted_receive),
    "encrypted run": (encrypted_all_in, lambda h: h.run() if h.register.window == 2 else None),
    "encrypted note": (encrypted_at_window_2, moderate(note, ["fox", "hunter"], "Gale warning.\n")),
    "encrypted resend": (encrypted_at_window_2, moderate(resend, "fox", 1)),
}
ONCE = (
    "open",
    "receive",
    "run",
    "run on",
    "undo",
    "reopen",
    "end",
    "encrypted receive",
    "encrypted run",
)
"""Doing these again after they were done changes nothing, or is refused."""
SEVERAL = ("run on",)
"""Several records: those before a fault stand, and the next call goes on behind them."""


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {"": tmp_path_factory.mktemp("prepared")}


def prepared(case: str, homes: dict[str, Path], to: Path) -> Referee:
    """A copy of the case's home at `to`, made once."""
    if case not in homes:
        homes[case] = homes[""] / case
        CASES[case][0](homes[case])
    shutil.copytree(homes[case], to)
    return Referee(to, SYSTEM)


def seen(referee: Referee) -> Tree:
    """What counts of a game's folder: stage, raw mail and torn tails are the referee's own."""
    private = ("private/stage/", "private/mail/", "ledger.torn-")
    return {n: b for n, b in tree(referee.folder).items() if not n.startswith(private)}


@pytest.mark.some(3)
@pytest.mark.parametrize("case", CASES)
def test_a_kill_at_any_write_loses_nothing_and_does_nothing_twice(
    case: str, homes: dict[str, Path], tmp_path: Path, drawn: Sample
) -> None:
    act = CASES[case][1]
    whole = prepared(case, homes, tmp_path / "whole")
    calls = count(lambda: act(whole))
    assert calls > 5
    for k in drawn(range(1, calls + 1), 7):
        referee = prepared(case, homes, tmp_path / str(k))
        records, sent = len(referee.records), take_mail(referee.folder)
        assert in_child(lambda h=referee: act(h), k) == KILLED  # type: ignore[misc]
        sent += take_mail(referee.folder)
        if case in ONCE or len(referee.records) == records:
            act(referee)
        with writing(referee.home, referee.name):
            pass  # any command finishes what was committed
        sent += take_mail(referee.folder)
        whole_again = {**seen(referee), **{f"outbox/{n}": b for n, b in sent}}
        assert whole_again == seen(whole), f"killed at call {k} of {calls}"
        assert len(sent) == len({name for name, _ in sent}), f"sent twice: call {k} of {calls}"
        assert referee.audit().whole
        shutil.rmtree(referee.home)


@pytest.mark.some(8)
@pytest.mark.parametrize("case", [case for case in CASES if case not in SEVERAL])
def test_a_full_disk_at_any_write_changes_nothing(
    case: str, homes: dict[str, Path], tmp_path: Path, drawn: Sample
) -> None:
    act = CASES[case][1]
    whole = prepared(case, homes, tmp_path / "whole")
    calls = count(lambda: act(whole))
    for k in drawn(range(1, calls + 1), 5):
        referee = prepared(case, homes, tmp_path / str(k))
        before = seen(referee)
        with pytest.MonkeyPatch.context() as patch:
            counter = Counter(k, CALLS, full)
            counter.install(patch)
            try:
                act(referee)
            except (Busy, OSError):
                failed = True
            else:
                failed = False
        if failed:
            notes = {n for n in seen(referee) if n.startswith("private/notes/")}
            after = {n: b for n, b in seen(referee).items() if n in before or n not in notes}
            assert after == before, f"full at call {k} of {calls}"
            act(referee)
        with writing(referee.home, referee.name):
            pass
        assert seen(referee) == seen(whole), f"full at call {k} of {calls}"
        shutil.rmtree(referee.home)


def test_the_command_says_that_the_disk_is_full(
    homes: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pbem.cli import main

    referee = prepared("run", homes, tmp_path / "home")
    before = seen(referee)
    with pytest.MonkeyPatch.context() as patch:
        Counter(1, CALLS, full).install(patch)
        with pytest.raises(SystemExit) as stop:
            main(["--home", str(referee.home), "run", "g1"])
    assert stop.value.code == 4
    assert "Traceback" not in capsys.readouterr().err
    assert seen(referee) == before


def pbem(home: Path, *args: str) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PBEM_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "pbem", *args]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_overlapping_receives_and_runs_do_nothing_twice(
    homes: dict[str, Path], tmp_path: Path
) -> None:
    referee = prepared("receive", homes, tmp_path / "home")
    files = []
    for side, text in NEXT.items():
        files.append(tmp_path / f"{side}.txt")
        files[-1].write_text(referee.orders(side, text))
    taking = [pbem(referee.home, "receive", "g1", *map(str, files)) for _ in range(2)]
    assert [p.wait() for p in taking] == [0, 0]
    assert [r.kind for r in referee.records[-2:]] == ["received", "received"]
    running = [pbem(referee.home, "run", "g1") for _ in range(2)]
    assert sorted(p.wait() for p in running) == [0, 4]
    for process in (*taking, *running):
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
        process.stderr.close()
    kinds = [r.kind for r in referee.records]
    assert kinds.count("closed") == 2
    assert referee.audit().whole


def test_a_report_is_read_though_a_kill_kept_its_file_from_its_place(tmp_path: Path) -> None:
    """The record stands from its line on; whoever only reads sees it, and changes nothing."""
    from tests.cli.commands import pbem

    whole = Referee.toy(tmp_path / "whole")
    whole.go("fox", "hunter")
    path = whole.folder / "reports" / "fox" / "2" / "report.txt"
    text = path.read_bytes()
    issued = whole.folder / "private" / "issued"
    bundle = max(issued.iterdir(), key=lambda p: int(p.name))
    for name in (bundle.name, f"{bundle.name}.spread"):
        path.unlink(missing_ok=True)
        staged = bundle.rename(whole.folder / "private" / "stage" / name)
        assert pbem("--home", whole.home, "report", "g1", "fox").out.encode() == text
        assert not path.exists()
        staged.rename(bundle)
    assert pbem("--home", whole.home, "report", "g1", "fox", "--window", "9").code == 3


def test_a_ledger_without_its_end_is_not_gone_on_with(tmp_path: Path) -> None:
    """A bad copy: mails of the game would be sent a second time."""
    from tests.cli.commands import pbem

    whole = Referee.toy(tmp_path / "whole")
    whole.go("fox", "hunter")
    ledger = whole.folder / "ledger.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[:-1]))
    for command in (("status",), ("receive", "g1"), ("run", "g1")):
        said = pbem("--home", whole.home, *command)
        assert "its end is lost" in said.err
    assert pbem("--home", whole.home, "run", "g1").code == 5
    assert [finding.code for finding in whole.audit().findings] == ["cut-tail"]
    ledger.write_bytes(b"".join(lines))
    assert whole.audit().whole


@pytest.mark.parametrize("left", [None, b""], ids=["no ledger", "an empty ledger"])
def test_a_game_whose_ledger_is_lost_is_still_listed(tmp_path: Path, left: bytes | None) -> None:
    """A slip with rm, or a copy onto a full disk: ticks must not pass over the game in silence."""
    from tests.cli.commands import pbem

    whole = Referee.toy(tmp_path / "whole")
    whole.go("fox", "hunter")
    ledger = whole.folder / "ledger.jsonl"
    kept = ledger.read_bytes()
    ledger.unlink()
    if left is not None:
        ledger.write_bytes(left)
    for command in (("tick",), ("run", "g1"), ("report", "g1", "fox"), ("status", "g1")):
        said = pbem("--home", whole.home, *command)
        assert said.code == 5, command
        assert "the files of its records are there" in said.err, command
    assert "the files of its records are there" in pbem("--home", whole.home, "status").err
    again = pbem("--home", whole.home, "new", "toy", "g1")
    assert (again.code, "choose another name" in again.err) == (2, True)
    ledger.write_bytes(kept)
    assert whole.audit().whole
