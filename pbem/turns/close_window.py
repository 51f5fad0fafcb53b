"""Close a window: resolve the orders, append the ledger record and issue the next reports.

`run` is the entry point. It checks that the window may close, resumes the game from its stored
position, resolves the sets in force, and commits the record `closed` with all files that belong to
it: position, reports and mails. The game changes only by commits (docs/design.md, "One line commits
a window"), so that a command that was killed can be repeated.

Modules that only some games need (schedules, strict dice) are imported inside functions, because
imports decide how fast a turn is (docs/design.md, "Time to start").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
from msgspec import Struct

from orders.book import VOID
from orders.model import OrderSet
from pbem.base.clock import now, parse, stamp
from pbem.base.hashing import setup_digest
from pbem.base.report_json import Report, Run
from pbem.dice import provable
from pbem.dice.sources import LINKED, STRICT, Hand, Seeded, Source
from pbem.engine.drive import Drive, asks, encode_position, pace_of
from pbem.engine.position import Position
from pbem.engine.runner import Closing
from pbem.errors import Busy, Damaged, NotFound, Usage
from pbem.model import Over, Roll, Side, System, Window
from pbem.player.reader import parse_text, read_text
from pbem.reports.report import decode, decoded
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import NMR, Accepted, Closed, Edition, SetInForce
from pbem.store.register import Register
from pbem.store.seats import answered
from pbem.turns import links, run_on
from pbem.turns.open_window import Basis, Issue, NewWindow, fields, issue
from pbem.turns.role_sets import merged

SHOWN = 16
"""How many hex digits of a data digest messages show; enough to tell two editions apart."""
VOID_SET = OrderSet(words={VOID: ""})
"""Replaces a void set: it also suspends the side's standing orders for the window."""


class Resolved(Struct):
    """A window that was closed, or would be closed in a dry run."""

    window: int
    opens: int
    """The window that opens; 0 if the game is over."""
    turn: int
    """The system's number of the turn that is ordered next."""
    label: str
    """The rulebook's name for that turn."""
    missing: list[str]
    """The sides without the orders that they owed."""
    over: Over | None
    """How the game ended; None while it continues."""
    digests: dict[str, str]
    """Side to the digest of its new report."""
    rolls: list[Roll]
    """All rolls of the window, hidden ones included."""
    before: list[Resolved] = []
    """The windows of the same run that the same call closed before it, oldest first."""


def due(game: Game) -> str:
    """Return why the open window may close now; empty if it may not."""
    register = game.register
    if register.rerun or register.running:
        return "its orders were kept by an undo" if register.rerun else "all agreed to run on"
    if register.locked:
        from pbem.turns import strict_dice

        return strict_dice.due(register)
    if register.mail_state.schedule:
        from pbem.turns.schedule import due_by, read_rule

        return due_by(register, read_rule([register.mail_state.schedule]))
    if answered(register):
        return _all_in(register)
    if register.deadline and now() >= parse(register.deadline):
        return "its deadline has passed"
    return ""


def _all_in(register: Register) -> str:
    """Return in words that nobody's orders are missing."""
    return f"{', '.join(register.owing)}: in" if register.owed else "all sides are in"


def run(
    game: Game,
    system: System,
    force: bool = False,
    values: Mapping[str, list[int]] | None = None,
    dry: bool = False,
    deadline: str = "",
) -> Resolved:
    """Close the open window and the windows after it that all sides agreed to run.

    Returns the last window that was closed. Runs: `pbem.turns.run_on`.

    force: close a window that is not due; missing orders are replaced by standing orders and
    defaults. values: label to faces, for games of dice `hand`; such a game closes one window per
    call, because nobody knows the labels of the next one yet. dry: resolve one window with random
    dice and change nothing. deadline: of the next window; empty: by the schedule.

    Raises Busy if the window is not due, if strict dice wait for links, or if the game is not open,
    on hold or over; Usage for dice that are missing or not wanted, or for another edition; Damaged
    if a stored file was changed; Diverged if the recorded turn does not run the same way again.
    """
    _require_open(game)
    if not (force or dry or game.register.locked or due(game)):
        raise Busy(
            f"window {game.register.window} of {game.name} is not due",
            f"{_waits_for(game.register)}; `--now` closes it anyway",
        )
    # A window that is run again keeps its lock and links: no link is revealed after the dice.
    if game.register.created.dice == STRICT and not (dry or game.register.rerun):
        _require_links(game, force)
    drive = resume(game, system)
    done = [_close(game, system, drive, values, deadline, dry)]
    while game.register.running and not dry and game.register.created.dice != "hand":
        done.append(_close(game, system, drive, None, deadline, dry))
    return msgspec.structs.replace(done[-1], before=done[:-1])


