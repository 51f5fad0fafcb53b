"""Words of the games where there is one of a thing, or none, which bots' games seldom show."""

from __future__ import annotations

import re

import pytest

from pbem.reports import render
from tests.reports.test_render import sample

BOARDED = {"vessel": "GOTEN1", "target": "GOTEN2", "troopers": 1, "hits": 0}
ONES: dict[str, tuple[str, str, dict[str, object], str]] = {
    "a trooper": (
        "baltic/events.j2",
        "Boarded",
        BOARDED,
        "Goten 1 sends a trooper to Goten 2: no hit",
    ),
    "a trooper of a story": (
        "baltic/story.j2",
        "Boarded",
        BOARDED,
        "Goten 1 sent a trooper aboard Goten 2: thrown back",
    ),
    "a point": (
        "baltic/events.j2",
        "Scored",
        {"side": "kalmar", "points": 1},
        "Kalmar has 1 point",
    ),
    "a coast": (
        "bismarck/events.j2",
        "Searched",
        {"blank": [], "coasts": 1},
        "A coastal watch saw nothing",
    ),
    "a zone and a coast": (
        "bismarck/events.j2",
        "Searched",
        {"blank": ["F20"], "coasts": 1},
        "Nothing in F20; a coastal watch saw nothing",
    ),
    "a coast that was called": (
        "bismarck/events.j2",
        "CallsHeard",
        {"zones": ["F20"], "coasts": 1},
        "The enemy called F20 and a watched coast",
    ),
    "a segment": (
        "atlantic_chase/questions.j2",
        "ChooseInstead",
        {"about": "TF1", "lost": 1},
        "TF1 may lose 1 segment: spend its Evasive marker to choose which?",
    ),
    "a hit": (
        "bismarck/questions.j2",
        "Handle",
        {"round": 3, "about": "Hood", "hits": 1, "evasion": 26},
        "From round 3 on: how is Hood handled where no course is ordered "
        "(1 midships hit, evasion 26)?",
    ),
    "no ship": (
        "atlantic_chase/story.j2",
        "Completed",
        {"force": "TF1", "port": "KIEL", "ships": []},
        "TF1 reached Kiel",
    ),
}


HEADLINES: dict[str, tuple[str, str, dict[str, object], str]] = {
    "a German ship": (
        "far_seas",
        "MoversNamed",
        {"who": ["EMDEN"]},
        "The Germans name a ship to move",
    ),
    "German ships": (
        "far_seas",
        "MoversNamed",
        {"who": ["EMDEN", "DRESDEN"]},
        "The Germans name 2 ships to move",
    ),
    "an escort": ("bismarck", "EscortLeft", {"count": 1}, "An escort leaves her convoy"),
    "escorts": ("bismarck", "EscortLeft", {"count": 2}, "2 escorts leave their convoys"),
}


@pytest.mark.parametrize("name", HEADLINES)
def test_headlines_count(name: str) -> None:
    system, macro, event, said = HEADLINES[name]
    module = render.templates().get_template(f"{system}/headlines.j2").make_module({})
    assert str(getattr(module, macro)(event, "british")) == said


@pytest.mark.parametrize("name", ONES)
def test_one_of_a_thing(name: str) -> None:
    template, macro, event, said = ONES[name]
    module = render.templates().get_template(template).make_module({})
    assert str(getattr(module, macro)(event)) == said


def test_one_air_unit_rests() -> None:
    report = sample("bismarck-british")
    planes = [unit for unit in report["units"] if unit["kind"] == "air"]
    resting = planes[0] | {"flying": False, "ready": report["turn"] + 2}
    others = [unit for unit in report["units"] if unit["kind"] != "air"]
    page = re.sub(r"\s+", " ", render.html(report | {"units": [*others, resting]}))
    assert "1 unit<" in page and f"1 rests until turn {report['turn'] + 2}" in page
