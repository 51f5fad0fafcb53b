"""Which events a page tells with their reasons at its end."""

from __future__ import annotations

from typing import Any

from pbem.reports import wording


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
