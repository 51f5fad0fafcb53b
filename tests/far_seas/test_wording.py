"""Every kind of event and question of the game has its sentence; names are those of the data."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.far_seas import board, events, events_battle
from pbem.model import Event
from pbem.reports import render, wording
from tests.far_seas.ratings import roster

Fields = dict[str, Any]


def kinds(module: object, base: type[Any]) -> list[type[Any]]:
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, base)
        and kind is not base
        and kind.__module__ == getattr(module, "__name__", "")
    ]


EVENTS = [*kinds(events, Event), *kinds(events_battle, Event)]
MEETS: Fields = {
    "kind": "Meets",
    "about": "29",
    "own": ["Emden"],
    "foes": ["Fox", "Yarmouth"],
    "speed": "4+",
    "fastest": "5-",
    "odds": "1.5",
    "german": True,
    "may_run": True,
    "usual": "RUN",
    "choices": ["ORDERS", "STAND"],
    "default": "ORDERS",
}
WORDS: Fields = {
    "area": "29",
    "to": "28",
    "origin": "24",
    "side": "german",
    "favoured": "german",
    "how": "raid",
    "reach": "AB",
    "who": "EMDEN",
    "name": "Emden",
    "post": "MADRAS",
    "station": "MADRAS",
    "landing": "NEW GUINEA",
    "pursuer": "Sydney",
    "target": "Sydney",
    "instead": "cruises",
    "verb": "raid",
}
MANY: Fields = {
    "parties": [{"who": "HAMPSHIRE", "area": "29", "ship": "EMDEN"}],
    "areas": ["28", "29"],
    "groups": [["Emden"], ["Leipzig", "Dresden"]],
    "parts": [{"what": "crowd", "value": -1}],
    "moves": [{"who": "EMDEN", "origin": "24", "to": "29", "how": "move", "post": ""}],
}


def example(kind: type[Event]) -> Fields:
    """An event with something in every field."""
    made: Fields = {"kind": kind.__name__, "rule": "1", "why": ""}
    for field in msgspec.structs.fields(kind):
        if field.type is int:
            made[field.name] = 2
        elif field.type is bool:
            made[field.name] = True
        elif field.type is str:
            made.setdefault(field.name, WORDS.get(field.name, "x"))
        else:
            made[field.name] = MANY.get(field.name, ["KONIGSBERG", "GOOD HOPE"])
    return made


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_is_worded_in_one_sentence(kind: type[Event]) -> None:
    (text,) = wording.events("far_seas", [example(kind)])
    assert text and (text[0].isupper() or text[0].isdigit()) and not text.endswith(".")
    assert "  " not in text and "[" not in text and "{" not in text and "_" not in text
    assert text != kind.__name__


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_no_event_is_worded_by_its_name_alone(kind: type[Event]) -> None:
    (text,) = wording.events("far_seas", [example(kind)])
    assert " " in text


def test_no_two_kinds_of_event_share_a_name() -> None:
    names = [kind.__name__ for kind in EVENTS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "Emden (speed 4+) meets Fox and Yarmouth (speed 5-), 1.5 times your strength"),
        ({}, "Your orders are to run. If you run, a British 6 surprises you"),
        ({"usual": "SOME"}, "some would run, some stand"),
        ({"german": False}, "Germans may run first"),
        ({"may_run": False, "usual": ""}, "Nobody can run from a surprise. At whom do you fire?"),
    ],
)
def test_a_meeting_is_put_with_what_a_choice_costs(change: Fields, said: str) -> None:
    (text,) = wording.questions("far_seas", [{**MEETS, **change}])
    assert said in text and "29 Bay of Bengal" in text
    assert len(text) < 340


@pytest.mark.parametrize(
    ("about", "said"), [("DRESDEN, EMDEN", "Dresden and Emden"), ("nobody",) * 2]
)
def test_the_allies_are_told_who_moves(about: str, said: str) -> None:
    (text,) = wording.questions("far_seas", [{"kind": "Dispositions", "about": about}])
    assert f"The Germans name {said}" in text


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("move", "Under way: Emden from 24 to 29"),
        ("expedition", "Emden sails for the landing at Madras"),
        ("cruise", "Cruising: Emden (29)"),
        ("raid", "Emden goes to raid Madras in 29 Bay of Bengal"),
        ("station", "Emden guards Madras in 29 Bay of Bengal"),
        ("convoy", "Emden covers the merchants of 29 Bay of Bengal"),
        ("watch", "Emden watches beside the Rufiji"),
        ("support", "Emden supports the landing at Madras"),
        ("join", "Emden joins Madras in 29 Bay of Bengal"),
        ("river", "Emden enters the Rufiji"),
    ],
)
def test_each_way_to_move_is_told(how: str, said: str) -> None:
    move = {"who": "EMDEN", "origin": "24", "to": "29", "how": how, "post": "MADRAS"}
    event = {"kind": "GermansMoved", "rule": "M5", "why": "", "moves": [move]}
    assert wording.events("far_seas", [event]) == [said]


def test_every_part_of_a_damage_roll_has_words() -> None:
    from games.far_seas import gunnery

    gunner = gunnery.Gunner(roster()["SCHARNHORST"], "MINOTAUR", 0, ("MINOTAUR",), True, True)
    gunner.ship.damage, gunner.ship.fought = 5, 1
    target = roster()["MINOTAUR"]
    target.damage = 5
    now = gunnery.moment(4, {}, gunner.ship.side, False)
    parts = gunnery.modifiers(gunner, target, 2, now)
    assert len(parts) == 9
    told = {
        **example(events_battle.Fired),
        "parts": [{"what": p.what, "value": p.value} for p in parts],
    }
    (text,) = wording.events("far_seas", [told])
    assert (
        "-2 tried to run" in text and "+1 target hit last round" in text and "+2 surprise" in text
    )


def test_areas_and_ships_are_named_as_printed() -> None:
    names = render.templates().get_template("far_seas/names.j2").module
    sea, ship = getattr(names, "sea"), getattr(names, "ship")  # noqa: B009  # not in the types
    assert {a: str(sea(a)) for a in board.AREAS} == {a: board.name(a) for a in board.AREAS}
    assert {i: str(ship(i)) for i in roster()} == {i: s.name for i, s in roster().items()}
    assert str(ship("Kaiser Wilhelm der Große")) == "Kaiser Wilhelm der Große"


def test_the_reference_of_the_page_is_the_board() -> None:
    """Stations and their points, ways, canals and boxes, as `board` has them."""
    names = render.templates().get_template("far_seas/names.j2").module
    shore, ways = getattr(names, "shore"), getattr(names, "ways")  # noqa: B009  # not in the types
    canals, boxes = getattr(names, "canals"), getattr(names, "boxes")  # noqa: B009
    for area in (board.AREAS[a] for a in board.SEA):
        assert shore.get(area.id, {}) == area.stations
        found = {*ways[area.id].split(), *boxes.get(area.id, "").split()}
        assert tuple(canals.get(area.id, "").split()) == area.canal
        assert found == set(area.ways) - {board.GERMANY, *area.canal}


@pytest.mark.parametrize(
    ("side", "said"),
    [("german", "Scharnhorst is sunk"), ("british", "Good Hope is sunk")],
)
def test_a_report_begins_with_the_costliest_own_loss(side: str, said: str) -> None:
    """Both sides hear of all three, the Monmouth first."""
    lost = (("MONMOUTH", "british", 3), ("GOOD HOPE", "british", 5), ("SCHARNHORST", "german", 8))
    events = [
        {"kind": "ShipSunk", "area": "19", "who": who, "name": who, "side": of, "points": points}
        for who, of, points in lost
    ]
    told = [
        {**event, "text": f"{event['name']} is sunk", "why": "", "rule": ""} for event in events
    ]
    report = {"system": "far_seas", "side": side, "events": told, "seed": {"window": 5}}
    assert wording.brief({**report, "turn": 6, "questions": []}) == said
