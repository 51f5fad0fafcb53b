"""A game with the order page of one side, and the key file of its officer."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest

import games
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.base.report_menu import lengthened
from pbem.crypto.private_keys import _private_file
from pbem.dice.chains import DiceChains
from pbem.errors import Busy
from pbem.turns.strict_dice import reveal
from pbem.web import order_page
from tests.proving import proven
from tests.referee import Referee, key_of

SIDES = {"toy": "hunter", "bismarck": "british"}
SEATS = SIDES | {
    "far_seas": "german",
    "atlantic_chase": "german",
    "baltic": "kalmar",
    "second_fleet": "nato",
}
PITCH = {"toy": 100, "bismarck": 50, "far_seas": 50, "atlantic_chase": 56}
ADDRESS = "games@example.org"


class Seat:
    """A game with the order page of one side, and the key of its officer in a file."""

    def __init__(self, folder: Path, name: str) -> None:
        system, self.side = games.load(name), SEATS[name]
        plotted = any(option.name == "play" for option in system.options)
        choices = Choices(options={"play": "plotted"} if plotted else {}, seed="x")
        self.folder, self.pitch = folder, PITCH.get(name, 50)
        self.referee = Referee.made(folder / "home", system, choices)
        self.referee.open()
        self.key = folder / "my.key"
        self.key.write_bytes(private_file(key_of(self.side).wire, self.side))
        self.page = folder / "order-page.html"
        self.turned()

    def turned(self) -> None:
        """The newest report and its page."""
        self.saved = json.loads(self.referee.saved(self.side))
        """The object of report.json, as it is mailed."""
        self.report = dict(lengthened(self.saved))
        report = Report.of(self.report)
        self.page.write_bytes(order_page.page(self.referee.system, report, ADDRESS))

    def play_on(self) -> None:
        """All sides sign what the form suggests, and the window closes."""
        self.referee.go(*self.referee.register.sides)
        self.turned()


class Locked:
    """A strict toy game with a locked window, and files of the fox: an order page without a report,
    the key, the report and the lock notice."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.referee = referee = proven(folder / "home", patch, dice="strict")
        for side in referee.register.sides:
            assert referee.sends(side, referee.suggested(side)).good
        with pytest.raises(Busy):
            referee.run(force=True)
        self.page, self.key = folder / "order-page.html", folder / "k"
        self.page.write_bytes(order_page.blank([referee.system]))
        self.key.write_bytes(private_file(key_of("fox").wire, "fox"))
        self.report = referee.folder / f"reports/fox/{referee.register.window}/report.json"
        self.notice = max((referee.folder / "outbox").glob("fox-*-lock.eml"))

    def revealed(self) -> str:
        """The file that `pbem reveal` writes."""
        return reveal(self.referee.notice("fox"), DiceChains(key_of("fox")))


def private_file(wire: bytes, side: str) -> bytes:
    """The key of a side's officer as an OpenSSH file without a passphrase."""
    seed = side.encode().ljust(32, b".")
    return _private_file(wire, seed, b"1234", side)


def unremarked(form: Sequence[str]) -> list[str]:
    """The lines of a form without its remarks in brackets."""
    lines = [re.sub(r"\s*\[.*?\]", "", line) for line in form]
    return [line for line in lines if line]


def accepted(seat: Seat, path: Path) -> list[str]:
    """Receive a file, which must be accepted; return its orders as the referee understood them.

    In a copy of the game: two tests may sign the same orders in the same second, and the second
    set would be known already.
    """
    with TemporaryDirectory(dir=seat.folder) as copy:
        home = Path(copytree(seat.referee.home, Path(copy) / "home"))
        (outcome,) = Referee(home, seat.referee.system).receive(path.read_bytes(), path.name)
    assert outcome.good, outcome.text
    assert not outcome.receipt["problems"]
    return [o["order"].rstrip(";") for o in outcome.receipt["understood"]]
