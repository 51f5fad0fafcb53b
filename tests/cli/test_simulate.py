"""`pbem simulate --bot`: who plays which side."""

from __future__ import annotations

import pytest

from pbem.cli.bots import strong_sides
from tests.cli.commands import pbem

SIDES = ("british", "german")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], []),
        (["strong"], [*SIDES]),
        (["german=strong"], ["german"]),
        (["strong", "german=plain"], ["british"]),
    ],
)
def test_a_kind_is_of_one_side_or_of_all(words: list[str], found: list[str]) -> None:
    assert strong_sides(words, SIDES) == found


def test_unknown_bots_sides_and_systems_are_refused() -> None:
    assert "no bot 'weak'" in pbem("simulate", "toy", "--bot", "weak").err
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
