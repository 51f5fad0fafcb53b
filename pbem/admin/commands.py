"""What a moderator does to a running game besides its windows: time, pauses, players.

Each is a ledger record, and every side is told the same by mail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from pbem.base.clock import now, parse, stamp
from pbem.errors import Busy, Usage
from pbem.outbound.announcements import announce
from pbem.outbound.forward import handed_over
from pbem.outbound.notices import mail_name, mail_to, notices
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Extended, Held, Noted, Replaced, Resumed, Scheduled
from pbem.text.layout import date
from pbem.text.messages import Note, worded
from pbem.turns.schedule import Rule, ahead, deadline_for, overdue, rule_of, show_rule

if TYPE_CHECKING:
    from pbem.admin.setup import Newcomer


def schedule(game: Game, rule: Rule | None) -> str:
    """Put the game on a schedule, or off it; the deadline of the open window, empty without.

    An open window without a deadline gets one; one that has a deadline keeps it.
    """
    text = show_rule(rule) if rule else ""
    register = game.register
    before, register.affairs.schedule = register.affairs.schedule, text
    running = register.window and not register.over
    deadline = register.deadline or (deadline_for(register, register.pace) if running else "")
    register.affairs.schedule = before
    said = worded("scheduled", rule=text or "none; windows close when all orders are in")
    if deadline:
        said = said.with_part("open_closes", deadline=date(deadline))
    body = Scheduled(rule=text, deadline=deadline)
    if register.window:
        announce(game, body, said)
    else:
        game.commit(body)
    return deadline


def extend(game: Game, deadline: str, reason: str) -> None:
    """Move the open window's deadline. Raises Busy, Usage for a time that has passed."""
    require_running(game)
    moment = parse(deadline, "deadline")
    if moment <= now():
        raise Usage(f"{deadline} has passed", "give a time to come")
    said = worded("extended", window=game.register.window, deadline=date(stamp(moment)))
    body = Extended(deadline=stamp(moment), reason=reason)
    announce(game, body, because(said, reason))


def hold(game: Game, reason: str, by: str = "moderator") -> None:
    """Stop the clock: nothing runs until `resume`. Orders are still taken. Raises Busy."""
    require_running(game)
    if game.register.held:
        raise Busy(
            f"{game.name} is held already: {game.register.affairs.why}",
            f"`pbem resume {game.name}` lets it go on",
        )
    announce(game, Held(reason=reason, by=by), because(worded("held"), reason))


def resume(game: Game, deadline: str = "") -> str:
    """Let a game go on that is held, or whose last record a wrong clock dated; its deadline. One
    that passed meanwhile is set anew by the schedule, a day from now without one. Raises Busy,
    Usage."""
    register = game.register
    if not (register.held or (register.window and not register.over and ahead(register))):
        raise Busy(f"{game.name} is not held", f"see `pbem status {game.name}`")
    if deadline and parse(deadline, "deadline") <= now():
        raise Usage(f"{deadline} has passed", "give a time to come")
    chosen = stamp(parse(deadline)) if deadline else register.deadline
    if not deadline and (overdue(register) or (chosen and parse(chosen) <= now())):
        chosen = deadline_for(register, register.pace) or _tomorrow()
    said = worded("resumed")
    if chosen:
        said = said.with_part("closes", window=register.window, deadline=date(chosen))
    announce(game, Resumed(deadline=chosen), said)
    return chosen


