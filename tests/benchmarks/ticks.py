"""How many games a tick resolves: `python tests/benchmarks/ticks.py [--games N] [--due N] ...`.

A home of toy games, the due ones with a signed set of each side waiting in a Maildir; then one
`pbem tick`, timed whole, with its peak of memory. Everything is synced as always.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

CONFIG = """address = "games@example.org"
moderator = "mod@example.org"
[mailbox]
kind = "maildir"
path = "in"
[delivery]
kind = "maildir"
path = "out"
[limits]
fetch = 100000
"""


def main(*words: str) -> None:
    """Prepare one home for each number of games, tick it, print what it took."""
    asked = _arguments(words)
    found = []
    for games in asked.games:
        with tempfile.TemporaryDirectory(prefix="pbem-ticks-", dir=asked.dir) as folder:
            home = Path(folder) / "home"
            prepare(home, games, min(asked.due, games), asked.dice, asked.mail)
            found.append({"games": games, **tick(home, asked.jobs)})
    print(json.dumps(found, indent=1) if asked.json else "\n".join(map(line, found)))


def _arguments(words: tuple[str, ...]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, nargs="+", default=[1000])
    parser.add_argument("--due", type=int, default=200, help="games that close a window")
    parser.add_argument("--dice", default="seeded", choices=["seeded", "fast"])
    parser.add_argument("--mail", default="plain")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--dir", help="where the home is made; default: the temporary folder")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(words)


def prepare(home: Path, games: int, due: int, dice: str = "seeded", mail: str = "plain") -> None:
    """Open games with their first reports sent, and mail for those that are due. What is only
    preparation is not synced."""
    from games.toy.game import SYSTEM
    from pbem.game import writing
    from pbem.setup import Choices, create, open_game

    real, os.fsync = os.fsync, lambda fd: None
    try:
        for part in ("in/tmp", "in/new", "in/cur"):
            (home / part).mkdir(parents=True)
        (home / "pbem.toml").write_text(CONFIG)
        for i in range(games):
            name = f"g{i}"
            create(
                home,
                SYSTEM,
                name,
                Choices(seed=name if dice == "seeded" else "", dice=dice, mail=mail),
            )
            with writing(home, name) as game:
                _enlist(game)
                open_game(game, SYSTEM)
        _tick(home, 1)
        shutil.rmtree(home / "out")
        for i in range(due):
            _order(home, f"g{i}")
    finally:
        os.fsync = real
    os.sync()


def _enlist(game: Any) -> None:
    from pbem.chains import LINKED, Purse, first_anchor
    from pbem.seal import public_line
    from pbem.setup import Newcomer, enlist

    for side in ("fox", "hunter"):
        key = _key(side)
        linked = game.register.created["dice"] in LINKED
        anchor = first_anchor(Purse(key), game.name, side) if linked else ""
        enlist(game, side, Newcomer(public_line(key.wire), f"{side}@example.org", anchor=anchor))


def _key(side: str) -> Any:
    from pbem.keys import from_seed

    return from_seed(side.encode().ljust(32, b"."))


def _order(home: Path, name: str) -> None:
    """A mail with the signed set of each side."""
    from games.toy.game import SYSTEM
    from pbem.bots import order_set
    from pbem.chains import Purse
    from pbem.sign import signed

    for side in ("fox", "hunter"):
        path = home / name / "reports" / side / "1" / "report.json"
        report = json.loads(path.read_bytes())
        text = signed(
            SYSTEM, report, order_set(SYSTEM, report, "x"), Purse(_key(side)), report["seq"]
        )
        head = f"From: {side}@example.org\nTo: games@example.org\nSubject: orders\n"
        head += f"Message-ID: <{name}-{side}@players.example>\n\n"
        (home / "in" / "new" / f"{name}-{side}").write_text(head + text)


def tick(home: Path, jobs: int) -> dict[str, Any]:
    """What one tick did and took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    done = _tick(home, jobs)
    seconds = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    closed = sum(one["closed"] for one in done["games"])
    return {
        "closed": closed, "fetched": done["fetched"], "seconds": round(seconds, 3),
        "cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3),
        "a second": round(closed / seconds, 1), "peak MB": after.ru_maxrss // 1024,
    }  # fmt: skip


def _tick(home: Path, jobs: int) -> dict[str, Any]:
    command = [
        sys.executable,
        "-m",
        "pbem",
        "--home",
        str(home),
        "tick",
        "--json",
        "--jobs",
        str(jobs),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    assert not [one["error"] for one in found["games"] if one["error"]]
    return found


def line(found: dict[str, Any]) -> str:
    """One row of the table in docs/design.md."""
    cells = (found["games"], found["closed"], found["seconds"], found["cpu"], found["a second"],
             found["peak MB"])  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main(*sys.argv[1:])
