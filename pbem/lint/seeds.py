"""The same game in two processes with different hash seeds must come out the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from pbem.lint.difference import first_difference
from pbem.lint.finding import Notes
from pbem.model import System
from pbem.rulecode import Place, of_system


class Step(Struct, frozen=True, array_like=True):
    """A step of a game as `pbem.lint.trace` prints it: one line of JSON."""

    window: int
    kind: str
    said: str
    to: list[str]
    place: str
    """File and line of the rules; empty if it has none."""

    def same(self, other: Step) -> bool:
        """Whether the same happened; it may have been written at another place."""
        return msgspec.structs.replace(self, place="") == msgspec.structs.replace(other, place="")


SEEDS = ("1", "2", "3")
WINDOWS = 30
SECONDS = 120.0
"""How long the processes may take together; a game that hangs is found by `pbem.lint.windows`."""


class Played:
    """A game that is being played in a process with a hash seed of its own."""

    def __init__(self, job: Mapping[str, object], seed: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pbem.lint.trace"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            },
            text=True,
        )
        assert self.process.stdin
        self.process.stdin.write(json.dumps(job))
        self.process.stdin.close()
        self.process.stdin = None

    def lines(self) -> list[Step]:
        """The steps of the game: window, kind, text, audience, place."""
        try:
            out, _ = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, _ = self.process.communicate()
        return [
            msgspec.json.decode(line, type=Step) for line in out.splitlines() if line.endswith("]")
        ]


def begun(system: System, scenario: str, options: Mapping[str, str], seed: str) -> list[Played]:
    """Begin the game in a process for each hash seed. They run while other checks do."""
    job = {
        "path": sys.path,
        "module": type(system).__module__,
        "attribute": _attribute(system),
        "scenario": scenario,
        "options": dict(options),
        "seed": seed,
        "windows": WINDOWS,
    }
    return [Played(job, s) for s in SEEDS] if job["attribute"] else []


def check(system: System, playing: list[Played], notes: Notes) -> None:
    """Note the first step that differs between the processes."""
    games = [played.lines() for played in playing]
    for other in games[1:]:
        for here, there in zip(games[0], other, strict=False):
            if not here.same(there):
                _note(system, here, there, notes)
                return


def _note(system: System, here: Step, there: Step, notes: Notes) -> None:
    place: Place | str = here.place or of_system(system, "turn")
    if here.kind == there.kind == "state":
        found = first_difference(json.loads(here.said), json.loads(there.said))
        text = f"the state at the end of window {here.window} differs at {found}"
    else:
        text = (
            f"window {here.window} has {_said(here)} in one process and {_said(there)} in another"
        )
    notes.add(
        "hash-seed",
        place,
        f"the same game differs between processes: {text}",
        "a loop over a set, or hash(), gives another order in every process: use sorted(...)",
    )


def _said(step: Step) -> str:
    return f"{step.kind} {step.said[:80]}"


def _attribute(system: System) -> str:
    """The name of the system in its module; empty if it is not there."""
    module = sys.modules[type(system).__module__]
    return next((name for name, value in vars(module).items() if value is system), "")
