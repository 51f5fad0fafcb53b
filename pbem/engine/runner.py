"""The runner: runs turn scripts, opens and closes windows, and makes the sides' views.

It is what every way of playing a game has in common. `pbem.engine.drive` records each step besides,
so that the game can be stored and audited; `pbem.engine.quick` keeps nothing but the truth.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Self

import msgspec
from msgspec import Struct

from orders.book import Facts, Standing, opened
from orders.model import OrderSet
from pbem.dice.sources import Source
from pbem.engine.editions import orders_answer
from pbem.engine.position import Amended, Position
from pbem.engine.watch import limited
from pbem.errors import Diverged
from pbem.model import Event, Over, Plain, Roll, Side, State, System, Told, View, Window
from pbem.roles import role_of
from pbem.rulecode import fault, of_system
from pbem.table import Dealer, Pause, Table

MOST_TURNS = 1000
"""Turns that a script may play without asking anything; after that it counts as stuck."""


class Ended(Struct, frozen=True):
    """What a script returned at its end: the state of the next turn, or how the game ended."""

    result: State | Over


class Closing(Struct, frozen=True):
    """What happened while one window closed."""

    window: Window
    told: list[Told]
    """Events, in the order told."""
    rolls: list[Roll]
    """Rolls, in the order rolled."""
    over: Over | None
    """The end of the game, if it came."""
    sets: Mapping[Side, OrderSet] = {}
    """The sets in force."""


class Runner(Dealer):
    """One game in play: make it with `start` or `resume`, then `close` window after window.

    A subclass says how a turn begins, how its script is run to the next pause, and how dice are
    rolled. If a method raises, the runner cannot be used any more: its state may be half changed.
    """

    def __init__(self, system: System, sides: tuple[Side, ...], options: Mapping[str, str]) -> None:
        self.system = system
        self.sides = sides
        late = orders_answer(type(system).__module__)
        self.table = Table(self, sides, options, system.mailing, late)
        self.dice: Source | None = None
        self.window = Window(0)
        """The window that was closed last."""
        self.opens = Window(1)
        """The number of the open window."""
        self.over: Over | None = None
        self.pause = Pause({})
        """What the open window asks."""
        self.began: Closing | None = None
        """What happened before window 1; None after `resume`."""
        self.state: State = None
        """The truth at the present pause."""
        self._script: Coroutine[Pause, None, State] | None = None
        self._standing: dict[Side, Standing] = {side: Standing() for side in sides}
        self._counts: dict[str, int] = {}
        """Label of a roll -> how often it was used since the last window was closed."""
        self._taken = 0
        """How many rolls and pauses the turn has had."""
        self._amended: list[Amended] = []
        """What rulings changed in this turn."""
        self._told: list[Told] = []
        self._rolls: list[Roll] = []

    @classmethod
    def start(
        cls, system: System, sides: tuple[Side, ...], options: Mapping[str, str], state: State
    ) -> Self:
        """Begin from the set-up state. Returns when window 1 opens; `began` has what was told
        before it. Raises RulesFault."""
        runner = cls(system, sides, options)
        runner._run_turns(state)
        runner.began = Closing(Window(0), runner._told, [], runner.over)
        return runner

    @classmethod
    def resume(
        cls,
        system: System,
        sides: tuple[Side, ...],
        options: Mapping[str, str],
        position: Position,
    ) -> Self:
        """Run the turn again up to `position`. Raises Diverged."""
        runner = cls(system, sides, options)
        runner.window, runner.opens = position.since, position.window
        runner._standing = copied({Side(s): st for s, st in position.standing.items()})
        runner._counts = dict(position.counts)
        runner.over = position.over
        if position.over is None:
            runner._rerun(position)
        else:
            runner.state = msgspec.json.decode(position.live, type=system.state)
        return runner

    def close(self, sets: Mapping[Side, OrderSet], dice: Source) -> Closing:
        """Close the open window, and run to the next pause or to the end of the game.

        sets: the sets in force; a side that sent none is missing. The next window gets the next
        number; the caller may change it (`opens`) before going on. Raises RulesFault, and what
        `dice` raises.
        """
        self._told, self._rolls, self.dice = [], [], dice
        self._close_window(self.opens, {side: sets[side] for side in self.sides if side in sets})
        self._run_on()
        return Closing(Window(self.window), self._told, self._rolls, self.over, sets)

    def view(self, seat: Side) -> View:
        """What a side, or a role of a side, may see now.

        Raises RulesFault if the view does not end or is none, `role_views.RoleLeakError`.
        """
        with limited():
            if not role_of(seat):
                return a_view(self.system, self.system.view(self.state, seat))
            from pbem.engine.role_views import role_view

            return role_view(self.system, self.state, seat)

    # What the table calls (Dealer)

    def facts(self, side: Side) -> Facts:
        """See Dealer.facts."""
        return self.system.facts(self.state, side)

    def tell(self, to: tuple[Side, ...], event: Event) -> None:
        """See Dealer.tell. Its audience learns it at once: later conditions of the turn see it."""
        self._told.append(Told(to, event))
        for side in to:
            self.system.learn(self.state, side, event)

    # What a subclass says

    def _next_turn(self, state: State) -> None:
        """Begin the turn whose state the script of the last one returned.

        The state goes through its JSON: a live turn and its re-run start from the same data, and
        mappings are sorted, as rules may go through them in order.
        """
        raise NotImplementedError

    def _begun(self) -> Coroutine[Pause, None, State]:
        """The script of the turn that begins, not yet running."""
        raise NotImplementedError

    def _run_to_pause(self) -> Ended | None:
        """Run to the next pause and return None, or to the end of the script.

        At a pause, make the edits that rulings made there.
        """
        raise NotImplementedError

    def _rerun(self, position: Position) -> None:
        """Run the turn again from its snapshot to the position. Raises Diverged."""
        raise NotImplementedError

    # Running

    def _run_turns(self, state: State) -> None:
        """Begin turns until one pauses or the game is over."""
        for _ in range(MOST_TURNS):
            self._next_turn(state)
            ended = self._run_to_pause()
            if ended is None:
                return
            if isinstance(ended.result, Over):
                self.over = ended.result
                return
            state = ended.result
        raise fault(
            "the script plays turns without ever asking for orders",
            "a turn awaits table.orders()",
            of_system(self.system, "turn"),
        )

    def _open_turn(self, state: State) -> None:
        """Begin a turn from its state."""
        self.state = state
        for standing in self._standing.values():
            standing.expire(self.state.turn)
        self._taken = 0
        self._amended = []
        self.books = {
            side: opened(self.system.grammar, self.state.turn, self._standing[side])
            for side in self.sides
        }
        self._script = self._begun()

    def _run_on(self) -> None:
        """Run to the next pause, if need be through further turns, or to the end of the game."""
        ended = self._run_to_pause()
        if ended is None:
            return
        if isinstance(ended.result, Over):
            self.over = ended.result
        else:
            self._run_turns(ended.result)

    def _close_window(self, window: Window, sets: dict[Side, OrderSet]) -> None:
        """Put the window's sets into force, and count labels of rolls from 1 again."""
        self.window, self.opens = window, Window(window + 1)
        self._counts = {}
        for side in self.sides:
            self.books[side].take(sets.get(side, OrderSet()), window)

    def _replay(self, position: Position) -> None:
        """Go through the windows that were closed in the turn that begins. Raises Diverged."""
        self._amended = position.amended or []
        self._run_to_pause()
        for window, sets in position.closed:
            self._close_window(window, {Side(s): o for s, o in sets.items()})
            if self._run_to_pause() is not None:
                raise Diverged(f"the re-run ends in window {window}, but the record goes on")
        self.opens = position.window

    def _edit(self) -> None:
        """Make the edits that rulings made at this pause."""
        for ruled in self._amended:
            if ruled.at == self._taken:
                amend(self.system, self.state, ruled.edits)


def amend(system: System, state: State, edits: Sequence[Plain]) -> None:
    """See `pbem.engine.edits.amend`; imported here because few games need it."""
    from pbem.engine.edits import amend

    amend(system, state, edits)


def copied(standing: Mapping[Side, Standing]) -> dict[Side, Standing]:
    """Standing orders that may be changed, while `standing` stays as it is."""
    return {
        s: Standing({k: list(v) for k, v in st.always.items()}, list(st.later))
        for s, st in standing.items()
    }


def a_view(system: System, found: object) -> View:
    """What the `view` of a system returned. Raises RulesFault if it is no View."""
    if isinstance(found, View):
        return found
    raise fault(
        f"`view` returned {type(found).__name__}",
        "it ends with `return` of the View that it made",
        of_system(system, "view"),
    )
