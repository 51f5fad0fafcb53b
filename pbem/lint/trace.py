"""Plays one bot game and prints each step: `python -m pbem.lint.trace`, for `pbem.lint.seeds`."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import msgspec

from pbem.bots.bot_orders import Match
from pbem.engine.position import encode
from pbem.lint.finding import Notes
from pbem.lint.seeds import Step
from pbem.lint.watched import diary, driver
from pbem.model import System


def main() -> None:
    """Read the job from the standard input and print a line of JSON for each step and state."""
    job = json.load(sys.stdin)
    sys.path[:] = job["path"]
    system: System = getattr(import_module(job["module"]), job["attribute"])
    match = Match(system, job["scenario"], job["options"], job["seed"], driver(Notes()))
    steps = diary(match.drive).steps
    for number in range(job["windows"]):
        for step in steps:
            place = str(step.place) if step.place else ""
            _print(Step(number, step.kind, step.said, list(step.to), place))
        _print(Step(number, "state", encode(match.drive.state).decode(), [], ""))
        steps.clear()
        if match.drive.over is not None:
            return
        match.window()


def _print(step: Step) -> None:
    print(msgspec.json.encode(step).decode())


if __name__ == "__main__":
    main()
