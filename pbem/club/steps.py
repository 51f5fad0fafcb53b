"""What a tick does for the club: before the games it reads the club's mail, after them it fills
seats, opens games, asks standby players, pairs rounds and writes the site.

A fault here is said to the moderator and stops no game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

from pbem.base.clock import now, parse, stamp
from pbem.base.config import Config
from pbem.club import mails, site
from pbem.club.absent import chase, moments
from pbem.club.facts import Facts, Seats
from pbem.club.follow import follow
from pbem.club.offers import Load, ask_again, fill, work
from pbem.club.quiet import ClubDone, leave
from pbem.club.signup import SignUp, forget
from pbem.club.standby import seek
from pbem.club.state import Club, locked
from pbem.club.tournaments import advance
from pbem.errors import PbemError
from pbem.inbound.club_words import wish_of
from pbem.inbound.fetch import club_inbox
from pbem.inbound.letter import Letter
from pbem.inbound.pool import Readers
from pbem.inbound.spool import keep_unread, place, tell
from pbem.outbound.transports.interface import Transport
from pbem.rulecode import described


def guarded(done: ClubDone, step: Callable[[], None]) -> None:
    """Do a step of the club's work; an error is noted in `done` and stops nothing else."""
    try:
        step()
    except PbemError as error:
        done.failed = f"club: {error.message}"
    except OSError as error:
        done.failed = f"club: {error.strerror or error}: {error.filename or ''}"
    except Exception as error:
        if os.environ.get("PBEM_DEBUG"):
            raise
        done.failed = f"club: {described(error)}"


def before(
    home: Path, config: Config, letters: Mapping[str, Letter], load: Load, done: ClubDone
) -> None:
    """Read the club's mail, and send the joining letters that it asks for.

    letters: those that were parsed when they were fetched just now, by file name. Raises PbemError,
    OSError.
    """
    waiting = sorted(club_inbox(home).glob("*.eml"))
    with locked(home, config) as club:
        if not (waiting or club.state.todo or club.state.outbox):
            return
        count = club.state.mails
        follow(club, {}, done.talk)
        read, aside = _read(club, waiting, letters, load, done)
        forget(club)
        club.commit()
        for path in read:
            path.unlink(missing_ok=True)
        _set_aside(club, aside, done)
        _work(club, load, done)
        done.answered += club.state.mails - count


def _read(
    club: Club, waiting: Sequence[Path], letters: Mapping[str, Letter], load: Load, done: ClubDone
) -> tuple[list[Path], list[Path]]:
    """Handle the mails that wait; return those that are done with, and those of strangers beyond
    the daily limit. A mail that cannot be handled now stays where it is; one that triggers a fault
    of the program does not, as every tick would fail on it."""
    sign_up = SignUp(club, load)
    read: list[Path] = []
    aside: list[Path] = []
    with Readers() as readers:
        for path in waiting:
            raw = path.read_bytes()
            letter = letters.get(path.name) or readers.read([(path.name, raw)])[0]
            wish = wish_of(letter)
            if wish is None or letter.machine not in ("", "Subject"):
                read.append(path)  # programs get no answer (RFC 3834)
                continue
            try:
                taken = sign_up.take(letter.sender, wish, sha256(raw).hexdigest()[:32])
            except PbemError as error:
                done.talk.append(f"club: {error.message}")
                continue
            except (OSError, MemoryError):
                raise
            except Exception as error:
                if os.environ.get("PBEM_DEBUG"):
                    raise
                _stumbled(club, path.name, raw, described(error), done)
                taken = True
            (read if taken else aside).append(path)
    return read, aside


def _stumbled(club: Club, name: str, raw: bytes, fault: str, done: ClubDone) -> None:
    """Keep a mail that triggers a fault of the program, and tell the moderator."""
    kept = keep_unread(club.home, f"club-{name}", raw)
    said = mails.note("stumbled", path=kept, fault=fault)
    if tell(club.home, club.config, f"club: {said.subject}", said.text):
        done.talk.append(f"club: {said.subject}")


def _set_aside(club: Club, paths: Sequence[Path], done: ClubDone) -> None:
    """Keep mails of strangers beyond the daily limit, unanswered; tell the moderator once a day."""
    if not paths:
        return
    unread = place(club.home, "unread")
    for path in paths:
        with suppress(FileNotFoundError):
            path.replace(unread / path.name)
    done.unanswered += len(paths)
    said = mails.note("flood", most=club.settings.strangers, path=unread)
    once = f"club flood {club.state.day}"
    if tell(club.home, club.config, f"club: {said.subject}", said.text, once=once):
        done.talk.append(f"club: {said.subject}")


def _work(club: Club, load: Load, done: ClubDone) -> None:
    """Do what is left to do in games, and open those that are full."""
    for game, wrong in work(club, load):
        if wrong:
            done.talk.append(f"club: {game}: {wrong}")
        elif game not in done.opened:
            done.opened.append(game)
    for name in fill(club, load, done.talk):
        if name not in done.opened:
            done.opened.append(name)
    mails.spread(club)


def after(
    home: Path,
    config: Config,
    found: Mapping[str, Mapping[str, str]],
    seats: Mapping[str, Seats],
    load: Load,
    done: ClubDone,
) -> None:
    """Fill seats and open games after the games have received their mail.

    found: the games that the tick looked at, each with its vacant seats and the reasons. seats: who
    sits in them. Raises PbemError, OSError.
    """
    with locked(home, config) as club:
        count = club.state.mails
        follow(club, seats, done.talk)
        seek(club, load, found, done.talk)
        ask_again(club)
        chase(club, done.talk)
        advance(club, load, site.results_of(club), done.talk)
        club.commit()
        _work(club, load, done)
        if done.opened:
            follow(club, {}, done.talk)  # a command may change them before the next tick
        club.commit()
        mails.spread(club)
        done.answered += club.state.mails - count


def publish(
    home: Path,
    config: Config,
    found: Mapping[str, Facts],
    load: Load,
    done: ClubDone,
) -> None:
    """Write what has changed on the site. found: the facts of the games that the tick looked at.
    Raises PbemError, OSError."""
    if config.club and config.club.site:
        with locked(home, config) as club:
            done.pages = site.update(club, found, load, done.talk)


def rest(home: Path, config: Config, names: Sequence[str], done: ClubDone) -> None:
    """Leave the mark of a tick that found nothing to do, if this was one. names: the games."""
    busy = done.answered or done.unanswered or done.pages or done.opened or done.talk or done.failed
    if busy:
        return
    with locked(home, config) as club:
        if not (club.state.todo or club.state.outbox):
            leave(home, names, _until(club))


def _until(club: Club) -> str:
    """Return the next moment at which time alone makes something due; empty for never."""
    state, patience = club.state, timedelta(hours=club.settings.seek)
    times = [o.bots_at for o in state.offers.values() if o.bots_at and not o.opened]
    times += moments(club)
    for seats in state.vacancies.values():
        for one in seats.values():
            times += [stamp(parse(at) + patience) for at in one.asked.values()]
    return min((moment for moment in times if moment > stamp(now())), default="")


def send(home: Path, config: Config, transport: Transport, done: ClubDone) -> None:
    """Send the club's mails. Raises PbemError, OSError."""
    if not config.sends or not (home / ".pbem" / "club" / "outbox").is_dir():
        return
    with locked(home, config):
        if waits := mails.send(home, config, transport):
            done.talk.append(f"club: mail waits to be sent: {waits}")
