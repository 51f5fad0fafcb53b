"""Reports, forms and receipts as they leave the referee: goldens, page rules, hostile text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import UndefinedError
from jinja2.exceptions import SecurityError

from orders.canon import streams
from orders.header import read_header
from pbem.base.report_json import Report
from pbem.reports import headline, render
from pbem.testing.texts import golden
from pbem.text import layout

SAMPLES = Path(__file__).parent / "samples"
REPORTS = ("toy-hunter", "toy-fox-over", "bismarck-british")
RECEIPTS = ("receipt-accepted", "receipt-partly", "receipt-known", "receipt-refused")
HOSTILE = (
    "<script>alert(1)</script>",
    "</pre></td><b>&amp;",
    "a\x00b\x1b[31m\x9bc\r\nDeadline: now",
    "\u202eDNE SREDRO\u202c",
    "[END ORDERS] [BEGIN ORDERS",
    "BE\u200bGIN \u00cand",
    "{{ report }} {% raw %}",
    "W" * 300,
    "Gro\u00dfer Kurf\u00fcrst \u2014 \u00c6gir \u2026 \u6226\u8266",
)


def sample(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((SAMPLES / f"{name}.json").read_text())
    return data


def replaced(value: Any, old: str, new: str) -> Any:
    """A copy of a report with one text put in the place of another, everywhere."""
    if isinstance(value, dict):
        return {k: replaced(v, old, new) for k, v in value.items()}
    if isinstance(value, list):
        return [replaced(v, old, new) for v in value]
    return value.replace(old, new) if isinstance(value, str) else value


def page_rules(text: str) -> None:
    """What holds for every text that leaves: ASCII, 72 columns, no trailing space."""
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert text.endswith("\n")
    for line in text.split("\n"):
        assert len(line) <= 72, line
        assert line == line.rstrip()
    assert "\n\n\n" not in text


@pytest.mark.parametrize("name", REPORTS)
def test_text_is_the_golden_page(name: str) -> None:
    text = render.text(sample(name))
    page_rules(text)
    golden(SAMPLES / f"{name}.txt", text)


@pytest.mark.parametrize("name", RECEIPTS)
def test_receipt_is_the_golden_page(name: str) -> None:
    text = render.receipt(sample(name))
    page_rules(text)
    golden(SAMPLES / f"{name}.txt", text)


def test_text_holds_every_fact_of_the_report() -> None:
    report = sample("bismarck-british")
    flat = " ".join(render.text(report).split())
    for event in report["events"]:
        assert f"{event['text']}" in flat
        assert f"({event['rule']})." in flat
    for line in (*report["standing"], *report["suggest"], *report["flags"]):
        assert line in flat
    for unit in report["units"]:
        assert unit["name"] in flat or unit["kind"] == "force"
    for roll in report["rolls"]:
        assert roll["label"] in flat
    for row in report["board"]["chart"]["rows"]:
        assert row.rstrip() in render.text(report)
    assert "in 2 days 23 hours" in flat
    assert report["head"][:8] in flat


def test_a_game_without_deadline_says_what_it_waits_for() -> None:
    text = render.text(sample("toy-hunter"))
    assert "ORDERS DUE  no deadline; the window closes when all orders are in" in text


def test_the_heading_of_standing_orders_tells_how_to_clear_those_with_an_at_sign() -> None:
    report = sample("toy-hunter")
    later = "turn 9 FOX: move A1;"
    kept = render.text({**report, "standing": [later, "@FOX: move A2;"]})
    assert 'STANDING ORDERS IN FORCE   (to clear those of FOX: "@FOX: none;")\n' in kept
    alone = render.text({**report, "standing": [later]})
    assert "STANDING ORDERS IN FORCE\n  turn 9 FOX: move A1;\n" in alone


def test_the_last_report_has_a_result_and_no_form() -> None:
    report = sample("toy-fox-over")
    text = render.text(report)
    assert "GAME OVER  you have won" in text
    assert "The fox was free after turn 8 (4.2)." in text
    assert "BEGIN ORDERS" not in text + render.html(report)
    assert render.form(report) == ""


def test_events_are_worded_by_their_macros() -> None:
    events = sample("toy-hunter")["events"]
    assert render.events("toy", events) == [e["text"] for e in events]


def test_an_event_without_macro_names_its_kind() -> None:
    with pytest.raises(KeyError, match="Vanished"):
        render.events("toy", [{"kind": "Vanished", "rule": "1"}])


def test_an_event_without_a_field_of_its_macro_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        render.events("toy", [{"kind": "Moved", "rule": "1", "who": "FOX"}])


def test_helpers_of_jinja_are_no_event_kinds() -> None:
    with pytest.raises(KeyError, match="__name__"):
        render.events("toy", [{"kind": "__name__", "rule": "1"}])


def test_questions_are_worded_or_speak_for_themselves() -> None:
    asked = [{"kind": "Leap", "about": "HOUND"}, {"kind": "Other", "about": "which?"}]
    assert render.questions("toy", asked) == ["Where does the hound pounce?", "which?"]
    assert render.questions("nosuch", asked) == ["HOUND", "which?"]


def test_a_missing_key_is_an_error_not_a_blank() -> None:
    report = sample("toy-hunter")
    del report["flags"]
    with pytest.raises(UndefinedError, match="flags"):
        render.text(report)


@pytest.mark.parametrize("stray", [b"bytes", object(), {1, 2}, Path()])
def test_templates_get_plain_data_only(stray: object) -> None:
    report = sample("toy-hunter") | {"board": {"truth": stray}}
    for page in (render.text, render.html, render.form):
        with pytest.raises(TypeError, match="plain data"):
            page(report)


def test_a_key_may_be_named_like_a_method_of_dict() -> None:
    report = sample("toy-hunter") | {"items": "yes", "values": ["a"]}
    assert render.own("{{ report.items }} {{ report.values|join }}", report) == "yes a\n"


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_names_stay_text(hostile: str) -> None:
    report = sample("bismarck-british")
    for name in ("Prince of Wales", "Royal Navy", "TF2 still holds EN7"):
        report = replaced(report, name, hostile)
    text, markup, form = render.text(report), render.html(report), render.form(report)
    page_rules(text)
    form_rules(form)
    assert len(markup.encode()) < 90_000
    for tag in ("<script", "<b>&amp;", "</pre></td>"):
        assert tag not in markup
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", markup)
    assert "\n" not in headline.subject(Report.of(report))
    assert headline.subject(Report.of(report)).isascii()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_receipts_stay_within_the_page(hostile: str) -> None:
    receipt = sample("receipt-partly")
    receipt["problems"][0] |= {"line": hostile * 3, "from": 40, "length": 900, "text": hostile}
    receipt["side_name"] = hostile
    page_rules(render.receipt(receipt))


@given(st.text(max_size=60), st.integers(0, 80), st.integers(0, 80))
@settings(max_examples=60, deadline=None)
def test_any_line_of_a_mail_may_be_quoted_in_a_receipt(line: str, at: int, length: int) -> None:
    receipt = sample("receipt-partly")
    receipt["problems"] = [
        receipt["problems"][0] | {"line": line, "from": at, "length": length, "hint": line}
    ]
    page_rules(render.receipt(receipt))


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_any_name_may_stand_in_a_report(name: str) -> None:
    report = sample("toy-hunter")
    report["units"][0]["name"] = name
    report["questions"][0]["prompt"] = name
    page_rules(render.text(report))
    form_rules(render.form(report))
    assert "<" not in re.sub(r"</?[a-z!][^<>]*>", "", render.html(report))


def form_rules(form: str) -> None:
    """Cutting every comment leaves one block, whose words are the header and the orders."""
    page_rules(form)
    bare = re.sub(r"\[[^\[\]]*\]", "", form)
    assert "[" not in bare
    assert "]" not in bare
    for said in re.findall(r"\[[^\[\]]*\]", form):
        assert not re.search(r"\b(BEGIN|END)\b", said, re.IGNORECASE)
    assert bare.split()[:2] == ["BEGIN", "ORDERS"]
    assert bare.split()[-2:] == ["END", "ORDERS"]
    assert bare.count("BEGIN") == bare.count("END ORDERS") == 1


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


@pytest.mark.parametrize("page", [render.form, render.text])
def test_the_order_parser_reads_the_form_back(page: Callable[[dict[str, Any]], str]) -> None:
    report = sample("bismarck-british")
    (unit,) = streams(page(report))
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


@pytest.mark.parametrize("name", REPORTS)
def test_html_is_a_mail_that_shows_everywhere(name: str) -> None:
    report = sample(name)
    page = render.html(report)
    assert page.startswith("<!DOCTYPE html>")
    assert len(page.encode()) < 90_000
    assert "prefers-color-scheme:dark" in page
    assert render.preheader(report)[:30] in page
    assert "<link" not in page
    assert "<script" not in page
    assert "http" not in page
    assert "<img" not in page
    for unit in report["units"]:
        assert unit["name"] in page
    opened = re.findall(r"<(table|tr|td|tbody|div|span|pre|ul|li|p|b)\b", page)
    closed = re.findall(r"</(table|tr|td|tbody|div|span|pre|ul|li|p|b)>", page)
    mso = {"table": 1, "tr": 1, "td": 1}
    for tag in set(opened):
        assert opened.count(tag) == closed.count(tag), (tag, mso)


def test_the_chart_of_a_mail_has_words_in_its_place() -> None:
    page = render.html(sample("bismarck-british") | {"chart": ["chart-15"]})
    assert re.search(r'<img src="cid:chart-15"[^>]* alt="[^"]{20,}"', page)


def test_marks_are_coloured_and_row_numbers_are_not() -> None:
    page = str(render.coloured({"rows": ["T1.X1 T19 <x>"], "own": ["T1"], "foe": ["X1"]}))
    assert page.count("ours") == 1
    assert page.count("theirs") == 1
    assert page.endswith(" T19 &lt;x&gt;")


def test_subject_and_preheader() -> None:
    report = sample("bismarck-british")
    assert headline.subject(Report.of(report)) == (
        "demo Royal Navy, turn 17 (1600 May 24): visibility 8, no fog; due Fri 27 Nov 20:00 UTC"
    )
    assert render.preheader(report).endswith("Orders due Fri 27 Nov 2026 20:00 UTC.")
    crowded = report | {"news": ", ".join(f"EN{n} BB H5" for n in range(40))}
    assert len(headline.subject(Report.of(crowded))) <= headline.LONG
    assert headline.subject(Report.of(crowded)).endswith("; due Fri 27 Nov 20:00 UTC")
    assert "EN3 BB H5" in headline.subject(Report.of(crowded))


@pytest.mark.parametrize(
    ("side", "said"),
    [("fox", "you have won"), ("hunter", "you have lost"), ("spectators", "Fox won")],
)
def test_who_won_is_the_news_of_a_game_that_is_over(side: str, said: str) -> None:
    report = sample("toy-fox-over") | {"side": side, "news": "the fox was heard in row B"}
    assert headline.subject(Report.of(report)) == f"g1 The fox, turn 8: the game is over, {said}"
    assert render.preheader(report) == "The fox was free after turn 8 (4.2)."
    assert f"GAME OVER  {said}\nThe fox was free after turn 8 (4.2).\n" in render.text(report)
    drawn = report | {"result": {"result": "draw", "rule": "", "why": ""}}
    assert headline.subject(Report.of(drawn)).endswith(": the game is over, a draw")


def test_a_receipt_shows_place_caret_and_hint() -> None:
    text = render.receipt(sample("receipt-partly"))
    assert "    TF3: mvoe L10\n         ^~~~\n    hint: did you mean 'move'?\n" in text
    assert "Fri 27 Nov 2026 21:00 CET (20:00 UTC)" in text


def test_a_receipt_for_a_stranger_says_nothing_of_the_game() -> None:
    stranger = {"side": "", "side_name": "sender unknown", "window": 0, "turn": 0, "label": ""}
    stranger |= {"deadline": "", "opened": "", "in_force": None}
    text = render.receipt(sample("receipt-refused") | stranger)
    page_rules(text)
    for word in ("window 0", "turn 0", "window closes", "You have no set", "You have until"):
        assert word not in text


def test_a_receipt_says_when_the_moderator_entered_the_orders() -> None:
    said = sample("receipt-accepted") | {"hint": "entered for you by the moderator"}
    assert "\nNote: entered for you by the moderator.\n" in render.receipt(said)


def test_a_known_set_says_nothing_of_units_without_orders() -> None:
    said = sample("receipt-known") | {"without_orders": []}
    assert "WITHOUT ORDERS" not in render.receipt(said)


def test_a_moderators_own_layout_runs_in_a_sandbox() -> None:
    report = sample("toy-hunter")
    said = render.own("{{ report.title|upper }}: {{ report.events|length }} events", report)
    assert said == "FOX AND HOUND: 2 events\n"
    assert render.own("<b>{{ report.title }}</b>", report | {"title": "<i>"}, markup=True) == (
        "<b>&lt;i&gt;</b>"
    )
    with pytest.raises(SecurityError):
        render.own("{{ report.title.__class__.__mro__ }}", report)
    with pytest.raises(UndefinedError):
        render.own("{{ report.pop('title') }}", report)


def test_no_layout_can_climb_out_of_the_templates() -> None:
    from jinja2 import TemplateNotFound

    with pytest.raises(TemplateNotFound):
        render.own('{% include "../pyproject.toml" %}', sample("toy-hunter"))


def test_what_changed_stands_before_the_routine_of_the_turn() -> None:
    text = render.text(sample("bismarck-british"))
    changed, log = text.index("WHAT CHANGED"), text.index("\nLOG\n")
    flown, seen = text.index("flew to L14"), text.index("Searched C6")
    assert changed < seen < log < flown
    assert "Log</h2>" in render.html(sample("bismarck-british"))
    quiet = sample("bismarck-british")
    quiet["events"] = [e for e in quiet["events"] if e["kind"] == "AirFlew"]
    assert "Nothing that you know of beyond the log below." in render.text(quiet)


def test_a_passage_of_the_story_is_set_off() -> None:
    """A battle from what was before it, its rounds from each other, and what comes after it."""
    kinds = [
        "Located",
        "AttackDeclared",
        "BattleJoined",
        "RoundBegun",
        "Fired",
        "BattleEnded",
        "Scored",
    ]
    report = sample("bismarck-british") | {
        "events": [{"kind": k, "text": f"The {k}: so", "rule": "1", "why": ""} for k in kinds]
    }
    story = (
        "The Located: so (1).\n\n * The AttackDeclared: so (1).\n * The BattleJoined: so (1)."
        "\n\n * The RoundBegun: so (1).\n * The Fired: so (1).\n * The BattleEnded: so (1)."
        "\n\n * The Scored: so (1)."
    )
    assert f"WHAT CHANGED\n * {story}\n" in render.text(report)
    page = render.html(report)
    assert [*re.findall("<b>(The [A-Za-z]+)</b>: so", page)] == [
        "The AttackDeclared",
        "The RoundBegun",
    ]
    assert page.count("margin:16px 0 6px 0;") == 3


def test_standing_orders_of_one_actor_stand_together_in_html() -> None:
    lines = ["@FOX: seek A1;", "@FOX: hide;", "turn 9 FOX: hide;", "@HOUND: run;", "@FOX: run;"]
    assert render.together(lines) == [
        "@FOX: seek A1; hide;",
        "turn 9 FOX: hide;",
        "@HOUND: run;",
        "@FOX: run;",
    ]