def _waits_for(register: Register) -> str:
    """Return in words why the open window does not close yet."""
    if none := [side for side in register.owing if side not in register.sets]:
        return f"still missing: {', '.join(none)}"
    if unfinished := register.missing():
        return f"not all orders of {', '.join(unfinished)} count, and no FINAL; says that they may"
    from pbem.turns.schedule import early_close

    when = early_close(register)
    return f"all sides are in, and it closes {f'at {when}' if when else 'at its deadline'}"


def _close(
    game: Game,
    system: System,
    drive: Drive,
    values: Mapping[str, list[int]] | None,
    deadline: str,
    dry: bool,
) -> Resolved:
    """Resolve one window and, unless `dry`, commit it. deadline: as for `run`."""
    register, sets = game.register, sets_of(game, system)
    dice = _dice(game, values, dry)
    closing = drive.close(sets, dice)
    if isinstance(dice, Hand):
        dice.require_all(closing.window)
    ran = run_on.after(register, system, drive, closing, sets)
    # Before reports are made: they carry the number of the window that opens.
    drive.opens = Window(run_on.opens(register, closing.window, ran))
    if not deadline and register.mail_state.schedule:
        from pbem.turns.schedule import deadline_for

        owed = drive.pause.owed
        deadline = deadline_for(register, pace_of(drive.pause), owed, register.deadline)
    # Inside a run the next window takes no orders, so that it has no deadline.
    deadline = "" if ran and ran.why == "on" else deadline
    inputs, owing = links.fixed(register), register.owing
    new = NewWindow(drive, closing, stamp(now()), deadline, _basis(register, inputs, ran))
    position, name = encode_position(drive)
    issued = issue(game, new, name, run_on.unsent(register))
    if not dry:
        body = _record(register, new, closing, inputs.seed, name, issued)
        game.commit(body, {**issued.files, f"state/{name}.json": position}, new.opened)
    return _resolved(new, closing, issued, owing)


def _require_links(game: Game, force: bool) -> None:
    """Lock a strict window, or raise Busy while its links are missing."""
    from pbem.turns.strict_dice import require_links

    register = game.register
    lock = lock_of(register, register.window, order_digests(register))
    require_links(game, _in_force(register), lock, force)


def resume(game: Game, system: System) -> Drive:
    """Return the game at its stored position, paused where the open window asks.

    Raises Usage if the game is pinned to another edition, Damaged, Diverged.
    """
    require_pinned(game, system)
    position = position_of(game, game.register.position)
    return Drive.resume(system, game.register.sides, game.register.options, position)


def require_pinned(game: Game, system: System) -> None:
    """Raise Usage unless the game is pinned to this edition and these data files.

    Another edition could resolve the same orders differently, and no audit could repeat the game.
    """
    pinned, mine = game.register.pinned, Edition(system.edition, system.digest())
    if mine != pinned:
        raise Usage(
            f"{game.name} is pinned to edition {pinned.edition} of {system.name}, "
            f"data {pinned.data[:SHOWN]}; this is edition {mine.edition}, data {mine.data[:SHOWN]}",
            "run it with the release that made it, or record a ruling that permits this one "
            "(docs/moderator.md, Rulings)",
        )


def position_of(game: Game, digest: str) -> Position:
    """Return the stored position whose file has that SHA-256 (hex). Raises Damaged."""
    from hashlib import sha256

    data = game.read("state", f"{digest}.json")
    if sha256(data).hexdigest() != digest:
        raise Damaged(
            f"state/{digest}.json was changed after it was stored", "restore it from a copy"
        )
    return msgspec.json.decode(data, type=Position)


def report_of(game: Game, side: str, window: int) -> Report:
    """Return the report.json that opened `window` for `side`. Raises Damaged."""
    return decode(game.read_cached("reports", side, str(window), "report.json"))


def sets_of(game: Game, system: System) -> dict[Side, OrderSet]:
    """Return what the sides order: the sets in force with those of their roles (`merged`), by
    side; void sets are `VOID_SET`.

    They are parsed from their recorded canonical bytes, which the signature covers, so that nothing
    else is ever executed.
    """
    void = void_of(game.register)
    found = {
        side: VOID_SET if side in void else order_set(game, system, side, accepted)
        for side, accepted in game.register.sets.items()
    }
    return merged(game.register, found)


def order_set(game: Game, system: System, side: Side, accepted: Accepted) -> OrderSet:
    """Return an accepted set of the open window as typed orders.

    If an order was refused, the set is judged again to leave it out. Otherwise parsing is enough,
    which is faster.
    """
    window = game.register.window
    if accepted.clean:  # a typed report would cost more than the parsing
        content = game.read_cached("reports", side, str(window), "report.json")
        return parse_text(system, decoded(content), accepted.canonical).orders
    return read_text(system, report_of(game, side, window), accepted.canonical).orders


def order_digests(register: Register) -> dict[Side, str]:
    """Return the order digest (*l* in docs/formats.md) of the set in force of every side and role,
    or NMR."""
    sets = register.sets
    return {side: sets[side].order if side in sets else NMR for side in register.seats}


