"""Notifications to chats and phones, after a tick: reports are out, a deadline is near, your move.

A notification is a hint to look into the mailbox. It names game, turn and deadline, nothing that
happened. A hook for everybody tells only what everybody knows: not who has sent orders, nor, near a
deadline, whether anybody is late. A hook of a side also tells whether this side owes orders.

Hooks run in processes of their own when all mail has left, with a common limit of time, so that no
game waits for one. What could not be sent is kept for a day and tried again after an hour.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.base.clock import now, parse, stamp
from pbem.base.config import Config, Hook, secret
from pbem.base.files import Lock, read_plain, write_private
from pbem.errors import Busy, PbemError
from pbem.inbound.spool import place
from pbem.store.game_dir import LEDGER, reading
from pbem.store.register import Register
from pbem.text.layout import day_of
from pbem.text.messages import phrase
from pbem.turns.schedule import Rule, reminder_from, rule_of

FILE, LOCK = "hooks.json", "hooks.lock"
LINES = 20
"""Lines of one notification at most: a club has hundreds of games."""
AGAIN, KEPT = timedelta(hours=1), timedelta(days=1)
"""How long a hook that failed is left alone, and how long what it should have told is kept."""
CHILD = (sys.executable, "-m", "pbem.scheduler.hook_process")
"""The process that sends by one hook. Its exit code says how it went."""


class Seen(Struct):
    """What was known of a game when its ledger was read last."""

    mark: tuple[int, int]
    """Size and time of its ledger: it is read again when these have changed."""
    window: int = 0
    turn: int = 0
    deadline: str = ""
    soon: str = ""
    """ISO time from which the deadline is near; empty for never."""
    owing: tuple[str, ...] = ()
    """The sides that owe orders."""
    missing: tuple[str, ...] = ()
    """Those of them that have sent none."""
    over: bool = False
    told: str = ""
    """The deadline that was told as near."""


class Waiting(Struct):
    """What a hook still has to tell."""

    lines: list[tuple[str, str]] = []
    """ISO time and text of each line."""
    failed: str = ""
    """ISO time of the last failure; empty if there was none since it last worked."""


class Memory(Struct):
    """`.pbem/hooks.json`."""

    games: dict[str, Seen] = {}
    waiting: dict[str, Waiting] = {}
    """By the name of the hook."""


def notify(home: Path, config: Config, names: Sequence[str]) -> list[str]:
    """Tell what is new in these games since the last call; return complaints for the moderator.

    The first call of a home only looks. If another tick is notifying, this one leaves it to it.
    """
    if not config.notify:
        return []
    with suppress(Busy), Lock(place(home) / LOCK, "the notifications"):
        return _notify(home, config, names)
    return []


def _notify(home: Path, config: Config, names: Sequence[str]) -> list[str]:
    """Do the work of `notify` under its lock."""
    path = place(home) / FILE
    memory, first = _memory(path)
    before = msgspec.json.encode(memory)
    for name in names:
        for hook, said in _look(home, config, name, memory, first):
            waiting = memory.waiting.setdefault(hook, Waiting())
            waiting.lines.append((stamp(now()), said))
    _forget(config, memory)
    if (encoded := msgspec.json.encode(memory)) != before:
        write_private(path, encoded)  # before sending: a kill then repeats a hint, and loses none
    complaints = list(_send(home, config, memory))
    if msgspec.json.encode(memory) != encoded:
        write_private(path, msgspec.json.encode(memory))
    return complaints


def _memory(path: Path) -> tuple[Memory, bool]:
    """What former calls left, and whether there was none."""
    try:
        return msgspec.json.decode(read_plain(path), type=Memory), False
    except (msgspec.DecodeError, PbemError):
        return Memory(), True


def hook_name(config: Config, number: int) -> str:
    """The name of a hook, by which the memory knows it. number: from 0."""
    return config.notify[number].name or f"hook {number + 1}"


def _look(
    home: Path, config: Config, name: str, memory: Memory, first: bool
) -> Iterator[tuple[str, str]]:
    """What is new in one game: for each hook that tells it, its name and a line."""
    before = memory.games.get(name)
    seen = _seen(home, name, before)
    if seen is None:
        return
    memory.games[name] = seen
    last = before.window if before else seen.window if first else 0
    opened = seen.window > last or (seen.over and before is not None and not before.over)
    near = bool(seen.soon) and seen.soon <= stamp(now()) < seen.deadline
    near = near and seen.told != seen.deadline and not seen.over
    if near:
        seen.told = seen.deadline
    for number, hook in enumerate(config.notify):
        if hook.games and name not in hook.games:
            continue
        for said in _lines(hook, name, seen, opened, near and not opened):
            yield hook_name(config, number), said


def _lines(hook: Hook, name: str, seen: Seen, opened: bool, near: bool) -> Iterator[str]:
    """What a hook tells of a game."""
    due = f"{day_of(seen.deadline, '', '')} UTC" if seen.deadline else ""
    facts = {"game": name, "turn": seen.turn, "due": due}
    if opened and seen.over:
        if "report" in hook.on:
            yield phrase("hook_over", **facts)
    elif opened and "move" in hook.on and hook.side in seen.owing:
        yield phrase("hook_move_due" if due else "hook_move", side=hook.side, **facts)
    elif opened and "report" in hook.on:
        yield phrase("hook_report_due" if due else "hook_report", **facts)
    if near and "due" in hook.on and (not hook.side or hook.side in seen.missing):
        if hook.side:
            yield phrase("hook_late", side=hook.side, **facts)
        else:
            yield phrase("hook_due", **facts)


def _seen(home: Path, name: str, before: Seen | None) -> Seen | None:
    """A game as it is now; read only if its ledger has changed. None if it cannot be read."""
    try:
        found = (home / name / LEDGER).stat()
        mark = (found.st_size, found.st_mtime_ns)
        if before and before.mark == mark:
            return before
        register = reading(home, name).register
    except (OSError, PbemError):
        return None  # the tick itself says so
    if not register.window:
        return Seen(mark)
    deadline = "" if register.over or register.held else register.deadline
    turn = (register.closed[-1].turn if register.closed else 0) or 1
    told = before.told if before else ""
    return Seen(
        mark=mark,
        window=register.window,
        turn=turn,
        deadline=deadline,
        soon=_soon(register) if deadline else "",
        owing=() if register.over else tuple(map(str, register.owing)),
        missing=() if register.over else tuple(map(str, register.missing())),
        over=register.over is not None,
        told=told,
    )


def _soon(register: Register) -> str:
    """When the deadline is near: as the schedule says for reminders, whatever players prefer."""
    moment = reminder_from(register, rule_of(register) or Rule(), "")
    return stamp(moment) if moment else ""


def _forget(config: Config, memory: Memory) -> None:
    """Drop what is too old to be told, and what was for hooks that are gone."""
    oldest = stamp(now() - KEPT)
    known = {hook_name(config, number) for number in range(len(config.notify))}
    memory.waiting = {name: w for name, w in memory.waiting.items() if name in known}
    for waiting in memory.waiting.values():
        waiting.lines = [line for line in waiting.lines if line[0] >= oldest]


def _send(home: Path, config: Config, memory: Memory) -> Iterator[str]:
    """Send by all hooks at once; a complaint for each that fails, once until it works again."""
    running: list[tuple[str, Waiting, subprocess.Popen[bytes]]] = []
    for number, hook in enumerate(config.notify):
        name = hook_name(config, number)
        waiting = memory.waiting.get(name)
        if not waiting or not waiting.lines:
            continue
        if waiting.failed and now() < parse(waiting.failed) + AGAIN:
            continue
        try:
            running.append((name, waiting, _start(secret(home, hook.urls), waiting)))
        except (OSError, PbemError) as error:
            why = error.message if isinstance(error, PbemError) else str(error.strerror)
            yield from _failed(name, waiting, why)
    ends = time.monotonic() + config.limits.notify
    for name, waiting, process in running:
        try:
            code = process.wait(max(ends - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            yield from _failed(name, waiting, phrase("hook_hangs", limit=config.limits.notify))
            continue
        if code:
            yield from _failed(name, waiting, _why(code))
        else:
            waiting.lines, waiting.failed = [], ""


def _why(code: int) -> str:
    """What the exit code of a process that sends means."""
    if code == 3:
        return phrase("hook_extra")
    return phrase("hook_urls" if code == 4 else "hook_refused")


def _start(urls: str, waiting: Waiting) -> subprocess.Popen[bytes]:
    """Start a process that sends. The addresses go over a pipe: others can read command lines."""
    lines = [said for _, said in waiting.lines]
    more = len(lines) - LINES
    if more > 0:
        lines = [*lines[:LINES], phrase("hook_more", count=more)]
    process = subprocess.Popen(
        CHILD, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert process.stdin
    message = {"urls": urls.split(), "title": phrase("hook_title"), "body": "\n".join(lines)}
    with suppress(BrokenPipeError), process.stdin as pipe:
        pipe.write(msgspec.json.encode(message))
    return process


def _failed(name: str, waiting: Waiting, why: str) -> Iterator[str]:
    """Note a failure; complain about it if the hook worked before."""
    if not waiting.failed:
        yield phrase("hook_failed", hook=name, why=why)
    waiting.failed = stamp(now())
