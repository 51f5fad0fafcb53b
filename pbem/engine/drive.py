"""The driver: runs turn scripts, opens and closes windows, resumes from a position.

The ledger records mailed sets and dice, never a paused coroutine. A position contains the snapshot
at which the turn began, the sets of the windows closed since, and the steps taken. To resume, the
driver runs the turn again from the snapshot with these sets and compares every step; any difference
raises `Diverged`. See docs/design.md, "A turn asks questions".
"""

from collections.abc import Coroutine, Mapping, Sequence
from typing import Self, TypedDict

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from orders.book import Book, Facts, Standing
from orders.model import OrderSet
from pbem.dice.sources import Source
from pbem.dice.sources import label as full_label
from pbem.engine import script
from pbem.engine.watch import limited
from pbem.errors import Diverged
from pbem.model import (
    Dice,
    Event,
    Over,
    Pace,
    Plain,
    Question,
    Roll,
    Side,
    State,
    System,
    Told,
    View,
    Window,
)
from pbem.roles import role_of
from pbem.rulecode import fault, of_system
from pbem.table import Dealer, Pause, Table

MOST_TURNS = 1000
"""Turns that a script may play without asking anything; after that it counts as stuck."""
MOST_STEPS = 100_000
"""Events and rolls of one turn; after that its script counts as stuck."""


class Ended(Struct, frozen=True):
    """What a script returned at its end: the state of the next turn, or how the game ended."""

    result: State | Over


class Step(Struct, frozen=True):
    """A roll or a pause of a turn; a re-run must make the same steps in the same order."""

    label: str
    """The roll's full label, or what the pause asked (`_asked_label`)."""
    window: int
    """The window that was closed last."""
    dice: tuple[int, ...] = ()
    """The faces; empty for a pause."""
    to: tuple[Side, ...] = ()
    """The roll's audience."""
    proof: str = ""


class Amended(Struct, frozen=True):
    """The edits of one ruling, and when they were made."""

    at: int
    """How many steps the turn had taken by then."""
    edits: list[dict[str, object]]
    """As the record of the ruling has them; see `pbem.engine.edits.understood`."""


class Position(Struct, kw_only=True):
    """A game between two windows: everything that is needed to go on, and nothing else."""

    window: Window
    """The open window."""
    since: Window
    """The window whose closing began this turn."""
    snapshot: Raw
    """The state when the turn began, as JSON."""
    live: Raw
    """The state now, as JSON: readable without running the turn again, and compared with what
    a re-run gives."""
    standing: dict[str, Standing]
    """Side -> its standing orders when the turn began."""
    counts: dict[str, int]
    """Label of a roll -> how often it was used when the turn began; counted per window."""
    audiences: dict[str, tuple[Side, ...]]
    """Label of a roll -> its audience in this window, when the turn began."""
    closed: list[tuple[Window, dict[str, OrderSet]]]
    """The windows closed in this turn, with the sets in force."""
    steps: list[Step]
    """The steps of this turn so far."""
    over: Over | None = None
    amended: list[Amended] | UnsetType = UNSET
    """What rulings changed in this turn; left out if nothing was changed."""


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


