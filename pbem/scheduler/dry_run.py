"""Show what a tick would do now: `pbem tick --dry-run`.

It only reads: it takes no lock, writes no file and sends no mail. Letters in a Maildir are counted,
not opened; an IMAP mailbox is not contacted.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.base.config import Config, ImapBox, MaildirBox
from pbem.errors import PbemError
from pbem.inbound.fetch import INBOX
from pbem.scheduler.holds import clock_behind, why_hold
from pbem.scheduler.tick import TickContext, awaiting_rerun
from pbem.store.game_dir import Game, reading
from pbem.text.layout import counted
from pbem.turns.close_window import due
from pbem.turns.schedule import reminder_due


class Forecast(Struct):
    """What a tick would do with one game; the keys of `pbem tick --dry-run --json`."""

    game: str
    closes: str = ""
    """Why its window would close; empty if it would not."""
    holds: str = ""
    """Why it is on hold, or would be put on hold; else empty."""
    reminds: list[str] = []
    """The sides that would get a reminder."""
    sends: int = 0
    """Number of unsent mails in its outbox, if a delivery is configured."""
    letters: int = 0
    """Number of mails that are fetched and not yet received."""
    error: str = ""
    """Why the game cannot be read; else empty."""
    code: int = 0
    """The exit code of a tick for that error."""


def forecast(context: TickContext, names: Sequence[str]) -> list[Forecast]:
    """Return what a tick would do with each of the games. Errors become part of the result, so
    that one broken game does not hide the others."""
    found = []
    for name in names:
        try:
            found.append(_of(context, reading(context.home, name)))
        except PbemError as error:
            found.append(Forecast(name, error=error.message, code=error.exit_code))
    return found


def in_mailbox(config: Config, context: TickContext) -> str:
    """Say how many letters are in the mailbox; empty if no mailbox is configured."""
    box = config.mailbox
    if isinstance(box, ImapBox):
        return "the mailbox was not looked into"
    if not isinstance(box, MaildirBox):
        return ""
    there = sum(1 for _ in (context.home / box.path / "new").glob("*"))
    return f"{counted(there, 'letter', 'letters')} in the mailbox"


def _of(context: TickContext, game: Game) -> Forecast:
    """Return the forecast of one game. The order of the checks is that of `tick._windows`."""
    register = game.register
    letters = sum(1 for _ in game.path(*INBOX).glob("*"))
    sends = len(register.mail_state.unsent) if context.config.sends else 0
    told = Forecast(game.name, sends=sends, letters=letters)
    told.holds = context.blocked or clock_behind(game)
    if told.holds or not register.window or register.over:
        return told
    if register.held:
        told.holds = register.mail_state.why or "on hold"
        return told
    halt = why_hold(context.config.limits, context.outage, game)
    told.holds = awaiting_rerun(game) or (halt.why if halt else "")
    told.closes = "" if told.holds else due(game)
    told.reminds = [] if told.holds or told.closes else list(map(str, reminder_due(register)))
    return told
