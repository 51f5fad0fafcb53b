"""What an invitation says of a game: its schedule, opponents, length, and what is expected."""

from __future__ import annotations

from pbem.base.clock import now, zone
from pbem.model import Scenario, System
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
HOW = {
    "fast": "the players' keys make each roll, and reports prove it",
    "strict": "the players' keys make each roll, after all orders are locked",
    "hand": "the moderator rolls them by hand",
    "seeded": "for trying things out: nothing proves them",
}
"""Kinds of dice, in words for those who do not play yet."""
UNITS = ((10080, "week"), (1440, "day"), (60, "hour"), (1, "minute"))


def about(register: Register, system: System, seat: str, tz: str = "") -> list[str]:
    """Return what a player should know before he joins, a paragraph each. tz: his time zone."""
    created = register.created
    scenario = next(one for one in system.scenarios if one.name == created.scenario)
    asked = created.options.get("play") == "asked"
    others = ", ".join(
        f"{scenario.side_name(side)} ({_held(register, side)})"
        for side in register.sides
        if side != side_of(seat)
    )
    return [
        phrase("game_opponents", others=others),
        _length(scenario, system),
        _pace(register, tz, asked),
        phrase("game_expected" if register.mail_state.schedule else "game_expected_free"),
        *([phrase("game_asked")] if asked else []),
        phrase("game_dice", dice=created.dice, how=HOW[created.dice]),
    ]


def _length(scenario: Scenario, system: System) -> str:
    """Return in words how many turns a game has at most, and their numbers."""
    last = scenario.turns or system.turns
    if not last:
        return phrase("game_open")
    said = phrase("game_turns", turns=last - scenario.first + 1)
    if scenario.first > 1:
        said += " " + phrase("game_numbered", first=scenario.first, last=last)
    return said


def _held(register: Register, side: str) -> str:
    """Return in words whether a side has a player; names stay with the moderator."""
    officers = [o for o in register.officers if o.side == side]
    if not officers:
        return phrase("seat_open")
    return phrase("seat_bot" if all(o.bot for o in officers) else "seat_taken")


def _pace(register: Register, tz: str, asked: bool) -> str:
    """Return in words when windows close. asked: a turn may have several."""
    said = register.mail_state.schedule
    return in_words(read_rule([said]), tz, asked) if said else phrase("pace_free")


def in_words(rule: Rule, tz: str = "", asked: bool = False) -> str:
    """Return a schedule in plain words: days, time and zone, whether it may close early, and what
    a missed window costs.

    tz: the reader's time zone, in which the time is given as well. asked: choices go by mail, so
    that a turn may have several windows, each of which is open so long.
    """
    days = [WEEKDAYS[day] for day in rule.on]
    named = f"{', '.join(days[:-1])} or {days[-1]}" if len(days) > 1 else "".join(days)
    on = f" on a {named}" if named else ""
    at = f" at {rule.at} ({rule.zone}{_there(rule, tz)})" if rule.at else ""
    at = at or (f" ({rule.zone})" if named else "")
    when = f"{on}{at}".strip()
    opened = f", {when}" if when else ""
    closes = phrase("pace_each" if asked else "pace_closes", every=span(rule.every), when=opened)
    early = phrase("pace_late") if rule.early == OFF else phrase("pace_early")
    policies = {
        "standing": phrase("pace_standing"),
        "hold": phrase("pace_hold"),
        "wait": phrase("pace_wait"),
        "bot": phrase("pace_bot"),
        "replace": phrase("pace_replace"),
    }
    missed = [policies[rule.nmr]]
    if rule.strikes:
        count = f"{rule.strikes} window{'s' if rule.strikes > 1 else ''}"
        missed.append(phrase("pace_strikes", strikes=count))
    return " ".join([closes, early, *missed])


def _there(rule: Rule, tz: str) -> str:
    """The time of a schedule in the reader's zone, as it is today; empty if it is the same."""
    hour, _, minute = rule.at.partition(":")
    told = now().astimezone(zone(rule.zone)).replace(hour=int(hour), minute=int(minute))
    seen = told.astimezone(zone(tz)) if tz else told
    if seen.utcoffset() == told.utcoffset():
        return ""
    ahead = (seen.date() - told.date()).days
    day = {1: " of the day after", -1: " of the day before"}.get(ahead, "")
    return phrase("pace_there", time=f"{seen:%H:%M}", day=day, zone=tz)


def span(minutes: int) -> str:
    """Return minutes as `3 days`, in the largest unit that divides them."""
    size, unit = next((size, unit) for size, unit in UNITS if minutes % size == 0)
    count = minutes // size
    return f"{count} {unit}{'s' if count != 1 else ''}"
