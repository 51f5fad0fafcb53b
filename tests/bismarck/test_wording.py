"""Every kind of event has its sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.bismarck import events
from pbem.base.report_json import Report
from pbem.model import Event
from pbem.reports import headline, render, wording

SAMPLES = Path(__file__).parents[1] / "reports" / "samples"

KINDS = [
    kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
]
WORDS: dict[str, Any] = {
    "zone": "M12",
    "ship": "Bismarck",
    "who": "Hood",
    "level": "4",
    "entry": "CONVOY",
    "needs": "route",
    "number": 1,
    "side": "british",
    "mode": "move",
}


def example(kind: type[Event]) -> dict[str, Any]:
    """An event with something in every field."""
    made: dict[str, Any] = {"kind": kind.__name__, "rule": "1", "why": ""}
    for field in msgspec.structs.fields(kind):
        default = {int: 2, bool: True, str: "x"}.get(field.type)
        if field.name == "seen":
            default = [{"id": "EN1", "type": "BB", "force": ["EN1", "EN2"]}]
        elif default is None:
            default = {"Hood": 1} if field.name == "fuel" else ["M12", "M13"]
        word = WORDS.get(field.name) if default == "x" or field.name == "number" else None
        made.setdefault(field.name, default if word is None else word)
    return made


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_event_is_worded_in_one_sentence(kind: type[Event]) -> None:
    (text,) = wording.events("bismarck", [example(kind)])
    assert text and text[0].isupper() and not text.endswith(".")
    assert "  " not in text and "[" not in text and "{" not in text


def test_coasts_are_counted_not_listed() -> None:
    calls = {"zones": ["M12"], "blank": ["M12"], "rule": "7.21", "why": "", "kind": "Searched"}
    told = wording.events(
        "bismarck", [{**calls, "coasts": 33}, {**calls, "zones": [], "blank": [], "coasts": 2}]
    )
    assert told == [
        "Nothing in M12; 33 coastal watches saw nothing",
        "2 coastal watches saw nothing",
    ]


def told(kind: str, **fields: Any) -> str:
    (text,) = wording.events("bismarck", [{"kind": kind, "rule": "1", "why": "", **fields}])
    return text


def test_a_round_names_every_ship_once_before_those_she_sees() -> None:
    pairs = ["Hood - Bismarck 4", "Hood - Prinz Eugen 5", "Kenya - Bismarck 6"]
    places = ["Hood 5450 SW", "Kenya 5650 W", "Bismarck 5050 E", "Prinz Eugen 4950 E"]
    text = told("RoundBegun", zone="H4", round=2, ranges=pairs, withdrawing=[], places=places)
    assert text == (
        "Round 2 in H4: Hood 5450 heading SW, Kenya 5650 heading W, Bismarck 5050 heading E, "
        "Prinz Eugen 4950 heading E; range in hexes: "
        "Hood - Bismarck 4, Prinz Eugen 5; Kenya - Bismarck 6"
    )


def test_who_joins_later_is_told_as_the_contact_that_she_is() -> None:
    begun = {"zone": "H4", "number": 1, "own": ["Hood", "Kenya"], "enemies": ["Bismarck"]}
    assert told("BattleJoined", **begun) == "Battle in H4: Hood and Kenya against Bismarck"
    seen = [{"id": "EN3", "type": "BB"}, {"id": "EN5", "type": "CA"}]
    later = told("Recognised", zone="H4", number=1, enemies=["Hood", "Kenya"], seen=seen)
    assert later == "In battle in H4 EN3 is Hood, EN5 is Kenya"


def test_a_whole_task_force_is_named_once() -> None:
    force = ["EN1", "EN2"]
    pair = [
        {"id": "EN1", "type": "BB", "force": force},
        {"id": "EN2", "type": "CA", "force": force},
    ]
    assert told("Located", zone="H4", seen=pair) == (
        "You have found a battleship (EN1) and a cruiser (EN2), in one task force in H4"
    )
    alone = {"id": "EN3", "type": "CA", "force": []}
    assert told("Located", zone="H4", seen=[pair[0], alone]) == (
        "You have found a battleship (EN1, with EN2) and a cruiser (EN3) in H4"
    )
    assert told("Located", zone="H4", seen=[alone, alone | {"id": "EN4"}]) == (
        "You have found a cruiser (EN3) and a cruiser (EN4) in H4"
    )


def test_shots_jams_and_chances_are_told_as_people_tell_them() -> None:
    shots = {"target": "Hood", "who": "Bismarck"}
    hits = told("Fired", **shots, results=["1 bow", "2 stern, evasion -1"])
    assert hits == "Bismarck hits Hood twice, bow and stern (two boxes); Hood loses 1 evasion"
    assert told("Fired", **shots, results=[]) == "Bismarck misses Hood"
    assert told("Misfire", who="Prince of Wales", gun="stern") == (
        "Half of Prince of Wales's after guns jam"
    )
    chance = {"ship": "Bismarck", "why": "rolled 8"}
    assert (
        told("ChanceRolled", **chance, entry="GENERAL SEARCH")
        == "All ships looked out for Bismarck"
    )


def test_a_radio_fix_names_the_place_and_no_code_before_it() -> None:
    fix = {"kind": "HuffDuff", "ship": "Bismarck", "id": "EN1", "zone": "H6", "rule": "10.3"}
    (text,) = wording.events("bismarck", [{**fix, "why": ""}])
    assert text == "Radio fix: Bismarck (EN1) is in or next to H6"
    report = json.loads((SAMPLES / "bismarck-british.json").read_text("utf-8"))
    report["events"] = [{**fix, "why": "", "side": "british", "text": text}]
    subject = headline.subject(Report.of(report), "Europe/Berlin")
    assert subject.startswith("[demo] Radio fix near H6; orders by Fri 27 Nov 21:00")


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("2400 May 24", "midnight, 23/24 May"),
        ("1200 May 22", "noon, 22 May"),
        ("0400 May 23", "4 a.m., 23 May"),
        ("1600 May 22", "4 p.m., 22 May"),
    ],
)
def test_hours_are_those_of_a_clock(label: str, said: str) -> None:
    report = json.loads((SAMPLES / "bismarck-british.json").read_text("utf-8"))
    assert said in render.text(report | {"label": label})


@pytest.mark.parametrize(
    ("side", "said"), [("german", "Prinz Eugen is sunk"), ("british", "Hood is sunk")]
)
def test_a_subject_names_the_own_loss_that_costs_most(side: str, said: str) -> None:
    """Both sides hear of all three, the Norfolk first."""
    lost = (("Norfolk", "british", 5), ("Hood", "british", 10), ("Prinz Eugen", "german", 8))
    report = json.loads((SAMPLES / "bismarck-british.json").read_text("utf-8")) | {"side": side}
    report["events"] = [
        {"kind": "ShipSunk", "who": who, "side": of, "zone": "H6", "points": points}
        | {"text": f"{who} is sunk in H6", "why": "", "rule": "9.714"}
        for who, of, points in lost
    ]
    assert headline.subject(Report.of(report)).startswith(f"[demo] {said}; orders by")
    assert wording.lead(report) == f"{said} in H6."
