"""What the command line offers to people at a terminal: sections, completion, colour, local time,
and questions before what cannot be called back."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from pbem.cli import COMMANDS, SECTIONS
from tests.cli.commands import pbem
from tests.referee import Referee

BASH = shutil.which("bash")


@pytest.fixture(autouse=True)
def at_home(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(referee.home))


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine in Berlin."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


def environment(referee: Referee) -> dict[str, str]:
    paths = os.pathsep.join(sys.path)
    return {**os.environ, "PBEM_HOME": str(referee.home), "PYTHONPATH": paths, "TERM": "xterm"}


def at_terminal(referee: Referee, answer: bytes, *args: str) -> tuple[int, str]:
    """Run a command at a terminal, type an answer; its exit code, and what the terminal shows."""
    own, its = pty.openpty()
    command = [sys.executable, "-m", "pbem", *args]
    with subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, env=environment(referee)
    ) as run:
        os.close(its)
        os.write(own, answer)
        shown = b""
        while True:
            try:
                part = os.read(own, 4096)
            except OSError:  # Linux reports the end of a terminal as an error
                break
            if not part:
                break
            shown += part
    os.close(own)
    return run.returncode, shown.decode()


def test_help_has_every_command_in_a_section() -> None:
    said = pbem("--help").out
    places = [said.index(f"\n{title}:") for title in SECTIONS]
    assert places == sorted(places)
    for section, start, end in zip(SECTIONS.values(), places, [*places[1:], None], strict=True):
        assert all(f"\n  {name} " in said[start:end] for name in section)
    assert sum(map(len, SECTIONS.values())) == len(COMMANDS)


@pytest.mark.parametrize("before", [True, False])
def test_the_home_is_named_before_or_after_the_command(
    before: bool, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", "/nowhere")
    home = ("--home", referee.home)
    said = pbem(*home, "status", "g1") if before else pbem("status", "g1", *home)
    assert (said.code, "hunter" in said.out) == (0, True)
    assert pbem("status", "g1").code == 3


def test_of_two_homes_the_later_counts(referee: Referee) -> None:
    assert pbem("--home", "/nowhere", "status", "g1", "--home", referee.home).code == 0


@pytest.mark.skipif(not BASH, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("pbem mod", set()),
        ("pbem ou", {"outbox"}),
        ("pbem status ", {"g1"}),
        ("pbem report g1 ", {"fox", "hunter", "referee", "spectators"}),
        ("pbem report g1 h", {"hunter"}),
        ("pbem new to", {"toy"}),
        ("pbem new toy g2 --dice s", {"strict", "seeded"}),
        ("pbem new toy g2 --scenario ", {"wood"}),
        ("pbem simulate second_fleet --option par=", {"par=yes", "par=no"}),
        ("pbem new nowhere --option p", set()),
        ("pbem play bismarck --bot german=", {"german=plain", "german=strong", "german=roamer"}),
        ("pbem play bismarck --bot ba", {"barrier"}),
        ("pbem demo toy --bot f", {"fox="}),
        ("pbem play nowhere --bot ", set()),
        ("pbem press g1 --from ", {"fox", "hunter"}),
        ("pbem rules g", {"g1"}),
        ("pbem report nowhere ", {"referee", "spectators"}),
    ],
)
def test_bash_completes_what_was_begun(words: str, offered: set[str], referee: Referee) -> None:
    """With the line of docs/moderator.md, through click's own script."""
    found = subprocess.run(
        [sys.executable, "-m", "pbem"],
        env=environment(referee)
        | {
            "_PBEM_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
        },
        capture_output=True,
        check=False,
        text=True,
    ).stdout
    kinds = [line.split(",", 1) for line in found.split()]
    assert {word for kind, word in kinds if kind == "plain"} == offered


def test_files_are_left_to_the_shell(referee: Referee) -> None:
    environ = {"_PBEM_COMPLETE": "bash_complete", "COMP_WORDS": "pbem check or", "COMP_CWORD": "2"}
    done = subprocess.run(
        [sys.executable, "-m", "pbem"],
        env=environment(referee) | environ,
        capture_output=True,
        check=False,
    )
    assert done.stdout.split() == [b"file,or"]


@pytest.mark.usefixtures("berlin")
def test_times_are_those_of_the_machine(referee: Referee) -> None:
    assert pbem("schedule", "g1", "every=3d").code == 0
    deadline = referee.register.deadline
    assert deadline.endswith("Z")
    hour = (int(deadline[11:13]) + 1) % 24
    said = pbem("status", "g1").out
    assert re.search(rf"closes \w+ \d+ \w+ \d+ {hour:02}:\d\d CET", said)
    assert " CET  window 1 opens" in pbem("log", "g1").out
    assert pbem("status", "g1", "--json").json["deadline"] == deadline


@pytest.mark.parametrize(("environ", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_need_a_terminal_and_no_no_color(
    environ: dict[str, str], coloured: bool, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for key, value in environ.items():
        monkeypatch.setenv(key, value)
    referee.order("hunter", referee.suggested("hunter"))
    code, shown = at_terminal(referee, b"", "status", "g1")
    assert code == 0
    assert ("\x1b[32mhunter" in shown, "\x1b[33mfox" in shown) == (coloured, coloured)
    assert "\x1b" not in pbem("status", "g1").out


def test_an_undo_is_asked_for_at_a_terminal(window: Callable[[], None], referee: Referee) -> None:
    window()
    before = referee.register.n
    code, shown = at_terminal(referee, b"n\n", "undo", "g1")
    assert (code, referee.register.n) == (130, before)
    assert "fox had learnt:" in shown
    assert "Undo window 1 of g1 and tell 2 sides? [y/N]" in shown
    code, shown = at_terminal(referee, b"y\n", "undo", "g1")
    assert (code, referee.register.undone) == (0, 1)
    assert "with its orders kept" in shown
    assert shown.count("fox had learnt:") == 1


def test_an_undo_with_yes_asks_nothing(window: Callable[[], None], referee: Referee) -> None:
    window()
    code, shown = at_terminal(referee, b"", "undo", "g1", "--yes", "--reopen")
    assert (code, "[y/N]" in shown, referee.register.undone) == (0, False, 1)


def test_a_dry_undo_changes_nothing(window: Callable[[], None], referee: Referee) -> None:
    said = pbem("undo", "g1", "--dry-run")
    assert (said.code, "no closed window" in said.err) == (4, True)
    window()
    before = referee.register.n
    said = pbem("undo", "g1", "--dry-run", "--reopen")
    assert "window 1 of g1 would be undone, for new orders" in said.out
    assert "hunter had learnt:" in said.out
    assert (said.code, referee.register.n) == (0, before)
    assert pbem("undo", "g1", "--dry-run", "--json").json["window"] == 1


@pytest.fixture
def window(referee: Referee) -> Callable[[], None]:
    """Close the open window with both sides' suggested orders."""

    def close() -> None:
        referee.play({side: referee.suggested(side) for side in referee.register.sides})

    return close
