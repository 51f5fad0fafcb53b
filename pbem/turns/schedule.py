"""Schedules: the rule that sets a game's deadlines, and what is due by it.

A rule is one line of `KEY=VALUE` words (docs/moderator.md, "When windows close"):

    every=3d at=20:00 on=mon,thu zone=Europe/Berlin battle=1d grace=2h early=30m remind=24h

Functions here read the register and the clock and change nothing. Times of day are local times of
the rule's zone. Deadlines are UTC stamps, as in the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.clock import now, parse, stamp, zone, zone_named
from pbem.errors import Usage
from pbem.store.seats import answered

if TYPE_CHECKING:
    from pbem.model import Pace
    from pbem.store.register import Register

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
UNITS = {"m": 1, "h": 60, "d": 1440, "w": 10080}
POLICIES = ("standing", "hold", "wait", "bot", "replace")
DAY = 24 * 60
"""Minutes of a day."""
OFF = -1
SLACK = timedelta(minutes=5)
"""How far a record may lie in the future before the clock is taken to be wrong."""


class Rule(Struct, frozen=True):
    """A schedule. All lengths are in minutes."""

    every: int = 4320
    """The shortest time that a window stays open."""
    at: str = ""
    """The time of day at which windows close, `HH:MM`; empty: any."""
    on: tuple[str, ...] = ()
    """The weekdays (`DAYS`) on which windows close; empty: any."""
    zone: str = "UTC"
    """The time zone of `at` and `on`."""
    grace: int = 0
    """How long after the deadline the window still takes orders. Players are not told."""
    not_before: str = ""
    """No deadline is earlier than this stamp; empty: no limit."""
    early: int = 30
    """How old the newest set must be before a window with all sets closes early; OFF: never."""
    nmr: str = "standing"
    """What happens at the deadline if a side has no orders (no moves received): a POLICY."""
    remind: int = 1440
    """How long before the deadline sides get their reminder; OFF: no reminder."""
    absence: int = 20160
    """How long, beyond `every`, a deadline waits for sides that are absent."""
    battle: int = 0
    """How long a window of battle pace stays open, whatever `at` and `on` say; 0: as `every`."""
    quick: int = 0
    """The same for a window of quick pace."""
    strikes: int = 0
    """How many missed windows make a seat vacant; 0: none do."""


def read_rule(words: Sequence[str]) -> Rule:
    """Return the rule that `KEY=VALUE` words give; keys that are missing have their default.

    Raises Usage for an unknown key or a value that is not valid.
    """
    rule = Rule()
    for word in " ".join(words).split():
        key, sep, value = word.partition("=")
        name = key.replace("-", "_")
        if not sep or name not in rule.__struct_fields__:
            raise Usage(
                f"{word!r} is not a valid part of a schedule",
                f"KEY=VALUE, keys: {', '.join(rule.__struct_fields__).replace('_', '-')}",
            )
        rule = replace(rule, **{name: _value(name, value)})
    if rule.every < 1:
        raise Usage("every=0 leaves no time", "write every=3d")
    return rule


def _value(name: str, value: str) -> object:
    """Return the value of one key. Raises Usage."""
    if name in ("early", "remind") and value == "off":
        return OFF
    return READERS[name](value) if name in READERS else length(value, name)


def length(text: str, what: str) -> int:
    """Return the minutes of a text such as `90m`, `12h`, `3d` or `2w`.

    what: the key that an error message names. Raises Usage. Numbers have at most five digits, so
    that no sum with a date overflows.
    """
    number, unit = text[:-1], text[-1:]
    if not (number.isascii() and number.isdigit() and unit in UNITS and len(number) < 6):
        raise Usage(f"{what}={text} is not a valid length of time", "write 30m, 12h, 3d or 2w")
    return int(number) * UNITS[unit]


def _time(text: str) -> str:
    """A time of day as `20:00`. One with an offset is refused: the rule's zone says whose it is."""
    try:
        found = time.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo:
        hint = "write at=20:00, and whose time it is as zone=Europe/Berlin"
        raise Usage(f"at={text} is not a valid time of day", hint)
    return found.strftime("%H:%M")


def _days(text: str) -> tuple[str, ...]:
    days = text.lower().split(",")
    if any(day not in DAYS for day in days):
        raise Usage(f"on={text} is not a valid list of weekdays", f"use some of {','.join(DAYS)}")
    return tuple(day for day in DAYS if day in days)


def _zone(text: str) -> str:
    """The zone's whole name: the city alone is enough. A whole one is not looked up in the list of
    all, as every tick reads the rule."""
    try:
        zone(text)
    except Usage:
        return zone_named(text)
    return text


