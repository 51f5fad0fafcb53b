"""The driver: runs turn scripts, opens and closes windows, resumes from a position.

The ledger records mailed sets and dice, never a paused coroutine. A position holds the
snapshot at which the turn began, the sets of its closed windows and the steps taken since;
resuming runs the turn again from there, and anything that differs raises `Diverged`.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from orders.book import Book, Facts, Standing
from orders.model import OrderSet
from pbem.dice.sources import Source
from pbem.dice.sources import label as full_label
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
from pbem.table import Dealer, Pause, Table

MOST_TURNS = 1000  # turns that may pass without any question before a script counts as stuck


class Step(Struct, frozen=True):
    """One thing a re-run must do again: a roll, or a pause (then label is its questions' kinds)."""

    label: str
    window: int
    dice: tuple[int, ...] = ()
    to: tuple[Side, ...] = ()
    proof: str = ""


class Amended(Struct, frozen=True):
    """Edits that a ruling made (`pbem.engine.edits`). at: how many steps the turn had taken by
    then."""

    at: int
    edits: list[dict[str, object]]


class Position(Struct, kw_only=True):
    """A game between two windows: everything needed to go on, and nothing else.

    window: the open one. since: the window whose closing began this turn. snapshot: the state
    as the turn began; live: as it stands at the pause. standing, counts, audiences: at the
    turn's beginning. closed: this turn's closed windows with their sets. steps: so far. amended:
    what rulings changed in this turn, absent without.
    """

    window: Window
    since: Window
    snapshot: Raw
    live: Raw
    standing: dict[str, Standing]
    counts: dict[str, int]
    audiences: dict[str, tuple[Side, ...]]
    closed: list[tuple[Window, dict[str, OrderSet]]]
    steps: list[Step]
    over: Over | None = None
    amended: list[Amended] | UnsetType = UNSET


class Closing(Struct, frozen=True):
    """What happened while one window closed: told in order, rolled in order, and the end."""

    window: Window
    told: list[Told]
    rolls: list[Roll]
    over: Over | None


class Drive(Dealer):
    """One game being played. Make it with `start` or `resume`, then `close` window by window."""

    def __init__(self, system: System, sides: tuple[Side, ...], options: Mapping[str, str]) -> None:
        self.system = system
        self.sides = sides
        self.table = Table(self, sides, options)
        self.dice: Source | None = None
        self.window = Window(0)
        self.opens = Window(1)
        self.over: Over | None = None
        self.pause = Pause({})
        self.began: Closing | None = None
        self.state: State = None
        self._script: Coroutine[Pause, None, State] | None = None
        self._standing: dict[Side, Standing] = {side: Standing() for side in sides}
        self._counts: dict[str, int] = {}
        self._audiences: dict[str, tuple[Side, ...]] = {}
        self._record: list[Step] = []
        self._amended: list[Amended] = []
        self._told: list[Told] = []
        self._rolls: list[Roll] = []

    @classmethod
    def start(
        cls, system: System, sides: tuple[Side, ...], options: Mapping[str, str], state: Struct
    ) -> Drive:
        """Begin from the set-up state; on return window 1 is open, and `began` holds what was
        told before it."""
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
    ) -> Drive:
        """Run the turn again up to where `position` stands. Raises Diverged."""
        drive = cls(system, sides, options)
        drive.window, drive.opens = position.since, position.window
        drive._standing = msgspec.convert(
            msgspec.to_builtins(position.standing), dict[Side, Standing]
        )
        drive._counts = dict(position.counts)
        drive._audiences = dict(position.audiences)
        drive._record = list(position.steps)
        drive.over = position.over
        if position.over is None:
            drive._again(position)
        else:
            drive.state = msgspec.json.decode(position.live, type=system.state)
        return drive

    def close(self, sets: Mapping[Side, OrderSet], dice: Source) -> Closing:
        """Close the open window with the sets in force (a silent side's is missing) and run on
        to the next pause or the end; the next window gets the next number, which the caller may
        change (`opens`). Raises whatever the dice raise; the drive is spent then."""
        self._told, self._rolls, self.dice = [], [], dice
        self._answer(self.opens, {side: sets[side] for side in self.sides if side in sets})
        self._run_on()
        return Closing(Window(self.window), self._told, self._rolls, self.over)

    def amend(self, edits: Sequence[Plain]) -> None:
        """Change the truth at this pause, as a ruling says; a re-run does it again at the same
        place. Raises Unfit; the drive is spent then."""
        self._amended.append(Amended(len(self._steps), [dict(edit) for edit in edits]))
        amend(self.system, self.state, edits)

    def view(self, side: Side) -> View:
        """What `side` may see now."""
        return self.system.view(self.state, side)

    def position(self) -> Position:
        """The position at this pause, ready to be stored."""
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

    def fall(self, label: str, dice: Dice, to: tuple[Side, ...]) -> tuple[int, ...]:
        """See Dealer.fall."""
        if self._audiences.setdefault(label, to) != to:
            raise ValueError(f"{label}: one window uses it for two audiences")
        ordinal = self._counts[label] = self._counts.get(label, 0) + 1
        full = full_label(label, ordinal, dice)
        step = self._recorded()
        if step is None:
            if self.dice is None:
                raise ValueError(f"{full}: nothing is rolled before window 1 is answered")
            values, proof = self.dice.roll(self.window, full, dice)
            step = Step(full, self.window, tuple(values), to, proof)
        elif (step.label, step.window, step.to) != (full, self.window, to):
            raise Diverged(f"the re-run rolls {full}, the record has {step.label}")
        self._steps.append(step)
        self._rolls.append(Roll(full, step.dice, to, Window(step.window), step.proof))
        return step.dice

    def told(self, to: tuple[Side, ...], event: Event) -> None:
        """See Dealer.told."""
        self._told.append(Told(to, event))
        for side in to:
            self.system.learn(self.state, side, event)

    # Running

    def _run_turns(self, state: Struct) -> None:
        """Begin turns until one pauses or the game is over."""
        for _ in range(MOST_TURNS):
            self._begin(encode(state))
            ended = self._go()
            if ended is None or isinstance(ended, Over):
                self.over = ended
                return
            state = ended
        raise ValueError("the script plays turns without ever asking for orders")

    def _begin(self, snapshot: bytes) -> None:
        self._snapshot = snapshot
        self._since = Window(self.window)
        self.state = msgspec.json.decode(snapshot, type=self.system.state)
        for standing in self._standing.values():
            standing.expire(self.state.turn)
        self._began_standing = _copy(self._standing)
        self._began_counts = dict(self._counts)
        self._began_audiences = dict(self._audiences)
        self._closed: list[tuple[Window, dict[Side, OrderSet]]] = []
        self._steps: list[Step] = []
        self._amended = []
        verbs = {v.type: v.name for v in self.system.grammar.verbs}
        self.books = {
            side: Book(turn=self.state.turn, standing=self._standing[side], verbs=verbs)
            for side in self.sides
        }
        self._script = self.system.turn(self.table, self.state)

    def _go(self) -> State | Over | None:
        """Run to the next pause (None) or to what the script returns."""
        assert self._script is not None
        try:
            self.pause = self._script.send(None)
        except StopIteration as stop:
            return stop.value
        step = self._recorded()
        label = _kinds(self.pause)
        if step is not None and step.label != label:
            raise Diverged(f"the re-run asks {label!r}, the record has {step.label!r}")
        self._steps.append(Step(label, self.window))
        for ruled in self._amended:
            if ruled.at == len(self._steps):
                amend(self.system, self.state, ruled.edits)
        return None

    def _run_on(self) -> None:
        ended = self._go()
        if isinstance(ended, Over):
            self.over = ended
        elif ended is not None:
            self._run_turns(ended)

    def _answer(self, window: Window, sets: dict[Side, OrderSet]) -> None:
        """Close the window: its sets take force, ordinals begin again."""
        self._closed.append((window, sets))
        self.window, self.opens = window, Window(window + 1)
        self._counts, self._audiences = {}, {}
        for side in self.sides:
            self.books[side].take(sets.get(side, OrderSet()))

    def _again(self, position: Position) -> None:
        self._begin(bytes(position.snapshot))
        self._amended = position.amended or []
        self._go()
        for window, sets in position.closed:
            self._answer(window, {Side(s): o for s, o in sets.items()})
            if self._go() is not None:
                raise Diverged(f"the re-run ends in window {window}, the record goes on")
        self.opens = position.window
        if self._recorded() is not None or encode(self.state) != bytes(position.live):
            raise Diverged(f"window {position.window} does not come out as it was recorded")
        self._told, self._rolls, self._record = [], [], []

    def _recorded(self) -> Step | None:
        at = len(self._steps)
        return self._record[at] if at < len(self._record) else None


