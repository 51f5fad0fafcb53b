"""Finished games with their replays."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from pbem.bots.demo import demo
from pbem.replay.publish import publish
from pbem.replay.walk import Walk, walk
from pbem.store.game_dir import reading
from tests.conftest import Clock
from tests.luck import pinned
from tests.systems import of_each

GAMES = of_each(
    {
        "toy": "a",
        "bismarck": "b",
        "far_seas": "a",
        "atlantic_chase": "a",
        "baltic": "a",
        "second_fleet": "a",
    },
    "seeds of replays",
)
LUCK = "b13"  # a contact of the British stands still for hours: its trail has a place twice


def replayed(folder: Path, name: str) -> None:
    """Play a game to its end, and publish it."""
    system = games.load(name)
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        pinned(patch, LUCK)
        list(demo(folder, system, GAMES[name], "fast"))
    publish(reading(folder, "demo"), system, folder / "demo.html")


class Replay:
    """A finished game with its page, in a folder that `replayed` has filled. Do not change it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.system, self.game = games.load(name), reading(folder, "demo")
        self.walk: Walk = walk(self.game, self.system)
        self.page = folder / "demo.html"
        self.windows = sorted(self.walk.frames)
        self.views = range(len(self.walk.register.sides) + 1)
