"""What the driver requires of a turn's script: that it is one, what it awaits, what it returns."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from types import CoroutineType

import msgspec

from pbem.model import Over, Side, State, System, TableLike
from pbem.rulecode import fault, of_function, of_system
from pbem.table import Pause


def begun(system: System, table: TableLike, state: State) -> Coroutine[Pause, None, State]:
    """The script of a turn, not yet running. Raises RulesFault if `turn` is not `async`."""
    script = system.turn(table, state)
    if not isinstance(script, CoroutineType):
        raise fault(
            f"`turn` gives {_kind(script)}, not a coroutine",
            "write `async def turn(self, table, state)`",
            of_system(system, "turn"),
        )
    return script


def decoded(system: System, snapshot: bytes) -> State:
    """A state from its JSON. Raises RulesFault if a field's value is not of the field's type."""
    try:
        return msgspec.json.decode(snapshot, type=system.state)
    except msgspec.ValidationError as wrong:
        raise fault(
            f"the state that this turn began with cannot be stored as {system.state.__name__}: "
            f"{wrong}",
            "a rule gave this field a value that is not of its type",
            of_function(system.state) or of_system(system, "turn"),
        ) from None


def required(system: System, sides: Sequence[Side], turn: int, result: object) -> State | Over:
    """What a script returned, if it is the state of a later turn than `turn`, or the end of the
    game with a side or a draw as its result.

    Raises RulesFault, naming the function `turn`, otherwise.
    """
    place, kind = of_system(system, "turn"), system.state
    if isinstance(result, Over):
        if result.result not in (*sides, "draw"):
            raise fault(
                f"`turn` ends the game with the result {result.result!r}",
                f"Over takes the winning side or 'draw'; sides: {', '.join(sides)}",
                place,
            )
    elif not isinstance(result, kind):
        raise fault(
            f"`turn` returned {_kind(result)}",
            f"every way through it ends with `return` of the next state ({kind.__name__}) or Over",
            place,
        )
    elif getattr(result, "turn", 0) <= turn:
        raise fault(
            f"`turn` returned a state whose turn is still {turn}",
            "count it before returning: `state.turn += 1`",
            place,
        )
    return result


def required_pause(system: System, pause: object) -> Pause:
    """What a script waits for. Raises RulesFault if it is nothing that the table gave."""
    if not isinstance(pause, Pause):
        raise fault(
            f"`turn` awaits {_kind(pause)}",
            "a script awaits only table.orders(), table.ask() and table.ask_each()",
            of_system(system, "turn"),
        )
    return pause


def _kind(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
