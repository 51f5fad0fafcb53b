"""A runner for playouts: it keeps nothing but the truth.

It has no positions, does not check the script, and its rolls have no proofs and are not kept. The
same orders and dice give the same states as `pbem.engine.drive` gives, to the byte.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import Self

import msgspec

from pbem.dice.sources import Source
from pbem.engine.position import Position, Step, encode
from pbem.engine.runner import Ended, Runner
from pbem.model import Dice, Side, State, System, Window
from pbem.table import Pause


class Quick(Runner):
    """One game in play, for its outcome alone."""

    def __init__(self, system: System, sides: tuple[Side, ...], options: Mapping[str, str]) -> None:
        super().__init__(system, sides, options)
        self._record: list[Step] = []
        """Rolls and pauses that the turn had before it was stored, while it is run again."""

    @classmethod
    def placed(
        cls,
        system: System,
        sides: tuple[Side, ...],
        options: Mapping[str, str],
        state: State,
        opens: Window,
        dice: Source,
    ) -> Self:
        """A turn at its opening question, which opens that window. state: before the turn; dice:
        for what is rolled before the question."""
        quick = cls(system, sides, options)
        quick.dice, quick.opens, quick.window = dice, opens, Window(opens - 1)
        quick._run_turns(state)
        return quick

    def roll(self, label: str, dice: Dice, to: tuple[Side, ...]) -> tuple[int, ...]:
        """See Dealer.roll."""
        ordinal = self._counts[label] = self._counts.get(label, 0) + 1
        self._taken += 1
        if self._taken <= len(self._record):
            return self._record[self._taken - 1].dice
        assert self.dice is not None
        return tuple(self.dice.roll(self.window, f"{label}/{ordinal}/{dice}", dice)[0])

    def _next_turn(self, state: State) -> None:
        self._open_turn(msgspec.json.decode(encode(state), type=self.system.state))

    def _begun(self) -> Coroutine[Pause, None, State]:
        return self.system.turn(self.table, self.state)

    def _run_to_pause(self) -> Ended | None:
        assert self._script is not None
        try:
            self.pause = self._script.send(None)
        except StopIteration as stop:
            return Ended(stop.value)
        self._taken += 1
        if self._amended:
            self._edit()
        return None

    def _rerun(self, position: Position) -> None:
        self._record = position.steps
        self._open_turn(msgspec.json.decode(position.snapshot, type=self.system.state))
        self._replay(position)
        self._record, self._told = [], []
