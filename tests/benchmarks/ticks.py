"""How many games a tick resolves: `python -m tests.benchmarks.ticks [--games N] [--due N] ...`.

A home of toy games, the due ones with a signed set of each side waiting in a Maildir; then one
`pbem tick`, timed whole, with its peak of memory. Everything is synced as always. Beside it stands
a bare loop that writes files of the same bytes in the same place and syncs them as often, so that
a slow disk is told from a slow program; and a second tick, which finds nothing to do.
"""

from __future__ import annotations

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import ioctl
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest.mock import patch

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

SITE = """[club]
name = "Club"
site = "public"
"""


STARTER = """
import resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
sys.exit(code)
"""
"""A small process that starts the tick: a child counts as its own what its parent held."""

GET_FLAGS, SET_FLAGS, TOP = 0x80086601, 0x40086602, 0x00020000
"""FS_IOC_GETFLAGS, FS_IOC_SETFLAGS, FS_TOPDIR_FL of linux/fs.h."""

SYNCED = 32
"""Games whose files the bare loop syncs together, twice, as a tick does."""


def main(*words: str) -> None:
    """Prepare one home for each number of games, tick it, print what it took."""
    asked = _arguments(words)
    found = []
    for games in asked.games:
        with tempfile.TemporaryDirectory(prefix="pbem-ticks-", dir=asked.dir) as folder:
            home, due = _apart(Path(folder)), min(asked.due, games)
            more = SITE if asked.site else ""
            prepare(home, games, due, asked.dice, asked.mail, asked.charts, more, asked.watched)
            found.append({"games": games, **measured(home, asked.jobs)})
    print(json.dumps(found, indent=1) if asked.json else "\n".join([HEAD, *map(line, found)]))


def _arguments(words: tuple[str, ...]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, nargs="+", default=[1000])
    parser.add_argument("--due", type=int, default=200, help="games that close a window")
    parser.add_argument("--dice", default="seeded", choices=["seeded", "fast"])
    parser.add_argument("--mail", default="plain", choices=["plain", "sealed"])
    parser.add_argument("--charts", action="store_true", help="reports are mailed with pictures")
    parser.add_argument("--site", action="store_true", help="the home has a club with a site")
    parser.add_argument("--watched", action="store_true", help="the site watches every game")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--dir", help="where the home is made; default: the temporary folder")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(words)


def _apart(folder: Path) -> Path:
    """A home in that folder that lies elsewhere on the disk than its neighbours: by `chattr +T` and
    its name, which is another in each run.

    For minutes ext4 looks at each inode freed nearby, one by one, whenever it makes a file, and an
    earlier run has freed thousands. Other file systems take no notice.
    """
    fd = os.open(folder, os.O_RDONLY)
    with suppress(OSError):
        flags = struct.unpack("l", ioctl(fd, GET_FLAGS, struct.pack("l", 0)))[0]
        ioctl(fd, SET_FLAGS, struct.pack("l", flags | TOP))
    os.close(fd)
    return folder / folder.name


