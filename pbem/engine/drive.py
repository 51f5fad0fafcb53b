"""The driver: a runner that records every step, so that a game can be stored, resumed and audited.

The ledger records mailed sets and dice, never a paused coroutine. A position contains the snapshot
at which the turn began, the sets of the windows closed since, and the steps taken. To resume, the
driver runs the turn again from the snapshot with these sets and compares every step; any difference
raises `Diverged`. See docs/design.md, "A turn asks questions".
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import TypedDict

from msgspec import UNSET, Raw

from orders.model import OrderSet
from pbem.dice.sources import label as full_label
from pbem.engine import script
from pbem.engine.position import Amended, Position, Step, encode
from pbem.engine.runner import Ended, Runner, amend, copied
from pbem.engine.watch import limited
from pbem.errors import Diverged
from pbem.model import Dice, Event, Pace, Plain, Question, Roll, Side, State, System, Window
from pbem.rulecode import fault
from pbem.table import Pause

MOST_STEPS = 100_000
"""Events and rolls of one turn; after that its script counts as stuck."""


class Drive(Runner):
    """One game in play, with the record of its turn."""

    def __init__(self, system: System, sides: tuple[Side, ...], options: Mapping[str, str]) -> None:
        super().__init__(system, sides, options)
        self._audiences: dict[str, tuple[Side, ...]] = {}
        self._record: list[Step] = []
        """The steps that a re-run must make; empty in live play."""
        self._steps: list[Step] = []
        """The steps of this turn."""
        self._closed: list[tuple[Window, dict[Side, OrderSet]]] = []
        """The windows closed in this turn, with the sets in force."""

    def amend(self, edits: Sequence[Plain]) -> None:
        """Change the truth at this pause, as a ruling says. Raises Unfit.

        The edits become part of the position: a re-run makes them again at the same step.
        """
        self._amended.append(Amended(self._taken, [dict(edit) for edit in edits]))
        amend(self.system, self.state, edits)

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
        self._take(step)
        self._require_end(self._taken)
        self._rolls.append(Roll(full, step.dice, to, Window(step.window), step.proof))
        return step.dice

    def tell(self, to: tuple[Side, ...], event: Event) -> None:
        """See Runner.tell."""
        super().tell(to, event)
        self._require_end(len(self._told))

    # Running

    def _next_turn(self, state: State) -> None:
        self._begin(encode(state))

    def _begin(self, snapshot: bytes) -> None:
        """Begin a turn from its snapshot, and keep what a position needs from this moment."""
        self._snapshot = snapshot
        self._open_turn(script.decoded(self.system, snapshot))

    def _begun(self) -> Coroutine[Pause, None, State]:
        self._since = Window(self.window)
        self._began_standing = copied(self._standing)
        self._began_counts = dict(self._counts)
        self._began_audiences = dict(self._audiences)
        self._closed, self._steps = [], []
        self._turn: int = self.state.turn
        return script.begun(self.system, self.table, self.state)

    def _run_to_pause(self) -> Ended | None:
        """See Runner. Raises Diverged, and RulesFault if the script goes on for ever or returns
        anything but the next state or `Over`."""
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
        self._take(Step(label, self.window))
        self._edit()
        return None

    def _close_window(self, window: Window, sets: dict[Side, OrderSet]) -> None:
        self._closed.append((window, sets))
        self._audiences = {}
        super()._close_window(window, sets)

    def _rerun(self, position: Position) -> None:
        self._record = list(position.steps)
        self._audiences = dict(position.audiences)
        self._begin(bytes(position.snapshot))
        self._replay(position)
        if self._recorded() is not None or encode(self.state) != bytes(position.live):
            raise Diverged(f"the re-run of window {position.window} differs from its record")
        self._told, self._rolls, self._record = [], [], []

    def _take(self, step: Step) -> None:
        """Add a step to the turn."""
        self._steps.append(step)
        self._taken += 1

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
