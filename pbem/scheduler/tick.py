"""One game's tick: receive its mail, close the window if it is due, remind players, send mail.

Ticks may overlap, be killed and be repeated: each step leaves a record or a file, from which the
next tick goes on. A deadline closes a window only if the clock is plausible and the mail has been
fetched. Otherwise the tick leaves the game alone, or puts it on hold and tells the moderator.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from pbem.admin.commands import hold, policy
from pbem.base.clock import frozen_at, is_set, now, parse, stamp
from pbem.base.config import Config
from pbem.base.files import write_private
from pbem.errors import Busy, PbemError
from pbem.inbound.dispatch import LetterCounts, deal
from pbem.inbound.fetch import inbox_of
from pbem.inbound.letter import Letter
from pbem.inbound.pool import Readers
from pbem.inbound.spool import FOLDER, keep_unread, place, tell
from pbem.model import Side, System
from pbem.outbound.announcements import announce
from pbem.outbound.deliver import Flushed, flush, prepare, release, undelivered
from pbem.outbound.notices import mail_name
from pbem.outbound.transports.interface import Outgoing, Transport
from pbem.rulecode import described
from pbem.scheduler.holds import Halt, clock_behind, resumes, span_of, why_hold, why_seek
from pbem.scheduler.idle import IdleState, idle_state
from pbem.store.game_dir import Game, writing
from pbem.store.records import Held, Noted
from pbem.store.secrets import keep_mail, raw_digest
from pbem.text.messages import Note, fill_note, phrase
from pbem.turns.close_window import due, order_set, report_of, run
from pbem.turns.schedule import SLACK, reminder_due
from pbem.turns.vacant import vacant

if TYPE_CHECKING:
    from pbem.club.facts import Facts, Seats

Load = Callable[[str, str], System]
"""Finds a rule system by name and edition."""

STATE = "tick.json"


class Ticked(Struct):
    """What a tick did to one game."""

    game: str
    looked: bool = False
    """Whether it was opened; idle games are not."""
    mails: int = 0
    """Number of mails received."""
    dealt: LetterCounts = field(default_factory=LetterCounts)
    """What these mails were."""
    closed: int = 0
    """Number of windows closed."""
    locked: int = 0
    """1 if a window with strict dice was locked: it now waits for the links of the sides."""
    reminded: int = 0
    """Number of sides that got a reminder."""
    sent: int = 0
    """Number of mails delivered."""
    left: int = 0
    """Number of mails left in the outbox, because no delivery is configured."""
    waiting: int = 0
    """Number of mails that wait for another attempt."""
    bounced: int = 0
    """Number of mails that cannot be delivered."""
    held: str = ""
    """Why the game is on hold; else empty."""
    facts: Facts | None = None
    """What the club's site may say of the game; None without a site."""
    seats: Seats | None = None
    """Who sits in the game; None without a club."""
    vacant: dict[str, str] = {}
    """Side to why another player is sought for it."""
    error: str = ""
    """What failed; else empty."""
    code: int = 0
    """The exit code for that error."""
    talk: list[str] = []
    """Lines for the moderator."""
    idle: IdleState | None = None
    """How the game was left; None if the next tick has to look at it."""


class TickContext(Struct, frozen=True):
    """What all games of a tick share."""

    home: Path
    config: Config
    blocked: str = ""
    """Why no window may close, such as a wrong clock; empty if windows may close."""
    outage: str = ""
    """ISO time until which ticks or mail had failed, as far as is known; empty without."""
    letters: dict[str, dict[str, Letter]] = {}
    """Letters that were parsed when they were fetched just now: game to file to letter."""
    began: datetime | None = None
    """When the tick began: the time of its records."""


class Resources(NamedTuple):
    """What a process uses for all its games."""

    load: Load
    transport: Transport
    readers: Readers


def tick_game(context: TickContext, resources: Resources, ticked: Ticked) -> Iterator[None]:
    """Tick one game and record the result in `ticked`; errors too: one broken game never stops the
    others. With PBEM_DEBUG set, unexpected errors are raised.

    It yields where everything written so far must be on the disk before it goes on.
    """
    ticked.looked = True
    try:
        with writing(context.home, ticked.game) as game:
            yield from _tick(context, game, resources, ticked)
    except PbemError as error:
        ticked.error, ticked.code = error.message, error.exit_code
    except OSError as error:
        ticked.error, ticked.code = f"{error.strerror or error}: {error.filename or ''}", 4
    except MemoryError:
        ticked.error, ticked.code = "no memory left", 4
    except Exception as error:
        if os.environ.get("PBEM_DEBUG"):
            raise
        ticked.error, ticked.code = described(error), 5


