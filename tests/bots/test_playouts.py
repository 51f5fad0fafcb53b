"""Playouts end like the games that go through reports, order text and stored positions."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

import games
from pbem.admin.setup import begin, options_of
from pbem.bots.bot_orders import Match, waits
from pbem.bots.playouts import Playout, ordered
from pbem.dice.sources import Seeded
from pbem.engine.drive import encode_position
from pbem.engine.position import Position, encode
from pbem.kit.bots import written
from pbem.model import System

SETTINGS = [
    (system, scenario.name, play)
    for system in games.SYSTEMS
    for scenario in games.load(system).scenarios
    for play in ("plotted", "asked")
]


def match(name: str, scenario: str, play: str, seed: str) -> Match:
    system = games.load(name)
    return Match(system, scenario, options_of(system, {"play": play}), seed)


def playout(name: str, scenario: str, play: str, seed: str) -> Playout:
    system = games.load(name)
    options = options_of(system, {"play": play})
    return Playout.start(system, scenario, options, begin(system, scenario, options, {}), seed)


def require_same(name: str, scenario: str, play: str, seed: str) -> None:
    """The end and the last state of a game are those of its playout, to the byte."""
    whole, quick = match(name, scenario, play, seed), playout(name, scenario, play, seed)
    for _ in whole.play():
        pass
    assert quick.play() == whole.drive.over
    assert encode(quick.drive.state) == encode(whole.drive.state)


@pytest.mark.some(2)
@pytest.mark.parametrize(("name", "scenario", "play"), SETTINGS)
def test_a_playout_is_the_game_to_the_byte(name: str, scenario: str, play: str) -> None:
    require_same(name, scenario, play, f"{name} {scenario}")


@pytest.mark.parametrize("name", [name for name in games.SYSTEMS if name != "toy"])
def test_structs_of_bots_are_the_orders_of_their_text(name: str) -> None:
    """Which playouts never read."""
    system, seen = games.load(name), 0
    quick = playout(name, system.scenarios[0].name, "plotted", "text")
    for _ in range(8):
        for side in quick.drive.sides:
            lines = system.bot_lines(side, quick._seen(side), f"text {quick.drive.opens}")
            given = [line for line in lines or () if line[0]]
            if not given or waits(system, quick.drive, side):
                continue
            read = quick._read(side, written(given, system.grammar)).orders
            for (actor, order), as_read in zip(given, read, strict=True):
                if not isinstance(order, str):
                    assert ordered(actor, order, system.grammar) == as_read
                    seen += 1
        if quick.drive.over:
            break
        quick.window()
    assert seen > 3


@pytest.mark.nightly
@pytest.mark.parametrize("name", games.SYSTEMS)
def test_five_hundred_playouts_are_their_games(name: str) -> None:
    found = [(scenario, play) for system, scenario, play in SETTINGS if system == name]
    for i in range(500):
        require_same(name, *found[i % len(found)], f"night {i}")


def positions(game: Match) -> Iterator[tuple[bytes, list[object], int]]:
    """Of each window the position before it, what was told, and the last window of a run."""
    while not game.drive.over:
        told = game.closing.told if game.closing else []
        yield encode_position(game.drive)[0], list(told), game.until
        game.window()


@pytest.mark.some(2)
@pytest.mark.parametrize(("name", "scenario", "play"), SETTINGS)
def test_a_playout_goes_on_from_every_stored_position(name: str, scenario: str, play: str) -> None:
    """Under the game's own dice and luck it ends like the game, also from within a turn."""
    seed, system = f"on {name}", games.load(name)
    game = match(name, scenario, play, seed)
    kept = list(positions(game))
    last = encode(game.drive.state)
    for data, told, until in kept[:: max(1, len(kept) // 3)]:
        position = msgspec.json.decode(data, type=Position)
        resumed = Playout.resume(
            system,
            scenario,
            game.drive.sides,
            options_of(system, {"play": play}),
            position,
            Seeded(seed, b""),
            seed,
            told,  # type: ignore[arg-type]
            until,
        )
        assert resumed.play() == game.drive.over
        assert encode(resumed.drive.state) == last


@pytest.mark.parametrize("name", [n for n in games.SYSTEMS if n != "toy"])
def test_lines_of_a_bot_are_its_text(name: str) -> None:
    """What playouts take from a bot is what it would mail."""
    system: System = games.load(name)
    game = match(name, system.scenarios[0].name, "plotted", "text")
    for _ in range(3):
        for side in game.drive.sides:
            report = game.report(side).plain
            luck = f"text {game.drive.opens}"
            lines = system.bot_lines(side, report, luck)
            assert lines is not None
            assert written(lines, system.grammar) == system.bot(side, report, luck)
        game.window()
