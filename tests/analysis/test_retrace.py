"""Playouts that come together are played once, and give what they would give by themselves."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

import games
from orders.model import OrderSet
from pbem.analysis import whole
from pbem.analysis.moments import moments
from pbem.analysis.units import Played, Unit, of_moment, results
from pbem.bots.playouts import Playout
from pbem.dice.sources import Seeded
from pbem.engine.position import Position
from pbem.model import Side, System
from pbem.store.game_dir import finished

FROZEN = Path(__file__).parents[1] / "frozen"
LAST, NUMBERS = {"toy": 8, "bismarck": 7}, {"toy": 8, "bismarck": 2}
"""How many of a game's last windows, and how many playouts from each."""


@pytest.fixture(scope="module", params=sorted(LAST))
def work(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> whole.Work:
    name = {"toy": "toy/seeded", "bismarck": "bismarck/basic-2-seeded"}[request.param]
    ledger = tmp_path_factory.mktemp("retraced") / "ledger.jsonl"
    ledger.write_bytes(gzip.decompress((FROZEN / f"{name}.jsonl.gz").read_bytes()))
    system = games.load(request.param)
    along = moments(finished(ledger), system)
    return whole.work(lambda name, edition: system, system, along, "retraced")


def alone(system: System, work: whole.Work, window: int, number: int) -> list[str]:
    """The results of the playouts of that number, each by itself."""
    about, moment, luck = work.played, work.moments[window], f"retraced {number}"
    found = []
    for choice in of_moment(moment, about.sides, True):
        game = Playout.resume(
            system,
            about.scenario,
            about.sides,
            about.options,
            msgspec.json.decode(moment.position, type=Position),
            Seeded(luck, b""),
            luck,
            moment.told,
            moment.until,
        )
        game.window({side: moment.orders.get(side, OrderSet()) for side in choice})
        found.append(game.play().result)
    return found


def test_the_results_are_those_of_playouts_by_themselves(
    work: whole.Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: Played = work.played
    system = work.load(played.system, played.edition)
    windows = tuple(sorted(work.moments))[-LAST[played.system] :]
    closed, window = [0], Playout.window

    def counted(self: Playout, given: Mapping[Side, OrderSet] | None = None) -> None:
        closed[0] += 1
        window(self, given)

    monkeypatch.setattr(Playout, "window", counted)
    for number in range(NUMBERS[played.system]):
        before = closed[0]
        found = results(system, played, work.moments, Unit(number, windows, True))
        together, before = closed[0] - before, closed[0]
        assert found == {w: alone(system, work, w, number) for w in windows}
        assert together < closed[0] - before
