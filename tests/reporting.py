"""Complete reports for tests that set only a few of the fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.base.report_json import Report

NEUTRAL: Mapping[str, Any] = {
    "format": "pbem-report/1",
    "game": "g1",
    "title": "",
    "system": "toy",
    "edition": "1",
    "scenario": "",
    "side": "fox",
    "side_name": "",
    "turn": 1,
    "label": "",
    "turns": 0,
    "window": 1,
    "seq": 1,
    "digest": "0" * 64,
    "setup": {"digest": "0" * 64, "text": "{}"},
    "opened": "2026-11-20T12:00:00Z",
    "deadline": "",
    "head": "0" * 64,
    "moderator": {"sign": "", "key": "0" * 16, "age": "", "mail": ""},
    "dice_mode": "seeded",
    "flags": [],
    "anchors": {},
    "units": [],
    "contacts": [],
    "events": [],
    "questions": [],
    "standing": [],
    "menu": {},
    "verbs": {},
    "suggest": [],
    "form": "",
    "rolls": [],
    "seed": {"window": 0, "links": {}, "lock": "", "reveals": {}, "sets": {}},
    "board": {},
    "news": "",
    "result": None,
}
QUESTION: Mapping[str, Any] = {"kind": "", "about": "", "prompt": "", "form": ""}


def whole(partial: Mapping[str, Any]) -> Report:
    """A report with these fields; all others have neutral values."""
    questions = [{**QUESTION, **one} for one in partial.get("questions", ())]
    form = partial.get("form", "")
    lines = form if isinstance(form, str) else "\n".join(form)
    return Report.of({**NEUTRAL, **partial, "questions": questions, "form": lines})
