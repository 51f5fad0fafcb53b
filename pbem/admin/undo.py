"""Undo: take a closed window back and keep its orders, or reopen it under a new number."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.base.clock import now, stamp
from pbem.engine.drive import Drive, asks, encode_position, pace_of
from pbem.errors import Busy
from pbem.model import Side, System, Window
from pbem.outbound.notices import notices
from pbem.store.bundle import Files
from pbem.store.game_dir import Game
from pbem.store.holders import accepted
from pbem.store.records import Accepted, Closed, Opening, Received, Undone
from pbem.store.seats import mailed_seats
from pbem.text.messages import fill_note
from pbem.turns.close_window import position_of, report_of, require_pinned
from pbem.turns.open_window import NewWindow, fields, issue
from pbem.turns.run_on import unsent


def undo(game: Game, system: System, reopen: bool, deadline: str = "") -> Undone:
    """Take back the last closed window and tell every side the same; return the record.

    Without `reopen` the orders are kept: the moderator's next `run` resolves the same sets with the
    same dice, after a ruling if one is needed. With `reopen` a new window number opens for new
    orders; this also works for a window that was already taken back with its orders kept. Undone
    records stay in the ledger, and every later report counts them. deadline: ISO time for the
    reopened window, by default from the schedule. Raises Busy if no window has closed yet.
    """
    register = game.register
    again = _again(game, reopen)
    window = window_to_undo(game, reopen)
    drive = _drive_behind(game, system, window, reopen)
    position, name = encode_position(drive)
    body = Undone(
        windows=[] if again else [window],
        reopen=reopen,
        opens=drive.opens,
        deadline=deadline or (_deadline(game, drive) if reopen else ""),
        **asks(drive),
        sets={} if reopen else _kept(game, register.closed[-1]),
        published=_withdraw_page(game),
        position=name,
    )
    files = {f"state/{name}.json": position}
    return _reopened(game, drive, body, files) if reopen else _taken_back(game, body, files)


def window_to_undo(game: Game, reopen: bool) -> int:
    """Return the window that `undo` would take back. Raises Busy if none has closed yet."""
    register = game.register
    if _again(game, reopen):
        return register.window
    if not register.closed:
        raise Busy(f"{game.name} has no closed window to undo", f"see `pbem status {game.name}`")
    return register.closed[-1].window


def _again(game: Game, reopen: bool) -> bool:
    """Whether the window was already taken back with its orders kept, and is now reopened."""
    return game.register.rerun and reopen


def _drive_behind(game: Game, system: System, window: int, reopen: bool) -> Drive:
    """Return the game as it was when `window` opened, with a new number if it is reopened.

    A new number means new dice: with the old ones sides could order in knowledge of the rolls.
    """
    register = game.register
    require_pinned(game, system)
    if any(r.permit and r.opens > window for r in register.rulings):
        raise Busy(
            f"window {window} of {game.name} was closed by another edition",
            "an undo cannot go back beyond the ruling that permitted this edition",
        )
    position = position_of(game, _position_at(game, window))
    if reopen:
        position = replace(position, window=Window(register.used + 1))
    return Drive.resume(system, register.sides, register.options, position)


def _deadline(game: Game, drive: Drive) -> str:
    if not game.register.mail_state.schedule:
        return ""
    from pbem.turns.schedule import deadline_for

    return deadline_for(game.register, pace_of(drive.pause), drive.pause.owed)


def _taken_back(game: Game, body: Undone, files: Files) -> Undone:
    """Record an undo that keeps the orders, and mail all sides the same notice."""
    said = fill_note("undone", game=game.name, window=body.windows[0])
    said = said.with_part("published") if body.published else said
    sides = mailed_seats(game.register)
    mails = notices(game, sides, said, "undo")
    body = replace(body, mailed=list(sides))
    game.commit(body, {**mails, **files})
    return body


def _reopened(game: Game, drive: Drive, body: Undone, files: Files) -> Undone:
    """Record an undo that asks for new orders, and mail every side its report, which already
    counts this undo."""
    register, at = game.register, stamp(now())
    before = unsent(register, body.windows)
    with register.stepped_back(body):
        new = NewWindow(drive, None, at, body.deadline)
        issued = issue(game, new, body.position, before)
    game.commit(replace(body, **fields(issued)), {**issued.files, **files}, at)
    return body


def learnt(game: Game) -> dict[str, list[str]]:
    """Return what each side learnt from the report that an undo would make void, line by line.

    An undo cannot make players forget: the moderator sees this before he confirms.
    """
    register = game.register
    if not register.closed or register.rerun:
        return {}
    found = {}
    for side in register.sides:
        report = report_of(game, side, register.closed[-1].opens)
        places = [f"{c.id}: {c.type} {c.place}" for c in report.contacts]
        found[str(side)] = [*(e.text for e in report.events), *places]
    return found


def _withdraw_page(game: Game) -> bool:
    """Move a published replay and its bundle to `private`; tell whether there was one."""
    gone = False
    for path in (game.path(f"{game.name}.html"), game.path(f"{game.name}.zip")):
        if path.is_file():
            path.replace(game.path("private", f"withdrawn-{game.register.n}{path.suffix}"))
            gone = True
    return gone


def _position_at(game: Game, window: int) -> str:
    """Return the hash of the position with which that window was last open.

    Windows are opened by records of several kinds; a ruling may have changed the position since.
    """
    found = ""
    for record in game.ledger.records({"opened", "closed", "undone", "ruled"}):
        body = record.body
        if isinstance(body, Opening) and body.opening == window:
            found = body.position or found  # most rulings do not change the position
    return found


def _kept(game: Game, last: Closed) -> dict[Side, Accepted]:
    """Return the sets that were in force when the window closed, by side."""
    numbers = {one.record: side for side, one in last.sets.items() if one.record}
    return {
        numbers[record.n]: accepted(record.n, record.at, record.body)
        for record in game.ledger.records({"received"})
        if record.n in numbers and isinstance(record.body, Received)
    }
