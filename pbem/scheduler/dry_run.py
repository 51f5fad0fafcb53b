"""What a tick would do now: `pbem tick --dry-run`. It reads, and does nothing else: no lock, no
file, no mail; letters that still lie in a mailbox are counted, not opened."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.base.config import Config, ImapBox, MaildirBox
from pbem.errors import PbemError
from pbem.inbound.fetch import INBOX
from pbem.scheduler.tick import TickContext, backwards, taken_back, why_hold
from pbem.store.game_dir import Game, reading
from pbem.text.layout import counted
from pbem.turns.close_window import due
from pbem.turns.schedule import reminder_due


class Forecast(Struct):
    """One game. closes: why its window would close; holds: why it would be held, or is; reminds:
    who would be; sends: mails in its outbox; letters: fetched and not yet taken; error: why it
    cannot be read, with the exit code that a tick would have."""

    game: str
    closes: str = ""
    holds: str = ""
    reminds: list[str] = []
    sends: int = 0
    letters: int = 0
    error: str = ""
    code: int = 0


def forecast(context: TickContext, names: Sequence[str]) -> list[Forecast]:
    """What a tick would do with each of these games as they stand; one that cannot be read does
    not keep the others from being told."""
    found = []
    for name in names:
        try:
            found.append(_of(context, reading(context.home, name)))
        except PbemError as error:
            found.append(Forecast(name, error=error.message, code=error.exit_code))
    return found


def in_mailbox(config: Config, context: TickContext) -> str:
    """How much lies in the mailbox, in words; empty where there is none."""
    box = config.mailbox
    if isinstance(box, ImapBox):
        return "the mailbox was not looked into"
    if not isinstance(box, MaildirBox):
        return ""
    there = sum(1 for _ in (context.home / box.path / "new").glob("*"))
    return f"{counted(there, 'letter', 'letters')} in the mailbox"


def _of(context: TickContext, game: Game) -> Forecast:
    register = game.register
    letters = sum(1 for _ in game.path(*INBOX).glob("*"))
    told = Forecast(game.name, sends=len(register.affairs.unsent), letters=letters)
    told.holds = context.believe or backwards(game)
    if told.holds or not register.window or register.over:
        return told
    if register.held:
        told.holds = register.affairs.why or "held"
        return told
    halt = why_hold(context, game)
    told.holds = taken_back(game) or (halt.why if halt else "")
    told.closes = "" if told.holds else due(game)
    told.reminds = [] if told.holds or told.closes else list(map(str, reminder_due(register)))
    return told
