"""Which events a page tells with their reasons at its end, and which in its log alone."""

from __future__ import annotations

from typing import Any

from pbem.reports import render, wording
from tests.reports.test_render import sample


def test_reasons_are_told_once_and_of_the_routine_in_the_log_alone() -> None:
    def event(kind: str, why: str) -> dict[str, Any]:
        return {"kind": kind, "why": why, "text": kind, "rule": "1.1"}

    known = event("Sighted", "")
    why = event("Sighted", "in the same zone")
    routine = [event("ShipMoved", ""), event("ShipMoved", "by order")]
    report = {"system": "bismarck", "events": [known, why, *routine]}
    assert wording.news(report) == [known, why]
    assert wording.reasons(report) == [why]
    assert wording.log(report) == routine


def test_the_text_page_leaves_the_parts_of_a_long_story_to_the_log() -> None:
    shots = [f"The Fired {n}: so" for n in range(12)]
    said = ["The RoundBegun: so", *shots]
    fields = {"rule": "1", "why": "", "zone": "F5", "own": ["Hood"], "enemies": ["Bismarck"]}
    events = [{"kind": text.split()[1].rstrip(":"), "text": text, **fields} for text in said]
    text = render.text(sample("bismarck-british") | {"events": events})
    story, _, log = text.partition("LOG ")
    assert "The RoundBegun: so." not in story
    assert [shot for shot in shots if shot in story] == []
    assert [shot for shot in shots if f"{shot} (1)." not in log] == []


def test_a_lost_ship_is_not_folded_with_what_else_happened() -> None:
    """She stands with what opens her passage; a heading without what follows it is folded."""
    kinds = ["Located"] * 7 + ["SegmentPlayed", "Attacked", "SegmentPlayed", "Struck", "Sunk"]
    events = [{"kind": kind, "text": f"{n}"} for n, kind in enumerate(kinds)]
    parts = wording.chapters(events, "second_fleet")
    shown, folded = wording.weighed(parts, "second_fleet", 8)
    assert [part["events"][0]["text"] for part in shown] == [*map(str, range(7)), "9", "11"]
    assert [part["events"][0]["text"] for part in folded] == ["7", "8", "10"]
    shown, folded = wording.weighed(parts, "toy", 8)
    assert (len(shown), len(folded)) == (8, 4)
