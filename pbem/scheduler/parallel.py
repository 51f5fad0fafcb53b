"""All games of a tick, shared among processes, and what they write synced together."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module

from msgspec import structs

from pbem.base.clock import now, stamp
from pbem.base.syncing import Pending, put_off
from pbem.inbound.pool import Readers
from pbem.scheduler.idle import remember, remembered
from pbem.scheduler.tick import Load, Means, TickContext, Ticked, tick_game

GROUP = 32
"""Games that are ticked together: what they write is synced in one go."""

FEWEST = 8
"""Of many games so many are worth a process's asking for more."""

ENDED = object()
WARM = (
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


def tick_all(context: TickContext, names: Sequence[str], load: Load, jobs: int) -> list[Ticked]:
    """All games, by `jobs` processes; those that rest are not opened. The order of the results is
    that of the names."""
    resting, at = remembered(context.home, context.config), stamp(now())
    awake = [name for name in names if not resting.rests(context.home, name, at)]
    done = {ticked.game: ticked for ticked in _tick_awake(context, awake, load, jobs)}
    rests = {name: ticked.rest for name, ticked in done.items() if ticked.rest}
    remember(context.home, resting, done.keys(), rests)
    return [done.get(name) or Ticked(name) for name in names]


def _tick_awake(context: TickContext, names: Sequence[str], load: Load, jobs: int) -> list[Ticked]:
    if jobs <= 1 or len(names) < 2:
        return _synced([tick_games(context, names, load)])
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    shares = list(_shares(names, jobs))
    contexts = [_context_for(context, share) for share in shares]
    with ProcessPoolExecutor(jobs, mp_context=get_context(_way_to_start())) as pool:
        return _synced(pool.map(tick_games, contexts, shares, [load] * len(shares)))


def _shares(names: Sequence[str], jobs: int) -> Iterator[Sequence[str]]:
    """What a process takes at a time: a group, towards the end less, so that all end together."""
    least = max(1, min(FEWEST, len(names) // (4 * jobs)))
    while names:
        size = min(GROUP, max(least, len(names) // (2 * jobs)))
        yield names[:size]
        names = names[size:]


def _context_for(context: TickContext, names: Sequence[str]) -> TickContext:
    """The context with the letters of these games alone: it goes to another process."""
    letters = {name: context.letters[name] for name in names if name in context.letters}
    return structs.replace(context, letters=letters)


def tick_games(
    context: TickContext, names: Sequence[str], load: Load
) -> tuple[list[Ticked], list[str]]:
    """The games one after the other, over one connection; and what is still to be synced."""
    from pbem.outbound.transports.registry import transport_of

    transport = transport_of(context.home, context.config)
    done: list[Ticked] = []
    left: list[str] = []
    try:
        with Readers() as readers:
            means = Means(load, transport, readers)
            for at in range(0, len(names), GROUP):
                some = [Ticked(name) for name in sorted(names[at : at + GROUP])]
                left += advance([tick_game(context, means, ticked) for ticked in some])
                done += some
    finally:
        transport.close()
    return done, left


def advance(running: Sequence[Iterator[None]]) -> list[str]:
    """Let all go on together: a step of each, and one sync of what they wrote, until all have
    ended. What the last steps wrote a power cut may take, and the next tick writes it again: it
    is given back, to be synced once for all games."""
    with put_off() as pending:
        while running := [one for one in running if next(one, ENDED) is None]:
            pending.sync()
    return pending.paths()


def _synced(found: Iterable[tuple[list[Ticked], list[str]]]) -> list[Ticked]:
    """What became of the games, when everything they wrote is on the disk."""
    done: list[Ticked] = []
    pending = Pending()
    for some, left in found:
        done += some
        for path in left:
            pending.add(path)
    pending.sync()
    return done


def _way_to_start() -> str:
    """How the processes start. Where it is safe they are copies of this one, which has imported
    what a window needs; else each imports it anew."""
    import threading

    if not sys.platform.startswith("linux") or threading.active_count() > 1:
        return "spawn"
    warm()
    return "fork"


def warm() -> None:
    """Import and load what a window needs, before there is one."""
    from pbem.reports.render import prepare

    for name in WARM:
        import_module(name)
    prepare()
