"""Every kind of event has its sentence."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.bismarck import events
from pbem import render
from pbem.model import Event

KINDS = [
    kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
]
WORDS: dict[str, Any] = {
    "zone": "M12", "ship": "Bismarck", "who": "Hood", "level": "4", "entry": "CONVOY",
    "needs": "route", "number": 1, "side": "british", "mode": "move",
}  # fmt: skip


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
    (text,) = render.events("bismarck", [example(kind)])
    assert text and text[0].isupper() and not text.endswith(".")
    assert "  " not in text and "[" not in text and "{" not in text


def test_coasts_are_counted_not_listed() -> None:
    calls = {"zones": ["M12"], "blank": ["M12"], "rule": "7.21", "why": "", "kind": "Searched"}
    told = render.events("bismarck", [{**calls, "coasts": 33}, {**calls, "zones": [], "coasts": 2}])
    assert told == [
        "Searched M12: nothing seen; on 33 watched coasts nothing",
        "Nothing was seen on 2 watched coasts",
    ]