def replace(game: Game, side: str, newcomer: Newcomer, officer: int = 0) -> int:
    """Another player takes over a side, or one officer's seat: former keys sign no more. Returns
    the new officer's number.

    All sides are told that a key changed, those who lost theirs too; nobody is told who plays. The
    new player gets the open window's report. A set in force stays until he sends his own. officer:
    0 for all of the side. Raises Usage, NotFound.
    """
    from pbem.admin.setup import require_new_key, require_side, seat_of
    from pbem.reports.key_notices import changed, print_of

    require_side(game, side)
    require_new_key(game, newcomer)
    ends, kept = _ending(game, side, officer)
    said = changed(game.register, side, "replacement", newcomer.key)
    sides = [str(one) for one in game.register.sides]
    mails = notices(game, sides, said, "note") if game.register.window else {}
    secrets.set_address(game, side, newcomer.email, newcomer.name, newcomer.tz, kept)
    body = Replaced(**seat_of(game, side, newcomer), why="replacement", ends=ends)
    if mails:  # the notice went to whoever held the side; this is for the one who does now
        after = game.register.officers_after(body)
        to = [newcomer.email] if newcomer.email else ()
        yours = worded("takeover", side=side, game=game.name, key=print_of(newcomer.key))
        yours = yours.with_part("status_held") if game.register.held else yours
        own = mail_to(game, side, yours, to, after=1, officers=after)
        mails[mail_name(game, side, "note", after=1)] = own
        mails |= handed_over(game, side, officers=after, after=2, to=to)
    sides += [side] * (len(mails) - len(sides))
    game.commit(structs.replace(body, mailed=sides if mails else []), mails)
    return body.number


def readdress(game: Game, side: str, email: str, tz: str = "", officer: int = 0) -> int:
    """The same player, another address: his mail goes there from now on, and he gets the open
    window's report there. No other side is told. officer: which of several. Returns his number.
    Raises Usage, NotFound."""
    from pbem.admin.setup import require_side

    require_side(game, side)
    number, place = _seat(game, side, officer)
    before = secrets.addresses(game)[side][place]
    secrets.move_address(game, side, place, email, tz or before["tz"])
    said = worded("address", game=game.name, side=side)
    mails = {mail_name(game, side, "note"): mail_to(game, side, said, [email])}
    mails |= handed_over(game, side, after=1, to=[email])
    body = Noted(
        sides=[side],
        address=number,
        email=secrets.salted(game, email),
        mailed=[side] * len(mails),
    )
    game.commit(body, mails)
    return number


def _seat(game: Game, side: str, officer: int) -> tuple[int, int]:
    """The number of the officer meant, and his place among those of his side."""
    mine = [o.number for o in game.register.officers if o.side == side]
    if not mine:
        raise Usage(f"nobody is enlisted for {side}", f"see `pbem enlist {game.name} {side}`")
    if officer not in mine and (officer or len(mine) > 1):
        which = f"has no officer {officer}" if officer else "has several officers"
        raise Usage(f"{side} {which}", f"name one with --officer: {', '.join(map(str, mine))}")
    number = officer or mine[0]
    return number, mine.index(number)


def _ending(game: Game, side: str, officer: int) -> tuple[list[int], list[int]]:
    """The numbers of the officers whose keys end, and the places of those that stay."""
    mine = [o.number for o in game.register.officers if o.side == side]
    ends = [officer] if officer else mine
    if officer and officer not in mine:
        raise Usage(f"{side} has no officer {officer}", f"its officers: {mine}")
    return ends, [i for i, number in enumerate(mine) if number not in ends]


def renew_age(game: Game) -> str:
    """Another age key takes the place of the one that orders were encrypted to; its recipient. The
    old one still opens what was encrypted to it, if it is there. Raises Busy."""
    register = game.register
    if not register.encrypted:
        raise Busy(
            f"the mail of {game.name} is not encrypted", "only encrypted games have such a key"
        )
    public = secrets.make_age_key(game)
    announce(game, Noted(sides=list(register.sides), age=public), worded("age", key=public))
    return public


def because(said: Note, reason: str) -> Note:
    """With the moderator's reason, if he gave one."""
    return said.with_part("reason", reason=reason) if reason else said


def _tomorrow() -> str:
    from datetime import timedelta

    return stamp(now() + timedelta(days=1))


def require_running(game: Game) -> None:
    """Raise Busy unless the game is open and goes on."""
    register = game.register
    if not register.window:
        raise Busy(f"{game.name} is not open yet", f"see `pbem open {game.name}`")
    if register.over:
        raise Busy(f"{game.name} is over", f"result: {register.over.result}")


def policy(game: Game) -> str:
    """What happens at a deadline to a side without orders."""
    rule = rule_of(game.register)
    return rule.nmr if rule else "standing"
