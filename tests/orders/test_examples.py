"""The example files of every game: good ones are clean, bad ones say what is wrong with them.

`orders/examples/GAME/good/*.txt` and `bad/*.txt`; a bad one begins with
`[ expect: CODE CODE ... ]`, the codes in the order of the text. A game is judged by its own
checker and by `tests/GAME/example_report.json`; `sea` is the language of tests/orders/sea.py.
"""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from orders.canon import decode, streams
from orders.diagnose import judge
from orders.parse import understand
from orders.reading import Reading
from orders.show import show
from orders.verbs import Grammar
from orders.vocabulary import Vocabulary
from pbem.model import System

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "orders" / "examples"
MARK = "[ expect:"
GOOD = sorted(EXAMPLES.glob("*/good/*.txt"))
BAD = sorted(EXAMPLES.glob("*/bad/*.txt"))


class Unchecked(System):
    """A game without checks."""

    checks = ""


def language(game: str) -> tuple[Grammar, dict[str, Any], System]:
    """A game's grammar, an example report and its checker; skips where one is not there."""
    if game == "sea":
        sea = import_module("tests.orders.sea")
        return sea.GRAMMAR, sea.REPORT, Unchecked()
    if find_spec(f"games.{game}") is None or find_spec(f"games.{game}.game") is None:
        pytest.skip(f"the game {game} is not here")
    report = ROOT / "tests" / game / "example_report.json"
    if not report.exists():
        pytest.skip(f"{report.relative_to(ROOT)} is not here")
    system = import_module(f"games.{game}.game").SYSTEM
    return system.grammar, json.loads(report.read_text("utf-8")), system


def read(path: Path) -> tuple[Reading, Grammar]:
    grammar, report, system = language(path.parent.parent.name)
    (unit,) = streams(decode(path.read_bytes()), path.name)
    reading = understand(unit, grammar, Vocabulary.of(report, grammar))
    judged = judge(reading, report, system.check, system.after, beside=system.contradicts)
    return judged, grammar


def name(path: Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_good_examples_are_understood_whole(path: Path) -> None:
    reading, grammar = read(path)
    assert not reading.diagnostics
    assert not reading.unit.faults
    assert reading.orders.orders or reading.orders.answers
    again = streams(f"BEGIN ORDERS {show(reading.orders, grammar)} END ORDERS")[0]
    assert understand(again, grammar, Vocabulary.of(*language_of(path))).orders == reading.orders


def language_of(path: Path) -> tuple[dict[str, Any], Grammar]:
    grammar, report, _ = language(path.parent.parent.name)
    return report, grammar


@pytest.mark.parametrize("path", BAD, ids=name)
def test_bad_examples_say_on_their_first_line_what_is_wrong(path: Path) -> None:
    reading, _ = read(path)
    first = decode(path.read_bytes()).splitlines()[0]
    assert first.startswith(MARK)
    expected = first.removeprefix(MARK).rstrip("] ").split()
    found = reading.refusals if reading.unit.faults else reading.diagnostics
    assert sorted(d.code for d in found) == sorted(expected)


def test_every_game_has_examples_of_both_kinds() -> None:
    good = {p.parent.parent.name for p in GOOD}
    assert "sea" in good
    assert good == {p.parent.parent.name for p in BAD}
