"""Closing a window: the sets in force meet the rules, the ledger gains one line, mail goes out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import msgspec
from msgspec import Struct

from orders.book import VOID
from orders.model import OrderSet
from pbem.base.clock import now, parse, stamp
from pbem.base.hashing import setup_digest
from pbem.base.report_json import Report, Run
from pbem.dice import provable
from pbem.dice.chains import LINKED
from pbem.dice.sources import STRICT, Hand, Seeded, Source
from pbem.engine.drive import Closing, Drive, Position, encode_position, pace_of
from pbem.errors import Busy, Damaged, NotFound, Usage
from pbem.model import Over, Pace, Roll, Side, System, Window
from pbem.player.reader import parse_text, read_text
from pbem.reports.report import decode
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Accepted, Closed, Edition, SetInForce
from pbem.store.register import Register
from pbem.turns import links, run_on
from pbem.turns.open_window import Basis, Issue, NewWindow, fields, issue

NMR = "NMR"
SHOWN = 16
"""Digits of a data digest that a message shows, and that tell it apart."""
VOID_SET = OrderSet(words={VOID: ""})


class Resolved(Struct):
    """A window that was closed (or would be, in a dry run)."""

    window: int
    opens: int  # the window that opens, 0 when the game is over
    turn: int  # the system's number of the turn to be ordered now
    label: str  # how the rulebook names that turn
    missing: list[str]  # sides without orders
    over: Over | None  # how the game ended
    digests: dict[str, str]  # of each side's report
    rolls: list[Roll]
    # the windows of the same run of agreed turns that were closed before it by the same call,
    # oldest first
    before: list[Resolved] = []


def due(game: Game) -> str:
    """Why the open window may close now; empty when it may not."""
    register = game.register
    if register.rerun or register.running:
        return "its orders were kept by an undo" if register.rerun else "all agreed to run on"
    if register.locked:
        from pbem.turns import strict_dice

        return strict_dice.due(register)
    if register.affairs.schedule:
        from pbem.turns.schedule import due_by, read_rule

        return due_by(register, read_rule([register.affairs.schedule]))
    if register.all_in():
        return "all sides are in"
    if register.deadline and now() >= parse(register.deadline):
        return "its deadline has passed"
    return ""


def run(
    game: Game,
    system: System,
    force: bool = False,
    values: Mapping[str, list[int]] | None = None,
    dry: bool = False,
    deadline: str = "",
) -> Resolved:
    """Close the open window, and those behind it that all sides agreed to run
    (`pbem.turns.run_on`); the last one closed.

    force: with defaults for whoever is not in. values: dice by label, for games of dice `hand`,
    one window a call. dry: one window, change nothing, roll throw-away dice. Raises Busy when it
    is not due, held or over; Usage for missing dice; Damaged, Diverged.
    """
    _require_open(game)
    if not (force or dry or game.register.locked or due(game)):
        silent = [s for s in game.register.sides if s not in game.register.sets]
        raise Busy(
            f"window {game.register.window} of {game.name} is not due",
            f"still to come: {', '.join(silent) or 'final sets'}; `--now` closes it anyway",
        )
    if game.register.created.dice == STRICT and not (dry or game.register.rerun):
        _require_links(game, force)
    drive = resume(game, system)
    done = [_close(game, system, drive, values, deadline, dry)]
    while game.register.running and not dry and game.register.created.dice != "hand":
        done.append(_close(game, system, drive, None, deadline, dry))
    return msgspec.structs.replace(done[-1], before=done[:-1])


def _close(
    game: Game,
    system: System,
    drive: Drive,
    values: Mapping[str, list[int]] | None,
    deadline: str,
    dry: bool,
) -> Resolved:
    """Close one window. deadline: of the next, without one by the schedule; none where it runs
    on."""
    register, sets = game.register, sets_of(game, system)
    closing = drive.close(sets, _dice(game, values, dry))
    ran = run_on.after(register, system, drive, closing, sets)
    drive.opens = Window(run_on.opens(register, closing.window, ran))
    if not deadline and register.affairs.schedule:
        from pbem.turns.schedule import deadline_for

        deadline = deadline_for(register, pace_of(drive.pause))
    deadline = "" if ran and ran.why == "on" else deadline
    said = links.fixed(register)
    new = NewWindow(drive, closing, stamp(now()), deadline, _basis(register, said, ran))
    position, name = encode_position(drive)
    issued = issue(game, new, name, run_on.unsent(register))
    if not dry:
        body = _record(register, new, closing, said.seed, name, issued)
        game.commit(body, {**issued.files, f"state/{name}.json": position}, new.opened)
    return _resolved(new, closing, issued)


def _require_links(game: Game, force: bool) -> None:
    from pbem.turns.strict_dice import require_links

    register = game.register
    lock = lock_of(register, register.window, order_digests(register))
    require_links(game, _in_force(register), lock, force)


def resume(game: Game, system: System) -> Drive:
    """The game where its stored position stands. Raises Usage when the edition is another."""
    require_pinned(game, system)
    position = position_of(game, game.register.position)
    return Drive.resume(system, game.register.sides, game.register.options, position)


def require_pinned(game: Game, system: System) -> None:
    """Raise Usage unless the game is played by this edition."""
    pinned, mine = game.register.pinned, Edition(system.edition, system.digest())
    if mine != pinned:
        raise Usage(
            f"{game.name} is pinned to edition {pinned.edition} of {system.name}, "
            f"data {pinned.data[:SHOWN]}; this is edition {mine.edition}, data {mine.data[:SHOWN]}",
            "run it with the release that made it, or record a ruling that permits this one "
            "(docs/moderator.md, Rulings)",
        )


def position_of(game: Game, digest: str) -> Position:
    """The stored position of that hash. Raises Damaged."""
    from hashlib import sha256

    data = game.read("state", f"{digest}.json")
    if sha256(data).hexdigest() != digest:
        raise Damaged(f"state/{digest}.json is not what was stored", "restore it from a copy")
    return msgspec.json.decode(data, type=Position)


def report_of(game: Game, side: str, window: int) -> Report:
    """The report.json that opened `window` for `side`. Raises Damaged."""
    return decode(game.read_cached("reports", side, str(window), "report.json"))


def sets_of(game: Game, system: System) -> dict[Side, OrderSet]:
    """The sets in force, understood again from their canonical bytes: only these are executed."""
    void = void_of(game.register)
    return {
        side: VOID_SET if side in void else order_set(game, system, side, taken)
        for side, taken in game.register.sets.items()
    }


def order_set(game: Game, system: System, side: Side, taken: Accepted) -> OrderSet:
    """One accepted set as typed orders; where nothing was refused it is not judged again."""
    report = report_of(game, side, game.register.window)
    if taken.clean:
        return parse_text(system, report, taken.canonical).orders
    return read_text(system, report, taken.canonical).orders


def order_digests(register: Register) -> dict[Side, str]:
    """l of the set in force of every side, or NMR."""
    sets = register.sets
    return {side: sets[side].order if side in sets else NMR for side in register.sides}


def lock_of(register: Register, window: int, digests: Mapping[Side, str]) -> str:
    """L of the window, in hex."""
    raw = {str(s): d.encode() if d == NMR else bytes.fromhex(d) for s, d in digests.items()}
    return provable.lock(bytes.fromhex(setup_digest(register.setup)), window, raw).hex()


def void_of(register: Register) -> list[Side]:
    """The sides whose orders are void, because a strict window closes without their link."""
    if register.created.dice != STRICT:
        return []
    from pbem.turns.strict_dice import awaited

    return awaited(register)


def source_of(register: Register, values: Mapping[str, list[int]] | None) -> Source:
    """The dice of this game. Raises Usage."""
    created = register.created
    if created.dice == "hand":
        return Hand(values or {})
    if values is not None:
        raise Usage("--dice is for games made with `--dice hand`")
    return Seeded(created.seed, b"")


def _dice(game: Game, values: Mapping[str, list[int]] | None, dry: bool) -> Source:
    if dry and values is None:
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
    register = game.register
    if not register.window:
        raise Busy(f"{game.name} is not open yet", f"see `pbem open {game.name}`")
    if register.over:
        raise Busy(f"{game.name} is over", f"result: {register.over.result}")
    if register.held:
        raise Busy(f"{game.name} is held", f"`pbem resume {game.name}` lets it go on")


def _basis(register: Register, said: links.Fixed, run: Run | None) -> Basis:
    """What decides the open window, as its sets and links stand."""
    digests = order_digests(register)
    return Basis(
        lock=lock_of(register, register.window, digests),
        sets=digests,
        links=said.links,
        carried=said.carried,
        firsts=said.firsts,
        root=said.root,
        reveals={side: one.signature for side, one in register.reveals.items()},
        void=void_of(register),
        run=run,
    )


def _record(
    register: Register, new: NewWindow, closing: Closing, seed: str, position: str, issued: Issue
) -> Closed:
    """What the ledger holds of the window that closed and of the one that opens. seed: of the
    dice, in hex; position: hash of the one that opens."""
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
        pace=next_pace(drive),
        over=closing.over,
        **fields(issued),
    )


def _resolved(new: NewWindow, closing: Closing, issued: Issue) -> Resolved:
    return Resolved(
        window=closing.window,
        opens=0 if closing.over else new.drive.opens,
        turn=issued.turn,
        label=issued.label,
        missing=[side for side, digest in new.basis.sets.items() if digest == NMR],
        over=closing.over,
        digests=issued.digests,
        rolls=closing.rolls,
    )


def next_pace(drive: Drive) -> Pace:
    """The pace of the window that opens, as its record has it."""
    return "turn" if drive.over else pace_of(drive.pause)


def _in_force(register: Register) -> dict[Side, SetInForce]:
    """The set in force of every side, as a record names it."""
    digests, sets = order_digests(register), register.sets
    return {
        side: SetInForce(digests[side], sets[side].n if side in sets else 0)
        for side in register.sides
    }


def load_values(path: str) -> dict[str, list[int]]:
    """Dice of a TOML file, `"label" = [3, 5]`. Raises NotFound, Usage."""
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
            raise Usage(f"{path}: {label!r} is no list of dice", '"LABEL" = [3, 5]')
    return found
