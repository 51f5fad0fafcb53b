"""Run-on: turns that all sides agreed to run are resolved one after the other, no mail between.

A set that says `RUN 3;` agrees to have up to three turns resolved before its side is asked again;
the smallest number among all sides counts. The run stops early on facts that all sides are told,
and on nothing else: that it stopped tells nobody what only another side knows (DESIGN, Fog of war
6). In `fast` games such a set carries the dice link of the last window it reaches; nearer ones
follow by hashing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orders.canon import Fault
from orders.model import OrderSet
from orders.reading import Reading, locate

if TYPE_CHECKING:
    from pbem.drive import Closing, Drive
    from pbem.model import Side, System, Told
    from pbem.register import Register

WORD = "RUN"
STRICT = "strict"
ON, AGREED, TOLD, ASKED, OVER = "on", "agreed", "told", "asked", "over"
"""Why a run stopped after a window: not yet, number reached, news for all, questions, the end."""


def turns_of(orders: OrderSet) -> int:
    """How many turns a set agrees to run: 1 without the word."""
    return int(orders.words.get(WORD, "1"))


def ahead_of(orders: OrderSet) -> int:
    """How many windows a set reaches beyond its own."""
    return turns_of(orders) - 1


def judged(reading: Reading, dice_mode: str) -> Reading:
    """The reading without a RUN that cannot be: in `strict` games links are opened behind the
    lock of each window, and a link opened for a later one would let its dice be foreseen."""
    from msgspec.structs import replace

    if dice_mode != STRICT or ahead_of(reading.orders) < 1:
        return reading
    tokens = reading.unit.tokens
    at = next(t for t in tokens[reading.body :] if t.text == WORD)
    text = "turns do not run on in a game of strict dice: each window's links wait for its lock"
    fault = Fault("no-run", text, at.span, "leave RUN away; 'turn N' orders are kept all the same")
    words = {word: value for word, value in reading.orders.words.items() if word != WORD}
    return replace(
        reading,
        orders=replace(reading.orders, words=words),
        diagnostics=(*reading.diagnostics, locate(reading.unit, fault)),
    )


def note(turns: int, window: int) -> str:
    """What RUN will do, for the receipt."""
    if turns == 1:
        return "the next turn waits for your orders"
    return (
        f"windows {window} to {window + turns - 1} are run without further orders of yours, if "
        "all sides agree to as many, until something happens that all are told"
    )


def span(register: Register, sets: Mapping[Side, OrderSet]) -> tuple[int, int]:
    """The first and the last window of the run that the open one belongs to. A set with refused
    orders agrees to nothing unless it is FINAL."""
    if register.running:
        run = register.closed[-1]["run"]
        return int(run["from"]), int(run["to"])
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
) -> dict[str, Any]:
    """What the record of the window that `closing` closed says of its run: first and last window
    agreed, and why it stops here, or `on`. Empty where no run was agreed."""
    first, last = span(register, sets)
    if first == last:
        return {}
    return {"from": first, "to": last, "why": _why(system, drive, closing, last)}


def opens(register: Register, closed: int, ran: Mapping[str, Any], said: int = 0) -> int:
    """The number of the window behind `closed`: one that was never used, because of a window that
    was open before an undo the links are known. A run that an undo takes through its windows again
    keeps their numbers, and with them its dice: nobody can give other orders in it.

    said: what a record says. Release 0.1.0 gave numbers a second time behind an undo.
    """
    again = register.protocol < 2 and said == closed + 1
    return closed + 1 if again or ran.get("why") == ON else register.used + 1


def _why(system: System, drive: Drive, closing: Closing, last: int) -> str:
    if closing.over:
        return OVER
    if not drive.pause.opening:
        return ASKED
    if shared(system, drive.sides, closing.told):
        return TOLD
    return AGREED if closing.window >= last else ON


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
        if closed["window"] in undone:
            continue
        if closed.get("run", {}).get("why") != ON:
            break
        found.append(closed["opens"])
    return found[::-1]


def run_before(register: Register, window: int) -> list[int]:
    """The windows of the same run whose reports the mail of `window` brought; oldest first."""
    return [c["opens"] for c in register.closed
            if c["opens"] < window == mailed_in(register, c["opens"])]  # fmt: skip


def mailed_in(register: Register, window: int) -> int:
    """The window whose mail brought the report that opened `window`: its own outside a run."""
    for closed in register.closed:
        if closed["opens"] == window and closed.get("run", {}).get("why") == ON:
            window += 1
    return window
