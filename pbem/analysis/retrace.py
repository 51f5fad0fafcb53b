"""Playouts that come to a point from which the game was played on before.

From the beginning of a turn a playout goes on by the state, the standing orders, what sides were
told, the dice and the luck of the bots. Playout i has the same dice and luck from whatever window
it begins and whatever is fixed in it. So when two of the same number come to equal beginnings of a
turn, they are equal from there to the end, and only one of them is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import msgspec

from orders.model import OrderSet
from pbem.bots.playouts import Playout
from pbem.engine.position import encode
from pbem.engine.quick import Quick
from pbem.model import Dice, Side, State

MOST = 5000
"""Windows of a playout."""
Before = dict[bytes, str]
"""Beginnings of turns that playouts of one number came to, and how these ended."""


class Traced(Quick):
    """A drive that remembers what the turn began from, and what it has rolled since."""

    snapshot = b""
    """The state when the turn began; empty in the turn in which the drive itself began."""
    rolled: list[tuple[int, ...]]

    def _next_turn(self, state: State) -> None:
        self.snapshot, self.rolled, self.begun = encode(state), [], self.opens
        super()._next_turn(state)

    def roll(self, label: str, dice: Dice, to: tuple[Side, ...]) -> tuple[int, ...]:
        """See Dealer.roll."""
        faces = super().roll(label, dice, to)
        if self.snapshot:
            self.rolled.append(faces)
        return faces

    @property
    def fresh(self) -> bool:
        """Does the open window open a turn?"""
        return bool(self.snapshot) and self.begun == self.opens


def mark(game: Playout, drive: Traced) -> bytes:
    """All that the rest of a playout depends on besides its number, at the beginning of a turn.

    The script of a turn comes to the same point from the same state by the same rolls, so that
    neither what it holds nor the state now need be compared.
    """
    books = {str(side): book.standing for side, book in drive.books.items()}
    rest = [drive.rolled, books, list(game.told), drive.opens, game.until]
    found = blake2b(drive.snapshot, digest_size=16)
    found.update(msgspec.json.encode(rest, order="deterministic"))
    return found.digest()


def played(game: Playout, drive: Traced, fixed: Mapping[Side, OrderSet], before: Before) -> str:
    """The result of a playout, whose drive is `drive`.

    fixed: orders that hold in its first window in the place of a bot's. before: of playouts of the
    same number; this one is added. Raises AssertionError if it does not end.
    """
    trail = list[bytes]()
    game.window(fixed)
    for _ in range(MOST):
        if drive.over:
            return _kept(drive.over.result, trail, before)
        if drive.fresh:
            here = mark(game, drive)
            if here in before:
                return _kept(before[here], trail, before)
            trail.append(here)
        game.window()
    raise AssertionError(f"no end after {MOST} windows")


def _kept(result: str, trail: list[bytes], before: Before) -> str:
    before.update(dict.fromkeys(trail, result))
    return result
