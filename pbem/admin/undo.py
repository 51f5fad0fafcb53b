"""Stepping back: a window is taken back with its orders kept, or reopened under a new number."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.base.clock import now, stamp
from pbem.engine.drive import Drive, encode_position, pace_of
from pbem.errors import Busy
from pbem.model import Side, System, Window
from pbem.outbound.notices import notices
from pbem.store.bundle import Files
from pbem.store.game_dir import Game
from pbem.store.holders import accepted
from pbem.store.records import Accepted, Closed, Opening, Received, Undone
from pbem.text.messages import worded
from pbem.turns.close_window import next_pace, position_of, report_of, require_pinned
from pbem.turns.open_window import NewWindow, fields, issue
from pbem.turns.run_on import unsent


def undo(game: Game, system: System, reopen: bool, deadline: str = "") -> Undone:
    """Take back the last closed window and tell every side the same.

    Orders kept: the window is re-run with the same sets and the same dice by the moderator's next
    `run`, behind a ruling where one is needed. reopen: a new window number is opened for new
    orders, also of a window that was taken back before with its orders kept. Undone records stay in
    the ledger and are counted in every later report. Raises Busy when nothing has closed yet.
    """
    register = game.register
    again = register.rerun and reopen  # it was taken back before, with its orders kept
    if not (again or register.closed):
        raise Busy(f"{game.name} has no closed window to undo", f"see `pbem status {game.name}`")
    window = register.window if again else register.closed[-1].window
    drive = _drive_behind(game, system, window, reopen)
    position, name = encode_position(drive)
    body = Undone(
        windows=[] if again else [window],
        reopen=reopen,
        opens=drive.opens,
        deadline=deadline or (_deadline(game, drive) if reopen else ""),
        pace=next_pace(drive),
        sets={} if reopen else _kept(game, register.closed[-1]),
        published=_withdraw_page(game),
        position=name,
    )
    files = {f"state/{name}.json": position}
    return _reopened(game, drive, body, files) if reopen else _taken_back(game, body, files)


def _drive_behind(game: Game, system: System, window: int, reopen: bool) -> Drive:
    """The game as it stood when `window` opened, under a new number where it is reopened."""
    register = game.register
    require_pinned(game, system)
    if any(r.permit and r.opens > window for r in register.rulings):
        raise Busy(
            f"window {window} of {game.name} was closed by another edition",
            "nothing goes back behind the ruling that permitted this one",
        )
    position = position_of(game, _position_at(game, window))
    if reopen:
        position = replace(position, window=Window(register.used + 1))
    return Drive.resume(system, register.sides, register.options, position)


def _deadline(game: Game, drive: Drive) -> str:
    if not game.register.affairs.schedule:
        return ""
    from pbem.turns.schedule import deadline_for

    return deadline_for(game.register, pace_of(drive.pause))


def _taken_back(game: Game, body: Undone, files: Files) -> Undone:
    """The orders are kept: all sides get one notice, and the window runs again."""
    said = worded("undone", game=game.name, window=body.windows[0])
    said = said.with_part("published") if body.published else said
    sides = game.register.sides
    mails = notices(game, sides, said, "undo")
    body = replace(body, mailed=list(sides))
    game.commit(body, {**mails, **files})
    return body


def _reopened(game: Game, drive: Drive, body: Undone, files: Files) -> Undone:
    """New orders are asked for: every side gets a report, which counts this undo already."""
    register, at = game.register, stamp(now())
    before = unsent(register, body.windows)
    with register.stepped_back(body):
        new = NewWindow(drive, None, at, body.deadline)
        issued = issue(game, new, body.position, before)
    game.commit(replace(body, **fields(issued)), {**issued.files, **files}, at)
    return body


def learnt(game: Game) -> dict[str, list[str]]:
    """What each side was told by the reports that an undo would make void, in their words."""
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
    """Take a published replay out of the game's folder, and keep it; whether there was one."""
    gone = False
    for path in (game.path(f"{game.name}.html"), game.path(f"{game.name}.zip")):
        if path.is_file():
            path.replace(game.path("private", f"withdrawn-{game.register.n}{path.suffix}"))
            gone = True
    return gone


def _position_at(game: Game, window: int) -> str:
    """The hash of the position at which that window stood open, whatever opened it last."""
    found = ""
    for record in game.ledger.records({"opened", "closed", "undone", "ruled"}):
        body = record.body
        if isinstance(body, Opening) and body.opening == window:
            found = body.position or found  # most rulings change none
    return found


def _kept(game: Game, last: Closed) -> dict[Side, Accepted]:
    """The sets that were in force when the window closed, by side."""
    numbers = {one.record: side for side, one in last.sets.items() if one.record}
    return {
        numbers[record.n]: accepted(record.n, record.at, record.body)
        for record in game.ledger.records({"received"})
        if record.n in numbers and isinstance(record.body, Received)
    }
