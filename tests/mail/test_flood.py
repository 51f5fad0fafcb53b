"""More mail than anybody would send: what a tick holds in memory, and what it passes on."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.base.clock import now
from pbem.base.files import make_private
from pbem.inbound.letter import LARGEST, MEMORY
from pbem.inbound.spool import tell
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import CONFIG, Office

PEAK = """
import sys
from pathlib import Path
from pbem.cli import main
try:
    main(sys.argv[1:])
finally:
    status = Path("/proc/self/status").read_text()
    print("PEAK", status.split("VmHWM:")[1].split()[0], file=sys.stderr)
"""
BASE = 48 << 20
"""What the program needs by itself: Python and its libraries, which it may have to compile."""


def peak(home: Path, *words: str, stdin: Path | None = None) -> int:
    """Run pbem in a process of its own; the most memory that it held, in bytes."""
    with (stdin or Path("/dev/null")).open("rb") as source:
        done = subprocess.run(
            [sys.executable, "-c", PEAK, "--home", str(home), *words],
            stdin=source,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return int(done.stderr.rsplit("PEAK ", 1)[1]) * 1024


def huge(path: Path, size: int) -> Path:
    """A mail of that size, most of it a hole in the file."""
    path.write_bytes(b"From: fox@example.org\nSubject: g1\n\n")
    with path.open("r+b") as file:
        file.truncate(size)
    return path


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="Linux says what a process held"
)


@needs_proc
def test_a_mail_of_200_megabytes_never_comes_into_memory(office: Office) -> None:
    """Neither from a mailbox nor through a pipe: it is cut behind the cap, and kept so."""
    mail = huge(office.home / "in" / "new" / "huge", 200 << 20)
    assert peak(office.home, "tick") < BASE
    assert "could not be read" in office.bodies("fox")
    assert peak(office.home, "spool", stdin=office.home / "in" / "cur" / f"{mail.name}:2,S") < BASE
    assert peak(office.home, "tick") < BASE
    kept = list((office.referee.folder / "private" / "mail").iterdir())
    assert {path.stat().st_size for path in kept} == {LARGEST + 1}


@needs_proc
def test_a_tick_does_with_half_the_memory_that_a_mail_may_take(office: Office) -> None:
    """A small machine, or a provider that allows little: tick and mail reader, each in 128 MiB."""
    for side in ("fox", "hunter"):
        office.orders(side)
    limited = ["sh", "-c", f'ulimit -v {MEMORY // 2 // 1024}; exec "$@"', "sh"]
    done = subprocess.run(
        [*limited, sys.executable, "-m", "pbem", "--home", office.home, "tick"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 sets in, 1 window closed" in done.stdout


@needs_proc
def test_many_large_mails_are_held_a_few_at_a_time(office: Office) -> None:
    """Text that takes four times its bytes in memory, in more mails than are remembered."""
    body = "\U0001f6a2" + ("a" * 79 + "\n") * ((LARGEST - 500) // 80)
    head = ['Content-Type: text/plain; charset=utf-8; name="a.txt"']
    for number in range(80):
        office.mail("fox", body[: len(body) - number] + "\n", subject="g1", head=head)
    assert peak(office.home, "tick") < MEMORY
    assert len(list((office.home / "in" / "cur").iterdir())) == 80


def test_the_moderator_gets_so_many_mails_a_day_and_is_told(office: Office, clock: Clock) -> None:
    (office.home / "pbem.toml").write_text(CONFIG + "[limits]\npassed = 3\n")
    for number in range(9):
        office.mail(("fox", "stranger")[number % 2], f"Dear moderator, {number}")
    office.tick()
    subjects = office.subjects("mod")
    assert len([one for one in subjects if "a mail for the moderator" in one]) == 3
    assert subjects.count("too much mail") == 1
    kept = [office.referee.folder / "private" / "mail", office.home / ".pbem" / "unread"]
    assert sum(len(list(folder.iterdir())) for folder in kept) == 9
    office.empty()
    office.mail("fox", "Dear moderator, still today")
    office.tick()
    assert not office.sent("mod")
    clock.advance(days=1)
    office.mail("fox", "Dear moderator, a day later")
    office.tick()
    assert office.subjects("mod") == ["g1: a mail for the moderator"]


def test_what_a_pipe_brings_is_counted_whole_and_kept_to_the_cap(office: Office) -> None:
    said = pbem("--home", office.home, "spool", stdin=b"From: a@b.c\n\n" + b"a" * (3 * LARGEST))
    assert said.out == f"spooled {13 + 3 * LARGEST} bytes\n"
    (path,) = (office.home / ".pbem" / "spool").iterdir()
    assert path.stat().st_size == LARGEST + 1


@pytest.mark.parametrize("broken", [OSError(28, "No space left on device"), None])
def test_a_piped_mail_that_cannot_be_stored_stays_with_the_caller(
    broken: OSError | None, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """75 is the one exit code at which mail servers try again."""

    def full(path: Path, content: bytes) -> None:
        assert broken
        raise broken

    monkeypatch.setattr("pbem.inbound.fetch.write_private", full)
    home = office.home if broken else office.home / "gone"
    said = pbem("--home", home, "spool", stdin=b"From: a@b.c\n\nhello\n")
    assert said.code == 75
    assert ("No space left on device" if broken else "there is no folder") in said.err
    assert not list((office.home / ".pbem").glob("spool/*"))


def test_stray_mail_is_counted_and_cron_hears_of_it_where_no_alert_goes(office: Office) -> None:
    """Cron would mail the moderator once more what an alert has told him."""
    for number in range(3):
        office.mail("stranger", f"Buy {number}!")
    said = pbem("--home", office.home, "tick")
    assert "3 fetched, 3 of no game" in said.out
    assert not said.err
    (office.home / "pbem.toml").write_text(CONFIG.replace("mod@example.org", ""))
    office.mail("stranger", "Buy now!")
    said = pbem("--home", office.home, "tick")
    assert said.err == f"1 mail of no game is kept in {office.home / '.pbem' / 'unread'}\n"


AGED = ("unread/20260801T000000Z-a.eml", "outbox/b.eml", "told/c.eml")
NOBODY = CONFIG.replace('moderator = "mod@example.org"', "")
"""A referee whose alerts are sent to nobody."""


def aged(office: Office, days: float) -> list[Path]:
    """Files of the referee that are so old."""
    found = [office.home / ".pbem" / name for name in AGED]
    for path in found:
        make_private(path.parent)
        path.write_bytes(b"Subject: old\n\n")
        moment = (now() - timedelta(days=days)).timestamp()
        os.utime(path, (moment, moment))
    return found


def cleared(office: Office, clock: Clock, days: float, config: str = NOBODY) -> bool:
    """Whether the first tick of the next day deletes files so old: all or none."""
    (office.home / "pbem.toml").write_text(config)
    clock.advance(days=1)
    paths = aged(office, days)
    pbem("--home", office.home, "tick")
    left = [path for path in paths if path.exists()]
    assert left in ([], paths)
    return not left


def test_a_referee_keeps_its_old_mail_so_many_days(office: Office, clock: Clock) -> None:
    assert not cleared(office, clock, 89.9)
    assert cleared(office, clock, 90.1)
    paths = aged(office, 91)
    pbem("--home", office.home, "tick")
    assert all(path.exists() for path in paths)  # looked for once a day
    (office.home / "in").rename(office.home / "away")
    assert not cleared(office, clock, 91)  # a tick that cannot believe what it sees deletes nothing


@pytest.mark.parametrize(("keep", "gone"), [(0, False), (7, True)])
def test_how_long_a_referee_keeps_mail_is_the_moderators_word(
    keep: int, gone: bool, office: Office, clock: Clock
) -> None:
    assert cleared(office, clock, 8, f"{NOBODY}[limits]\nkeep = {keep}\n") == gone


def test_what_was_told_long_ago_and_lasts_is_told_again(office: Office, clock: Clock) -> None:
    for days, told in ((0, 1), (1, 0), (91, 0), (0, 1)):
        clock.advance(days=days)
        tell(office.home, office.config, "g1: press waits", "1.\n")
        pbem("--home", office.home, "tick")
        assert len(office.sent("mod")) == told
        office.empty()
        for path in (office.home / ".pbem" / "told").iterdir():
            os.utime(path, (now().timestamp(),) * 2)


def test_an_alert_of_one_thing_is_told_once_whatever_it_says(office: Office) -> None:
    told = [
        tell(office.home, office.config, "the disk", f"{left} bytes are left", once="disk")
        for left in (2, 1)
    ]
    assert told == [True, False]
