"""Vacant seats: whose player has missed too many windows, has resigned, or is to be replaced.

A player who sends orders for the open window is back, and his seat is not vacant.
"""

from __future__ import annotations

from collections import Counter

from pbem.model import Side
from pbem.store.register import Register
from pbem.text.messages import phrase
from pbem.turns.schedule import overdue, rule_of


def strikes_of(register: Register) -> Counter[Side]:
    """Return how many windows the present player of each side has missed."""
    since = _taken_over(register)
    return Counter(side for window, side in register.lapses if window >= since.get(side, 0))


def _taken_over(register: Register) -> dict[Side, int]:
    """Return the sides whose player has been replaced, and in which window that was last."""
    return {s: key.since for s, key in register.later if key.why == "replacement"}


def struck(register: Register) -> list[Side]:
    """Return the sides whose present player has missed as many windows as the schedule allows, and
    has sent nothing for the open one."""
    rule = rule_of(register)
    if not (rule and rule.strikes and register.window) or register.over:
        return []
    missed, bots = strikes_of(register), {o.side for o in register.officers if o.bot}
    away = (s for s in register.sides if s not in bots and missed[s] >= rule.strikes)
    return [s for s in away if not _is_back(register, s)]


def _is_back(register: Register, side: Side) -> bool:
    """Whether the side has a set in force that is its own."""
    return side in register.sets and register.sets[side].n not in register.substituted


def vacant(register: Register) -> dict[Side, str]:
    """Return the sides for which another player is sought, each with the reason."""
    found = {side: phrase("vacant_missed") for side in struck(register)}
    rule = rule_of(register)
    if register.over or not register.window:
        return {}
    new = [s for s, window in _taken_over(register).items() if window == register.window]
    for side, one in register.sets.items():
        known = [o.number for o in register.officers if o.side == side]
        resigned = " RESIGN ;" in f" {one.canonical}" or "RESIGN;" in one.canonical
        if resigned and one.officer in known:
            found[side] = phrase("vacant_resigned")
    if rule and rule.nmr == "replace" and register.held and overdue(register):
        found |= {side: phrase("vacant_missed") for side in register.missing() if side not in new}
    return found
