"""Every kind of event and question has its sentence; names are those of the data."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.baltic import between, collisions, events, planning
from games.baltic.tables import names
from pbem.kit.doctrine import Doctrine
from pbem.model import Event
from pbem.reports import wording

SAMPLES: dict[Any, object] = {str: "7.5", int: 2, bool: True}
SHIPS = ("vessel", "target", "card", "other", "actor", "carrier")
"""Fields that hold the id of a ship or a squadron."""


def kinds(module: object, base: type[Any]) -> list[type[Any]]:
    found = [kind for kind in vars(module).values() if isinstance(kind, type)]
    return [
        kind
        for kind in found
        if issubclass(kind, base) and kind.__module__ == getattr(module, "__name__", "")
    ]


def said(kind: type[Event], **given: object) -> str:
    """The sentence of an event with some value in every field."""
    every = msgspec.structs.fields(kind)
    fields = {f.name: "ROVFAGEL" if f.name in SHIPS else SAMPLES[f.type] for f in every}
    (text,) = wording.events("baltic", [{**fields, "why": "", **given, "kind": kind.__name__}])
    return text


@pytest.mark.parametrize("kind", kinds(events, Event), ids=lambda kind: str(kind.__name__))
def test_every_event_has_a_sentence(kind: type[Event]) -> None:
    text, ships = said(kind), set(SHIPS) & set(kind.__struct_fields__)
    if kind is not events.Dogfight:  # its `other` is a marker
        assert ("Rovfågel" in text) is bool(ships)
        assert "ROVFAGEL" not in text
    assert text


@pytest.mark.parametrize("unit", names())
def test_ships_are_called_by_their_printed_names(unit: str) -> None:
    assert said(events.Wrecked, vessel=unit) == f"{names()[unit].name} is a wreck"
    assert said(events.Wrecked, vessel=f"{unit}3") == f"{names()[unit].name} 3 is a wreck"


def test_shots_say_who_hit_whom_how_often() -> None:
    shot = {"vessel": "GOTEN", "weapon": "A", "what": "main", "target": "ROVFAGEL"}
    told = [said(events.Fired, **shot, inches="7.42", hits=hits, splash=0) for hits in (0, 1, 12)]
    assert told == [
        "Goten misses Rovfågel (A, 7 inches)",
        "Goten hits Rovfågel once (A, 7 inches)",
        "Goten hits Rovfågel 12 times (A, 7 inches)",
    ]


QUESTIONS = [kind for module in (between, collisions, planning) for kind in kinds(module, Doctrine)]


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: str(kind.__name__))
def test_every_question_has_a_sentence(kind: type[Doctrine]) -> None:
    question = {"kind": kind.__name__, "about": "VASA", "results": ["rudder", "fire"]}
    (text,) = wording.questions("baltic", [question])
    assert text.endswith("?")