def _tick(context: TickContext, game: Game, resources: Resources, ticked: Ticked) -> Iterator[None]:
    """Work on the game, commit all records at once, then send mail.

    The order matters. Files are staged and synced before the ledger lines that name them; the
    lines are synced before mail leaves or files are published. So a power cut loses either the
    whole tick or none of its records, and no mail is sent whose record could still be lost.
    """
    failed: Exception | None = None
    read: dict[Path, str] = {}
    transport = resources.transport
    flushed, ready = Flushed(), list[Outgoing]()
    game.gather()
    try:
        with frozen_at(_time_of(context, game)):
            _work(context, game, resources, ticked, read)
            ready = prepare(game, context.config, transport, flushed)
    except Exception as error:
        failed = error  # raised below: what was recorded before it failed is still committed
    try:
        game.stage()
        if game.gathered:
            yield
        game.record()
    except (OSError, PbemError):
        _reset(ticked)
        raise
    if game.gathered:
        yield
    game.settle()
    for path, digest in read.items():
        keep_mail(game, path, digest)
    if failed:
        raise failed
    release(transport, ready, flushed)
    flush(game, context.config, transport, flushed)
    _report_outcome(context, game, flushed, ticked)
    if context.config.club:
        from pbem.club.facts import facts_of, mark_of, seats_of

        mark = mark_of(context.home, game.name)
        ticked.seats = seats_of(game, mark)
        if context.config.club.site:
            system = resources.load(game.register.created.system, game.register.pinned.edition)
            ticked.facts = facts_of(game, system, mark)


def _reset(ticked: Ticked) -> None:
    """Reset the counts after a failed commit: nothing of the tick is in the ledger."""
    ticked.dealt = LetterCounts()
    ticked.mails = ticked.closed = ticked.locked = ticked.reminded = 0
    ticked.held = ""


def _time_of(context: TickContext, game: Game) -> datetime:
    """Return the time for everything that the tick records in a game: when the tick began.

    The delay until this game's turn depends on what others sent, and records would show it. If
    another run has written to the ledger since then, it is the present time, as records must be
    in order of time.
    """
    if context.began is None or stamp(context.began) < game.register.mail_state.last:
        return now()
    return context.began


def _report_outcome(context: TickContext, game: Game, flushed: Flushed, ticked: Ticked) -> None:
    """Record in `ticked` what became of the outgoing mail, and whether the game is idle now."""
    ticked.sent, ticked.left, ticked.waiting = flushed.sent, flushed.left, flushed.waiting
    ticked.bounced = ticked.dealt.bounced + len(flushed.bounced)
    if flushed.later:
        waits = phrase("mail_waits", why=flushed.later)
        ticked.talk.append(f"{game.name}: {waits}")
    for name, said in flushed.bounced.items():
        _alert(context, game, undelivered(game, name, said), ticked)
    ticked.vacant = {str(side): why for side, why in vacant(game.register).items()}
    if not (flushed.later or context.blocked or clock_behind(game)):
        ticked.idle = idle_state(game, context.config)


def _work(
    context: TickContext, game: Game, resources: Resources, ticked: Ticked, read: dict[Path, str]
) -> None:
    """Receive letters, work on the open window, report press that waits for the moderator.

    read: gains path and digest of each mail that was handled; the caller moves these mails once
    the records are on the disk. Raises what handling a letter raises.
    """
    system = resources.load(game.register.created.system, game.register.pinned.edition)
    for path, letter, raw in inbox_of(
        game.folder, context.letters.get(game.name, {}), resources.readers
    ):
        digest = raw_digest(game, raw)
        try:
            deal(context.home, game, system, context.config, letter, raw, ticked.dealt)
        except (PbemError, OSError, MemoryError):
            raise
        except Exception:
            _keep_unreadable(context, game, path, raw, ticked)
            read[path] = digest
            raise
        read[path] = digest
        ticked.mails += 1
    if game.register.window and not game.register.over:
        _windows(context, game, system, ticked)
    if game.register.mail_state.press:
        _press_waits(context, game, ticked)


