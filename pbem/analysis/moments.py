"""The windows of a finished game, each as it was before its orders came.

They come from the ledger alone, by the audit that a replay makes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from orders.model import OrderSet
from pbem.engine.drive import encode_position
from pbem.model import Side, System, Told
from pbem.replay.walk import Walk, followed
from pbem.store.game_dir import Game
from pbem.store.ledger import Record
from pbem.store.records import Body, Closed, Undone


class Moment(Struct, frozen=True):
    """One window: what it began from, and what was ordered in it."""

    window: int
    turn: int
    label: str
    """The turn's name in the rulebook."""
    position: bytes
    """The encoded position when the window opened."""
    told: Sequence[Told]
    """What was told as the window before it closed."""
    orders: Mapping[Side, OrderSet]
    """The sets in force; a side that sent none is missing."""
    until: int = 0
    """The last window of the run of agreed turns that goes on in it; 0 if orders were due."""


def digest(moments: Mapping[int, Moment]) -> str:
    """SHA-256 (hex) of all that playouts begin from. What is recorded after the end of a game, as
    that a mail was sent, does not change it."""
    total = sha256()
    for window in sorted(moments):
        total.update(msgspec.json.encode(moments[window], order="deterministic"))
    return total.hexdigest()


class Moments(Walk):
    """The audit's re-run, which also keeps the windows."""

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self.moments: dict[int, Moment] = {}

    def note(self, body: Body) -> None:
        """See Walk.note; windows that were taken back are forgotten."""
        super().note(body)
        if isinstance(body, Undone):
            for window in body.windows:
                self.moments.pop(window, None)

    def close(self, record: Record, body: Closed, given: Mapping[Side, OrderSet]) -> None:
        """See Rerun.close."""
        if not self.foreign and (drive := self.drive) is not None:
            frame = self.frames.get(body.window)
            running = self.register.closed[-1].run if self.register.running else None
            self.moments[body.window] = Moment(
                window=body.window,
                turn=frame.turn if frame else 0,
                label=frame.label if frame else "",
                position=encode_position(drive)[0],
                told=frame.told if frame else (),
                orders=dict(given),
                until=running.last if running else 0,
            )
        super().close(record, body, given)


def moments(game: Game, system: System) -> Moments:
    """Play a finished game again. Raises Busy before its end, Damaged if its audit fails."""
    return followed(game, Moments(system))
