"""What an invitation says of a game: its schedule, opponents, length, and what is expected."""

from __future__ import annotations

from pbem.model import System
from pbem.roles import side_of
from pbem.store.register import Register
from pbem.text.messages import phrase
from pbem.turns.schedule import OFF, Rule, read_rule

WEEKDAYS = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}
UNITS = ((10080, "week"), (1440, "day"), (60, "hour"), (1, "minute"))


def about(register: Register, system: System, seat: str) -> list[str]:
    """Return what a player should know before he joins, a paragraph each."""
    created = register.created
    scenario = next(one for one in system.scenarios if one.name == created.scenario)
    turns = scenario.turns or system.turns
    length = phrase("game_turns", turns=turns) if turns else phrase("game_open")
    others = ", ".join(
        f"{scenario.side_name(side)} ({_held(register, side)})"
        for side in register.sides
        if side != side_of(seat)
    )
    return [
        phrase("game_opponents", others=others),
        length,
        _pace(register),
        phrase("game_expected"),
        phrase("game_dice", dice=created.dice),
    ]


def _held(register: Register, side: str) -> str:
    """Return in words whether a side has a player; names stay with the moderator."""
    officers = [o for o in register.officers if o.side == side]
    if not officers:
        return phrase("seat_open")
    return phrase("seat_bot" if all(o.bot for o in officers) else "seat_taken")


def _pace(register: Register) -> str:
    """Return in words when windows close."""
    said = register.mail_state.schedule
    return in_words(read_rule([said])) if said else phrase("pace_free")


def in_words(rule: Rule) -> str:
    """Return a schedule in plain words: days, time and zone, and whether it may close early."""
    days = [WEEKDAYS[day] for day in rule.on]
    named = f"{', '.join(days[:-1])} or {days[-1]}" if len(days) > 1 else "".join(days)
    on = f" on a {named}" if named else ""
    at = f" at {rule.at} ({rule.zone})" if rule.at else f" ({rule.zone})" if named else ""
    when = f"{on}{at}".strip()
    closes = phrase("pace_closes", every=span(rule.every), when=f", {when}" if when else "")
    early = phrase("pace_late") if rule.early == OFF else phrase("pace_early")
    return f"{closes} {early}"


def span(minutes: int) -> str:
    """Return minutes as `3 days`, in the largest unit that divides them."""
    size, unit = next((size, unit) for size, unit in UNITS if minutes % size == 0)
    count = minutes // size
    return f"{count} {unit}{'s' if count != 1 else ''}"
