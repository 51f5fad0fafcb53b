"""Missed windows: which sides owed orders for the window that closes, and sent none that counted.

While a window is open nobody learns it (docs/trust.md, "Missed windows"). Once it has closed all
sides are told, unless the game was made with `missed=hidden`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.model import Scenario, Side, System
from pbem.store.records import NMR
from pbem.store.register import Register
from pbem.text.messages import Note, fill_note, phrase

NTH = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def silent(register: Register, orders: Mapping[Side, str], run: bool) -> dict[str, int]:
    """Return the sides that missed the window that closes, each with how many windows it has missed
    in the game, this one included.

    orders: side to the order digest of its set, or NMR; empty if no window closed. run: whether
    the window is of an agreed run, for which nobody owes orders. Standing orders and defaults are
    no orders of the side, nor are those that the referee's bot wrote in their place.
    """
    before = [side for _, side in register.lapses]
    owing = () if run or not orders else register.owing
    bots = {s for s, one in register.sets.items() if one.n in register.substituted}
    none = [s for s in owing if s in bots or orders.get(s, NMR) == NMR]
    return {str(s): before.count(s) + 1 for s in none}


def flags(
    register: Register, scenario: Scenario, missed: Mapping[str, int], turn: int
) -> list[str]:
    """Return the notices of missed windows for the reports of all sides.

    turn: the number of the turn that is ordered next; a window in the middle of a turn is called a
    window.
    """
    ended = turn != (register.closed[-1].turn if register.closed else 1)
    what = phrase("missed_turn" if ended else "missed_window")
    return [
        phrase("missed_line", side=scenario.side_name(side), what=what, nth=nth(count))
        for side, count in missed.items()
    ]


def note(register: Register, system: System, side: str, window: int, label: str) -> Note:
    """Return what the moderator is told of a window that a side missed.

    label: the rulebook's name of the turn that the window asked orders for.
    """
    named, public = register.created.scenario, register.created.missed == "told"
    scenario = next(one for one in system.scenarios if one.name == named)
    return fill_note(
        "missed",
        game=register.created.game,
        side=scenario.side_name(side),
        id=side,
        label=re.sub(r" of \d+$", "", label),
        window=window,
        nth=nth(sum(who == side for _, who in register.lapses)),
        told=phrase("missed_told" if public else "missed_hidden"),
    )


def nth(count: int) -> str:
    """Return `first`, `second`, and so on; numbers from 11 on as `11th`."""
    if count <= len(NTH):
        return NTH[count - 1]
    last = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{'th' if count % 100 in (11, 12, 13) else last}"
