"""When windows close: a game's schedule as a rule in one line, and what follows from it.

    every=3d at=20:00 on=mon,thu zone=Europe/Berlin battle=1d grace=2h early=30m remind=24h

Pure: moments come in, moments go out. Times of day are local times of the zone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.clock import now, parse, stamp, zone
from pbem.errors import Usage

if TYPE_CHECKING:
    from pbem.model import Pace
    from pbem.store.register import Register

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
UNITS = {"m": 1, "h": 60, "d": 1440, "w": 10080}
POLICIES = ("standing", "hold", "wait", "bot", "replace")
OFF = -1
SLACK = timedelta(minutes=5)
"""How far clocks may disagree."""


class Rule(Struct, frozen=True):
    """A schedule. Lengths are minutes.

    every: at least so long is a window open. at, on: the time of day and the weekdays on which
    it closes. battle, quick: how long a window is open whose questions have that pace, at any
    time of any day; 0: as every other. not_before: no deadline is earlier. grace: how long after
    a deadline sets still count. early: how old the newest set must be when all are in, OFF waits
    for the deadline. nmr: what a side without orders does. remind: how long before the deadline.
    absence: how long a deadline waits for a side that is absent.
    """

    every: int = 4320
    at: str = ""
    on: tuple[str, ...] = ()
    zone: str = "UTC"
    grace: int = 0
    not_before: str = ""
    early: int = 30
    nmr: str = "standing"
    remind: int = 1440
    absence: int = 20160
    battle: int = 0
    quick: int = 0


def read_rule(words: Sequence[str]) -> Rule:
    """The rule that `KEY=VALUE` words give. Raises Usage."""
    rule = Rule()
    for word in " ".join(words).split():
        key, sep, value = word.partition("=")
        name = key.replace("-", "_")
        if not sep or name not in rule.__struct_fields__:
            raise Usage(
                f"{word!r} is no part of a schedule",
                f"KEY=VALUE, keys: {', '.join(rule.__struct_fields__).replace('_', '-')}",
            )
        rule = replace(rule, **{name: _value(name, value)})
    if rule.every < 1:
        raise Usage("every=0 leaves no time", "write every=3d")
    return rule


def _value(name: str, value: str) -> object:
    """The value of one key. Raises Usage."""
    if name in ("early", "remind") and value == "off":
        return OFF
    return READERS[name](value) if name in READERS else length(value, name)


def length(text: str, what: str) -> int:
    """Minutes of `90m`, `12h`, `3d`, `2w`. Raises Usage."""
    number, unit = text[:-1], text[-1:]
    if not (number.isascii() and number.isdigit() and unit in UNITS and len(number) < 6):
        raise Usage(f"{what}={text} is no length of time", "write 30m, 12h, 3d or 2w")
    return int(number) * UNITS[unit]


def _time(text: str) -> str:
    try:
        return time.fromisoformat(text).strftime("%H:%M")
    except ValueError:
        raise Usage(f"at={text} is no time of day", "write at=20:00") from None


def _days(text: str) -> tuple[str, ...]:
    days = text.lower().split(",")
    if any(day not in DAYS for day in days):
        raise Usage(f"on={text} names no weekday", f"some of {','.join(DAYS)}")
    return tuple(day for day in DAYS if day in days)


def _zone(text: str) -> str:
    zone(text)
    return text


def _policy(text: str) -> str:
    if text not in POLICIES:
        raise Usage(f"nmr={text} is no policy", f"it is one of {', '.join(POLICIES)}")
    return text


READERS: dict[str, Callable[[str], object]] = {
    "at": _time,
    "on": _days,
    "zone": _zone,
    "nmr": _policy,
    "not_before": lambda text: stamp(parse(text, "not-before")),
}


def show_rule(rule: Rule) -> str:
    """The rule in one line, as `read_rule` reads it; what is as usual is left out."""
    usual = Rule()
    words = [f"every={_length(rule.every)}"]
    for name in rule.__struct_fields__[1:]:
        value = getattr(rule, name)
        if value == getattr(usual, name):
            continue
        shown = ",".join(value) if isinstance(value, tuple) else value
        shown = _length(shown) if isinstance(shown, int) else shown
        words.append(f"{name.replace('_', '-')}={shown}")
    return " ".join(words)


def _length(minutes: int) -> str:
    if minutes == OFF:
        return "off"
    unit = next(
        u for u in ("w", "d", "h", "m") if (minutes and minutes % UNITS[u] == 0) or u == "m"
    )
    return f"{minutes // UNITS[unit]}{unit}"


def paced(rule: Rule, pace: Pace) -> Rule:
    """The rule for windows of that pace: `battle` and `quick` keep their own time if they have
    one, whatever the hour and the day."""
    own = {"turn": 0, "battle": rule.battle, "quick": rule.quick}[pace]
    return replace(rule, every=own, at="", on=()) if own else rule


def next_deadline(rule: Rule, opened: datetime) -> datetime:
    """When a window closes that opens at that moment: the first fitting time of day, on a
    fitting day, after `every` has passed."""
    earliest = opened + timedelta(minutes=rule.every)
    if rule.not_before:
        earliest = max(earliest, parse(rule.not_before))
    here = zone(rule.zone)
    day = earliest.astimezone(here).date()
    for _ in range(16):
        at = time.fromisoformat(rule.at) if rule.at else earliest.astimezone(here).time()
        moment = datetime.combine(day, at, here).astimezone(UTC)
        fits = not rule.on or DAYS[day.weekday()] in rule.on
        if fits and moment >= earliest:
            return moment
        day += timedelta(days=1)
    return earliest  # no day of two weeks fits: cannot be


def deadline_for(register: Register, pace: Pace = "turn") -> str:
    """The deadline of a window of that pace that opens now; empty without a schedule."""
    found = rule_of(register)
    if found is None:
        return ""
    rule, opened = paced(found, pace), now()
    return stamp(_waiting(next_deadline(rule, opened), rule, opened, register.affairs.absent))


def _waiting(
    deadline: datetime, rule: Rule, opened: datetime, absent: Mapping[str, str]
) -> datetime:
    """A deadline waits for whoever is absent, but not for ever."""
    latest = opened + timedelta(minutes=rule.every + rule.absence)
    backs = [parse(day) + timedelta(days=1) for day in absent.values()]
    late = [min(back, latest) for back in backs if back > deadline]
    if not late:
        return deadline
    return max(deadline, next_deadline(replace(rule, every=0), max(late)))


def rule_of(register: Register) -> Rule | None:
    """The game's schedule."""
    text = register.affairs.schedule
    return read_rule([text]) if text else None