def _press_waits(context: TickContext, game: Game, ticked: Ticked) -> None:
    """Tell the moderator, once for each message, that press waits for his decision."""
    numbers = ", ".join(map(str, game.register.mail_state.press))
    _alert(context, game, fill_note("press_waits", game=game.name, numbers=numbers), ticked)


def _keep_unreadable(
    context: TickContext, game: Game, path: Path, raw: bytes, ticked: Ticked
) -> None:
    """Move a mail that triggers a fault of the program aside and tell the moderator.

    If it stayed in the inbox, every tick would fail on it and the game would never go on.
    """
    kept = keep_unread(context.home, f"{game.name}-{path.stem}.eml", raw)
    said = fill_note("stumbled", game=game.name, name=kept.name, path=kept)
    _alert(context, game, said, ticked)


def _windows(context: TickContext, game: Game, system: System, ticked: Ticked) -> None:
    """Handle words about a set, let bots order, then hold, close or lock the window, or remind."""
    handle_header_words(context, game, system, ticked)
    if any(o.bot for o in game.register.officers):
        from pbem.bots.seats import Seats

        Seats().play(game, system)
    back = clock_behind(game)
    if back:
        stands = phrase("stands_still", why=back)
        ticked.talk.append(f"{game.name}: {stands}")
        _alert(context, game, fill_note("behind", game=game.name, why=back), ticked)
        ticked.code = ticked.code or Busy.exit_code
    if back or context.blocked:
        return
    if game.register.resets:
        from pbem.admin.lost_keys import carry_out

        carry_out(game)
    if game.register.held and not resumes(game):
        ticked.held = game.register.mail_state.why or "held"
        return
    if game.register.rerun:
        ticked.held = awaiting_rerun(game)
        _alert(context, game, fill_note("rerun", game=game.name, why=ticked.held), ticked)
        return
    if halt := why_hold(context.config.limits, context.outage, game):
        _hold(context, game, halt, ticked)
    elif due(game):
        _close(context, game, system, ticked)
        if not game.register.over and (halt := why_seek(game)):
            _hold(context, game, halt, ticked)
    elif game.register.locked:
        from pbem.turns.strict_dice import tell_awaited

        ticked.reminded = len(tell_awaited(game))
    else:
        ticked.reminded = remind(game)


def awaiting_rerun(game: Game) -> str:
    """Say that an undo kept the orders and the moderator has to run the window; else empty.

    No tick runs it: the moderator may want to make a ruling first.
    """
    window = game.register.window
    return phrase("taken_back", window=window) if game.register.rerun else ""


def _close(context: TickContext, game: Game, system: System, ticked: Ticked) -> None:
    """Close the window; tell the moderator instead if he has to enter the dice by hand."""
    if game.register.created.dice == "hand":
        _alert(context, game, fill_note("by_hand", game=game.name), ticked)
        return
    if policy(game) == "bot":
        from pbem.bots.bot_orders import substitute

        substitute(game, system)
    from pbem.turns.missed import note

    label = report_of(game, game.register.sides[0], game.register.window).label
    try:
        done = run(game, system)
        ticked.closed = 1 + len(done.before)
    except Busy:
        if not game.register.locked:
            raise
        ticked.locked = 1  # strict dice: the orders are fixed, the sides now reveal their links
        return
    closed = done.before[0] if done.before else done
    for side in closed.missing:
        _alert(context, game, note(game.register, system, side, closed.window, label), ticked)


def _hold(context: TickContext, game: Game, halt: Halt, ticked: Ticked) -> None:
    """Put the game on hold; tell the sides and the moderator."""
    hold(game, halt.public or halt.why, "tick")
    ticked.held = halt.why
    said = fill_note("halted", game=game.name, why=halt.why)
    if halt.public:
        said = said.with_part("seek", game=game.name, side="SIDE")
    _alert(context, game, said, ticked)


def _alert(context: TickContext, game: Game, said: Note, ticked: Ticked) -> None:
    """Write to the moderator, once for each window and subject."""
    about = f"{game.name}: {said.subject}"
    once = f"{game.name} {game.register.window} {said.subject}"
    if tell(context.home, context.config, about, said.text, once=once):
        ticked.talk.append(about)


