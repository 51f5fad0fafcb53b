"""What commands share that do much work: on how many cores or machines, and their progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

if TYPE_CHECKING:
    from pbem.bots.work import Place

Item = TypeVar("Item")
Function = TypeVar("Function", bound=Callable[..., Any])

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def place_options(jobs: int) -> Callable[[Function], Function]:
    """The options --jobs, --cluster and --keep of a command. jobs: the default number."""

    def added(function: Function) -> Function:
        for option in reversed(_options(jobs)):
            function = option(function)
        return function

    return added


def _options(jobs: int) -> list[Callable[[Function], Function]]:
    said = f"[default: {jobs}]" if jobs == 1 else "[default: one for each core]"
    return [
        click.option(
            "--jobs", type=click.IntRange(1), default=jobs, help=f"Number of processes. {said}"
        ),
        click.option(
            "--cluster",
            default="",
            metavar="ADDRESS",
            help="Work on a Dask cluster; the address of its scheduler.",
        ),
        click.option(
            "--keep",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="Keep results in FILE; a run that was stopped goes on from it.",
        ),
    ]


def place(jobs: int, cluster: str, keep: Path | None) -> Place:
    """What these options say."""
    from pbem.bots.work import Place

    return Place(jobs, cluster, keep)


def watched(running: Iterable[Item], length: int, label: str) -> list[Item]:
    """All items; on a terminal a bar shows how far they are and the time that is left."""
    if not sys.stderr.isatty():
        return list(running)
    with click.progressbar(running, length=length, label=label, file=sys.stderr) as bar:
        return list(bar)


class Under(Protocol):
    """Work under way whose end comes nearer as results come."""

    @property
    def done(self) -> int:
        """What is done."""

    @property
    def most(self) -> int:
        """How much there is in the end, at most."""


def gauged(running: Iterable[Item], under: Under, label: str, take: Callable[[Item], None]) -> None:
    """Take all items; on a terminal a bar shows how far they are and the time that is left, at
    most. take: changes what is done."""
    if not sys.stderr.isatty():
        for item in running:
            take(item)
        return
    with click.progressbar(length=max(under.most, 1), label=label, file=sys.stderr) as bar:
        for item in running:
            take(item)
            bar.length = max(under.most, 1)
            bar.update(under.done - bar.pos)
