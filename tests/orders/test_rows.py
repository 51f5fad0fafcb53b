"""Rows, points and bearings: read, refused with the place of the fault, and made into structs."""

from __future__ import annotations

from typing import Literal

import pytest
from msgspec import Struct, ValidationError, structs

from orders.canon import streams
from orders.model import Value
from orders.parse import understand
from orders.rows import Point, quoted, typed, values_of
from orders.table_faults import faults
from orders.verbs import Arg, Grammar, Trigger, Verb
from orders.vocabulary import Vocabulary, language
from tests.orders.sea import BY, GRAMMAR, HOW, NUMBERED, REPORT, Any_, read


def args(text: str) -> dict[str, Value]:
    reading = read(text)
    assert not reading.diagnostics, reading.diagnostics
    return reading.orders.orders[0].actions[0].args


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("steer ahead 02.5 port 45.0 ahead 01", {"legs": ["ahead 2.5", "port 45", "ahead 1"]}),
        ("steer Ahead 2, port 45", {"legs": ["ahead 2", "port 45"]}),
        ("steer speed 9 hard port 5", {"legs": ['"hard port" 5'], "speed": 9}),
        ('steer "hard port" 5', {"legs": ['"hard port" 5']}),
        ("head 045", {"course": 45}),
        ("head 360", {"course": 0}),
        ("head sw", {"course": 225}),
        ("head N exactly NNW", {"course": 0, "exact": "337.5"}),
        ("head 7 exactly 360.0", {"course": 7, "exact": "0"}),
        ("fly 12.5 30", {"route": ["12.5 30"]}),
        ("fly 1,2,3,4 land 10, 60", {"route": ["1 2", "3 4"], "land": "10 60"}),
        ("load King George V 4", {"first": "KGV 4"}),
        (
            "load LR Recon 2 4 plus Suffolk 1 London 2",
            {"first": '"LR RECON 2" 4', "rest": ["SUFFOLK 1", "CA2 2"]},
        ),
        ("assign to Scapa Flow EN7 N NNE 3 4", {"tasks": ["F20 EN7 N 22.5 3 4"]}),
    ],
)
def test_values_are_canonical_text(text: str, value: dict[str, Value]) -> None:
    assert args(f"TF1: {text}") == value


@pytest.mark.parametrize(
    ("text", "code", "marked", "said"),
    [
        (
            "steer",
            "missing-argument",
            "steer",
            "'steer' still needs one of: ahead, port, hard port",
        ),
        ("steer ahead 2 port", "missing-argument", "port", "'port' still needs a number"),
        (
            "steer ahead 2 port speed 9",
            "missing-argument",
            "port",
            "'port' still needs a number",
        ),
        ("steer ahead 2 port x", "bad-number", "x", "'x' is not a number"),
        ("steer ahead 361", "bad-number", "361", "361 is not between 0 and 360"),
        ("steer ahead 2 prot 45", "bad-word", "prot", "'prot' is not allowed here"),
        ("steer ahead 1 - port 2", "range-here", "ahead 1 -", "a range is not allowed here"),
        (
            "steer ahead 1 ahead 2 ahead 3 ahead 4 ahead 5",
            "too-many",
            "ahead 1 ahead 2 ahead 3 ahead 4 ahead 5",
            "list at most 4 here",
        ),
        ("head 361", "bad-number", "361", "361 is not between 0 and 360"),
        (
            "head NNE",
            "bad-bearing",
            "NNE",
            "NNE is 22.5 degrees, but only whole degrees are possible here",
        ),
        ("head up", "bad-bearing", "up", "'up' is not a bearing, as 270 and W are"),
        ("fly 1 2 3", "bad-point", "3", "'3' is only the first number of a point"),
        ("fly 1 2 land here", "bad-point", "here", "'here' is not a point"),
        ("fly 1 201", "bad-number", "201", "201 is not between 0 and 200"),
        ("fly 1 2 land 9 60", "bad-number", "9", "9 is not between 10 and 60"),
        ("load EN7 4", "unknown-unit", "EN7", "'EN7' is not one of your units"),
        (
            "assign to K15 EN8 N N 1 1",
            "unknown-contact",
            "EN8",
            "'EN8' is not one of your contacts",
        ),
    ],
)
def test_a_fault_is_marked_where_it_stands(text: str, code: str, marked: str, said: str) -> None:
    (found,) = read(f"TF1: {text};").diagnostics
    at = found.column - 1
    line = f"TF1: {text};"
    assert (found.code, line[at : at + found.length], found.text) == (code, marked, said)


