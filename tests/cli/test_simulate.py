"""`pbem simulate --bot`: who plays which side."""

from __future__ import annotations

import pytest

import games
from pbem.admin.setup import options_of
from pbem.cli.bots import kinds
from tests.cli.commands import pbem


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], {}),
        (["strong"], {"british": "strong", "german": "strong"}),
        (["german=strong"], {"german": "strong"}),
        (["strong", "german=plain"], {"british": "strong"}),
        (["roamer"], {"german": "roamer"}),
        (["roamer", "british=barrier"], {"german": "roamer", "british": "barrier"}),
    ],
)
def test_a_kind_is_of_one_side_or_of_all_that_have_it(
    words: list[str], found: dict[str, str]
) -> None:
    rules = games.load("bismarck")
    assert kinds(words, rules, rules.scenarios[0], options_of(rules, {})) == found


def test_unknown_bots_sides_and_systems_are_refused() -> None:
    assert "no bot 'weak'" in pbem("simulate", "toy", "--bot", "weak").err
    shown = pbem("simulate", "bismarck", "--bot", "british=roamer").err
    assert "british has no bot 'roamer'" in shown
    assert "barrier (keeps a line across the ocean" in shown
    assert "no side 'otter'" in pbem("simulate", "toy", "--bot", "otter=strong").err
    words = ["simulate", "second_fleet", "--scenario", "banner", "--bot", "strong"]
    assert "no bot that searches for this scenario" in pbem(*words).err


def test_a_searching_bot_says_why() -> None:
    words = ["simulate", "bismarck", "--games", "1", "--bot", "german=strong", "--budget", "4"]
    said = pbem(*words, "--explain", "--json").json
    assert said["wins"] and not said["faults"]
    assert len(said["said"]["pbem 1"]) == said["windows"]["most"]
    assert "said" not in pbem(*words, "--json").json
    assert "window 1 german: " in pbem(*words, "--explain").out
