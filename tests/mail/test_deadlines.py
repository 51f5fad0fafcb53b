"""Every deadline rule as a folder: mails that come in, moments at which a tick runs, and what went
out. `GOLDEN=write` writes what went out anew; read the difference before you commit it.

    deadlines/NAME/story.toml              about, the rule, further ticks; press, officers
    deadlines/NAME/in/WHEN-WHO.txt         a mail: ORDERS and lines to sign (none: the form's), a
                                           text as it is, or of the moderator a command and below
                                           it what the command reads; vixen is another of the fox's
    deadlines/NAME/out/WHEN-WHO-N.txt      its subject, and what it says
"""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from email.message import Message
from functools import partial
from pathlib import Path

import pytest

from games.toy.game import SYSTEM, Leap
from pbem.admin.commands import schedule
from pbem.admin.setup import Choices, Newcomer, enlist
from pbem.crypto.sshsig import public_line
from pbem.store.game_dir import writing
from pbem.turns.schedule import Rule, read_rule
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import Office
from tests.referee import Referee, key_of, signed

STORIES = sorted(p.parent for p in (Path(__file__).parent / "deadlines").glob("*/story.toml"))
HEX = re.compile(r"\b[0-9a-f]{8}(?: [0-9a-f]{8})+\b")
DUE = (
    "ORDERS",
    "Game over",
    "TAKEN BACK",
    "error ",
    "You have until",
    "The deadline was",
    "The game is on hold",
    "The window closes",
    "You have no set",
)


def moment(when: str) -> str:
    """`2026-11-20T13:00:00Z` of `2026-11-20T1300Z`, which any file system takes."""
    return f"{when[:13]}:{when[13:15]}:00Z"


def begun(home: Path, clock: Clock, story: dict[str, str]) -> Office:
    """An open toy game on the story's schedule, its first reports sent."""
    play = "asked" if "pace" in story else "plotted"
    press = story.get("press", "none")
    referee = Referee.made(home, SYSTEM, Choices(seed="x", options={"play": play}, press=press))
    (home / "vixen.pub").write_text(public_line(key_of("vixen").wire))
    if "officers" in story:
        newcomer = Newcomer(public_line(key_of("vixen").wire), "vixen@example.org", "Vixen")
        with writing(home, "g1") as game:
            enlist(game, "fox", newcomer)
    if story["rule"] != "none":
        with writing(home, "g1") as game:
            schedule(game, read_rule([story["rule"]]))
    referee.open()
    office = Office(referee)
    office.tick()
    return office


def arrive(office: Office, path: Path) -> None:
    """What one file of `in` brings."""
    who, text = path.stem.split("-")[3], path.read_text()
    if who == "moderator":
        command, _, below = text.replace("HOME", str(office.home)).partition("\n")
        said = pbem("--home", office.home, *shlex.split(command), stdin=below.encode())
        assert said.code == 0, said.err
    elif text.startswith("ORDERS\n"):
        side = "fox" if who == "vixen" else who
        lines = text.removeprefix("ORDERS\n").strip() or office.referee.suggested(side)
        office.mail(who, signed(office.referee.block(side, lines), key_of(who)))
    else:
        office.mail(who, text)


def gist(mail: Message) -> str:
    """What a mail says of time: of a report or receipt the lines on deadlines, and why a set is
    refused; of others all."""
    part = next(p for p in mail.walk() if p.get_content_type() == "text/plain")
    text = str(part.get_payload()).replace("\r\n", "\n")
    files = [str(p.get_filename()) for p in mail.walk() if p.get_filename()]
    if files:
        text = "\n".join(line for line in text.split("\n") if line.startswith(DUE))
    return f"{mail['Subject']}\n\n{HEX.sub('(hex)', text).strip()}\n"


def told(folder: Path, home: Path, clock: Clock) -> dict[str, str]:
    """What went out, by file: `2026-11-22T1200Z-fox-1.txt`."""
    story = tomllib.loads((folder / "story.toml").read_text())
    office = begun(home, clock, story)
    mails = {path: path.name[:16] for path in sorted((folder / "in").glob("*.txt"))}
    found = {f"2026-11-20T1200Z-{n}": t for n, t in taken(office).items()}
    for when in sorted({*mails.values(), *story["ticks"]}):
        clock.set(moment(when))
        for path in [p for p, at in mails.items() if at == when]:
            arrive(office, path)
        ticked = office.tick()["g1"]
        assert not ticked.error
        found |= {f"{when}-{name}": text for name, text in taken(office).items()}
    assert office.referee.audit().whole
    return found


def taken(office: Office) -> dict[str, str]:
    """The mails that were delivered since, taken away: reader and number to gist."""
    found: dict[str, str] = {}
    for who in ("fox", "vixen", "hunter", "mod"):
        mine = [m for m in office.sent() if f"{who}@example.org" in m["To"].split(", ")]
        for n, text in enumerate(sorted(map(gist, mine)), 1):
            found[f"{who}-{n}.txt"] = text
    office.empty()
    return found


@pytest.mark.parametrize("folder", STORIES, ids=lambda p: p.name)
def test_mail_in_mail_out(
    folder: Path, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = tomllib.loads((folder / "story.toml").read_text())
    if "pace" in story:
        monkeypatch.setattr("games.toy.game.Leap", partial(Leap, pace=story["pace"]))
    found = told(folder, tmp_path / "home", clock)
    out = folder / "out"
    if os.environ.get("GOLDEN") == "write":
        out.mkdir(exist_ok=True)
        for path in out.glob("*.txt"):
            path.unlink()
        for name, text in found.items():
            (out / name).write_text(text)
    assert found == {path.name: path.read_text() for path in out.glob("*.txt")}


def test_every_part_of_a_rule_has_its_folder() -> None:
    rules = " ".join(tomllib.loads((f / "story.toml").read_text())["rule"] for f in STORIES)
    for name in Rule.__struct_fields__:
        assert f"{name.replace('_', '-')}=" in rules or name == "quick", name
