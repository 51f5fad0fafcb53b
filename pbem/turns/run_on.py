"""Runs: windows that all sides agreed to resolve one after another without mail.

A set that says `RUN 3;` agrees to have up to three windows resolved before its side is asked
again; the smallest number of all sides counts. Only the end of the game, a question or a fact that
all sides were told stops a run early. Every side sees that it stopped, so a reason that only one
side knows would reveal that side's secret (docs/design.md, "A turn asks questions").

In `fast` games such a set has the dice link of the last window that it reaches. Hashing gives the
links of the windows before (docs/formats.md, "Links").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from orders.model import OrderSet
from pbem.base.report_json import Run, RunEnd
from pbem.player.run_word import turns_of

if TYPE_CHECKING:
    from pbem.engine.runner import Closing, Runner
    from pbem.model import Side, System, Told
    from pbem.store.register import Register


def span(register: Register, sets: Mapping[Side, OrderSet]) -> tuple[int, int]:
    """Return the first and the last window of the run that the open one belongs to.

    Both are the open window if no run was agreed. A set with refused orders agrees to nothing
    unless it is FINAL, because its player may still want to correct it.
    """
    run = register.closed[-1].run if register.running else None
    if run:
        return run.first, run.last
    agreed = [
        # A side without a set of its own, whose roles sent sets, agrees to nothing.
        turns_of(sets[side]) if side in register.sets and register.sets[side].final else 1
        for side in register.sides
    ]
    return register.window, register.window + min(agreed) - 1


def after(
    register: Register,
    system: System,
    drive: Runner,
    closing: Closing,
    sets: Mapping[Side, OrderSet],
) -> Run | None:
    """Return the field `run` of the record of the window that `closing` closed.

    None if no run was agreed. sets: the sets in force when the window closed.
    """
    first, last = span(register, sets)
    if first == last:
        return None
    return Run(first=first, last=last, why=end(system, drive, closing, last))


def opens(register: Register, closed: int, run: Run | None, said: int = 0) -> int:
    """Return the number of the window that opens after `closed`.

    It is a number that was never used: after an undo, the moderator knows links of the windows
    that were open before, so that he could foresee their dice. Inside a run the numbers follow one
    another, even if an undo repeats the run. Its dice stay the same then, which is safe because
    nobody can give orders inside a run.

    said: the number in the record, if one is being audited. Release 0.1.0 used numbers a second
    time after an undo.
    """
    again = register.protocol < 2 and said == closed + 1
    goes_on = run is not None and run.why == "on"
    return closed + 1 if again or goes_on else register.used + 1


def end(system: System, drive: Runner, closing: Closing, last: int) -> RunEnd:
    """Return why the run stops after this window, or `on` (docs/formats.md, "closed").

    last: the last window that the sides agreed to run.
    """
    if closing.over:
        return "over"
    if not drive.pause.opening:
        return "asked"
    if shared(system, drive.sides, closing.told):
        return "told"
    return "agreed" if closing.window >= last else "on"


def shared(system: System, sides: Sequence[Side], told: Iterable[Told]) -> bool:
    """Return whether some fact was told to every side.

    One fact may be told by several events, each to some of the sides. `System.public` names the
    fact of an event.
    """
    known: dict[str, set[Side]] = {}
    for one in told:
        fact = system.public(one.event)
        if fact:
            known.setdefault(fact, set()).update(one.to)
    return any(set(sides) <= heard for heard in known.values())


def unsent(register: Register, undone: Sequence[int] = ()) -> list[int]:
    """Return the windows whose reports wait for the mail of the run's last window, oldest first.

    undone: windows that an undo is taking back; they are left out.
    """
    found: list[int] = []
    for closed in reversed(register.closed):
        if closed.window in undone:
            continue
        if not closed.runs_on:
            break
        found.append(closed.opens)
    return found[::-1]