def _policy(text: str) -> str:
    if text not in POLICIES:
        raise Usage(f"nmr={text} is not a valid policy", f"use one of {', '.join(POLICIES)}")
    return text


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3):
        raise Usage(f"strikes={text} is not a number of windows", "write strikes=3; 0 for none")
    return int(text)


READERS: dict[str, Callable[[str], object]] = {
    "at": _time,
    "on": _days,
    "zone": _zone,
    "nmr": _policy,
    "strikes": _count,
    "not_before": lambda text: stamp(parse(text, "not-before")),
}


def show_rule(rule: Rule) -> str:
    """Return the rule in one line, as `read_rule` reads it; defaults other than `every` are left
    out."""
    usual = Rule()
    words = [f"every={_show_length(rule.every)}"]
    for name in rule.__struct_fields__[1:]:
        value = getattr(rule, name)
        if value == getattr(usual, name):
            continue
        shown = ",".join(value) if isinstance(value, tuple) else value
        shown = _show_length(shown) if isinstance(shown, int) and name != "strikes" else shown
        words.append(f"{name.replace('_', '-')}={shown}")
    return " ".join(words)


def _show_length(minutes: int) -> str:
    """Return minutes as `read_rule` reads them, in the largest unit that divides them."""
    if minutes == OFF:
        return "off"
    unit = next(
        u for u in ("w", "d", "h", "m") if (minutes and minutes % UNITS[u] == 0) or u == "m"
    )
    return f"{minutes // UNITS[unit]}{unit}"


def paced(rule: Rule, pace: Pace) -> Rule:
    """Return the rule for windows of that pace.

    If the rule has its own length for the pace, `at` and `on` do not apply: a battle of many short
    windows should not wait for the evening of a weekday each time.
    """
    own = {"turn": 0, "battle": rule.battle, "quick": rule.quick}[pace]
    return replace(rule, every=own, at="", on=()) if own else rule


def next_deadline(rule: Rule, opened: datetime) -> datetime:
    """Return the deadline (UTC) of a window that opens at `opened`.

    It is the first moment after `every` has passed, and not before `not_before`, that has the time
    of day and the weekday of the rule. Days are counted in the rule's zone, so that a change to
    summer time does not move the time of day.
    """
    earliest = opened + timedelta(minutes=rule.every)
    if rule.not_before:
        earliest = max(earliest, parse(rule.not_before))
    here = zone(rule.zone)
    day = earliest.astimezone(here).date()
    for _ in range(16):  # 8 days reach every weekday, even if today's time has passed
        at = time.fromisoformat(rule.at) if rule.at else earliest.astimezone(here).time()
        moment = datetime.combine(day, at, here).astimezone(UTC)
        fits = not rule.on or DAYS[day.weekday()] in rule.on
        if fits and moment >= earliest:
            return moment
        day += timedelta(days=1)
    return earliest  # not reached: `on` names at least one weekday


def deadline_for(
    register: Register, pace: Pace = "turn", owed: Sequence[str] = (), due: str = ""
) -> str:
    """Return the deadline of a window of that pace that opens now; empty without a schedule.

    owed: the sides that must answer it, empty for every side; it waits for absent ones of these.
    due: the deadline of the window that closes now; empty if none does.
    """
    found = rule_of(register)
    if found is None:
        return ""
    rule = paced(found, pace)
    opened = _on_time(due, rule, now())
    away = {s: day for s, day in register.mail_state.absent.items() if not owed or s in owed}
    return stamp(_wait_for_absent(next_deadline(rule, opened), rule, opened, away))


def _on_time(due: str, rule: Rule, opened: datetime) -> datetime:
    """Return when a window would have opened if the last one had closed at its deadline.

    A tick closes it seconds later, or after `grace`; `every=1d at=20:00`, counted from then, would
    leave out every second day, and so would the day that summer time makes an hour shorter. Who is
    late by more than a quarter of `every` loses nothing of it.
    """
    late = opened - parse(due) if due else timedelta(0)
    if not timedelta(0) <= late <= timedelta(minutes=rule.every) / 4:
        return opened
    shorter = timedelta(hours=1 if due and rule.at and rule.every >= DAY else 0)
    return opened - late - shorter


def _wait_for_absent(
    deadline: datetime, rule: Rule, opened: datetime, absent: Mapping[str, str]
) -> datetime:
    """Return the deadline, moved behind the return of absent sides.

    absent: side to the day until which it is away. The wait has a limit (`absence`), so that one
    side cannot stop the game for ever.
    """
    latest = opened + timedelta(minutes=rule.every + rule.absence)
    backs = [parse(day) + timedelta(days=1) for day in absent.values()]
    late = [min(back, latest) for back in backs if back > deadline]
    if not late:
        return deadline
    return max(deadline, next_deadline(replace(rule, every=0), max(late)))


