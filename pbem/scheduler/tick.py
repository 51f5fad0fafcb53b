"""What cron calls: fetch mail, take it, run what is due, remind, send. Safe to overlap, to kill,
to repeat: every step is a record or a file that the next tick finds.

A window closes by its deadline only when the clock can be believed and the mail was fetched;
otherwise the game is left alone, or held and its moderator told.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field

from pbem.admin.commands import hold, policy
from pbem.base.clock import frozen_at, is_set, now, parse, stamp
from pbem.base.config import Config
from pbem.base.files import write_private
from pbem.errors import Busy, PbemError
from pbem.inbound.dispatch import Dealt, deal
from pbem.inbound.fetch import inbox_of
from pbem.inbound.letter import Letter
from pbem.inbound.pool import Readers
from pbem.inbound.spool import FOLDER, keep_unread, place, tell
from pbem.model import Side, System
from pbem.outbound.announcements import announce
from pbem.outbound.deliver import Flushed, flush, lay, show, undelivered
from pbem.outbound.notices import notices
from pbem.outbound.transports.interface import Outgoing, Transport
from pbem.scheduler.idle import Rest, rest_of
from pbem.store.game_dir import Game, writing
from pbem.store.records import Held, Noted
from pbem.store.secrets import keep_mail, raw_digest, zone_of
from pbem.text.layout import date
from pbem.text.messages import Note, phrase, worded
from pbem.turns.close_window import due, order_set, run
from pbem.turns.schedule import SLACK, ahead, missing, overdue, reminder_due

Load = Callable[[str], System]
STATE = "tick.json"


class Ticked(Struct):
    """What a tick did to one game. error: in words, with its exit code; talk: for people; rest:
    how it was left, None when the next tick has to look at it."""

    game: str
    mails: int = 0
    dealt: Dealt = field(default_factory=Dealt)
    closed: int = 0
    locked: int = 0
    reminded: int = 0
    sent: int = 0
    waiting: int = 0
    bounced: int = 0
    held: str = ""
    error: str = ""
    code: int = 0
    talk: list[str] = []
    rest: Rest | None = None


class TickContext(Struct, frozen=True):
    """What all games of a tick share. believe: why no window may close, empty when one may;
    outage: the time since which ticks were missing or failed, empty without; letters: those that
    were just sorted, by game; began: when the tick began, which is what it stamps."""

    home: Path
    config: Config
    believe: str = ""
    outage: str = ""
    letters: dict[str, dict[str, Letter]] = {}
    began: datetime | None = None


class Halt(NamedTuple):
    """Why a window does not close. public: what all are told where that is another, and names
    nobody: a player who is sought."""

    why: str
    public: str = ""


class Means(NamedTuple):
    """What a process ticks its games with. load: a system by its name."""

    load: Load
    transport: Transport
    readers: Readers


def tick_game(context: TickContext, means: Means, ticked: Ticked) -> Iterator[None]:
    """One game's tick. Raises nothing: one broken game never stops the others.

    It stops where everything written so far has to be on the disk before it goes on.
    """
    try:
        with writing(context.home, ticked.game) as game:
            yield from _tick(context, game, means, ticked)
    except PbemError as error:
        ticked.error, ticked.code = error.message, error.exit_code
    except OSError as error:
        ticked.error, ticked.code = f"{error.strerror or error}: {error.filename or ''}", 4
    except MemoryError:
        ticked.error, ticked.code = "no memory left", 4
    except Exception as error:
        if os.environ.get("PBEM_DEBUG"):
            raise
        ticked.error, ticked.code = f"fault: {type(error).__name__}: {error}", 5


def _tick(context: TickContext, game: Game, means: Means, ticked: Ticked) -> Iterator[None]:
    """Everything that a tick records is recorded together, and nothing leaves before."""
    failed: Exception | None = None
    read: dict[Path, str] = {}
    transport = means.transport
    flushed, laid = Flushed(), list[Outgoing]()
    game.gather()
    try:
        with frozen_at(_moment(context, game)):
            _work(context, game, means, ticked, read)
            laid = lay(game, context.config, transport, flushed)
    except Exception as error:
        failed = error
    try:
        game.stage()
        if game.gathered:
            yield
        game.record()
    except (OSError, PbemError):
        _forget(ticked)
        raise
    if game.gathered:
        yield
    game.settle()
    for path, digest in read.items():
        keep_mail(game, path, digest)
    if failed:
        raise failed
    show(transport, laid, flushed)
    flush(game, context.config, transport, flushed)
    _wind_up(context, game, flushed, ticked)


def _forget(ticked: Ticked) -> None:
    """Nothing of what was done is on the disk, so nothing of it was done."""
    ticked.dealt = Dealt()
    ticked.mails = ticked.closed = ticked.locked = ticked.reminded = 0
    ticked.held = ""


def _moment(context: TickContext, game: Game) -> datetime:
    """The time of everything that a tick does to a game: that of its beginning. How long it took to
    get here tells what others sent. Where another run wrote since then, it is now."""
    if context.began is None or stamp(context.began) < game.register.affairs.last:
        return now()
    return context.began


def _wind_up(context: TickContext, game: Game, flushed: Flushed, ticked: Ticked) -> None:
    """Say what became of the mail, and how the game is left."""
    ticked.sent, ticked.waiting = flushed.sent, flushed.waiting
    ticked.bounced = ticked.dealt.bounced + len(flushed.bounced)
    if flushed.later:
        waits = phrase("mail_waits", why=flushed.later)
        ticked.talk.append(f"{game.name}: {waits}")
    for name, said in flushed.bounced.items():
        _alert(context, game, undelivered(game, name, said), ticked)
    if not (flushed.later or context.believe or backwards(game)):
        ticked.rest = rest_of(game)


def _work(
    context: TickContext, game: Game, means: Means, ticked: Ticked, read: dict[Path, str]
) -> None:
    """Letters, windows, what waits for the moderator. read: gains the mails dealt with."""
    system = means.load(game.register.created.system)
    for path, letter, raw in inbox_of(
        game.folder, context.letters.get(game.name, {}), means.readers
    ):
        digest = raw_digest(game, raw)
        try:
            deal(context.home, game, system, context.config, letter, raw, ticked.dealt)
        except (PbemError, OSError, MemoryError):
            raise
        except Exception:
            _set_aside(context, game, path, raw, ticked)
            read[path] = digest
            raise
        read[path] = digest
        ticked.mails += 1
    if game.register.window and not game.register.over:
        _windows(context, game, system, ticked)
    if game.register.affairs.press:
        _press_waits(context, game, ticked)


def _press_waits(context: TickContext, game: Game, ticked: Ticked) -> None:
    """Tell the moderator once of each message that is his to pass on."""
    numbers = ", ".join(map(str, game.register.affairs.press))
    _alert(context, game, worded("press_waits", game=game.name, numbers=numbers), ticked)


def _set_aside(context: TickContext, game: Game, path: Path, raw: bytes, ticked: Ticked) -> None:
    """A mail that a mistake of ours stumbles over must not stop its game for ever."""
    kept = keep_unread(context.home, f"{game.name}-{path.stem}.eml", raw)
    said = worded("stumbled", game=game.name, name=kept.name, path=kept)
    _alert(context, game, said, ticked)


def _windows(context: TickContext, game: Game, system: System, ticked: Ticked) -> None:
    """Words of players, bots, the window that is due, reminders."""
    heed_words(context, game, system, ticked)
    if any(o.bot for o in game.register.officers):
        from pbem.bots.bot_orders import play_bots

        play_bots(game, system)
    back = backwards(game)
    if back:
        stands = phrase("stands_still", why=back)
        ticked.talk.append(f"{game.name}: {stands}")
    if back or context.believe:
        return
    if game.register.resets:
        from pbem.admin.officers import carry_out

        carry_out(game)
    if game.register.held:
        ticked.held = game.register.affairs.why or "held"
        return
    if game.register.rerun:
        ticked.held = taken_back(game)
        _alert(context, game, worded("rerun", game=game.name, why=ticked.held), ticked)
        return
    if halt := why_hold(context, game):
        _hold(context, game, halt, ticked)
    elif due(game):
        _close(context, game, system, ticked)
    elif game.register.locked:
        from pbem.turns.strict_dice import tell_awaited

        ticked.reminded = len(tell_awaited(game))
    else:
        ticked.reminded = remind(game)


def taken_back(game: Game) -> str:
    """That an undo kept the orders, so that the moderator may mend something before he runs the
    window again, in words; empty when it is not so."""
    window = game.register.window
    return phrase("taken_back", window=window) if game.register.rerun else ""


def _close(context: TickContext, game: Game, system: System, ticked: Ticked) -> None:
    """Close the window. Dice that the moderator must type in are his to bring."""
    if game.register.created.dice == "hand":
        _alert(context, game, worded("by_hand", game=game.name), ticked)
        return
    if policy(game) == "bot":
        from pbem.bots.bot_orders import substitute

        substitute(game, system)
    try:
        ticked.closed = 1 + len(run(game, system).before)
    except Busy:
        if not game.register.locked:
            raise
        ticked.locked = 1  # strict dice: now the links are awaited


def why_hold(context: TickContext, game: Game) -> Halt | None:
    """Why a window past its deadline must not close by itself; None when it may."""
    register = game.register
    owing = missing(register)
    if register.rerun or register.locked or not overdue(register) or not owing:
        return None
    late = now() - parse(register.deadline)
    if late > timedelta(hours=context.config.limits.outage):
        return Halt(phrase("halt_late", span=_span(late)))
    silent = not any(side in register.sets for side in register.sides)
    if silent and context.outage and context.outage > register.opened_at:
        return Halt(phrase("halt_outage", until=context.outage))
    if policy(game) in ("hold", "replace"):
        public = phrase("halt_sought" if policy(game) == "replace" else "halt_silent")
        return Halt(phrase("halt_owing", sides=", ".join(owing)), public)
    return None


def _hold(context: TickContext, game: Game, halt: Halt, ticked: Ticked) -> None:
    """Stop the game and say so."""
    hold(game, halt.public or halt.why, "tick")
    ticked.held = halt.why
    said = worded("halted", game=game.name, why=halt.why)
    if halt.public:
        said = said.with_part("seek", game=game.name, side="SIDE")
    _alert(context, game, said, ticked)


def _alert(context: TickContext, game: Game, said: Note, ticked: Ticked) -> None:
    about = f"{game.name}: {said.subject}"
    once = f"{game.name} {game.register.window} {said.subject}"
    if tell(context.home, context.config, about, said.text, once=once):
        ticked.talk.append(about)


def backwards(game: Game) -> str:
    """That the clock stands before the last record, and so one of the two is wrong; empty where
    it does not."""
    last, record = game.register.affairs.last, game.register.n
    if not ahead(game.register):
        return ""
    behind = _span(parse(last) - now())
    return phrase("clock_back", record=record, at=date(last), span=behind, game=game.name)


def _span(length: timedelta) -> str:
    hours = int(length.total_seconds()) // 3600
    return f"{hours // 24} days" if hours >= 48 else f"{hours} hours" if hours else "minutes"


def remind(game: Game) -> int:
    """Remind whoever owes something, each by a mail of his own; how many."""
    register = game.register
    sides = [str(side) for side in reminder_due(register)]
    if not sides:
        return 0
    from pbem.text.layout import local

    mails: dict[str, bytes] = {}
    for side in sides:
        closes = local(register.deadline, zone_of(game, side))
        said = worded("due", game=game.name, window=register.window, deadline=closes)
        mails |= notices(game, [side], said, "note")
    game.commit(Noted(sides=sides, reminder=register.window, mailed=sides), mails)
    return len(sides)


def heed_words(context: TickContext, game: Game, system: System, ticked: Ticked) -> None:
    """ABSENT UNTIL and RESIGN in the sets in force: noted once, and the moderator told."""
    affairs = game.register.affairs
    absent: dict[str, str] = {}
    resigned: list[str] = []
    heeded: dict[str, int] = {}
    for side in game.register.sides:  # who wrote first is nobody's business
        if (taken := game.register.sets.get(side)) is None:
            continue
        said = "ABSENT" in taken.canonical or "RESIGN" in taken.canonical
        if not said or affairs.handled_sets.get(side) == taken.n:
            continue
        words = order_set(game, system, Side(side), taken).words
        heeded[side] = taken.n
        if "ABSENT" in words:
            absent[side] = words["ABSENT"]
        if "RESIGN" in words:
            resigned.append(side)
    if heeded:
        game.commit(Noted(sides=[], absent=absent, heeded=heeded))
    for away, day in absent.items():
        _alert(context, game, worded("absent", side=away, day=day), ticked)
    for gone in resigned:
        _resigned(context, game, gone, ticked)


def _resigned(context: TickContext, game: Game, side: str, ticked: Ticked) -> None:
    said = worded("left", game=game.name, side=side)
    if not game.register.held:
        announce(game, Held(reason=said.subject, by="tick"), worded("resigned", side=side))
    _alert(context, game, said.with_part("seek", game=game.name, side=side), ticked)


def look_at_clock(home: Path, config: Config, failed: str, dry: bool = False) -> tuple[str, str]:
    """Why no window may close now, and until when ticks or mail had failed lately.

    Keeps `.pbem/tick.json`: the time of this tick, and of the machine's own running clock, which
    nobody sets; where both went on differently, the clock was set. dry: only looks.
    """
    path = home / FOLDER / STATE
    try:
        before = json.loads(path.read_bytes())
        last, outage = parse(before["at"]), str(before["outage"])
    except (OSError, ValueError, KeyError, TypeError, PbemError):
        before, last, outage = {}, now(), ""
    jump = _jump(before)
    if failed or now() - last > timedelta(hours=config.limits.outage):
        outage = stamp(now())
    state = {"at": stamp(now()), "outage": outage, **_running()}
    if not jump and not dry:
        place(home)
        write_private(path, json.dumps(state).encode())
    return (phrase("not_fetched", why=failed) if failed else jump), outage


def _running() -> dict[str, object]:
    """The boot that this is, and seconds since; nothing where the clock is set for a test."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        import time

        return {} if is_set() else {"boot": boot, "up": time.clock_gettime(time.CLOCK_BOOTTIME)}
    except (OSError, AttributeError):
        return {}


def _jump(before: dict[str, object]) -> str:
    """Whether the clock was set since the last tick of this boot."""
    running = _running()
    if not running or running.get("boot") != before.get("boot"):
        return ""
    passed = now() - parse(str(before["at"]))
    ran = timedelta(seconds=float(str(running["up"])) - float(str(before["up"])))
    if abs(passed - ran) <= 2 * SLACK:
        return ""
    return phrase("clock_set", span=_span(abs(passed - ran)), file=f"{FOLDER}/{STATE}")
