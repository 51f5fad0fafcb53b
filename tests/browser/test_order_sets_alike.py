"""Sets of orders in the browser: what their orders do to one another is judged as Python does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import games
from pbem.player.reader import USUAL_ANSWER
from tests.baltic.test_forms import SPEEDS, under_way
from tests.orders.test_examples import ROOT

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.tongue import Tongue, speaking

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

SYSTEM = games.load("bismarck")


@pytest.fixture(scope="module")
def tongue(browser: Browser) -> Iterator[Tongue]:
    with speaking(browser, SYSTEM) as one:
        yield one


@pytest.fixture
def report() -> dict[str, Any]:
    found = json.loads((ROOT / "tests/bismarck/example_report.json").read_text("utf-8"))
    return {**found, "system": SYSTEM.name, "edition": SYSTEM.edition}


REGROUPED = [
    "TF1: break; HOOD: move I9; PRINCE OF WALES: patrol;",
    "HOOD: move I9; TF1: break; PRINCE OF WALES: form HOOD as TF4; TF4: move H7;",
    "TF1: detach HOOD; HOOD: join TF1; HOOD: form PRINCE OF WALES as TF5; TF5: hold;",
    "TF1: detach HOOD as TF7; TF7: hold; TF1: hold;",
    "HOOD: form PRINCE OF WALES as TF3; TF1: form HOOD as TF4; HOOD: join TF2; HOOD: fly H7;",
    "TF1: break; HOOD: form TF2 as TF3; HOOD: form HOOD as TF3; HOOD: form TF1 as TF3;",
    "TF1: if visibility at least 5 then break; HOOD: move I9; TF1: move H7;",
    "TF1: break; TF1: hold; HOOD: form VICTORIOUS as TF9; TF9: hold;",
    "HOOD: move I9; TF2: join TF1; TF8: hold; HOOD: form PRINCE OF WALES as TF8;",
    "@TF1: break; HOOD: move I9; turn 99 TF1: break;",
    "BRITISH: mobilise RODNEY; RODNEY: move J17; BRITISH: mobilise RODNEY;",
]


def test_sets_that_regroup_are_judged_alike(tongue: Tongue, report: dict[str, Any]) -> None:
    texts = [f"BEGIN ORDERS\n{text}\nEND ORDERS\n" for text in REGROUPED]
    codes = tongue.agrees(report, texts)
    assert {"not-now", "one-ship"} <= set(codes)
    first, *_ = tongue.check(report, texts)
    assert [order["actor"] for order in first["orders"]] == ["TF1", "HOOD", "PRINCE OF WALES"]


def test_a_unit_that_is_offered_nothing_is_judged_alike(
    tongue: Tongue, report: dict[str, Any]
) -> None:
    """The game says why where it can, of the sender's own unit that the menu does not have."""
    idle = {**report, "menu": {k: v for k, v in report["menu"].items() if k != "PLYM2"}}
    texts = [
        f"BEGIN ORDERS\nPLYM2: {order};\nEND ORDERS\n"
        for order in ("search all", "hold", "fly R18")
    ]
    assert {"not-now"} < set(tongue.agrees(idle, texts))
    assert "for the whole side" in json.dumps(tongue.check(idle, texts[:1]))


def test_edited_forms_are_judged_alike(tongue: Tongue, report: dict[str, Any]) -> None:
    """Lines added below and above those of the form, with and without a condition."""
    report = {**report, "suggest": ["BRITISH: search all;", "TF1: hold;"]}
    form = "\n".join(report["suggest"])
    added = (
        "TF1: move H7;",
        "TF1: if turn over 3 then move H7;",
        "TF1: move H7; TF1: patrol;",
        "british:search  ALL; british: search none;",
    )
    bodies = [text for line in added for text in (f"{form}\n{line}", f"{line}\n{form}")]
    codes = tongue.agrees(report, [f"BEGIN ORDERS\n{text}\nEND ORDERS\n" for text in bodies])
    assert "contradiction" in codes


IN_FORCE = {
    "standing": [
        "@BRITISH: shadow auto;",
        "@BRITISH: if night then strike bb also break off yes;",
        "@TF1: when sighted if turn over 3 then hold else patrol;",
        "turn 99 TF1: hold;",
        "@HOOD: hold;",
    ],
    "this_turn": ["BRITISH: high speed shadow on;", "BRITISH: search all;", "TF1: hold;"],
}


def test_what_a_set_leaves_of_earlier_orders_is_judged_alike(
    tongue: Tongue, report: dict[str, Any]
) -> None:
    """And who is without an order then."""
    report = {**report, **IN_FORCE}
    bodies = (
        "@BRITISH: strike bb; BRITISH: search F20;",
        "@HOOD: hold; BRITISH: search all;",
        "BRITISH: high speed shadow off; @BRITISH: none; @TF1: hold;",
        f"turn {report['turn']} TF1: hold; turn 99 TF1: patrol;",
        "",
    )
    texts = [f"BEGIN ORDERS\n{text}\nEND ORDERS\n" for text in bodies]
    tongue.agrees(report, texts)
    settings, again, *_ = tongue.check(report, texts)
    assert settings["replaced"] == [IN_FORCE["standing"][1], "BRITISH: search all;"]
    assert again["replaced"] == [], "it is said again"


def test_what_a_programme_leaves_of_the_one_before_is_judged_alike(browser: Browser) -> None:
    path = ROOT / "tests/atlantic_chase/example_report.json"
    rest = ["UB1: if spell at least 1 then recon F10 also recon E12;", "UB1: recon F10;"]
    report = {**json.loads(path.read_text("utf-8")), "system": "atlantic_chase"}
    report |= {"this_turn": [*rest, "BRITISH: finish pass;"]}
    bodies = ("BRITISH: stop;", "@BRITISH: stop;", "BRITISH: finish pass; @TF1: complete;")
    texts = [f"BEGIN ORDERS\n{text}\nEND ORDERS\n" for text in bodies]
    with speaking(browser, games.load("atlantic_chase")) as one:
        one.agrees(report, texts)
        found = [told["replaced"] for told in one.check(report, texts)]
    assert found == [rest, [], []]


def test_answers_that_repeat_the_default_are_noted_alike(
    tongue: Tongue, report: dict[str, Any]
) -> None:
    asked = {"id": "Q1", "kind": "Follow", "choices": ["YES", "NO"], "default": "NO"}
    bodies = ("Q1: no; TF1: hold;", "Q1: NO; turn 99 TF1: hold;", "Q1: YES; TF1: hold;")
    texts = [f"BEGIN ORDERS\n{body}\nEND ORDERS\n" for body in bodies]
    report = {**report, "questions": [{**asked, "about": "", "prompt": "?", "rule": ""}]}
    tongue.agrees(report, texts)
    found = [one["answerNotes"] for one in tongue.check(report, texts)]
    assert found == [{"Q1": USUAL_ANSWER}, {}, {}]


def test_what_standing_orders_change_is_judged_alike(browser: Browser) -> None:
    """24: a telegraph that is moved each turn, and a move of this one."""
    report = msgspec.to_builtins(under_way().plain)
    with speaking(browser, games.load("baltic")) as one:
        codes = one.agrees(report, [f"BEGIN ORDERS\n{text}\nEND ORDERS\n" for text, _ in SPEEDS])
    assert "length" in codes
