"""A side's place at the order desk: its game, its page, and the key of its officer in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from pbem.admin.setup import Choices
from pbem.crypto.private_keys import _private_file
from pbem.dice.chains import Purse
from pbem.errors import Busy
from pbem.turns.strict_dice import reveal
from pbem.web import order_page
from tests.house import House, key_of
from tests.proving import proven

SIDES = {"toy": "hunter", "bismarck": "british"}
SEATS = SIDES | {"far_seas": "german"}
PITCH = {"toy": 100, "bismarck": 50, "far_seas": 50}
ADDRESS = "games@example.org"


class Seat:
    """A game with the desk of one side, and the key of its officer in a file."""

    def __init__(self, folder: Path, name: str) -> None:
        system, self.side = games.load(name), SEATS[name]
        choices = Choices(options={"play": "plotted"}, seed="x")
        self.folder, self.pitch = folder, PITCH[name]
        self.house = House.made(folder / "home", system, choices)
        self.house.open()
        self.key = folder / "my.key"
        self.key.write_bytes(private_file(key_of(self.side).wire, self.side))
        self.report = self.house.report(self.side)
        self.page = folder / "desk.html"
        self.page.write_bytes(order_page.page(system, self.report, ADDRESS))


class Locked:
    """A strict game of the toy whose window is locked, and the fox before a desk without a report:
    the page, her key, her report and the notice of the lock in files."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.house = house = proven(folder / "home", patch, dice="strict")
        for side in house.register.sides:
            assert house.sends(side, house.suggested(side)).good
        with pytest.raises(Busy):
            house.run(force=True)
        self.page, self.key = folder / "desk.html", folder / "k"
        self.page.write_bytes(order_page.blank([house.system]))
        self.key.write_bytes(private_file(key_of("fox").wire, "fox"))
        self.report = house.folder / f"reports/fox/{house.register.window}/report.json"
        self.notice = max((house.folder / "outbox").glob("fox-*-lock.eml"))

    def revealed(self) -> str:
        """What `pbem reveal` writes."""
        return reveal(self.house.notice("fox"), Purse(key_of("fox")))


def private_file(wire: bytes, side: str) -> bytes:
    """The key of a House's officer as an unlocked OpenSSH file."""
    seed = side.encode().ljust(32, b".")
    return _private_file(wire, seed, b"1234", side)


def accepted(seat: Seat, path: Path) -> list[str]:
    """The referee's receipt for a file; every order as he understood it."""
    (outcome,) = seat.house.receive(path.read_bytes(), path.name)
    assert outcome.good, outcome.text
    assert not outcome.receipt["problems"]
    return [o["order"].rstrip(";") for o in outcome.receipt["understood"]]
