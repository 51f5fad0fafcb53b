"""`pbem simulate --bot`: who plays which side."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from pbem.admin.setup import options_of
from pbem.bots.simulate import Played, summary
from pbem.cli.bots import kinds
from pbem.cli.simulate import _text
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
    assert "no side ''" in pbem("simulate", "toy", "--bot", "=strong").err
    words = ["simulate", "second_fleet", "--scenario", "banner", "--bot", "strong"]
    assert "no bot that searches for this scenario" in pbem(*words).err


def test_a_searching_bot_says_why() -> None:
    words = ["simulate", "bismarck", "--games", "1", "--bot", "german=strong", "--budget", "4"]
    said = pbem(*words, "--explain", "--json").json
    assert said["wins"] and not said["faults"]
    assert len(said["said"]["pbem 1"]) == said["windows"]["most"]
    assert "said" not in pbem(*words, "--json").json
    assert "window 1 german: " in pbem(*words, "--explain").out


@pytest.mark.parametrize("option", [["--explain"], ["--budget", "4"]])
def test_options_of_searching_bots_are_refused_where_none_searches(option: list[str]) -> None:
    said = pbem("simulate", "toy", "--games", "1", *option)
    assert (said.code, said.out) == (2, "")
    assert f"{option[0]} is for bots that search, and none plays" in said.err


def test_games_that_all_fail_ended_by_no_rule() -> None:
    failed = summary([Played("a 1", "", "", 0, 1, fault="KeyError: 'B2'")])
    said = _text({"system": "toy", "scenario": "wood", **failed})
    assert "ended by" not in said and "FAULT seed 'a 1': KeyError: 'B2'" in said


def test_one_game_is_no_games() -> None:
    assert pbem("simulate", "toy", "--games", "1").out.startswith("1 game of toy, wood\n")


def test_a_demo_counts_windows_as_simulate_does(tmp_path: Path) -> None:
    """Also those of agreed turns, which close together."""
    said = pbem("demo", "bismarck", "--dir", tmp_path / "home", "--json").json
    ledger = (tmp_path / "home" / "demo" / "ledger.jsonl").read_text("utf-8")
    assert said["windows"] == ledger.count('"kind":"closed"')
