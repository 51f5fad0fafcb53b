"""Tick all games, divided among processes; their writes are synced to the disk together."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module

from msgspec import structs

from pbem.base.clock import now, stamp
from pbem.base.syncing import Pending, put_off
from pbem.inbound.pool import Readers
from pbem.scheduler.idle import load_idle, save_idle
from pbem.scheduler.tick import Load, Resources, TickContext, Ticked, tick_game

GROUP_SIZE = 32
"""Largest number of games ticked together. One sync then serves all their writes, which is what
takes most of a tick's time."""

MIN_BATCH = 8
"""Smallest batch for a worker, where there are many games: handing out a batch has a cost too."""

ENDED = object()
PRELOADED = (
    "pbem.inbound.intake",
    "pbem.turns.close_window",
    "pbem.reports.render",
    "pbem.text.jinja_env",
    "pbem.crypto.private_keys",
    "pbem.store.secrets",
    "pbem.admin.press",
    "ctypes",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
)
"""Modules that resolving a window needs; imported once, before processes are forked."""


def tick_all(context: TickContext, names: Sequence[str], load: Load, jobs: int) -> list[Ticked]:
    """Tick all games in `jobs` processes, without opening idle ones; results in order of `names`.

    load: finds a rule system by name and edition, in any process.
    """
    idle, at = load_idle(context.home, context.config), stamp(now())
    awake = [name for name in names if not idle.is_idle(context.home, name, at)]
    done = {ticked.game: ticked for ticked in _tick_awake(context, awake, load, jobs)}
    left = {name: ticked.idle for name, ticked in done.items() if ticked.idle}
    save_idle(context.home, idle, done.keys(), left)
    return [done.get(name) or Ticked(name) for name in names]


def _tick_awake(context: TickContext, names: Sequence[str], load: Load, jobs: int) -> list[Ticked]:
    """Tick these games, in this process if there is only one job or one game."""
    if jobs <= 1 or len(names) < 2:
        return _synced([tick_batch(context, names, load)])
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    shares = list(_shares(names, jobs))
    contexts = [_context_for(context, share) for share in shares]
    with ProcessPoolExecutor(jobs, mp_context=get_context(_start_method())) as pool:
        return _synced(pool.map(tick_batch, contexts, shares, [load] * len(shares)))


def _shares(names: Sequence[str], jobs: int) -> Iterator[Sequence[str]]:
    """Yield the batches for the workers. They shrink towards the end, so that no worker still has
    a large batch when the others have finished."""
    least = max(1, min(MIN_BATCH, len(names) // (4 * jobs)))
    while names:
        size = min(GROUP_SIZE, max(least, len(names) // (2 * jobs)))
        yield names[:size]
        names = names[size:]


def _context_for(context: TickContext, names: Sequence[str]) -> TickContext:
    """Return the context with only the letters of these games: it is copied to a worker."""
    letters = {name: context.letters[name] for name in names if name in context.letters}
    return structs.replace(context, letters=letters)


def tick_batch(
    context: TickContext, names: Sequence[str], load: Load
) -> tuple[list[Ticked], list[str]]:
    """Tick games group by group over one mail connection; return results and paths to sync."""
    from pbem.outbound.transports.registry import transport_of

    transport = transport_of(context.home, context.config)
    done: list[Ticked] = []
    left: list[str] = []
    try:
        with Readers() as readers:
            resources = Resources(load, transport, readers)
            for at in range(0, len(names), GROUP_SIZE):
                some = [Ticked(name) for name in sorted(names[at : at + GROUP_SIZE])]
                left += advance_together([tick_game(context, resources, ticked) for ticked in some])
                done += some
    finally:
        transport.close()
    return done, left


def advance_together(running: Sequence[Iterator[None]]) -> list[str]:
    """Run generators in lockstep: one step of each, then one sync of all they wrote.

    Returns the paths written in the last steps, to be synced once for all games: if a power cut
    loses these writes, the next tick repeats them.
    """
    with put_off() as pending:
        while running := [step for step in running if next(step, ENDED) is None]:
            pending.sync()
    return pending.paths()


def _synced(found: Iterable[tuple[list[Ticked], list[str]]]) -> list[Ticked]:
    """Sync the remaining paths of all batches; return the results."""
    done: list[Ticked] = []
    pending = Pending()
    for some, left in found:
        done += some
        for path in left:
            pending.add(path)
    pending.sync()
    return done


def _start_method() -> str:
    """Return the way to start processes: `fork` after imports where that is safe, else `spawn`.

    Forked processes share the imported modules; spawned ones import them again. Forking is unsafe
    with several threads, and outside Linux.
    """
    import threading

    if not sys.platform.startswith("linux") or threading.active_count() > 1:
        return "spawn"
    preload()
    return "fork"


def preload() -> None:
    """Import the modules and load the templates that resolving a window needs."""
    from pbem.reports.render import prepare

    for name in PRELOADED:
        import_module(name)
    prepare()
