"""A side's place at the order desk: its game, its page, and the key of its officer in a file."""

from __future__ import annotations

from pathlib import Path

import games
from pbem import desk
from pbem.keys import _private_file
from pbem.setup import Choices
from tests.house import House, key_of

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
        self.page.write_bytes(desk.page(system, self.report, ADDRESS))


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
