"""What is measured inside one process of the installed package. Prints one JSON object.

inside.py prepare HOME SYSTEM WINDOWS   a game of bots with that many windows closed and both
                                        order files of the open one received
inside.py measure HOME FLOOR            everything that needs no process of its own
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any

import games
import pbem.cli  # noqa: F401  (the settings that every command runs under)
from pbem.admin.setup import Choices, create, open_game, options_of
from pbem.audit.auditor import audit
from pbem.bots import demo
from pbem.bots.bot_orders import Match, order_set
from pbem.bots.simulate import simulate
from pbem.bots.work import Place
from pbem.charts.kept import DRAWERS
from pbem.charts.picture_cache import picture
from pbem.model import Plain, Side, System
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of
from pbem.store.game_dir import LEDGER, Game, reading, unread, writing
from pbem.store.ledger import Ledger
from pbem.store.records import Noted
from pbem.turns.close_window import report_of, run

FLOOR = Path(__file__).with_name("floor.py")
SEED = "benchmark"
NAME = demo.NAME
LENGTHS = (10, 100, 1000, 10_000)


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    begun = perf_counter()
    work()
    return (perf_counter() - begun) * 1000


def prepare(home: Path, system: System, windows: int, dice: str = "seeded") -> None:
    """Play `windows` windows with the bots, then receive both sides' orders for the next."""
    seed = SEED if dice == "seeded" else ""
    create(home, system, NAME, Choices(dice=dice, seed=seed))
    with writing(home, NAME) as game:
        seats = [demo._seat(home, game, side, SEED) for side in game.register.sides]
        open_game(game, system)
        for number in range(windows + 1):
            for seat in seats:
                demo._order(home, game, patient(system), seat, SEED)
            if number < windows:
                run(game, system)


def patient(system: System) -> System:
    """The system with bots that agree to no runs: what is measured is one turn."""

    def bot(_: System, side: Side, report: Plain, luck: str) -> str:
        lines = system.bot(side, report, luck).splitlines()
        return "\n".join(line for line in lines if not line.startswith("RUN"))

    made: System = type("Patient", (type(system),), {"bot": bot})()
    return made


def system_of(game: Game) -> System:
    """The game's rule system."""
    return games.load(game.register.created.system)


def warm(home: Path, folder: Path, rounds: int = 5) -> dict[str, float]:
    """(b) One turn and the floor's batch cost, by turns."""
    turns, floors = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(rounds):
            copies = [Path(scratch) / f"{number}.{again}" for again in range(4)]
            for copy in copies:
                shutil.copytree(home, copy)
            turns += [timed(partial(close, copy)) for copy in copies]
            floors.append(batch(folder))
    return {"turn": median(turns[1:]), "floor": median(floors)}


