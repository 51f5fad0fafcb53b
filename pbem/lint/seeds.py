"""The same game in two processes with different hash seeds must come out the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from pbem.lint.difference import first_difference
from pbem.lint.finding import Notes
from pbem.model import System
from pbem.rulecode import Place, of_system

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

    def lines(self) -> list[list[Any]]:
        """The steps of the game: window, kind, text, audience, place."""
        try:
            out, _ = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, _ = self.process.communicate()
        return [json.loads(line) for line in out.splitlines() if line.endswith("]")]


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
            if here[:4] != there[:4]:
                _note(system, here, there, notes)
                return


def _note(system: System, here: list[Any], there: list[Any], notes: Notes) -> None:
    place: Place | str = here[4] or of_system(system, "turn")
    if here[1] == there[1] == "state":
        found = first_difference(json.loads(here[2]), json.loads(there[2]))
        text = f"the state at the end of window {here[0]} differs at {found}"
    else:
        text = f"window {here[0]} has {_said(here)} in one process and {_said(there)} in another"
    notes.add(
        "hash-seed",
        place,
        f"the same game differs between processes: {text}",
        "a loop over a set, or hash(), gives another order in every process: use sorted(...)",
    )


def _said(step: list[Any]) -> str:
    return f"{step[1]} {step[2][:80]}"


def _attribute(system: System) -> str:
    """The name of the system in its module; empty if it is not there."""
    module = sys.modules[type(system).__module__]
    return next((name for name, value in vars(module).items() if value is system), "")
