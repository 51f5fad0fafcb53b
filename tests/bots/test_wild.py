"""Whatever players order that the checks of mail accept, a game goes on soundly."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import games
from pbem.bots.wild import Wild, any_options
from pbem.testing.wild import wild

SETTINGS = [
    (name, scenario.name)
    for name in games.SYSTEMS
    if name != "toy"
    for scenario in games.load(name).scenarios
]


def played(name: str, scenario: str, seed: str, most: int) -> Wild:
    system, luck = games.load(name), Random(f"{name} {scenario} {seed}")
    return wild(system, scenario, any_options(system, scenario, luck), seed, most)


@pytest.mark.some(6)
@pytest.mark.parametrize(("name", "scenario"), SETTINGS)
def test_a_game_of_players_who_order_anything_is_sound(name: str, scenario: str) -> None:
    found = played(name, scenario, "1", 30)
    assert found.accepted > 10


@pytest.mark.nightly
@pytest.mark.parametrize("name", games.SYSTEMS)
def test_a_hundred_games_use_every_verb(name: str) -> None:
    """Of every scenario, each with other options."""
    system, verbs = games.load(name), Counter[str]()
    for number in range(100):
        scenario = Random(number).choice(system.scenarios).name
        verbs.update(played(name, scenario, f"{number}", 200).verbs)
    assert {verb.name for verb in system.grammar.verbs} <= set(verbs)
