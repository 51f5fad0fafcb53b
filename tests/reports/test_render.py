"""Reports, forms and receipts as they leave the referee: goldens, page rules, hostile text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from sys import getrefcount
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import UndefinedError
from jinja2.exceptions import SecurityError

from pbem.base.hashing import canonical_json
from pbem.base.report_json import Report
from pbem.errors import RulesFault
from pbem.model import Plain
from pbem.reports import filters, headline, render, wording
from pbem.testing.texts import golden
from tests.counts import few

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


@pytest.mark.recorded
@pytest.mark.parametrize("name", REPORTS)
def test_text_is_the_golden_page(name: str) -> None:
    text = render.text(sample(name))
    page_rules(text)
    golden(SAMPLES / f"{name}.txt", text)


@pytest.mark.recorded
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
    notices = [*filters.alarms(report), *filters.asides(report)]
    assert len(notices) == len(report["flags"])
    for line in (*report["standing"], *notices):
        assert line in flat
    assert "BEGIN ORDERS" not in flat  # the form is sent once, as orders.txt
    form = " ".join(render.form(report).split())
    assert all(line in form for line in report["suggest"])
    orders = [line for line in report["suggest"] if not line.startswith("[")]
    assert f"{len(orders)} suggested orders" in flat
    for unit in report["units"]:
        assert unit["name"] in flat or unit["kind"] == "force"
    dice = flat.partition("DICE YOU SAW")[2]
    for roll in report["rolls"]:
        table, name, rest = roll["label"].split("/", 2)
        assert f"{table}/{name} " in dice
        assert f"{rest}: {' '.join(map(str, roll['dice']))}" in dice
    for row in report["board"]["chart"]["rows"]:
        assert row.rstrip() in render.text(report)
    assert "ORDERS BY Fri 27 Nov, 20:00 (UTC)" in flat
    assert report["head"][:8] in flat


def test_a_game_without_deadline_says_what_it_waits_for() -> None:
    text = render.text(sample("toy-hunter"))
    assert "ORDERS  when you are ready: the turn runs once all sides have sent" in text


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
    assert "\nGame over: you have won.\n" in text
    assert "The fox was free after turn 8 (4.2)." in text
    assert "BEGIN ORDERS" not in text + render.html(report)
    assert render.form(report) == ""


def test_events_are_worded_by_their_macros() -> None:
    events = sample("toy-hunter")["events"]
    assert wording.events("toy", events) == [e["text"] for e in events]


def test_an_event_without_macro_names_its_kind() -> None:
    with pytest.raises(RulesFault, match="Vanished"):
        wording.events("toy", [{"kind": "Vanished", "rule": "1"}])


def test_an_event_without_a_field_of_its_macro_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        wording.events("toy", [{"kind": "Moved", "rule": "1", "who": "FOX"}])


def test_helpers_of_jinja_are_no_event_kinds() -> None:
    with pytest.raises(RulesFault, match="__name__"):
        wording.events("toy", [{"kind": "__name__", "rule": "1"}])


def test_questions_are_worded_or_speak_for_themselves() -> None:
    asked = [{"kind": "Leap", "about": "HOUND"}, {"kind": "Other", "about": "which?"}]
    assert wording.questions("toy", asked) == ["Where does the hound pounce?", "which?"]
    assert wording.questions("nosuch", asked) == ["HOUND", "which?"]


def test_a_missing_key_is_an_error_not_a_blank() -> None:
    report = sample("toy-hunter")
    del report["flags"]
    with pytest.raises((KeyError, UndefinedError), match="flags"):
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
@settings(max_examples=few(60), deadline=None)
def test_any_line_of_a_mail_may_be_quoted_in_a_receipt(line: str, at: int, length: int) -> None:
    receipt = sample("receipt-partly")
    receipt["problems"] = [
        receipt["problems"][0] | {"line": line, "from": at, "length": length, "hint": line}
    ]
    page_rules(render.receipt(receipt))


@given(st.text(max_size=200))
@settings(max_examples=few(60), deadline=None)
def test_any_name_may_stand_in_a_report(name: str) -> None:
    report = sample("toy-hunter")
    report["units"][0]["name"] = name
    report["questions"][0]["prompt"] = name
    page_rules(render.text(report))
    form_rules(render.form(report))
    assert "<" not in re.sub(r"</?[a-z!][^<>]*>", "", render.html(report))


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
        assert unit["name"] in page or unit.get("kind") == "air"
    tags = "table|tr|td|th|tbody|div|span|pre|ul|li|p|b|details|summary"
    opened = re.findall(rf"<({tags})\b", page)
    closed = re.findall(rf"</({tags})>", page)
    mso = {"table": 1, "tr": 1, "td": 1}
    for tag in set(opened):
        assert opened.count(tag) == closed.count(tag), (tag, mso)


def test_marks_are_coloured_and_row_numbers_are_not() -> None:
    page = str(filters.coloured({"rows": ["T1.X1 T19 <x>"], "own": ["T1"], "foe": ["X1"]}))
    assert page.count("ours") == 1
    assert page.count("theirs") == 1
    assert page.endswith(" T19 &lt;x&gt;")


def test_subject_and_preheader() -> None:
    report = sample("bismarck-british")
    due = "; orders by Fri 27 Nov 20:00"
    quiet = report | {"events": []}
    assert headline.subject(Report.of(quiet)) == f"[demo] Nothing new was seen{due} UTC"
    assert headline.subject(Report.of(quiet), "Europe/Berlin").endswith(" by Fri 27 Nov 21:00")
    assert render.preheader(report) == "Orders by Fri 27 Nov, 20:00 (UTC)."
    there = report | {"tz": "Europe/Berlin"}
    assert render.preheader(there) == "Orders by Fri 27 Nov, 21:00 (Berlin)."
    other = quiet | {"system": "corsairs"}  # a system that ranks nothing: the words of its view
    crowded = other | {"news": ", ".join(f"EN{n} in H5" for n in range(40))}
    said = headline.subject(Report.of(crowded)).partition(";")[0]
    assert said == "[demo] EN0 in H5, EN1 in H5, EN2 in H5, EN3 in H5, EN4 in..."
    assert len(said) <= headline.LONG


def test_the_foremost_news_is_the_subject_and_the_first_line() -> None:
    report = sample("bismarck-british")
    sunk = {"kind": "ShipSunk", "rule": "9.714", "why": "", "who": "Hood", "zone": "F5"}
    said = {**sunk, "side": "british", "text": "Hood is sunk in F5"}
    report["events"].append(said)
    assert headline.subject(Report.of(report)).startswith("[demo] Hood is sunk; orders by Fri ")
    assert "<h1" in (page := render.html(report)) and ">Hood is sunk in F5.</h1>" in page
    lines = render.text(report).split("\n")
    assert lines[4:6] == ["Hood is sunk in F5.", ""]


@pytest.mark.parametrize(
    ("side", "said"),
    [("fox", "you have won"), ("hunter", "you have lost"), ("spectators", "the Fox side won")],
)
def test_who_won_is_the_news_of_a_game_that_is_over(side: str, said: str) -> None:
    report = sample("toy-fox-over") | {"side": side, "news": "the fox was heard in row B"}
    first = said[:1].upper() + said[1:]
    assert (
        headline.subject(Report.of(report)) == f"[g1] {first}: The fox was free after turn 8 (4.2)"
    )
    assert render.preheader(report) == "The fox was free after turn 8 (4.2)."
    text = render.text(report)
    assert f"Game over: {said}.\n\nThe fox was free after turn 8 (4.2).\n" in text
    drawn = report | {"result": {"result": "draw", "rule": "", "why": ""}}
    assert headline.subject(Report.of(drawn)) == "[g1] A draw: By the rules"


def test_what_is_usual_about_the_first_dice_stands_at_the_foot_in_plain_words() -> None:
    flags = [
        "The dice of the last window have no link of german.",
        "No dice anchor of german counts in window 2.",
        "The first dice anchor of german came with its orders and entered the dice of the last "
        "window: only the moderator and this side together could have chosen it to suit.",
        "New dice anchor of german: 0123456789abcdef, counts from window 2.",
    ]
    assert filters.alarms({"flags": flags, "side": "british"}) == []
    assert filters.asides({"flags": flags}) == [
        "Dice not yet bound by a key of the German side (usual for the first two turns).",
        "The first dice link of the German side came with its orders: it and the moderator "
        "together could have chosen it to suit (usual for the first two turns).",
        "The dice are bound by a key of the German side from now on.",
    ]
    later = "New dice anchor of german: 0123456789abcdef, counts from window 9."
    assert filters.alarms({"flags": [later], "side": "british"}) == [
        "New dice anchor of the German side: 0123456789abcdef, counts from window 9."
    ]


def test_a_receipt_shows_place_caret_and_hint() -> None:
    text = render.receipt(sample("receipt-partly"))
    assert "    TF3: mvoe L10\n         ^~~~\n    hint: did you mean 'move'?\n" in text
    assert "Fri 27 Nov, 21:00 (Berlin)" in text
    assert "UTC" not in text


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


def test_news_stands_first_and_the_log_with_rules_at_the_end() -> None:
    report = sample("bismarck-british")
    text, page = render.text(report), render.html(report)
    told, log = text.index("\nWHAT ELSE HAPPENED\n"), text.index("\nLOG   with dice and rules\n")
    assert told < text.index("\nYOUR FORCES\n") < log < text.index("flew to L14")
    assert "(7." not in text[:log] and "(7." in text[log:]
    folded = page.index("<details")
    assert "(7." not in page[:folded] and "(7." in page[folded:]
    assert page.index("What your forces did") < page.index("flew to L14")


def test_a_passage_of_the_story_is_set_off() -> None:
    """A battle from what was before it, its rounds from each other, and what comes after it."""
    kinds = ["Located", "AttackDeclared", "BattleJoined", "RoundBegun", "Fired", "Misfire"]
    kinds += ["BattleEnded", "Scored"]
    fields = {"zone": "F5", "side": "british", "own": ["Hood"], "enemies": ["Bismarck"]}
    report = sample("bismarck-british") | {
        "events": [
            {"kind": k, "text": f"The {k}: so", "rule": "1", "why": "", **fields} for k in kinds
        ]
    }
    story = (
        "The Located: so.\n\n * The AttackDeclared: so.\n * The BattleJoined: so."
        "\n\n * The RoundBegun: so.\n * The Fired: so.\n * The Misfire: so."
        "\n * The BattleEnded: so.\n\n * The Scored: so."
    )
    assert f"HAPPENED\n * {story}\n" in render.text(report)
    page = render.html(report)
    (fold,) = re.findall(
        "<details[^>]*><summary[^>]*>The RoundBegun</summary>(.*?)</details>", page
    )
    assert re.findall(">[^<]+<", fold) == [">so.<", ">The Fired: so.<", ">The Misfire: so.<"]


def test_neighbours_that_say_the_same_are_told_once() -> None:
    report = sample("bismarck-british")
    missed = {"kind": "Scored", "text": "The bombers missed", "rule": "9.16", "why": ""}
    report["events"] = [missed, missed, missed, {**missed, "text": "They hit"}]
    text = render.text(report)
    assert "\n * The bombers missed (three times).\n * They hit.\n" in text
    assert text.count("The bombers missed (9.16).") == 3


def test_what_holds_for_several_units_of_a_passage_is_told_once() -> None:
    """In news and log alike; another reason or another passage is told apart."""

    def unable(actor: str, what: str, rule: str = "121") -> Plain:
        about = {"actor": actor, "what": what, "rule": rule, "why": ""}
        return {"kind": "Unable", "text": f"{actor} could not: {what}", **about}

    lost = "EN19 is no longer detected"
    segment = {"kind": "SegmentPlayed", "text": "Segment 3", "rule": "222", "why": ""}
    told = [unable("GATO", lost), unable("JACK", "no way"), unable("KYA", lost)]
    events = [*told, unable("ULA", lost, "97"), segment, unable("WHALE", lost)]
    found = [e["text"] for e in wording.gathered(events, "second_fleet")]
    assert found == [
        f"GATO, KYA could not: {lost}",
        "JACK could not: no way",
        f"ULA could not: {lost}",
        "Segment 3",
        f"WHALE could not: {lost}",
    ]
    assert wording.gathered(events, "bismarck") == events


def test_else_is_said_only_after_a_first_line_that_tells_something() -> None:
    report = sample("bismarck-british")
    assert "\nWHAT ELSE HAPPENED\n" in render.text(report)
    remark = {"kind": "Remark", "text": "It rains", "rule": "1", "why": ""}
    text = render.text(report | {"events": [remark, remark]})
    assert "\nWHAT HAPPENED\n * It rains (twice).\n" in text


def test_a_page_holds_no_report_when_it_is_made() -> None:
    report = sample("bismarck-british")
    encoded = canonical_json(report)
    render.pages(report, encoded)
    before = getrefcount(report)
    render.pages(report, encoded)
    assert getrefcount(report) == before


def test_standing_orders_of_one_actor_stand_together_in_html() -> None:
    lines = ["@FOX: seek A1;", "@FOX: hide;", "turn 9 FOX: hide;", "@HOUND: run;", "@FOX: run;"]
    assert filters.together(lines) == [
        "@FOX: seek A1; hide;",
        "turn 9 FOX: hide;",
        "@HOUND: run;",
        "@FOX: run;",
    ]


@pytest.mark.parametrize(
    ("flag", "said"),
    [
        (
            "The dice link of british was carried: it came with orders of window 1, so that the "
            "moderator has had it since then.",
            "The dice link of the British side was carried",
        ),
        (
            "The orders of british, german were void: its link",
            "The orders of the British and German sides were",
        ),
        (
            "No dice anchor of royal_navy counts in window 5.",
            "No dice anchor of the Royal Navy side counts",
        ),
        ("Orders of british are a ruling's own words", "Orders of british are"),
    ],
)
def test_notices_call_sides_by_their_names(flag: str, said: str) -> None:
    report = {"flags": [flag], "side": "german"}
    assert filters.alarms(report)[0].startswith(said)
