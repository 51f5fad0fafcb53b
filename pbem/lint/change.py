"""Which line of a rule system changes the state, when a method does that must not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import msgspec

from pbem.engine.position import encode
from pbem.model import State, System
from pbem.rulecode import Place, at_work

if TYPE_CHECKING:
    from _typeshed import TraceFunction


def line_of(system: System, before: bytes, call: Callable[[State], object]) -> Place | None:
    """The first line that changes the state (JSON), found by running the method line by line.

    None if it cannot be told. `call` is given a state of its own.
    """
    state = msgspec.json.decode(before, type=system.state)
    last: list[Place | None] = [None]
    found: list[Place] = []

    def trace(frame: FrameType, event: str, arg: object) -> TraceFunction | None:
        here = at_work(frame)
        if here is None:
            return None
        if not found and encode(state) != before and last[0]:
            found.append(last[0])
        last[0] = here
        return None if found else trace

    tracing = sys.gettrace()
    sys.settrace(trace)
    try:
        call(state)
    except Exception:
        return None
    finally:
        sys.settrace(tracing)
    return found[0] if found else last[0]