class Drive(Dealer):
    """One game in play: make it with `start` or `resume`, then `close` window after window.

    If a method raises, the drive cannot be used any more: its state may be half changed.
    """

    def __init__(self, system: System, sides: tuple[Side, ...], options: Mapping[str, str]) -> None:
        self.system = system
        self.sides = sides
        self.table = Table(self, sides, options, system.mailing)
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
        self._audiences: dict[str, tuple[Side, ...]] = {}
        self._record: list[Step] = []
        """The steps that a re-run must make; empty in live play."""
        self._amended: list[Amended] = []
        self._told: list[Told] = []
        self._rolls: list[Roll] = []

    @classmethod
    def start(
        cls, system: System, sides: tuple[Side, ...], options: Mapping[str, str], state: Struct
    ) -> Self:
        """Begin from the set-up state. Returns when window 1 opens; `began` has what was told
        before it."""
        drive = cls(system, sides, options)
        drive._run_turns(state)
        drive.began = Closing(Window(0), drive._told, [], drive.over)
        return drive

    @classmethod
    def resume(
        cls,
        system: System,
        sides: tuple[Side, ...],
        options: Mapping[str, str],
        position: Position,
    ) -> Self:
        """Run the turn again up to `position`. Raises Diverged if anything differs."""
        drive = cls(system, sides, options)
        drive.window, drive.opens = position.since, position.window
        drive._standing = _copy({Side(s): st for s, st in position.standing.items()})
        drive._counts = dict(position.counts)
        drive._audiences = dict(position.audiences)
        drive._record = list(position.steps)
        drive.over = position.over
        if position.over is None:
            drive._replay(position)
        else:
            drive.state = msgspec.json.decode(position.live, type=system.state)
        return drive

    def close(self, sets: Mapping[Side, OrderSet], dice: Source) -> Closing:
        """Close the open window, and run to the next pause or to the end of the game.

        sets: the sets in force; a side that sent none is missing. The next window gets the next
        number; the caller may change it (`opens`) before going on. Raises what `dice` raises.
        """
        self._told, self._rolls, self.dice = [], [], dice
        self._close_window(self.opens, {side: sets[side] for side in self.sides if side in sets})
        self._run_on()
        return Closing(Window(self.window), self._told, self._rolls, self.over, sets)

    def amend(self, edits: Sequence[Plain]) -> None:
        """Change the truth at this pause, as a ruling says. Raises Unfit.

        The edits become part of the position: a re-run makes them again at the same step.
        """
        self._amended.append(Amended(len(self._steps), [dict(edit) for edit in edits]))
        amend(self.system, self.state, edits)

    def view(self, seat: Side) -> View:
        """What a side, or a role of a side, may see now.

        Raises RulesFault if the view does not end, `role_views.RoleLeakError`.
        """
        with limited():
            if not role_of(seat):
                return self.system.view(self.state, seat)
            from pbem.engine.role_views import role_view

            return role_view(self.system, self.state, seat)

    def position(self) -> Position:
        """The position at this pause, to be stored."""
        return Position(
            window=self.opens,
            since=self._since,
            snapshot=Raw(self._snapshot),
            live=Raw(encode(self.state)),
            standing={str(s): st for s, st in self._began_standing.items()},
            counts=self._began_counts,
            audiences=self._began_audiences,
            closed=[(w, {str(s): o for s, o in sets.items()}) for w, sets in self._closed],
            steps=self._steps,
            over=self.over,
            amended=self._amended or UNSET,
        )

    # What the table calls (Dealer)

    def facts(self, side: Side) -> Facts:
        """See Dealer.facts."""
        return self.system.facts(self.state, side)

    def roll(self, label: str, dice: Dice, to: tuple[Side, ...]) -> tuple[int, ...]:
        """See Dealer.roll. Raises Diverged if a re-run does not roll what its record says."""
        # One audience for each label: the ordinals of a label that hidden rolls shared would
        # tell the audience of the visible ones how many hidden rolls there were.
        if self._audiences.setdefault(label, to) != to:
            raise fault(
                f"{label}: one window uses it for two audiences",
                "give the rolls that only some sides see a label of their own",
            )
        ordinal = self._counts[label] = self._counts.get(label, 0) + 1
        full = full_label(label, ordinal, dice)
        step = self._recorded()
        if step is None:
            if self.dice is None:
                raise fault(f"{full}: nothing is rolled before window 1 is answered")
            values, proof = self.dice.roll(self.window, full, dice)
            step = Step(full, self.window, tuple(values), to, proof)
        elif (step.label, step.window, step.to) != (full, self.window, to):
            raise Diverged(f"the re-run rolls {full}, the record has {step.label}")
        self._steps.append(step)
        self._require_end(len(self._steps))
        self._rolls.append(Roll(full, step.dice, to, Window(step.window), step.proof))
        return step.dice

    def tell(self, to: tuple[Side, ...], event: Event) -> None:
        """See Dealer.tell. Its audience learns it at once: later conditions of the turn see it."""
        self._told.append(Told(to, event))
        self._require_end(len(self._told))
        for side in to:
            self.system.learn(self.state, side, event)

    # Running

    def _run_turns(self, state: Struct) -> None:
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

    def _next_turn(self, state: State) -> None:
        """Begin the turn whose state the script of the last one returned.

        The state goes through its snapshot even in live play, so that a live turn and its re-run
        start from the same data.
        """
        self._begin_turn(encode(state))

    def _begin_turn(self, snapshot: bytes) -> None:
        """Begin a turn from its snapshot."""
        self._snapshot = snapshot
        self._open_turn(script.decoded(self.system, snapshot))

    def _open_turn(self, state: State) -> None:
        """Begin a turn from its state, and keep what a position needs from this moment."""
        self.state = state
        for standing in self._standing.values():
            standing.expire(self.state.turn)
        self._remember()
        self._closed: list[tuple[Window, dict[Side, OrderSet]]] = []
        self._steps: list[Step] = []
        self._amended = []
        verbs = {v.type: v.name for v in self.system.grammar.verbs}
        self.books = {
            side: Book(turn=self.state.turn, standing=self._standing[side], verbs=verbs)
            for side in self.sides
        }
        self._turn: int = self.state.turn
        self._script = script.begun(self.system, self.table, self.state)

    def _remember(self) -> None:
        """Keep how the turn began, for positions."""
        self._since = Window(self.window)
        self._began_standing = _copy(self._standing)
        self._began_counts = dict(self._counts)
        self._began_audiences = dict(self._audiences)

    def _run_to_pause(self) -> Ended | None:
        """Run to the next pause and return None, or to the end of the script.

        At a pause, make the edits that rulings made there. Raises Diverged, and RulesFault if the
        script goes on for ever or returns anything but the next state or `Over`.
        """
        assert self._script is not None
        try:
            with limited():
                pause = self._script.send(None)
        except StopIteration as stop:
            return Ended(script.required(self.system, self.sides, self._turn, stop.value))
        self.pause = script.required_pause(self.system, pause)
        step = self._recorded()
        label = _asked_label(self.pause)
        if step is not None and step.label != label:
            raise Diverged(f"the re-run asks {label!r}, the record has {step.label!r}")
        self._steps.append(Step(label, self.window))
        for ruled in self._amended:
            if ruled.at == len(self._steps):
                amend(self.system, self.state, ruled.edits)
        return None

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
        self._closed.append((window, sets))
        self.window, self.opens = window, Window(window + 1)
        self._counts, self._audiences = {}, {}
        for side in self.sides:
            self.books[side].take(sets.get(side, OrderSet()), window)

    def _replay(self, position: Position) -> None:
        """Run the turn again from its snapshot to the position. Raises Diverged."""
        self._begin_turn(bytes(position.snapshot))
        self._amended = position.amended or []
        self._run_to_pause()
        for window, sets in position.closed:
            self._close_window(window, {Side(s): o for s, o in sets.items()})
            if self._run_to_pause() is not None:
                raise Diverged(f"the re-run ends in window {window}, but the record goes on")
        self.opens = position.window
        if self._recorded() is not None or encode(self.state) != bytes(position.live):
            raise Diverged(f"the re-run of window {position.window} differs from its record")
        self._told, self._rolls, self._record = [], [], []

    def _require_end(self, steps: int) -> None:
        """Raise RulesFault if a turn has taken more steps than any turn needs."""
        if steps > MOST_STEPS:
            raise fault(
                f"one turn has more than {MOST_STEPS} events or rolls",
                "look for a loop without an end at this line or in its callers",
            )

    def _recorded(self) -> Step | None:
        """The record of the step that comes next; None in live play."""
        at = len(self._steps)
        return self._record[at] if at < len(self._record) else None


