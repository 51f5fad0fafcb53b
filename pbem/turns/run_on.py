"""Run-on: turns that all sides agreed to run are resolved one after the other, no mail between.

A set that says `RUN 3;` agrees to have up to three turns resolved before its side is asked again;
the smallest number among all sides counts. The run stops early on facts that all sides are told,
and on nothing else: that it stopped tells nobody what only another side knows (DESIGN, Fog of war
6). In `fast` games such a set carries the dice link of the last window it reaches; nearer ones
follow by hashing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from orders.model import OrderSet
from pbem.base.report_json import Run, RunEnd
from pbem.player.run_word import turns_of

if TYPE_CHECKING:
    from pbem.engine.drive import Closing, Drive
    from pbem.model import Side, System, Told
    from pbem.store.register import Register


def span(register: Register, sets: Mapping[Side, OrderSet]) -> tuple[int, int]:
    """The first and the last window of the run that the open one belongs to. A set with refused
    orders agrees to nothing unless it is FINAL."""
    run = register.closed[-1].run if register.running else None
    if run:
        return run.first, run.last
    agreed = [
        turns_of(sets[side]) if side in sets and register.sets[side].final else 1
        for side in register.sides
    ]
    return register.window, register.window + min(agreed) - 1


def after(
    register: Register,
    system: System,
    drive: Drive,
    closing: Closing,
    sets: Mapping[Side, OrderSet],
) -> Run | None:
    """What the record of the window that `closing` closed says of its run, None where no run was
    agreed."""
    first, last = span(register, sets)
    if first == last:
        return None
    return Run(first=first, last=last, why=_why(system, drive, closing, last))


def opens(register: Register, closed: int, run: Run | None, said: int = 0) -> int:
    """The number of the window behind `closed`: one that was never used, because of a window that
    was open before an undo the links are known. A run that an undo takes through its windows again
    keeps their numbers, and with them its dice: nobody can give other orders in it.

    said: what a record says. Release 0.1.0 gave numbers a second time behind an undo.
    """
    again = register.protocol < 2 and said == closed + 1
    goes_on = run is not None and run.why == "on"
    return closed + 1 if again or goes_on else register.used + 1


def _why(system: System, drive: Drive, closing: Closing, last: int) -> RunEnd:
    if closing.over:
        return "over"
    if not drive.pause.opening:
        return "asked"
    if shared(system, drive.sides, closing.told):
        return "told"
    return "agreed" if closing.window >= last else "on"


def shared(system: System, sides: Sequence[Side], told: Iterable[Told]) -> bool:
    """Whether there is a fact that every side was told of."""
    known: dict[str, set[Side]] = {}
    for one in told:
        fact = system.public(one.event)
        if fact:
            known.setdefault(fact, set()).update(one.to)
    return any(set(sides) <= heard for heard in known.values())


def unsent(register: Register, undone: Sequence[int] = ()) -> list[int]:
    """The windows whose reports have not been mailed, because the run went on; oldest first.
    undone: windows that are being taken back."""
    found: list[int] = []
    for closed in reversed(register.closed):
        if closed.window in undone:
            continue
        if not closed.runs_on:
            break
        found.append(closed.opens)
    return found[::-1]
