"""The order form of a report: what may be ordered, and the orders that are suggested."""

from __future__ import annotations

import pytest

from orders.canon import streams
from orders.header import read_header
from pbem.reports import render
from pbem.text import layout
from tests.reports.test_render import form_rules, sample


@pytest.mark.parametrize("name", ["toy-hunter", "bismarck-british"])
def test_the_form_lists_verbs_and_holds_the_suggested_set(name: str) -> None:
    report = sample(name)
    form = render.form(report)
    form_rules(form)
    flat = " ".join(form.split())
    for actor, items in report["menu"].items():
        assert actor in flat
        for item in items:
            assert item["verb"] in flat
            example = report["verbs"][item["verb"]]["example"].partition(":")[2]
            assert not item["args"] or example in flat
    assert " ".join(report["suggest"]) in flat
    assert f"setup: {layout.hexes(report['setup']['digest'])}" in flat
    assert f"report: {layout.hexes(report['digest'])}" in flat
    assert f"moderator: {layout.hexes(report['moderator']['key'])}" in flat


def test_each_order_is_told_once_and_units_with_the_same_choice_share_a_line() -> None:
    form = render.form(sample("bismarck-british"))
    assert form.count("\n  patrol PATH - ") == 1
    assert "as in SUFFOLK: patrol;" in form
    assert "\n  TF1, TF2: move, patrol, hold, detach, break]" in form


def test_values_that_differ_between_units_are_left_to_the_menu() -> None:
    report = sample("toy-hunter")
    report["menu"]["PUP"] = [{"verb": "move", "args": [{"name": "to", "values": ["A1"]}]}]
    assert "\n    TO: " not in render.form(report)
    del report["menu"]["PUP"]
    assert "\n    TO: " in render.form(report)


def test_the_form_answers_each_question_with_its_default_once() -> None:
    report = sample("toy-hunter")
    assert "\nQ1: D4;\n" in render.form(report)
    report["suggest"].append("Q1: C4;")
    assert "Q1: D4;\n" not in render.form(report)


def test_the_order_parser_reads_the_form_back() -> None:
    report = sample("bismarck-british")
    (unit,) = streams(render.form(report))
    header, _, faults = read_header(unit.tokens)
    assert (unit.faults, faults) == ((), [])
    assert header is not None
    assert (header.game, header.window, header.side) == ("demo", 14, "british")
    assert (header.report, header.setup) == (report["digest"], report["setup"]["digest"])
    assert (header.moderator, header.link) == (report["moderator"]["key"], "none")


def test_a_report_in_the_making_has_a_form_without_its_digest() -> None:
    report = sample("toy-hunter")
    del report["digest"]
    assert "report:" not in render.form(report)