def prepare(
    home: Path,
    games: int,
    due: int,
    dice: str = "seeded",
    mail: str = "plain",
    charts: bool = False,
    more: str = "",
    watched: bool = False,
) -> None:
    """Open games with their first reports sent, and mail for those that are due. more: of the
    settings. What is only
    preparation is not synced, shares a dice key and draws no pictures; games that only lie there
    have dice without a key."""
    from pbem.admin.setup import Choices
    from pbem.club.site import CHARTS

    chart = "png" if charts else "none"
    with _in_haste():
        for part in ("in/tmp", "in/new", "in/cur"):
            (home / part).mkdir(parents=True)
        (home / "pbem.toml").write_text(CONFIG + more)
        for i in range(games):
            kind = dice if i < due else "seeded"
            seed = f"g{i}" if kind == "seeded" else ""
            _begin(home, f"g{i}", Choices(seed=seed, dice=kind, mail=mail, chart=chart), watched)
        for _ in range(1 + games // CHARTS if watched else 1):  # until the site has all charts
            _tick(home, 1)
        (home / "out").rename(home.parent / "before")  # ext4 is slow for minutes behind deletions
        for i in range(due):
            _order(home, f"g{i}")
    os.sync()


@contextmanager
def _in_haste() -> Iterator[None]:
    """Nothing is synced, one dice key is every game's, no picture is drawn."""
    from pbem.dice import provable

    keys: list[Any] = []
    make = provable.generate_key

    def generate_key() -> Any:
        keys[:] = keys or [make()]
        return keys[0]

    with (
        patch.object(os, "fsync"),
        patch.object(provable, "generate_key", generate_key),
        patch("pbem.turns.open_window.charts_of", lambda *_: ()),
    ):
        yield


def _begin(home: Path, name: str, choices: Any, watched: bool) -> None:
    from games.toy.game import SYSTEM
    from pbem.admin.setup import create, open_game
    from pbem.outbound.spectators import enrol_site
    from pbem.store.game_dir import writing

    create(home, SYSTEM, name, choices)
    with writing(home, name) as game:
        _enlist(game)
        if watched:
            enrol_site(game)
        open_game(game, SYSTEM)


def _enlist(game: Any) -> None:
    from pbem.admin.setup import Newcomer, enlist
    from pbem.crypto.sshsig import public_line
    from pbem.dice.chains import DiceChains, first_anchor
    from pbem.dice.sources import LINKED

    for side in ("fox", "hunter"):
        key = _key(side)
        linked = game.register.created.dice in LINKED
        anchor = first_anchor(DiceChains(key), game.name, side) if linked else ""
        enlist(game, side, Newcomer(public_line(key.wire), f"{side}@example.org", anchor=anchor))


def _key(side: str) -> Any:
    from pbem.crypto.private_keys import from_seed

    return from_seed(side.encode().ljust(32, b"."))


def _order(home: Path, name: str) -> None:
    """A mail with the signed set of each side."""
    from games.toy.game import SYSTEM
    from pbem.base.report_json import Report
    from pbem.bots.bot_orders import order_set
    from pbem.dice.chains import DiceChains
    from pbem.player.sign import encrypted, signed

    for side in ("fox", "hunter"):
        path = home / name / "reports" / side / "1" / "report.json"
        report = Report.of(json.loads(path.read_bytes()))
        orders = order_set(SYSTEM, report, "x")
        text = signed(SYSTEM, report, orders, DiceChains(_key(side)), report.seq)
        head = f"From: {side}@example.org\nTo: games@example.org\n"
        head += f"Subject: {name} orders for window 1\n"  # as `pbem sign --eml` writes it
        head += f"Message-ID: <{name}-{side}@players.example>\n\n"
        (home / "in" / "new" / f"{name}-{side}").write_text(head + encrypted(report, text))


def measured(home: Path, jobs: int) -> dict[str, Any]:
    """One tick, one behind it that has nothing to do, and the bare loop."""
    before = {path for path in home.rglob("*") if path.is_file()}
    done = tick(home, jobs)
    assert not done["refused"], "orders were refused"
    made = [path.read_bytes() for path in home.rglob("*") if path.is_file() and path not in before]
    idle = tick(home, jobs)
    bare = loop(home.with_name(f"bare-{home.name}"), made, 2 * -(-done["closed"] // SYNCED))
    return {
        **done,
        "files": len(made),
        "MB": round(sum(map(len, made)) / 1e6, 1),
        "bare": round(bare, 3),
        "ratio": round(done["seconds"] / bare, 2),
        "idle": idle["seconds"],
    }


def loop(folder: Path, contents: list[bytes], syncs: int) -> float:
    """Seconds to write files of these contents, with so many syncs of the file system."""
    from pbem.base.syncing import Pending

    pending = Pending()
    start, rest = perf_counter(), iter(enumerate(contents))
    for number in range(max(syncs, 1)):
        some = folder / str(number)
        some.mkdir(parents=True)
        for i, content in islice(rest, -(-len(contents) // max(syncs, 1))):
            (some / str(i)).write_bytes(content)
            pending.add(some / str(i))
        pending.sync()
    return perf_counter() - start


def tick(home: Path, jobs: int) -> dict[str, Any]:
    """What one tick did and took."""
    done, (seconds, cpu, peak) = _tick(home, jobs)
    closed = sum(one["closed"] for one in done["games"])
    return {
        "closed": closed,
        "fetched": done["fetched"],
        "seconds": round(seconds, 3),
        "refused": sum(one["dealt"]["refused"] for one in done["games"]),
        "cpu": round(cpu, 3),
        "cores": round(cpu / seconds, 2),
        "a second": round(closed / seconds, 1),
        "peak MB": int(peak) // 1024,
    }


def _tick(home: Path, jobs: int) -> tuple[dict[str, Any], list[float]]:
    """What `pbem tick` says, and seconds, seconds of computing and KB of its largest process."""
    command = [sys.executable, "-m", "pbem", "--home", str(home), "tick", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", STARTER, *command, "--jobs", str(jobs)],
        capture_output=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    assert not [one["error"] for one in found["games"] if one["error"]]
    return found, [float(word) for word in done.stderr.split()[-3:]]


COLUMNS = {
    "games": "games",
    "closed": "windows",
    "seconds": "seconds",
    "a second": "windows a second",
    "cpu": "seconds of computing",
    "cores": "cores at work",
    "peak MB": "largest process, MB",
    "files": "files",
    "MB": "MB written",
    "ratio": "against a bare loop",
    "idle": "idle tick, s",
}
HEAD = f"| {' | '.join(COLUMNS.values())} |\n|{' ---: |' * len(COLUMNS)}"


def line(found: dict[str, Any]) -> str:
    """One row of the table in docs/design.md."""
    return f"| {' | '.join(str(found[key]) for key in COLUMNS)} |"


if __name__ == "__main__":
    main(*sys.argv[1:])