def lock_of(register: Register, window: int, digests: Mapping[Side, str]) -> str:
    """Return the lock (*L* in docs/formats.md) of a window in hex. digests: as `order_digests`."""
    raw = {str(s): d.encode() if d == NMR else bytes.fromhex(d) for s, d in digests.items()}
    return provable.lock(bytes.fromhex(setup_digest(register.setup)), window, raw).hex()


def void_of(register: Register) -> list[Side]:
    """Return the sides whose orders are void because a strict window closes without their link."""
    if register.created.dice != STRICT:
        return []
    from pbem.turns.strict_dice import awaited

    return awaited(register)


def source_of(register: Register, values: Mapping[str, list[int]] | None) -> Source:
    """Return the dice of a game without links. Raises Usage for values that are not wanted."""
    created = register.created
    if created.dice == "hand":
        return Hand(values or {})
    if values is not None:
        raise Usage("--dice is for games made with `--dice hand`")
    return Seeded(created.seed, b"")


def _dice(game: Game, values: Mapping[str, list[int]] | None, dry: bool) -> Source:
    """Return the dice of the open window. Raises Usage."""
    if dry and values is None:
        # Random dice: a dry run tests the rules and must not show the rolls to come.
        import os

        return Seeded(os.urandom(16).hex(), b"dry run")
    register, window = game.register, Window(game.register.window)
    if register.created.dice not in LINKED or values is not None:
        return source_of(register, values)
    seeds = {window: links.seed_of(register, links.fixed(register))}
    load = partial(secrets.dice_key, game)
    g0 = bytes.fromhex(setup_digest(register.setup))
    return provable.Provable(load, g0, seeds, register.created.dice)


def _require_open(game: Game) -> None:
    """Raise Busy unless the game is open, not over and not on hold."""
    register = game.register
    if not register.window:
        raise Busy(f"{game.name} is not open yet", f"see `pbem open {game.name}`")
    if register.over:
        raise Busy(f"{game.name} is over", f"result: {register.over.result}")
    if register.held:
        raise Busy(f"{game.name} is on hold", f"`pbem resume {game.name}` continues it")


def _basis(register: Register, inputs: links.Fixed, run: Run | None) -> Basis:
    """Return what fixes the orders and dice of the open window, for its record and reports."""
    digests = order_digests(register)
    return Basis(
        lock=lock_of(register, register.window, digests),
        sets=digests,
        links=inputs.links,
        carried=inputs.carried,
        firsts=inputs.firsts,
        root=inputs.root,
        reveals={side: one.signature for side, one in register.reveals.items()},
        void=void_of(register),
        run=run,
    )


def _record(
    register: Register, new: NewWindow, closing: Closing, seed: str, position: str, issued: Issue
) -> Closed:
    """Return the record `closed`, for the window that closed and the one that opens.

    seed: R of the closed window in hex. position: SHA-256 of the new position.
    """
    basis, drive = new.basis, new.drive
    strict = register.created.dice == STRICT
    return Closed(
        window=closing.window,
        turn=drive.state.turn,
        sets=_in_force(register),
        lock=basis.lock,
        links=basis.links,
        carried=basis.carried,
        firsts=basis.firsts,
        seed=seed,
        reveals=basis.reveals if strict else None,
        void=basis.void if strict else None,
        run=basis.run,
        rolls=closing.rolls,
        position=position,
        opens=drive.opens,
        deadline=new.deadline,
        **asks(drive),
        over=closing.over,
        **fields(issued),
    )


def _resolved(new: NewWindow, closing: Closing, issued: Issue, owing: Sequence[Side]) -> Resolved:
    """Return what was done. owing: the sides that had to answer the window that closed."""
    return Resolved(
        window=closing.window,
        opens=0 if closing.over else new.drive.opens,
        turn=issued.turn,
        label=issued.label,
        missing=[side for side in owing if new.basis.sets[side] == NMR],
        over=closing.over,
        digests=issued.digests,
        rolls=closing.rolls,
    )


def _in_force(register: Register) -> dict[Side, SetInForce]:
    """Return the set in force of every side and role, as records name it."""
    digests, sets = order_digests(register), register.sets
    return {
        side: SetInForce(digests[side], sets[side].n if side in sets else 0)
        for side in register.seats
    }


def load_values(path: str) -> dict[str, list[int]]:
    """Return the dice in a TOML file of lines `"LABEL" = [3, 5]`. Raises NotFound, Usage."""
    import tomllib
    from pathlib import Path

    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        raise Usage(f"{path}: {error}", 'one roll a line: "LABEL" = [3, 5]') from None
    for label, values in found.items():
        if not (isinstance(values, list) and all(type(v) is int for v in values)):
            raise Usage(f"{path}: {label!r} is not a valid list of dice", '"LABEL" = [3, 5]')
    return found
