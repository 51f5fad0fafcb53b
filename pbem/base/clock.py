"""Time where the program meets the world: now, and times as text. Rules never see it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo

from pbem.errors import Usage

_STANDING: list[datetime] = []
"""The time that stands, if one does."""


def now() -> datetime:
    """UTC to the second; `PBEM_NOW` (ISO 8601) sets it for tests and replays. Raises Usage."""
    given = os.environ.get("PBEM_NOW")
    if given:
        return parse(given, "PBEM_NOW")
    return _STANDING[-1] if _STANDING else datetime.now(UTC).replace(microsecond=0)


@contextmanager
def standing(moment: datetime) -> Iterator[None]:
    """Inside, it is `moment` all the while: what is stamped does not tell how long work took."""
    _STANDING.append(moment)
    try:
        yield
    finally:
        _STANDING.pop()


def is_set() -> bool:
    """Whether `PBEM_NOW` sets the clock; records made under it say so."""
    return bool(os.environ.get("PBEM_NOW"))


def stamp(moment: datetime) -> str:
    """`2026-11-20T12:00:00Z`."""
    return moment.astimezone(UTC).isoformat()[:19] + "Z"


def parse(text: str, where: str = "time") -> datetime:
    """The moment of an ISO 8601 text; without an offset it is UTC. Raises Usage."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Usage(f"{where}: {text!r} is no time", "write it as 2026-11-20T12:00:00Z") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)


def zone(name: str) -> tzinfo:
    """The time zone of that name, `Europe/Berlin`. Raises Usage."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Usage(f"time zone {name!r} is unknown", "write it as Europe/Berlin") from None
