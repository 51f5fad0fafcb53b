"""Why a window does not close by itself: outages, policies, vacant seats, a wrong clock."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from pbem.admin.commands import policy, resume
from pbem.base.clock import now, parse
from pbem.base.config import Limits
from pbem.store.game_dir import Game
from pbem.text.layout import date
from pbem.text.messages import phrase
from pbem.turns.schedule import ahead, overdue
from pbem.turns.vacant import struck, vacant


class Halt(NamedTuple):
    """Why a game is put on hold instead of closing its window."""

    why: str
    """The reason for the moderator."""
    public: str = ""
    """The reason for all sides, if they must not learn who is late; else empty."""


def why_hold(limits: Limits, outage: str, game: Game) -> Halt | None:
    """Return why a window past its deadline must not close by itself; None if it may.

    It must not if the deadline passed long ago, if ticks or mail failed while no orders came (then
    the outage may be the reason), or if the policy for missing orders is `hold` or `replace`.
    """
    register = game.register
    owing = register.missing()
    if register.rerun or register.locked or not overdue(register) or not owing:
        return None
    late = now() - parse(register.deadline)
    if late > timedelta(hours=limits.outage):
        return Halt(phrase("halt_late", span=span_of(late)))
    silent = not any(side in register.sets for side in register.sides)
    if silent and outage and outage > register.opened_at:
        return Halt(phrase("halt_outage", until=outage))
    if policy(game) in ("hold", "replace"):
        public = phrase("halt_sought" if policy(game) == "replace" else "halt_silent")
        return Halt(phrase("halt_owing", sides=", ".join(owing)), public)
    return None


def why_seek(game: Game) -> Halt | None:
    """Return why a game waits for another player: its schedule counts strikes, and a side has
    reached their number with the window that just closed. None where bots fill in."""
    register = game.register
    sides = struck(register)
    if not sides or register.held or policy(game) == "bot":
        return None
    return Halt(phrase("halt_owing", sides=", ".join(sides)), phrase("halt_struck"))


def resumes(game: Game) -> bool:
    """Take a game off hold that its strikes stopped, once every seat has a player again; return
    whether it was."""
    register = game.register
    if register.mail_state.why != phrase("halt_struck") or vacant(register):
        return False
    resume(game)
    return True


def clock_behind(game: Game) -> str:
    """Say that the clock shows a time before the last record, so one of the two is wrong; else
    empty."""
    last, record = game.register.mail_state.last, game.register.n
    if not ahead(game.register):
        return ""
    behind = span_of(parse(last) - now())
    return phrase("clock_back", record=record, at=date(last), span=behind, game=game.name)


def span_of(length: timedelta) -> str:
    """Say a length of time in days, hours or just "minutes"."""
    hours = int(length.total_seconds()) // 3600
    return f"{hours // 24} days" if hours >= 48 else f"{hours} hours" if hours else "minutes"
