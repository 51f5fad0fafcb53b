"""The current time, and times as text. Rule systems never use this module: rules have no clock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo

from pbem.errors import Usage

LAST_SECOND = 253_402_300_799
"""The last second of the year 9999: `datetime` has no later dates."""
_FROZEN: list[datetime] = []
"""The times at which `frozen_at` stopped the clock; the innermost is last."""


def now() -> datetime:
    """Return the time in UTC, to the second.

    `PBEM_NOW` (ISO 8601) sets it for tests and replays. Raises Usage if that is not a valid time.
    """
    given = os.environ.get("PBEM_NOW")
    if given:
        return parse(given, "PBEM_NOW")
    return _FROZEN[-1] if _FROZEN else datetime.now(UTC).replace(microsecond=0)


@contextmanager
def frozen_at(moment: datetime) -> Iterator[None]:
    """Make `now` return `moment` inside the block.

    A tick stamps everything with the time at which it began. Otherwise a player could tell from
    the date of a mail how much the referee had read from others before it (docs/trust.md).
    """
    _FROZEN.append(moment)
    try:
        yield
    finally:
        _FROZEN.pop()


def is_set() -> bool:
    """Whether `PBEM_NOW` sets the clock; records made under it say so."""
    return bool(os.environ.get("PBEM_NOW"))


def stamp(moment: datetime) -> str:
    """Format a time as `2026-11-20T12:00:00Z`."""
    return moment.astimezone(UTC).isoformat()[:19] + "Z"


def parse(text: str, where: str = "time") -> datetime:
    """Parse an ISO 8601 time; without an offset it is UTC.

    where: what the message calls the source. Raises Usage.
    """
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # its offset may lead out of the years 1 to 9999
        raise Usage(
            f"{where}: {text!r} is not a valid time", "write it as 2026-11-20T12:00:00Z"
        ) from None


def zone_named(text: str) -> str:
    """The full name of a time zone that somebody wrote in any case, as `europe berlin`, or by its
    city alone: `Europe/Berlin`. Raises Usage if there is none."""
    import re
    from zoneinfo import available_timezones

    def words(name: str) -> str:
        return " ".join(re.findall("[A-Z0-9+]+", name.upper()))

    wanted, known = words(text), {words(name): name for name in sorted(available_timezones())}
    cities = [name for said, name in known.items() if said.endswith(f" {wanted}")]
    found = known.get(wanted) or (cities[0] if wanted and len(cities) == 1 else text)
    zone(found)
    return found


def zone(name: str) -> tzinfo:
    """Return the time zone of that name, such as `Europe/Berlin`. Raises Usage.

    UTC is known also where no zones are installed, as in small containers.
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        if name == "UTC":
            return UTC
        hint = "write it as Europe/Berlin"
        if not available_timezones():
            hint = "no time zones are installed here: install the package tzdata"
        raise Usage(f"time zone {name!r} is unknown", hint) from None