def ahead(register: Register) -> bool:
    """Whether the last record bears a time to come: the clock is wrong, or was wrong then."""
    return parse(register.affairs.last) - now() > SLACK


def overdue(register: Register) -> bool:
    """Whether the deadline and its grace have passed."""
    rule = rule_of(register)
    grace = timedelta(minutes=rule.grace if rule else 0)
    return bool(register.deadline) and now() >= parse(register.deadline) + grace


def missing(register: Register) -> list[str]:
    """The sides that owe a final set."""
    return [s for s in register.sides if s not in register.sets or not register.sets[s].final]


def due_by(register: Register, rule: Rule) -> str:
    """Why the open window may close by that rule; empty when it may not."""
    if overdue(register) and (rule.nmr in ("standing", "bot") or register.all_in()):
        return "its deadline has passed"
    if register.all_in() and rule.early != OFF and now() >= _newest(register, rule):
        return "all sides are in"
    return ""


def _newest(register: Register, rule: Rule) -> datetime:
    """When the newest set of a player is old enough; the referee's own bots wait for nobody. A
    game that was held, and a player who takes over, have the same time before them. A time to come
    is that of a wrong clock, and counts for nothing."""
    bots = {o.side for o in register.officers if o.bot}
    times = [parse(s.at) for side, s in register.sets.items() if side not in bots]
    times += [parse(register.affairs.restarted_at)] if register.affairs.restarted_at else []
    believed = [time for time in times if time <= now()]
    return max(believed, default=now()) + timedelta(minutes=rule.early)


def reminder_due(register: Register) -> list[str]:
    """The sides to be reminded now: those that owe something, once a window, never the absent."""
    rule = rule_of(register) or Rule()
    idle = register.over or register.held or register.locked
    if rule.remind == OFF or not register.deadline or idle:
        return []
    if not reminders_from(register, rule) <= now() < parse(register.deadline):
        return []
    bots = {o.side for o in register.officers if o.bot}
    told = register.affairs.reminded
    owing = (s for s in missing(register) if s not in bots and not is_absent(register, s))
    return [side for side in owing if told.get(side) != register.window]


def reminders_from(register: Register, rule: Rule) -> datetime:
    """When reminders of the open window's deadline begin."""
    opened, deadline = parse(register.opened_at), parse(register.deadline)
    return max(deadline - timedelta(minutes=rule.remind), opened + (deadline - opened) / 2)


def wakes(register: Register) -> str:
    """The next moment at which time alone may make something due in the open window: its
    deadline, the time for reminders (of an absent side when it is back), the end of the wait for
    the newest set. Empty without any."""
    rule, moments = rule_of(register) or Rule(), list[datetime]()
    if register.deadline:
        moments = [parse(register.deadline), reminders_from(register, rule)]
    if register.affairs.schedule and register.all_in():
        moments.append(_newest(register, rule))
    if any(is_absent(register, side) for side in register.sides):
        moments.append(now().replace(hour=0, minute=0, second=0) + timedelta(days=1))
    return min((stamp(moment) for moment in moments if moment > now()), default="")


def is_absent(register: Register, side: str) -> bool:
    """Whether a side said that it is away today."""
    return register.affairs.absent.get(side, "") > stamp(now())[:10]
