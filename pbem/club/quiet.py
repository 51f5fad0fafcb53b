"""Whether a tick has anything to do for the club. Most ticks have not, and should cost little.

A tick that did nothing leaves a mark: what it saw, and when time alone will make something due.
While the same is seen and no game was looked at, the next ticks do nothing, either. The mark can
be lost.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from pbem import __version__
from pbem.base.clock import now, stamp
from pbem.base.config import FILE as SETTINGS
from pbem.base.files import read_plain, stat_of, write_plain

FILE = "club.json"
"""What the club remembers (`pbem.club.state`)."""
CACHE = "site.json"
"""What is known of the files of its site (`pbem.club.site`)."""
MARK = "quiet.json"


class ClubDone(Struct):
    """What a tick did for the club."""

    answered: int = 0
    """Mails of the club that were written."""
    unanswered: int = 0
    """Mails from strangers that were set aside."""
    pages: int = 0
    """Files of the site that were written."""
    opened: list[str] = []
    """Games that were opened or changed, which the tick must look at again."""
    talk: list[str] = []
    """Lines for the moderator."""
    failed: str = ""
    """Why the club's work could not be done; empty if it was."""


def is_quiet(home: Path, names: Sequence[str]) -> bool:
    """Tell whether nothing has changed since a tick that found nothing to do. names: the games."""
    folder = home / ".pbem" / "club"
    if any(_holds(folder / part) for part in ("inbox", "outbox")):
        return False
    try:
        seen, since, until = json.loads(read_plain(folder / MARK))
    except (ValueError, TypeError, OSError):
        return False
    at = stamp(now())
    return bool(seen == _seen(home, names) and since <= at and (not until or at < until))


def leave(home: Path, names: Sequence[str], until: str) -> None:
    """Leave the mark of a tick that found nothing to do. until: when time alone makes something
    due; empty for never."""
    content = [_seen(home, names), stamp(now()), until]
    path = home / ".pbem" / "club" / MARK
    beside = path.with_name(f".{MARK}.{os.getpid()}")
    write_plain(beside, json.dumps(content).encode())
    beside.replace(path)


def _seen(home: Path, names: Sequence[str]) -> list[object]:
    """Return what the club's work depends on, besides the ledgers that ticks look at."""
    found: list[object] = [__version__, sha256("\n".join(names).encode()).hexdigest()]
    for path in (home / SETTINGS, home / ".pbem" / "club" / FILE):
        mark = stat_of(str(path))
        found.append([mark.st_size, mark.st_mtime_ns] if mark else [])
    return [*found, stat_of(str(home / ".pbem" / "club" / CACHE)) is not None]


def _holds(folder: Path) -> bool:
    """Tell whether a folder contains anything."""
    try:
        with os.scandir(folder) as found:
            return any(True for _ in found)
    except FileNotFoundError:
        return False
