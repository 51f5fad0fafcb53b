"""The speed table: `python -m tests.benchmarks [--python BIN] [--system bismarck]`.

Ratios, medians of interleaved runs, all pinned to one core of this machine. Processes are timed
whole, from an installed wheel; without --python one is built and installed into a scratch
folder. Read it on a machine that has nothing else to do.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
Command = list[str]
DICE = ("seeded", "fast")


def main() -> None:
    """Prepare, measure, print."""
    asked = _arguments()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        scratch = Path(folder)
        python = str(asked.python or installed(scratch))
        run(python, HERE / "floor.py", "prepare", scratch / "floor")
        for dice in DICE:
            game = (scratch / dice, asked.system, asked.windows, dice)
            run(python, HERE / "inside.py", "prepare", *game)
        whole = processes(python, scratch, asked.runs)
        inside = run(python, HERE / "inside.py", "measure", scratch / DICE[0], scratch / "floor")
    found: dict[str, Any] = {"process": whole, **json.loads(inside)}
    print(json.dumps(found, indent=1) if asked.json else table(asked.system, found))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", type=Path, help="python of a venv that has pbem from a wheel")
    parser.add_argument("--system", default="bismarck")
    parser.add_argument("--windows", default="4", help="windows closed before the measured one")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def run(*command: object) -> str:
    """The standard output of a command that must succeed."""
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, check=True, text=True
    )
    return done.stdout


def installed(scratch: Path) -> Path:
    """A venv with a wheel of this tree."""
    run(sys.executable, "-m", "venv", scratch / "venv")
    python = scratch / "venv" / "bin" / "python"
    run(python, "-m", "pip", "--quiet", "install", ROOT)
    return python


def processes(python: str, scratch: Path, runs: int) -> dict[str, float]:
    """(a), (c) Milliseconds of whole processes, by turns."""
    pbem = str(Path(python).with_name("pbem"))
    spare = scratch / "spare"

    def fresh(dice: str) -> None:
        shutil.rmtree(spare, ignore_errors=True)
        shutil.copytree(scratch / dice, spare)

    close = [pbem, "--home", str(spare), "run", "demo"]
    return interleaved(
        {
            **{f"run {dice}": (close, partial(fresh, dice)) for dice in DICE},
            "floor": ([python, str(HERE / "floor.py"), "turn", str(scratch / "floor")], _nothing),
            "help": ([pbem, "--help"], _nothing),
            "click": ([python, "-c", "import click"], _nothing),
            "python": ([python, "-c", "pass"], _nothing),
        },
        runs,
    )


def _nothing() -> None:
    """No preparation."""


def interleaved(
    commands: Mapping[str, tuple[Command, Callable[[], None]]], runs: int
) -> dict[str, float]:
    """Medians of `runs` rounds in which every command has its turn; the first round is waste."""
    took: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs + 1):
        for name, (command, before) in commands.items():
            before()
            begun = perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            took[name].append((perf_counter() - begun) * 1000)
    return {name: median(each[1:]) for name, each in took.items()}


def table(system: str, found: Mapping[str, Any]) -> str:
    """The figures against their limits."""
    process, warm, view = found["process"], found["warm"], found["view"]
    audit, append, lines = found["audit"], found["append"], found["lines"]
    floor, longest, shortest = process["floor"], append["10000"], append["10"]
    rows = [
        *(
            (f"`pbem run`, {dice} dice", process[f"run {dice}"], "floor process", floor, "4")
            for dice in DICE
        ),
        ("a turn, warm process", warm["turn"], "floor, batch", warm["floor"], "100 ms"),
        ("`pbem --help`", process["help"], "`import click`", process["click"], "1.5"),
        ("a side's view", view["view"], "rules of the turn", view["rules"], "1"),
        ("audit", audit["audit"], "live play", audit["live"], "1"),
        ("append at 10,000", longest, "append at 10", shortest, "flat"),
    ]
    out = [
        f"| {system} | ms | against | ms | ratio | limit |",
        "| --- | ---: | --- | ---: | ---: | ---: |",
    ]
    out += [f"| {a} | {x:.2f} | {b} | {y:.2f} | {x / y:.2f} | {m} |" for a, x, b, y, m in rows]
    rate = lines["each second"]
    out.append(f"| order lines a second, parsed and checked | | | | {rate:,.0f} | >= 5,000 |")
    limits = {"svg": 20, "png": 1500, "png detail": 700}
    out += [
        f"| a chart as {name} | {took:.1f} | | | | {limits[name]} ms |"
        for name, took in found["chart"].items()
    ]
    whole, jobs = found["game"], found["jobs"]
    out.append(f"| a bot game in memory | {whole['memory']:.0f} | | | | 1000 ms |")
    out.append(f"| a bot game through files | {whole['files']:.0f} | | | | 4000 ms |")
    one, two = jobs["1"], jobs["2"]
    out.append(f"| simulate, one job | {one:.0f} | two jobs | {two:.0f} | {one / two:.2f} | 1.8 |")
    return "\n".join(out)


if __name__ == "__main__":
    main()