def batch(folder: Path) -> float:
    """The floor's cost a turn when 100 are played in one process."""
    command = [sys.executable, str(FLOOR), "batch", str(folder), "100"]
    return float(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def close(home: Path) -> None:
    """What `pbem run` does."""
    with writing(home, NAME) as game:
        run(game, system_of(game))


def rules_and_views(system: System, windows: int = 12) -> dict[str, float]:
    """(d) The rules of a window, and one side's view of what came out."""
    match = Match(system, system.scenarios[0].name, options_of(system, {}), SEED)
    drive, rules, views = match.drive, list[float](), list[float]()
    while drive.over is None and len(rules) < windows:
        luck = f"{SEED} {drive.opens}"
        sets = {side: order_set(system, match.report(side), luck) for side in drive.sides}
        begun = perf_counter()
        match.closing = drive.close(sets, match.dice)
        rules.append((perf_counter() - begun) * 1000)
        views += [timed(partial(drive.view, side)) for side in drive.sides]
    return {"rules": median(rules), "view": median(views)}


def live_and_audit(system: System, windows: int) -> dict[str, float]:
    """(e) A game played live (orders received, windows run), and its audit."""
    with tempfile.TemporaryDirectory() as scratch:
        live = timed(lambda: prepare(Path(scratch), system, windows))
        checked = timed(lambda: require_whole(unread(Path(scratch), NAME), system))
    return {"live": live, "audit": checked}


def require_whole(game: Game, system: System) -> None:
    """Audit; half an audit would be no measure."""
    result = audit(game, system)
    assert result.whole, result.findings


def appends() -> dict[str, float]:
    """(f) Milliseconds of an append to ledgers of 10 to 10,000 records."""
    found = {}
    with tempfile.TemporaryDirectory() as scratch, Ledger.create(Path(scratch) / LEDGER) as ledger:
        for length in LENGTHS:
            _fill(ledger, length)
            took = [timed(partial(note, ledger, "measured")) for _ in range(25)]
            found[str(length)] = median(took)
    return found


def note(ledger: Ledger, text: str) -> None:
    """One small record."""
    ledger.append(Noted(sides=[], text=text), "2026-11-20T12:00:00Z")


def _fill(ledger: Ledger, length: int) -> None:
    """Up to `length` records, written without a sync each."""
    real, os.fsync = os.fsync, lambda fd: None
    try:
        while ledger.position.n < length:
            note(ledger, "x" * 200)
    finally:
        os.fsync = real


def lines(home: Path, count: int = 2000) -> dict[str, float]:
    """(g) Order lines a second, parsed and checked against a report."""
    game = reading(home, NAME)
    system = system_of(game)
    report = report_of(game, game.register.sides[0], game.register.window)
    suggested = [line for line in report.plain["form"].splitlines() if line.strip()]
    body = "\n".join(suggested * (count // len(suggested)))
    text = block_of(header_of(report, 0), body)
    took = min(timed(lambda: read_text(system, report, text)) for _ in range(3))
    return {"lines": len(body.splitlines()), "each second": len(body.splitlines()) / took * 1000}


def charts(home: Path) -> dict[str, float]:
    """(h) Milliseconds of a side's chart;."""
    game = reading(home, NAME)
    system = system_of(game)
    works = drawn(system, report_of(game, game.register.sides[0], game.register.window).plain)
    works["svg"]()
    return {name: median(timed(work) for _ in range(3)) for name, work in works.items()}


def drawn(system: System, report: Plain) -> dict[str, Callable[[], object]]:
    """Every sort of chart of a report that can be drawn here."""
    svg = {"svg": partial(picture, system, report, "svg")}
    if not (any(map(find_spec, DRAWERS)) and find_spec("PIL")):
        return {**svg}
    return {
        **svg,
        "png": partial(picture, system, report, "png"),
        "png detail": partial(picture, system, report, "png", detail=True),
    }


def games_of(system: System, count: int = 5) -> dict[str, float]:
    """(i) Milliseconds of a whole bot game: in memory, and through order text, signatures,
    reports and synced files."""
    memory = [timed(partial(in_memory, system, f"{SEED} {n}")) for n in range(count + 1)]
    files = []
    with tempfile.TemporaryDirectory() as scratch:
        for n in range(count + 1):
            home = Path(scratch) / str(n)
            files.append(timed(partial(by_files, home, system, f"{SEED} {n}")))
    return {"memory": mean(memory[1:]), "files": mean(files[1:])}


def in_memory(system: System, seed: str) -> None:
    """A whole game as `pbem simulate` plays it."""
    exhaust(Match(system, system.scenarios[0].name, options_of(system, {}), seed).play())


def by_files(home: Path, system: System, seed: str) -> None:
    """A whole game as `pbem demo` plays it."""
    exhaust(demo.demo(home, system, seed))


def exhaust(steps: Iterable[object]) -> None:
    """Go to the end."""
    for _ in steps:
        pass


def two_jobs(system: System, count: int = 60) -> dict[str, float]:
    """(j) Milliseconds of a sweep by one process and by two, on all cores of the machine."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    seeds = [f"{SEED} {n}" for n in range(count)]
    return {str(jobs): timed(partial(sweep, system, seeds, jobs)) for jobs in (1, 2)}


def sweep(system: System, seeds: list[str], jobs: int) -> None:
    """Those games by so many processes."""
    options = options_of(system, {})
    name, scenario = system.name, system.scenarios[0].name
    exhaust(simulate(games.load, name, scenario, options, seeds, Place(jobs)))


def measure(home: Path, folder: Path) -> dict[str, Any]:
    """All of it."""
    system = system_of(reading(home, NAME))
    return {
        "warm": warm(home, folder),
        "view": rules_and_views(system),
        "audit": live_and_audit(system, 6),
        "append": appends(),
        "lines": lines(home),
        "chart": charts(home),
        "game": games_of(system),
        "jobs": two_jobs(system),
    }


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]), games.load(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
    else:
        print(json.dumps(measure(Path(sys.argv[2]), Path(sys.argv[3]))))