def rule_of(register: Register) -> Rule | None:
    """Return the rule of the game's schedule, None without one."""
    text = register.mail_state.schedule
    return read_rule([text]) if text else None


def ahead(register: Register) -> bool:
    """Return whether the last record lies in the future: the clock is wrong, or was wrong then."""
    return parse(register.mail_state.last) - now() > SLACK


def overdue(register: Register) -> bool:
    """Return whether the deadline and its grace have passed."""
    rule = rule_of(register)
    grace = timedelta(minutes=rule.grace if rule else 0)
    return bool(register.deadline) and now() >= parse(register.deadline) + grace


def due_by(register: Register, rule: Rule) -> str:
    """Return why the open window may close by that rule; empty if it may not.

    With the policies `hold`, `wait` and `replace` a passed deadline closes the window only if all
    sides that must answer are in. What else those policies do is the tick's work
    (`pbem.scheduler.tick`).
    """
    if overdue(register) and (rule.nmr in ("standing", "bot") or register.all_in()):
        return "its deadline has passed"
    if answered(register) and rule.early != OFF and now() >= _early_close(register, rule):
        return "all sides are in"
    return ""


def early_close(register: Register) -> str:
    """Return in words when the open window closes early, all sides being in; empty for never."""
    rule = rule_of(register)
    if rule is None or rule.early == OFF or not answered(register):
        return ""
    return f"{_early_close(register, rule):%Y-%m-%d %H:%M} UTC"


def _early_close(register: Register, rule: Rule) -> datetime:
    """Return when a window with all sets may close early: `early` after the newest player's set.

    The time lets a player correct a set. Sets of the referee's own bots, and of sides that need not
    write, do not count. A resumed game and a replaced player restart the time. Times in the future
    come from a wrong clock and are ignored; otherwise the window would stay open until then.
    """
    bots = {o.side for o in register.officers if o.bot}
    waited = [side for side in register.owing if side in register.sets and side not in bots]
    times = [parse(register.sets[side].at) for side in waited]
    times += [parse(register.mail_state.restarted_at)] if register.mail_state.restarted_at else []
    believed = [time for time in times if time <= now()]
    return max(believed, default=now()) + timedelta(minutes=rule.early)


def reminder_due(register: Register) -> list[str]:
    """Return the sides to be reminded now: once a window, those that still owe a final set.

    Absent sides and bots are left out. No reminders go out while the game is over or on hold, or
    the window is locked.
    """
    rule = rule_of(register) or Rule()
    idle = register.over or register.held or register.locked
    if not register.deadline or idle or now() >= parse(register.deadline):
        return []
    bots = {o.side for o in register.officers if o.bot}
    reminded = register.mail_state.reminded
    owing = (s for s in register.missing() if s not in bots and not is_absent(register, s))
    waiting = (side for side in owing if reminded.get(side) != register.window)
    begins = {side: reminder_from(register, rule, side) for side in waiting}
    return [side for side, moment in begins.items() if moment and moment <= now()]


def reminder_from(register: Register, rule: Rule, side: str) -> datetime | None:
    """Return when a side's reminder of the open window's deadline may come; None for never.

    That is `remind` before the deadline, or as many hours as the side prefers, but never in the
    first half of the window: otherwise a short window would bring it together with its report.
    """
    opened, deadline = parse(register.opened_at), parse(register.deadline)
    minutes = rule.remind
    if side in register.mail_state.preferences:
        from pbem.store.preferences import preferences_of

        hours = preferences_of(register, side).remind
        minutes = rule.remind if hours is None else OFF if hours == OFF else 60 * hours
    if minutes == OFF:
        return None
    return max(deadline - timedelta(minutes=minutes), opened + (deadline - opened) / 2)


def wakes(register: Register) -> str:
    """Return the next moment at which time alone may make something due in the open window.

    Until then ticks need not open an idle game. Such moments are the deadline, the start of
    reminders, the early close, and, while a side is absent, midnight (UTC), after which it may have
    to be reminded. Empty without any.
    """
    rule, moments = rule_of(register) or Rule(), list[datetime]()
    if register.deadline:
        reminders = (reminder_from(register, rule, side) for side in register.owing)
        moments = [parse(register.deadline), *filter(None, reminders)]
    if register.mail_state.schedule and answered(register):
        moments.append(_early_close(register, rule))
    if any(is_absent(register, side) for side in register.owing):
        moments.append(now().replace(hour=0, minute=0, second=0) + timedelta(days=1))
    return min((stamp(moment) for moment in moments if moment > now()), default="")


def is_absent(register: Register, side: str) -> bool:
    """Return whether a side is away until a day after today (UTC)."""
    return register.mail_state.absent.get(side, "") > stamp(now())[:10]
