"""Idle games: a tick has nothing to do in them until a known time, unless their ledger grows or
mail comes. Ticks skip them without opening them: of a thousand games most are idle at any time.

`.pbem/resting.json` is only a cache. If it is missing or unreadable, the tick opens every game.
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
"""Folders of a game; a file in one of them means work for a tick: received mail, and what a killed
run staged."""


class IdleState(Struct, frozen=True, array_like=True):
    """An idle game, as the last tick left it."""

    ledger: tuple[int, int]
    """Size of the ledger in bytes, and time of its last change in ns."""
    since: str
    """ISO time of its last record. If the clock shows less it was set back: not idle."""
    until: str
    """ISO time at which a tick has something to do, such as a deadline; empty for never."""


class IdleGames(Struct):
    """The idle games of a home."""

    under: str
    """Digest of the configuration and the release: a change of either may create work."""
    games: dict[str, IdleState] = {}
    """By the name of the game."""

    def is_idle(self, home: Path, name: str, at: str) -> bool:
        """Tell whether a tick at that ISO time would find nothing to do in that game."""
        rest = self.games.get(name)
        if rest is None or not rest.since <= at or (rest.until and rest.until <= at):
            return False
        folder = f"{home}/{name}"
        same = rest.ledger == _mark(f"{folder}/{LEDGER}")
        return same and not any(_holds(f"{folder}/{part}") for part in PLACES)


def idle_state(game: Game, config: Config) -> IdleState | None:
    """Return the state of a game after a tick; None if the next tick has to look at it again.

    The game must be locked and its records written, or the ledger's size would be too old.
    """
    register = game.register
    unsent = register.mail_state.unsent and config.delivery is not None
    open_mail = unsent or register.mail_state.press
    if open_mail or (register.window and not register.over and _busy(game)):
        return None
    until = wakes(register) if register.window and not register.over else ""
    return IdleState(_mark(str(game.ledger.path)), register.mail_state.last, until)


def _busy(game: Game) -> bool:
    """Tell whether every tick has to look at the open window."""
    register = game.register
    waits = register.held or register.locked or register.resets or due(game)
    bots = any(o.bot and o.side not in register.sets for o in register.officers)
    late = register.deadline and register.deadline <= stamp(now())
    return bool(waits or bots or late)


def load_idle(home: Path, config: Config) -> IdleGames:
    """Read the cache; empty if another release or configuration wrote it, or if unreadable."""
    under = sha256(canonical_json([config, __version__])).hexdigest()
    try:
        found = msgspec.json.decode(read_plain(home / FOLDER / FILE), type=IdleGames)
    except (msgspec.DecodeError, OSError):
        return IdleGames(under)
    return found if found.under == under else IdleGames(under)


def save_idle(
    home: Path, before: IdleGames, looked_at: Collection[str], idle: Mapping[str, IdleState]
) -> None:
    """Write the cache: for games that were looked at the state in `idle`, for others as before.

    It is renamed into place, so that parallel ticks never read half of it, but not synced: it can
    be rebuilt. What it describes must be on the disk already.
    """
    kept = {name: state for name, state in before.games.items() if name not in looked_at}
    games = {**kept, **idle}
    if games != before.games:
        folder = make_private(home / FOLDER)
        beside = folder / f".{FILE}.{os.getpid()}"
        write_plain(beside, msgspec.json.encode(IdleGames(before.under, games)))
        beside.replace(folder / FILE)


def _mark(ledger: str) -> tuple[int, int]:
    """Return the size and the time of the last change of a ledger; zeros if it is missing."""
    found = stat_of(ledger)
    return (found.st_size, found.st_mtime_ns) if found else (0, 0)


def _holds(folder: str) -> bool:
    """Tell whether the folder contains anything."""
    try:
        with os.scandir(folder) as found:
            return any(True for _ in found)
    except FileNotFoundError:
        return False
