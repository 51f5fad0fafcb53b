"""What a rule system says for a bot that searches: worlds and candidates, from reports alone.

`pbem.bots.strong` searches. A world is one way in which things may stand, made of what a side
was told: its own units as its report shows them, the enemy as its reports, public facts and luck
make him. A candidate is orders for the open window, with the way in which the side goes on
afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from pbem.inference.quarry import Draws

State: TypeAlias = Any
"""The truth of a game, as `pbem.model.State`."""
Report: TypeAlias = Mapping[str, Any]
"""Decoded report.json, or in playouts the same with the structs of the view."""
Line: TypeAlias = tuple[str, Struct | str]
"""Actor and order, as in `pbem.kit.bots.Lines`."""
Policy: TypeAlias = Callable[[Report, str], Iterable[Line]]
"""The orders of a side from what it reads of its report, and luck; the same for equal ones."""


class Said(Struct, frozen=True):
    """A policy: these orders, whatever is read."""

    lines: tuple[Line, ...]

    def __call__(self, report: Report, luck: str) -> Iterator[Line]:
        """See `Policy`."""
        yield from self.lines


class Candidate(Struct, frozen=True):
    """Orders that are compared with others."""

    name: str
    """What they do, in a few words: `turns away to F4`."""
    now: Policy
    """Gives the orders of the open window."""
    later: Policy
    """Gives those of the windows after it, in playouts."""
    before: float = 0.5
    """What they are thought to be worth before any playout: a share of games."""


class World(Struct):
    """One way in which things may stand."""

    state: State
    """The truth of it, before the turn's opening question."""
    told: Mapping[str, Sequence[Report]] = {}
    """What other sides were told last, as events of report.json."""
    foes: Mapping[str, Policy] = {}
    """How other sides are led, and the own one where no candidate leads it; those that are missing
    by their plain bot."""
    closed: int = 0
    """Windows of the turn that are closed by now. In a playout nobody orders anything in them, and
    `Mind.settle` puts in what came of them."""


class Mind:
    """What one side thinks in one game. A game derives its own, from reports alone."""

    hunted: Sequence[str] = ()
    """The quarries (`System.quarries`) of which it wants guesses."""
    budget: Mapping[str, float] = {}
    """The numbers of the search (`pbem/bots/strong.toml`) that are others in this system."""
    follows = False
    """Is a world made of the one before it, in which the enemy's bot has gone on for a turn?"""

    def learn(self, report: Report, guesses: Mapping[str, Sequence[Any]]) -> None:
        """Read the report of the open window. guesses: for each of `hunted` that is looked for now,
        as likely as each other."""
        raise NotImplementedError

    def world(self, before: State, draws: Draws) -> World:
        """A world that agrees with the reports. before: the set-up state, or, if it `follows`, the
        state of such a world when the bots have gone on to the open window; it may be changed."""
        raise NotImplementedError

    def settle(self, state: State) -> None:
        """Put into a state at the turn's opening question what its opening rolled, as the report
        tells it; and into one after `World.closed` windows what came of these. Default: nothing is
        rolled before orders."""

    def candidates(self, draws: Draws) -> Sequence[Candidate]:
        """What to compare, at least one; the first is what it does without a search."""
        raise NotImplementedError

    def chose(self, candidate: Candidate) -> None:
        """The candidate is what it does."""

    def worth(self, state: State) -> float:
        """What a position in which a playout stops is worth to the side, from 0 to 1."""
        raise NotImplementedError
