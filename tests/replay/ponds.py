"""Finished games of the toy on a pond: hulls, shapes, tracks, markers and two charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

import games
from pbem.bots.demo import demo
from pbem.replay.publish import publish
from pbem.replay.walk import Walk, walk
from pbem.scene import Scene
from pbem.store.game_dir import Game, reading
from tests.charts import pond_chart
from tests.luck import pinned

TOY = games.load("toy")
Charts = Callable[[Mapping[str, object]], Sequence[Scene]]


@contextmanager
def charts(drawn: Charts = pond_chart.scenes) -> Iterator[None]:
    """The toy has these charts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(TOY), "charts", lambda self, report: drawn(report))
        yield


class Pond:
    """A finished game of the toy with the charts of the pond, and its replay."""

    def __init__(self, folder: Path, drawn: Charts = pond_chart.scenes) -> None:
        with pytest.MonkeyPatch.context() as patch, charts(drawn):
            pinned(patch, "pond")
            list(demo(folder, TOY, "a", "fast"))
            self.game: Game = reading(folder, "demo")
            self.walk: Walk = walk(self.game, TOY)
            self.page = publish(self.game, TOY, folder / "pond.html").page