def amend(system: System, state: State, edits: Sequence[Plain]) -> None:
    """See `pbem.engine.edits.amend`; imported here because few games need it."""
    from pbem.engine.edits import amend

    amend(system, state, edits)


def encode(state: Struct) -> bytes:
    """A state as bytes, equal states always as the same bytes: JSON with sorted keys."""
    return msgspec.json.encode(state, order="deterministic")


def _copy(standing: Mapping[Side, Standing]) -> dict[Side, Standing]:
    return {
        s: Standing({k: list(v) for k, v in st.always.items()}, list(st.later))
        for s, st in standing.items()
    }


def _asked_label(pause: Pause) -> str:
    """What a pause asks, for the record: side, kind and subject of each question.

    A position is never shown to players, so that this may contain what a side must not know.
    """
    owed = f" owed by {','.join(pause.owed)}" if pause.owed else ""
    if pause.opening:
        return f"orders{owed}"
    asked = ";".join(
        f"{side}:{','.join(type(q).__name__ + ' ' + q.about for q in qs)}"
        for side, qs in pause.asked.items()
    )
    return f"{asked}{owed}"


def asked(pause: Pause, side: Side) -> tuple[Question, ...]:
    """The questions in the report of `side`, in the order of their numbers Q1, Q2 ..."""
    return pause.asked.get(side, ())


def pace_of(pause: Pause) -> Pace:
    """The pace of the window that a pause opens: that of its slowest question, so that no side
    has less time than its own question allows."""
    found = {q.pace for questions in pause.asked.values() for q in questions}
    paces: tuple[Pace, ...] = ("turn", "battle", "quick")
    return next((pace for pace in paces if pace in found), "turn")


class Asks(TypedDict):
    """What a record says of the window that opens: its pace, and who must answer it."""

    pace: Pace
    owed: list[Side]


def asks(drive: Drive) -> Asks:
    """The pace of the window that opens and the sides that owe it, for its record."""
    if drive.over:
        return {"pace": "turn", "owed": []}
    return {"pace": pace_of(drive.pause), "owed": list(drive.pause.owed)}


def encode_position(drive: Drive) -> tuple[bytes, str]:
    """The drive's position as bytes, and their SHA-256 (hex), under which they are stored."""
    from hashlib import sha256

    data = encode(drive.position())
    return data, sha256(data).hexdigest()