def amend(system: System, state: State, edits: Sequence[Plain]) -> None:
    """See `pbem.engine.edits.amend`, which few games need."""
    from pbem.engine.edits import amend

    amend(system, state, edits)


def encode(state: Struct) -> bytes:
    """The one byte form of a state: JSON with sorted keys of maps."""
    return msgspec.json.encode(state, order="deterministic")


def _copy(standing: Mapping[Side, Standing]) -> dict[Side, Standing]:
    return {
        s: Standing({k: list(v) for k, v in st.always.items()}, list(st.later))
        for s, st in standing.items()
    }


def _kinds(pause: Pause) -> str:
    """What a pause asks, for the record: public facts only need not hide here."""
    if pause.opening:
        return "orders"
    return ";".join(
        f"{side}:{','.join(type(q).__name__ + ' ' + q.about for q in qs)}"
        for side, qs in pause.asked.items()
    )


def asked(pause: Pause, side: Side) -> tuple[Question, ...]:
    """The questions that `side` reads in its report: Q1, Q2 ... in this order."""
    return pause.asked.get(side, ())


def pace_of(pause: Pause) -> Pace:
    """The pace of the window that a pause opens: the slowest of its questions, so that nobody
    has less time than his own."""
    found = {q.pace for questions in pause.asked.values() for q in questions}
    paces: tuple[Pace, ...] = ("turn", "battle", "quick")
    return next((pace for pace in paces if pace in found), "turn")


def encode_position(drive: Drive) -> tuple[bytes, str]:
    """The drive's position as bytes, and the hash (hex) under which it is stored."""
    from hashlib import sha256

    data = encode(drive.position())
    return data, sha256(data).hexdigest()
