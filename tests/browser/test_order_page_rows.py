"""Rows, terms about a contact and reactions, written by clicks and keys on the order page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec import Struct, structs

from games.toy.game import Toy
from orders.verbs import Arg, Term, Trigger, Verb
from pbem.base import report_json
from pbem.model import System
from pbem.reports.report import decoded
from pbem.web import order_page
from tests.once import played
from tests.orders.sea import NUMBERED

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.tongue import speaking
from tests.browser.writing import Player, writing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
LEG = (Arg("how", "word", choices=("ahead", "port")), Arg("by", "number", decimals=1))


class Grid(System):
    """A system whose places are numbers, without a checker of its own."""

    name, title, edition = "grid", "Grid", "1"
    grammar = NUMBERED


def test_numbers_that_are_places_are_judged_alike(browser: Browser) -> None:
    verbs = [
        {"verb": v.name, "args": [{"name": a.name, "kind": a.kind} for a in v.args]}
        for v in NUMBERED.verbs
    ]
    report = {"system": "grid", "units": [], "contacts": [], "menu": {"TF1": verbs}}
    lines = (
        "move 1203 1204 for 3",
        "move 1203 1304",
        "move 12034",
        "move 12",
        "lay 1203 1204 1205 7",
        "lay 1203",
        "lay 1203 12040",
        "lay 1203 4 x",
    )
    with speaking(browser, Grid()) as tongue:
        codes = tongue.agrees(report, [f"BEGIN ORDERS TF1: {line}; END ORDERS" for line in lines])
    assert codes.count("unknown-zone") == 4


class Steer(Struct):
    """The struct behind the verb; no rules read it here."""


class Plane(Toy):
    """The toy with a verb of rows, a term about a contact, and a trigger."""

    grammar = structs.replace(
        Toy.grammar,
        verbs=(*Toy.grammar.verbs, Verb("steer", Steer, (Arg("legs", "rows", of=LEG),))),
        terms=(Term("range of", "number", of="contact"), *Toy.grammar.terms),
        triggers=(Trigger("sighted"), Trigger("under attack")),
    )


@pytest.fixture
def player(
    browser: Browser, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Player]:
    home = played(tmp_path_factory, "toy")
    path = min(home.glob("demo/reports/fox/*/report.json"))
    found = dict(decoded(path.read_bytes()))
    found["menu"]["FOX"] += [{"verb": "steer", "args": [{"name": "legs", "kind": "rows"}]}]
    found["contacts"] = [{"id": "C3", "type": "hound", "place": "row B", "age": 0}]
    report = report_json.Report.of(found)
    file = tmp_path / "page.html"
    file.write_bytes(order_page.page(Plane(), report))
    with writing(browser, file) as one:
        yield one
        one.quiet()


def test_a_reaction_of_rows_with_a_test_of_a_contact(player: Player) -> None:
    player.unit("FOX")
    player.press("steer", "#composer")
    legs = player.find("#arg-legs")
    assert legs.get_attribute("placeholder") == "ahead|port by …"
    legs.fill("ahead 2.5 prot 45")
    assert "'prot' is not allowed here" in player.find(".preview .fault").first.inner_text()
    legs.fill("ahead 2.5 port 45")
    player.find("#trigger").select_option("sighted")
    player.find("#only-if").click()
    player.find("#test-of-0").select_option("C3")
    player.find("#test-0").fill("4")
    player.find("#add").click()
    line = "FOX: when sighted if range of C3 at least 4 then steer ahead 2.5 port 45;"
    assert line in player.lines()
    assert player.codes() == []

    player.find(f'#list button[aria-label^="Change {line[:20]}"]').click()
    assert player.find("#trigger").input_value() == "sighted"
    assert player.find("#arg-legs").input_value() == "ahead 2.5 port 45"
    player.find("#trigger").select_option("under attack")
    player.find("#only-if").click()
    player.find("#add").click()
    assert "FOX: when under attack then steer ahead 2.5 port 45;" in player.lines()
    assert line not in player.lines()
