"""A key that is lost without a recovery key: announced, and replaced when nobody has objected.

The player tells the moderator, who believes him or not. All sides are told two days before the new
key signs. Orders signed with the old one in that time prove that it is not lost, and end it.
"""

from __future__ import annotations

from pbem.admin.setup import Newcomer, require_new_key, require_side
from pbem.base.clock import now, parse, stamp
from pbem.errors import Busy, Usage
from pbem.outbound.announcements import announce
from pbem.reports.key_notices import DELAY, changed, print_of
from pbem.store.game_dir import Game
from pbem.store.holders import Reset
from pbem.text.layout import date
from pbem.text.messages import worded


def lose(game: Game, side: str, newcomer: Newcomer, officer: int = 0) -> str:
    """Announce that a key of `side` is lost and which takes its place; from when.

    officer: whose, where the side has several. Raises Usage, NotFound, Busy before the game.
    """
    require_side(game, side)
    if not game.register.window:
        raise Busy(f"{game.name} is not open yet", f"`pbem replace {game.name}` serves until then")
    require_new_key(game, newcomer)
    mine = [o.number for o in game.register.officers if o.side == side]
    if officer not in mine and (officer or len(mine) > 1):
        raise Usage(f"which officer of {side}: {mine}?", "name one with --officer")
    due = stamp(now() + DELAY)
    reset = {
        "side": side, "ends": [officer or mine[0]], "key": " ".join(newcomer.key.split()[:2]),
        "anchor": newcomer.anchor, "due": due, **({"age": newcomer.age} if newcomer.age else {}),
    }  # fmt: skip
    said = worded("lost", side=side, due=date(due), key=print_of(newcomer.key))
    sides = [str(s) for s in game.register.sides]
    announce(game, "noted", {"sides": sides, "reset": reset}, said)
    return due


def carry_out(game: Game, side: str = "") -> list[str]:
    """Put new keys in the place of lost ones where the time is over; their sides.

    side: this one alone. A window that is locked keeps its keys until it has closed. Raises Busy
    when `side` has none that is due.
    """
    register = game.register
    waiting = [r for r in register.resets if side in ("", r.side) and not register.over]
    due = [r for r in waiting if parse(r.due) <= now() and not register.locked]
    for reset in due:
        _replace(game, reset)
    if side and not due:
        when = f"; it is due {date(waiting[0].due)}" if waiting else ""
        raise Busy(f"no lost key of {side} can be replaced now{when}")
    return [str(r.side) for r in due]


def _replace(game: Game, reset: Reset) -> None:
    body = {
        "side": reset.side, "number": game.register.next_number(reset.side), "why": "reset",
        "key": reset.key, "anchor": reset.anchor, "ends": reset.ends, "notice": reset.n,
        **({"age": reset.age} if reset.age else {}),
    }  # fmt: skip
    said = changed(game.register, reset.side, "reset", reset.key)
    announce(game, "replaced", body, said)
