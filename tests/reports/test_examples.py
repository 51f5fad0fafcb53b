"""The order form's syntax and examples: what it shows can be sent."""

from __future__ import annotations

from itertools import islice

import msgspec
import pytest

import games
from orders.syntax import syntax
from pbem.bots.bot_orders import Match
from pbem.player.reader import legal_alone, read_text
from pbem.reports import render
from pbem.reports.examples import with_examples

WINDOWS = 6


@pytest.mark.some(2)
@pytest.mark.parametrize("name", games.names())
def test_every_example_of_a_form_may_be_sent_and_most_verbs_have_one(name: str) -> None:
    system = games.load(name)
    match = Match(system, system.scenarios[0].name, {"play": "plotted"}, "examples")
    verbs, without = 0, 0
    for _ in islice(match.play(), WINDOWS):
        for side in match.drive.sides if match.drive.over is None else ():
            report = match.report(side)
            for verb, told in with_examples(system, report).items():
                text = f"BEGIN ORDERS\n{told.example}\nEND ORDERS\n"
                assert read_text(system, report, text).diagnostics == (), f"{side}, {verb}"
                verbs, without = verbs + 1, without + (not told.example)
    assert verbs > 0
    assert without <= verbs // 15, "verbs about contacts have none while no contact is known"


@pytest.mark.some(2)
@pytest.mark.parametrize("name", games.names())
def test_a_line_is_judged_alone_as_in_a_set_of_one(name: str) -> None:
    system = games.load(name)
    match = Match(system, system.scenarios[0].name, {"play": "plotted"}, "alone")
    judged = set()
    for _ in islice(match.play(), WINDOWS):
        for side in match.drive.sides if match.drive.over is None else ():
            report = match.report(side)
            legal = legal_alone(system, report)
            examples = [verb.example for verb in system.grammar.verbs if verb.example]
            forms = [line for line in report.suggest if not line.startswith("[")]
            for line in (" ".join(text.split()) for text in (*examples, *forms)):
                text = f"BEGIN ORDERS\n{line}\nEND ORDERS\n"
                assert legal(line) == (read_text(system, report, text).diagnostics == ()), line
                judged.add(legal(line))
    assert judged == {True, False}


@pytest.mark.parametrize("name", games.names())
def test_the_form_writes_a_verb_as_the_rules_do(name: str) -> None:
    system = games.load(name)
    match = Match(system, system.scenarios[0].name, {"play": "plotted"}, "syntax")
    report = match.report(match.drive.sides[0])
    report.verbs = with_examples(system, report)
    plain = {**report.plain, "verbs": msgspec.to_builtins(report.verbs)}
    form = " ".join(render.form(plain).split()).replace("| ", "|")  # broken between words
    assert name != "atlantic_chase" or "Standing orders, after @" in form
    for verb in system.grammar.verbs:
        if verb.name in report.verbs:
            written = syntax(verb).translate({91: "(", 93: ")"})
            standing = report.verbs[verb.name].example.startswith("@")
            assert (written if standing else f"{written} - ") in form
