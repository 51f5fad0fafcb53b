"""A moderator's decisions about a running game: schedule, deadlines, holds, players, addresses.

Each one is a ledger record. Unless it concerns one player alone, every side gets the same note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from pbem.admin.invitation import in_words
from pbem.base.clock import now, parse, stamp
from pbem.errors import Busy, Usage
from pbem.outbound.announcements import announce
from pbem.outbound.forward import handed_over
from pbem.outbound.notices import mail_name, mail_to, notices
from pbem.roles import role_of
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Extended, Held, Noted, Replaced, Resumed, Scheduled
from pbem.store.seats import mailed_seats
from pbem.text.layout import marked
from pbem.text.messages import Note, fill_note, phrase
from pbem.turns.schedule import Rule, ahead, deadline_for, overdue, rule_of, show_rule

if TYPE_CHECKING:
    from pbem.admin.setup import Newcomer


def schedule(game: Game, rule: Rule | None) -> str:
    """Set the game's schedule, or remove it with None; return the open window's deadline.

    An open window without a deadline gets one, but an existing deadline stays. The deadline is an
    ISO time, empty if there is none.
    """
    text = show_rule(rule) if rule else ""
    register = game.register
    before, register.mail_state.schedule = register.mail_state.schedule, text
    running = register.window and not register.over
    deadline = register.deadline or (
        deadline_for(register, register.pace, register.owed) if running else ""
    )
    register.mail_state.schedule = before
    asked = register.created.options.get("play") == "asked"
    words = in_words(rule, asked=asked).partition(": ")[2] if rule else phrase("no_schedule")
    said = fill_note("scheduled", rule=words)
    if deadline:
        said = said.with_part("open_closes", deadline=marked(deadline))
    body = Scheduled(rule=text, deadline=deadline)
    if register.window:
        announce(game, body, said)
    else:
        game.commit(body)
    return deadline


def extend(game: Game, deadline: str, reason: str) -> None:
    """Move the open window's deadline to an ISO time. Raises Busy; Usage for a time in the past."""
    require_running(game)
    moment = parse(deadline, "deadline")
    if moment <= now():
        raise Usage(f"{deadline} has passed", "give a time in the future")
    said = fill_note("extended", window=game.register.window, deadline=marked(stamp(moment)))
    body = Extended(deadline=stamp(moment), reason=reason)
    announce(game, body, with_reason(said, reason))


def hold(game: Game, reason: str, by: str = "moderator") -> None:
    """Put the game on hold: no window closes until `resume`, but orders are still accepted.

    by: who decides, `moderator` or `tick`. Raises Busy.
    """
    require_running(game)
    if game.register.held:
        why = game.register.mail_state.why
        raise Busy(
            f"{game.name} is already on hold" + (f": {why}" if why else ""),
            f"`pbem resume {game.name}` takes it off hold",
        )
    announce(game, Held(reason=reason, by=by), with_reason(fill_note("held"), reason))


def resume(game: Game, deadline: str = "") -> str:
    """Take a game off hold; return the open window's deadline.

    This also continues a game whose last record has a time in the future, from a wrong clock. A
    deadline that passed meanwhile is replaced: by the schedule, or without one by a day from now.
    Raises Busy, Usage.
    """
    register = game.register
    if not (register.held or (register.window and not register.over and ahead(register))):
        raise Busy(f"{game.name} is not on hold", f"see `pbem status {game.name}`")
    if deadline and parse(deadline, "deadline") <= now():
        raise Usage(f"{deadline} has passed", "give a time in the future")
    chosen = stamp(parse(deadline)) if deadline else register.deadline
    if not deadline and (overdue(register) or (chosen and parse(chosen) <= now())):
        chosen = deadline_for(register, register.pace, register.owed) or _tomorrow()
    said = fill_note("resumed")
    if chosen:
        said = said.with_part("closes", window=register.window, deadline=marked(chosen))
    announce(game, Resumed(deadline=chosen), said)
    return chosen


def replace(game: Game, side: str, newcomer: Newcomer, officer: int = 0) -> int:
    """Give a side, or one officer's place, to another player; return the new officer's number.

    The former keys end. All sides, including the former players, are told that a key changed, but
    not who plays; the side itself also which keys end, and that they count no more. The new player
    gets the open window's report and its present deadline. The set in force stays until he sends
    another. officer: the one to replace, 0 for all of the side. Raises Usage, NotFound.
    """
    from pbem.admin.seats import require_seat
    from pbem.admin.setup import require_new_key, seat_of
    from pbem.reports.key_notices import changed, print_of

    require_seat(game, side)
    require_new_key(game, newcomer)
    ends, kept = _ending_keys(game, side, officer)
    said = changed(game.register, side, "replacement", newcomer.key)
    sides = [str(one) for one in mailed_seats(game.register)]
    mails = notices(game, sides, said, "note") if game.register.window else {}
    if mails and ends:
        ending = [one for one in game.register.officers if one.side == side and one.number in ends]
        prints = "\n".join(f"  {print_of(one.key)}" for one in ending)
        left = said.with_part("former", side=side, keys=prints)
        mails |= notices(game, [side], left, "note")
    secrets.set_address(game, side, newcomer.email, newcomer.name, newcomer.tz, kept)
    body = Replaced(**seat_of(game, side, newcomer), why="replacement", ends=ends)
    if mails:  # the notice above is for the former players; these mails are for the new one
        after = game.register.officers_after(body)
        to = [newcomer.email] if newcomer.email else ()
        yours = fill_note("takeover", side=side, game=game.name, key=print_of(newcomer.key))
        yours = _with_deadline(game, yours)
        own = mail_to(game, side, yours, to, after=1, officers=after)
        mails[mail_name(game, side, "note", after=1)] = own
        mails |= handed_over(game, side, officers=after, after=2, to=to)
    sides += [side] * (len(mails) - len(sides))
    game.commit(structs.replace(body, mailed=sides if mails else []), mails)
    return body.number


