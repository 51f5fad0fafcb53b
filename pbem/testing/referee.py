"""A home with one game, its players' keys, and methods for both moderator and players.

Every method calls the same functions as the commands do. It works for any rule system.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from pathlib import Path
from typing import Any, Self

import msgspec
from msgspec import Struct

from orders.canon import canonical, signature_text
from pbem.admin.setup import Choices, Newcomer, create, enlist, open_game
from pbem.admin.undo import undo
from pbem.audit.auditor import audit
from pbem.audit.findings import Audited
from pbem.base.report_json import Report
from pbem.base.report_menu import lengthened
from pbem.crypto.private_keys import SshKey, from_seed
from pbem.crypto.sshsig import public_line, sign
from pbem.inbound.arrival import Input
from pbem.inbound.attachments import unpack
from pbem.inbound.intake import Outcome, receive
from pbem.model import System
from pbem.player.sign import NAMESPACE, block_of, header_of
from pbem.store.game_dir import LEDGER, Game, reading, unread, writing
from pbem.store.records import Undone
from pbem.store.register import Register
from pbem.turns.close_window import Resolved, run


def key_of(name: str) -> SshKey:
    """Return the Ed25519 key made from a name: the same in every test."""
    return from_seed(name.encode().ljust(32, b"."))


class Referee:
    """A home with one game of `system`.

    Methods of the moderator come first, then those of the players. Keys are `key_of(side)`.
    """

    def __init__(self, home: Path, system: System, name: str = "g1") -> None:
        self.home, self.system, self.name = home, system, name
        self._seq = 0
        self._newest = ((0, 0), 0)

    @classmethod
    def made(cls, home: Path, system: System, choices: Choices, name: str = "g1") -> Self:
        """Create a game with one officer for each side; it is not open yet."""
        referee = cls(home, system, name)
        create(home, system, name, choices)
        for side in referee.register.sides:
            referee.enlist(side, key_of(side))
        return referee

    @classmethod
    def opened(
        cls,
        home: Path,
        system: System,
        dice: str = "hand",
        state: Struct | None = None,
        **options: str,
    ) -> Self:
        """Create and open a game of the first scenario with one officer for each side.

        dice: `hand` for dice that `run` is told, `seeded` for those of a fixed seed. state: where
        the game begins, instead of what `system.begin` gives; it is copied. options: of the
        system, and `play`.
        """
        if state is not None:
            system, first = copy(system), deepcopy(state)
            vars(system)["begin"] = lambda scenario, options, house: deepcopy(first)
        seed = "x" if dice == "seeded" else ""
        referee = cls.made(home, system, Choices(options=options, seed=seed, dice=dice))
        referee.open()
        return referee

    # The moderator

    def enlist(self, side: str, key: SshKey) -> int:
        """Enlist an officer at SIDE@example.org; return the officer's number."""
        with writing(self.home, self.name) as game:
            return enlist(game, side, Newcomer(public_line(key.wire), f"{side}@example.org", side))

    def open(self, deadline: str = "") -> None:
        """Open the first window."""
        with writing(self.home, self.name) as game:
            open_game(game, self.system, deadline)

    def run(
        self,
        force: bool = False,
        dry: bool = False,
        deadline: str = "",
        values: Mapping[str, list[int]] | None = None,
    ) -> Resolved:
        """Close the open window, as `pbem run` does. values: dice by label, for hand dice."""
        with writing(self.home, self.name) as game:
            return run(game, self.system, force, values, dry, deadline)

    def undo(self, reopen: bool = False) -> Undone:
        """Undo the last closed window; reopen: without its orders."""
        with writing(self.home, self.name) as game:
            return undo(game, self.system, reopen)

    def receive(
        self,
        raw: bytes | str,
        name: str = "orders.txt",
        detached: bytes | None = None,
        side: str = "",
    ) -> list[Outcome]:
        """Receive one input as `pbem receive` does.

        detached: a signature in a file of its own; side: as with `receive --for`.
        """
        content = raw.encode() if isinstance(raw, str) else raw
        arrived = unpack(Input(name, content, detached, side))
        with writing(self.home, self.name) as game:
            return [o for each in arrived for o in receive(game, self.system, each)]

    def audit(self, held: Sequence[dict[str, Any]] = ()) -> Audited:
        """Audit the ledger. held: reports and receipts that players kept."""
        return audit(unread(self.home, self.name), self.system, held)

    def read(self) -> Game:
        """Read the game from disk, without a lock."""
        return reading(self.home, self.name)

    @property
    def register(self) -> Register:
        """The register, read anew at each access."""
        return self.read().register

    def closed_turns(self) -> set[int]:
        """The turn number of each closed window."""
        return {c.turn for c in self.register.closed}

    @property
    def folder(self) -> Path:
        """The folder of the game."""
        return self.home / self.name

    # The players

    def report(self, side: str, window: int | None = None) -> dict[str, Any]:
        """The report that opens `window` for a side, in full (docs/formats.md, "Menu"); the newest
        without `window`."""
        return dict(lengthened(json.loads(self.saved(side, window))))

    def stated(self, side: str, window: int | None = None) -> dict[str, Any]:
        """The same as its file states it, which its digest covers."""
        found: dict[str, Any] = json.loads(self.saved(side, window))
        return found

    def saved(self, side: str, window: int | None = None) -> bytes:
        """The same as the bytes of report.json."""
        number = self._window() if window is None else window
        return (self.folder / "reports" / side / str(number) / "report.json").read_bytes()

    def _window(self) -> int:
        """The newest window. Tests ask for its reports all the time, so the ledger is read only
        when it has changed."""
        found = (self.folder / LEDGER).stat()
        if self._newest[0] != (state := (found.st_mtime_ns, found.st_size)):
            self._newest = state, self.register.window
        return self._newest[1]

    def offered(self, side: str, unit: str) -> list[dict[str, Any]]:
        """What the menu of the newest report offers a unit."""
        found: list[dict[str, Any]] = self.report(side)["menu"][unit]
        return found

    def unit(self, side: str, unit: str) -> dict[str, Any]:
        """An own unit by the side's newest report; empty if it has none of that id."""
        return next((u for u in self.report(side)["units"] if u["id"] == unit), {})

    def contacts(self, side: str) -> list[tuple[str, str, int]]:
        """Name, place and age of a side's contacts by its newest report."""
        return [(c["id"], c["place"], c["age"]) for c in self.report(side)["contacts"]]

    def block(
        self, of: str, lines: str, report: Mapping[str, Any] | None = None, **header: Any
    ) -> str:
        """A block of orders without a signature. header: fields to set to other values."""
        report = report or self.report(of)
        self._seq += 1
        own = header_of(Report.of(report), report["seq"] + self._seq)
        return block_of(msgspec.structs.replace(own, **header), lines)

    def orders(
        self, of: str, lines: str, report: Mapping[str, Any] | None = None, **header: Any
    ) -> str:
        """An order file signed by `key_of(of)`; arguments as for `block`."""
        return signed(self.block(of, lines, report, **header), key_of(of))

    def order(self, of: str, lines: str, **header: Any) -> Outcome:
        """Sign and receive orders; return the only outcome."""
        (outcome,) = self.receive(self.orders(of, lines, **header))
        return outcome

    def refused(self, of: str, lines: str) -> list[str]:
        """Send orders; return the codes of what is wrong with them, as they are written."""
        return [problem["code"] for problem in self.order(of, lines).receipt["problems"]]

    def turn(self, values: Mapping[str, list[int]] | None = None, /, **orders: str) -> Resolved:
        """Close a window for which these sides send orders, of which nothing may be refused.
        values: dice by label, for hand dice."""
        for side, lines in orders.items():
            outcome = self.order(side, lines)
            assert outcome.good, outcome.text
        return self.run(force=True, values=values)

    def suggested(self, of: str) -> str:
        """The orders that the order form suggests: valid in every window, without answers."""
        return "\n".join(self.report(of)["suggest"])

    def go(self, *sides: str) -> Resolved:
        """Close a window; these sides send the orders that their forms suggest."""
        return self.play({side: self.suggested(side) for side in sides})[0]

    def play(self, *turns: Mapping[str, str]) -> list[Resolved]:
        """Close one window for each mapping of side to orders; a side not in it sends nothing."""
        return [self.turn(**sets) for sets in turns]


def signed(block: str, key: SshKey) -> str:
    """The block, followed by its signature."""
    return block + signature_text(sign(canonical(block), key, NAMESPACE))