def remind(game: Game) -> int:
    """Remind each side that still owes orders or answers; return how many.

    Each gets a mail of its own, with the deadline in its time zone.
    """
    register = game.register
    sides = [str(side) for side in reminder_due(register)]
    if not sides:
        return 0
    from pbem.turns.reminders import reminder

    mails: dict[str, bytes] = {}
    for side in sides:
        mails[mail_name(game, side, "note")] = reminder(game, side)
    game.commit(Noted(sides=sides, reminder=register.window, mailed=sides), mails)
    return len(sides)


def handle_header_words(context: TickContext, game: Game, system: System, ticked: Ticked) -> None:
    """Record ABSENT UNTIL, RESIGN and PREFER in the sets in force, once for each set; tell the
    moderator, or for PREFER the side.

    In the order of the sides: the order in which players wrote is not to be told.
    """
    mail_state = game.register.mail_state
    absent: dict[str, str] = {}
    resigned: list[str] = []
    handled: dict[str, int] = {}
    for side in game.register.sides:
        if (accepted := game.register.sets.get(side)) is None:
            continue
        # A cheap look at the text first: parsing every set at every tick would cost too much.
        said = any(word in accepted.canonical for word in ("ABSENT", "RESIGN", "PREFER"))
        if not said or mail_state.handled_sets.get(side) == accepted.n:
            continue
        words = order_set(game, system, Side(side), accepted).words
        handled[side] = accepted.n
        if "ABSENT" in words:
            absent[side] = words["ABSENT"]
        if "RESIGN" in words:
            resigned.append(side)
        if "PREFER" in words:
            from pbem.inbound.wishes import prefer

            prefer(game, context.config, side, accepted.officer, words["PREFER"])
    if handled:
        game.commit(Noted(sides=[], absent=absent, heeded=handled))
    for away, day in absent.items():
        _alert(context, game, fill_note("absent", side=away, day=day), ticked)
    for gone in resigned:
        _resigned(context, game, gone, ticked)


def _resigned(context: TickContext, game: Game, side: str, ticked: Ticked) -> None:
    """Put the game on hold, tell all sides that one resigned, and ask the moderator to act."""
    said = fill_note("left", game=game.name, side=side)
    if not game.register.held:
        announce(game, Held(reason=said.subject, by="tick"), fill_note("resigned", side=side))
    _alert(context, game, said.with_part("seek", game=game.name, side=side), ticked)


def check_clock(home: Path, config: Config, failed: str, dry: bool = False) -> tuple[str, str]:
    """Return why no window may close now (else empty), and until when ticks or mail had failed.

    Stores in `.pbem/tick.json` the wall clock and the time since boot. If the two advanced by
    different amounts since the last tick, somebody set the clock; then the file is left as it is,
    so that the next tick notices it too. failed: why mail could not be fetched, else empty. dry:
    write nothing.
    """
    path = home / FOLDER / STATE
    try:
        before = json.loads(path.read_bytes())
        last, outage = parse(before["at"]), str(before["outage"])
    except (OSError, ValueError, KeyError, TypeError, PbemError):
        before, last, outage = {}, now(), ""
    jump = _clock_jump(before)
    if failed or now() - last > timedelta(hours=config.limits.outage):
        outage = stamp(now())
    state = {"at": stamp(now()), "outage": outage, **_boot_clock()}
    if not jump and not dry:
        place(home)
        write_private(path, json.dumps(state).encode())
    return (phrase("not_fetched", why=failed) if failed else jump), outage


def _boot_clock() -> dict[str, object]:
    """Return the id of this boot and the seconds since; empty under PBEM_NOW, or if unknown."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        import time

        return {} if is_set() else {"boot": boot, "up": time.clock_gettime(time.CLOCK_BOOTTIME)}
    except (OSError, AttributeError):
        return {}


def _clock_jump(before: dict[str, object]) -> str:
    """Say that the clock was set since the last tick of this boot; empty if it was not."""
    running = _boot_clock()
    if not running or running.get("boot") != before.get("boot"):
        return ""
    passed = now() - parse(str(before["at"]))
    ran = timedelta(seconds=float(str(running["up"])) - float(str(before["up"])))
    if abs(passed - ran) <= 2 * SLACK:
        return ""
    return phrase("clock_set", span=span_of(abs(passed - ran)), file=f"{FOLDER}/{STATE}")