def readdress(game: Game, side: str, email: str, tz: str = "", officer: int = 0) -> int:
    """Change the mail address of a player; return his number.

    He gets the open window's report at the new address, and a notice at the old one, in case that
    somebody else asked for the change. No other side is told. officer: which of several; 0 if the
    side has only one. Raises Usage, NotFound.
    """
    from pbem.admin.seats import require_seat

    require_seat(game, side)
    number, place = _seat(game, side, officer)
    before = secrets.addresses(game)[side][place]
    mails: dict[str, bytes] = {}
    if before["email"] and before["email"] != email:
        gone = fill_note("moved", game=game.name, side=side)
        mails[mail_name(game, side, "note")] = mail_to(game, side, gone, [before["email"]])
    secrets.move_address(game, side, place, email, tz or before["tz"])
    said = _with_deadline(game, fill_note("address", game=game.name, side=side))
    after = len(mails)
    own = mail_to(game, side, said, [email], after=after)
    mails[mail_name(game, side, "note", after)] = own
    mails |= handed_over(game, side, after=after + 1, to=[email])
    body = Noted(
        sides=[side],
        address=number,
        email=secrets.salted(game, email),
        mailed=[side] * len(mails),
    )
    game.commit(body, mails)
    return number


def _with_deadline(game: Game, said: Note) -> Note:
    """Return the note with the present deadline, which may have moved since the report said it."""
    if game.register.held:
        return said.with_part("status_held")
    deadline = game.register.deadline if not game.register.over else ""
    return said.with_part("open_closes", deadline=marked(deadline)) if deadline else said


def _seat(game: Game, side: str, officer: int) -> tuple[int, int]:
    """Return the number of the officer, and his index among those of his side. Raises Usage."""
    mine = [o.number for o in game.register.officers if o.side == side]
    if not mine:
        raise Usage(f"nobody is enlisted for {side}", f"see `pbem enlist {game.name} {side}`")
    if officer not in mine and (officer or len(mine) > 1):
        which = f"has no officer {officer}" if officer else "has several officers"
        raise Usage(f"{side} {which}", f"name one with --officer: {', '.join(map(str, mine))}")
    number = officer or mine[0]
    return number, mine.index(number)


def _ending_keys(game: Game, side: str, officer: int) -> tuple[list[int], list[int]]:
    """Return the numbers of officers whose keys end, and the indexes of those who stay."""
    mine = [o.number for o in game.register.officers if o.side == side]
    ends = [officer] if officer else mine
    if not mine and role_of(side):
        raise Usage(f"nobody is enlisted for {side}", f"see `pbem enlist {game.name} --help`")
    if officer and officer not in mine:
        raise Usage(f"{side} has no officer {officer}", f"its officers: {mine}")
    return ends, [i for i, number in enumerate(mine) if number not in ends]


def renew_age(game: Game) -> str:
    """Replace the referee's age key, to which orders are encrypted; return the new recipient.

    The old key, if it still exists, still decrypts what was encrypted to it. Raises Busy.
    """
    register = game.register
    if not register.encrypted:
        raise Busy(
            f"the mail of {game.name} is not encrypted", "only encrypted games have such a key"
        )
    public = secrets.make_age_key(game)
    announce(
        game, Noted(sides=list(mailed_seats(register)), age=public), fill_note("age", key=public)
    )
    return public


def with_reason(said: Note, reason: str) -> Note:
    """Return the note with the moderator's reason appended, if he gave one."""
    return said.with_part("reason", reason=reason) if reason else said


def _tomorrow() -> str:
    from datetime import timedelta

    return stamp(now() + timedelta(days=1))


def require_running(game: Game) -> None:
    """Raise Busy unless the game is open and not over."""
    register = game.register
    if not register.window:
        raise Busy(f"{game.name} is not open yet", f"see `pbem open {game.name}`")
    if register.over:
        raise Busy(f"{game.name} is over", f"result: {register.over.result}")


def policy(game: Game) -> str:
    """Return what a deadline does to sides without orders: the schedule's `nmr`."""
    rule = rule_of(game.register)
    return rule.nmr if rule else "standing"
