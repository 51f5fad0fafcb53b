"""Replace a key that was lost without a recovery key: announce it, then wait, then replace it.

The player tells the moderator, who decides whether to believe him. All sides are told two days
before the new key becomes valid. Orders signed with the old key in that time prove that it is not
lost, and cancel the replacement.
"""

from __future__ import annotations

from pbem.admin.seats import require_seat
from pbem.admin.setup import Newcomer, require_new_key
from pbem.base.clock import now, parse, stamp
from pbem.errors import Busy, Usage
from pbem.model import Side
from pbem.outbound.announcements import announce
from pbem.reports.key_notices import DELAY, changed, print_of
from pbem.roles import role_of
from pbem.store.game_dir import Game
from pbem.store.records import Loss, Noted, Replaced
from pbem.store.seats import mailed_seats
from pbem.text.layout import date, marked
from pbem.text.messages import fill_note


def lose(game: Game, side: str, newcomer: Newcomer, officer: int = 0) -> str:
    """Announce a lost key of `side` and the new one; return the ISO time from which it is valid.

    officer: whose key, if the side has several. Raises Usage, NotFound; Busy before the game opens.
    """
    require_seat(game, side)
    if not game.register.window:
        raise Busy(f"{game.name} is not open yet", f"`pbem replace {game.name}` serves until then")
    require_new_key(game, newcomer)
    mine = [o.number for o in game.register.officers if o.side == side]
    if officer not in mine and (officer or len(mine) != 1):
        raise Usage(f"which officer of {side}: {mine}?", "name one with --officer")
    due = stamp(now() + DELAY)
    reset = Loss(
        side=Side(side),
        ends=[officer or mine[0]],
        key=" ".join(newcomer.key.split()[:2]),
        anchor="" if role_of(side) else newcomer.anchor,
        due=due,
        age=newcomer.age,
    )
    said = fill_note("lost", side=side, due=marked(due), key=print_of(newcomer.key))
    sides = [str(s) for s in mailed_seats(game.register)]
    announce(game, Noted(sides=sides, reset=reset), said)
    return due


def carry_out(game: Game, side: str = "") -> list[str]:
    """Replace the lost keys whose waiting time is over; return their sides.

    side: only this one; Busy is raised if it has no replacement that is due. While a window is
    locked nothing is replaced: its dice depend on the keys of the lock.
    """
    register = game.register
    mine = {n: r for n, r in register.resets.items() if side in ("", r.side)}
    waiting = {} if register.over else mine
    due = {n: r for n, r in waiting.items() if parse(r.due) <= now() and not register.locked}
    for number, reset in due.items():
        _replace(game, number, reset)
    if side and not due:
        when = "".join(f"; it is due {date(r.due)}" for r in list(waiting.values())[:1])
        raise Busy(f"no lost key of {side} can be replaced now{when}")
    return [str(reset.side) for reset in due.values()]


def _replace(game: Game, notice: int, reset: Loss) -> None:
    """Record the new key and tell all sides. notice: the record that announced the loss."""
    body = Replaced(
        side=reset.side,
        number=game.register.next_number(reset.side),
        key=reset.key,
        anchor=reset.anchor,
        ends=reset.ends,
        why="reset",
        age=reset.age,
        notice=notice,
    )
    announce(game, body, changed(game.register, reset.side, "reset", reset.key))
