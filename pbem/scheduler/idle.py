"""Games that rest: until a known moment a tick finds nothing to do in them, unless their ledger
has grown or mail has come. It need not open them: of a thousand games most rest most of the time.

`.pbem/resting.json` is a memory, not a record. Without it every game is opened and looked at.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.base.clock import now, stamp
from pbem.base.config import Config
from pbem.base.files import make_private, read_plain, stat_of, write_plain
from pbem.base.hashing import canonical_json
from pbem.inbound.fetch import INBOX
from pbem.inbound.spool import FOLDER
from pbem.store.game_dir import LEDGER, STAGE, Game
from pbem.turns.close_window import due
from pbem.turns.schedule import wakes

FILE = "resting.json"
PLACES = ("/".join(INBOX), "/".join(STAGE))
"""Where in a game's folder something may lie that a tick has to see to."""


class Rest(Struct, frozen=True, array_like=True):
    """A game as it was left. ledger: its size and the time of its last change in ns; since: the
    time of its last record; until: when time alone gives a tick something to do, empty: never."""

    ledger: tuple[int, int]
    since: str
    until: str


class Resting(Struct):
    """The games of a home that rest. under: digest of what else decides what a tick does."""

    under: str
    games: dict[str, Rest] = {}

    def rests(self, home: Path, name: str, at: str) -> bool:
        """Whether a tick at that time (ISO) would find nothing to do in that game."""
        rest = self.games.get(name)
        if rest is None or not rest.since <= at or (rest.until and rest.until <= at):
            return False
        folder = f"{home}/{name}"
        same = rest.ledger == _mark(f"{folder}/{LEDGER}")
        return same and not any(_holds(f"{folder}/{part}") for part in PLACES)


def rest_of(game: Game) -> Rest | None:
    """How a game is left by a tick that did all there was to do; None when the next one has to
    look at it again. The game is locked and its lines are written."""
    register = game.register
    open_mail = register.affairs.unsent or register.affairs.press
    if open_mail or (register.window and not register.over and _busy(game)):
        return None
    until = wakes(register) if register.window and not register.over else ""
    return Rest(_mark(str(game.ledger.path)), register.affairs.last, until)


def _busy(game: Game) -> bool:
    """Whether the open window is in a state that a tick has to look at each time."""
    register = game.register
    waits = register.held or register.locked or register.resets or due(game)
    bots = any(o.bot and o.side not in register.sets for o in register.officers)
    late = register.deadline and register.deadline <= stamp(now())
    return bool(waits or bots or late)


def remembered(home: Path, config: Config) -> Resting:
    """What earlier ticks of this release and this configuration left."""
    under = sha256(canonical_json([config, __version__])).hexdigest()
    try:
        found = msgspec.json.decode(read_plain(home / FOLDER / FILE), type=Resting)
    except (msgspec.DecodeError, OSError):
        return Resting(under)
    return found if found.under == under else Resting(under)


def remember(
    home: Path, before: Resting, looked_at: Collection[str], rests: Mapping[str, Rest]
) -> None:
    """Keep how games were left: those that were looked at as `rests` says, others as before.

    What they wrote and showed is on the disk by now; this file need not be.
    """
    kept = {name: rest for name, rest in before.games.items() if name not in looked_at}
    games = {**kept, **rests}
    if games != before.games:
        folder = make_private(home / FOLDER)
        beside = folder / f".{FILE}.{os.getpid()}"
        write_plain(beside, msgspec.json.encode(Resting(before.under, games)))
        beside.replace(folder / FILE)


def _mark(ledger: str) -> tuple[int, int]:
    found = stat_of(ledger)
    return (found.st_size, found.st_mtime_ns) if found else (0, 0)


def _holds(folder: str) -> bool:
    """Whether anything lies in that folder."""
    try:
        with os.scandir(folder) as found:
            return any(True for _ in found)
    except FileNotFoundError:
        return False