def test_each_row_has_its_place() -> None:
    """For a game's check that refuses one row of several."""
    reading = read("TF1: steer ahead 2, hard port 45 ahead 1;")
    spans = reading.places[0].actions[0].args["legs"]
    assert [reading.unit.text[s.start : s.end] for s in spans] == [
        "ahead 2",
        "hard port 45",
        "ahead 1",
    ]


# As structs


class Leg(Struct, frozen=True):
    how: Literal["ahead", "port", "hard port"]
    by: str


class Task(Struct, frozen=True):
    where: str
    count: int
    aim: Point


class Steer(Struct, frozen=True):
    legs: tuple[Leg, ...]
    task: Task | None = None
    speed: int = 3


def test_rows_become_the_structs_of_the_fields() -> None:
    steer = typed({"legs": ["ahead 2.5", '"hard port" 45'], "task": "K14 7 12.5 30"}, Steer)
    assert steer == Steer(
        (Leg("ahead", "2.5"), Leg("hard port", "45")), Task("K14", 7, Point("12.5", "30"))
    )
    assert steer.task is not None
    assert steer.task.aim.thousandths == (12500, 30000)


@pytest.mark.parametrize("legs", [["ahead"], ["ahead 1 2"], ["astern 1"], "ahead"])
def test_what_does_not_fit_the_struct_is_an_error(legs: Value) -> None:
    with pytest.raises(ValidationError):
        typed({"legs": legs}, Steer)


def test_the_values_of_a_row() -> None:
    assert values_of(f"{quoted('LR RECON 2')} 4 {quoted('K14')}") == ["LR RECON 2", "4", "K14"]


# Verb tables that could not be read in one way only


def table(*args: Arg, places: tuple[str, ...] = ()) -> list[str]:
    return faults(Grammar((Verb("do", Any_, args),), places=frozenset(places)))


PLACE, SIZE = Arg("where", "place"), Arg("size", "number")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((Arg("legs", "rows"),), "kinds row and rows need it"),
        ((Arg("legs", "place", of=(HOW,)),), "other kinds have none"),
        ((Arg("legs", "rows", of=(Arg("way", "path"),)),), "not of kind path"),
        ((Arg("legs", "row", of=(HOW, structs.replace(BY, optional=True))),), "not optional"),
        ((Arg("legs", "rows", of=(HOW,)), Arg("x", "place", "port")), "a keyword of the verb"),
        ((Arg("x", "place", "and then"),), "which divide orders"),
        ((PLACE, SIZE), "places of this board are numbers"),
        ((Arg("path", "path"), Arg("at", "rows", of=(Arg("at", "point"),))), "are numbers"),
    ],
)
def test_a_verb_table_that_is_ambiguous_is_named(args: tuple[Arg, ...], said: str) -> None:
    found = table(*args, places=("1203", "1204"))
    assert len(found) == 1
    assert "verb 'do', argument" in found[0] and said in found[0]


def test_a_number_beside_a_numbered_place_may_have_a_keyword() -> None:
    assert table(PLACE, structs.replace(SIZE, keyword="for"), places=("1203",)) == []
    assert table(PLACE, SIZE, places=("K14",)) == []


def test_a_grammar_with_a_fault_is_not_used() -> None:
    assert faults(GRAMMAR) == []
    with pytest.raises(ValueError, match="trigger 'and then': "):
        language(Grammar((), triggers=(Trigger("and then"),)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("move 1203 1204 for 3", {"path": ["1203", "1204"], "turns": 3}),
        ("lay 1203 1204 1205 7", {"mines": ["1203 1204", "1205 7"]}),
        ("move 1203 1304", "unknown-zone"),
    ],
)
def test_a_number_is_a_place_where_the_argument_is_one(
    text: str, value: dict[str, Value] | str
) -> None:
    words = Vocabulary.of({"units": [], "menu": {"TF1": []}}, NUMBERED)
    (unit,) = streams(f"BEGIN ORDERS TF1: {text}; END ORDERS")
    reading = understand(unit, NUMBERED, words)
    if isinstance(value, str):
        assert [d.code for d in reading.diagnostics] == [value]
    else:
        assert reading.orders.orders[0].actions[0].args == value


def test_an_answer_may_be_rows() -> None:
    form = {"name": "first", "kind": "rows", "most": 3, "of": [{"name": "zone", "kind": "place"}]}
    report = {**REPORT, "questions": [{"id": "Q1", "form": form}]}
    (unit,) = streams("BEGIN ORDERS Q1: K15 Scapa Flow; END ORDERS")
    reading = understand(unit, GRAMMAR, Vocabulary.of(report, GRAMMAR))
    assert reading.orders.answers == {"Q1": ["K15", "F20"]}
