"""Verbs that are declared by a struct: what comes of it, and what is wrong, with its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, NewType

import pytest
from msgspec import Struct, convert

from orders.declare import (
    Contact,
    Direction,
    Name,
    Number,
    Place,
    Places,
    Unit,
    Units,
    check_examples,
    declared,
    direction,
    grammar,
    keyword,
    number,
    place,
    verb,
    word,
)
from orders.declare import (
    Path as Zones,
)
from orders.verbs import Arg, DeclarationError, Term, Verb

Zone = NewType("Zone", str)


@verb("5.1", example="HOOD: sail out A1;", synonyms=("go",))
class SailOut(Struct, frozen=True):
    """Sail through zones
    to the end.

    5.2 This is not shown.
    """

    path: Zones
    place: Annotated[Zone, place()]
    near: Places
    ship: Unit
    ships: Units
    foe: Contact
    knots: Number
    course: Direction
    speed: Annotated[Literal["", "full", "slow"], keyword()] = ""
    turn: Annotated[int, number(4, 34), keyword("in")] = 0
    ratio: Annotated[str, number(0, 9, decimals=1)] = ""
    side: Annotated[str, direction("N", "S")] = ""
    port: Annotated[str, word("brest", "kiel")] = ""
    name: Annotated[Name, keyword("as")] = ""


def test_a_verb_is_made_of_class_docstring_and_annotations() -> None:
    made = declared(SailOut)
    assert made.name == "sail out"
    assert made.help == "Sail through zones to the end."
    assert (made.rule, made.example, made.synonyms) == ("5.1", "HOOD: sail out A1;", ("go",))
    assert made.type is SailOut
    assert made.args == (
        Arg("path", "path", least=1),
        Arg("place", "place"),
        Arg("near", "places", least=1),
        Arg("ship", "unit"),
        Arg("ships", "units", least=1),
        Arg("foe", "contact"),
        Arg("knots", "number"),
        Arg("course", "direction"),
        Arg("speed", "word", "speed", True, ("full", "slow")),
        Arg("turn", "number", "in", True, least=4, most=34),
        Arg("ratio", "number", "", True, least=0, most=9, decimals=1),
        Arg("side", "direction", "", True, ("N", "S")),
        Arg("port", "word", "", True, ("brest", "kiel")),
        Arg("name", "name", "as", True),
    )


def test_the_rules_read_it_as_before() -> None:
    """Also where a field has the name of a function that its annotation calls."""
    args = {a.name: "A1" for a in declared(SailOut).args if not a.optional}
    lists = {"path": ["A1"], "near": ["A1", "A2"], "ships": ["HOOD"], "knots": 30}
    made = convert({**args, **lists}, SailOut)
    assert (made.place, made.near, made.knots, made.speed) == ("A1", ("A1", "A2"), 30, "")


def test_another_verb_may_have_the_same_arguments() -> None:
    @verb("1", example="X: copy A1;", name="run")
    class Copy(SailOut, frozen=True):
        """Like it."""

    assert declared(Copy).args == declared(SailOut).args
    assert (declared(Copy).name, declared(Copy).help) == ("run", "Like it.")


@verb("1", example="HOOD: hold;")
class Hold(Struct):
    """Stay."""


@verb("1", example="HOOD: go NORTH CAPE, KING GEORGE V to F19;")
class Go(Struct):
    """Go there."""

    ships: Units
    to: Annotated[Place, keyword()]


def test_a_grammar_lists_verbs_or_takes_all_of_a_module() -> None:
    places = [f"{row}{n}" for row in "AF" for n in range(8, 22)]
    made = grammar(Hold, Go, terms=[Term("turn", "number")], places=places, aliases={"CAPE": "A8"})
    assert [v.name for v in made.verbs] == ["hold", "go"]
    assert (made.terms, made.places) == ((Term("turn", "number"),), frozenset(places))
    assert made.aliases == {"CAPE": "A8"}
    assert made.place("K14") and made.place("Q9")
    assert not any(made.place(token) for token in ("TF1", "K", "K123", "7"))
    assert made.between("F19", "F21") == ("F19", "F20", "F21")
    assert (
        made.between("F21", "F22") is made.between("A8", "F9") is made.between("F9", "F8") is None
    )
    check_examples(made)


def test_a_grammar_may_judge_places_in_its_own_way() -> None:
    made = grammar(Hold, place=lambda token: token == "SEA", between=lambda a, b: (a, b))
    assert made.place("SEA") and not made.place("A1")
    assert made.between("A", "B") == ("A", "B")


def test_one_word_means_one_verb() -> None:
    @verb("1", example="X: stay;", synonyms=("hold",))
    class Stay(Struct):
        """Stay."""

    with pytest.raises(DeclarationError, match="Stay: 'hold' is a word of Hold already"):
        grammar(Hold, Stay)
    with pytest.raises(DeclarationError, match="Arg: is not declared as a verb"):
        grammar(Arg)
    with pytest.raises(DeclarationError, match="module typing declares no verb"):
        grammar("typing")


@pytest.mark.parametrize(
    ("example", "text"),
    [
        ("HOOD: hlod;", "is refused: 'hlod' is not an order"),
        ("HOOD: hold; hold;", ""),
        ("HOOD: hold F19;", "is refused: 'hold' does not take 'F19'"),
        ("HOOD: go HOOD to F19;", "does not use 'hold'"),
        ("HOOD: if turn over 3 then hold else go NELSON to F19;", ""),
    ],
)
def test_examples_parse_and_are_of_their_verb(example: str, text: str) -> None:
    @verb("1", example=example, name="hold")
    class Stay(Struct):
        """Stay."""

    made = grammar(Stay, Go, terms=[Term("turn", "number")], places=["F19"])
    if text:
        with pytest.raises(DeclarationError) as error:
            check_examples(made)
        assert text in str(error.value)
    else:
        check_examples(made)


# What is wrong with a declaration

HEAD = """from typing import Annotated, Literal
from msgspec import Struct
from orders.declare import *
Words = Literal["on", "off"]

"""
GOOD = '@verb("1", example="X: wait;")\nclass Wait(Struct):\n    """Wait."""\n'
OF_THE_VERB = [
    ('    """Wait."""', "    pass", "the verb has no docstring"),
    ('"1"', '""', "the verb has no rule"),
    ("X: wait;", "wait", "the example 'wait' is not a whole order"),
    ("wait;", "wait", "the example 'X: wait' is not a whole order"),
    ('wait;"', 'wait;", synonyms=("go")', 'synonyms is a tuple of texts: write ("go",)'),
]
OF_AN_ARGUMENT = [
    ("str", "its annotation names no kind of argument"),
    ("Annotated[Place, path()]", "its annotation names more than one kind"),
    (
        "Annotated[Path, path()]",
        "its annotation names more than one kind of argument; write the type of the field",
    ),
    ("Annotated[list[str], place()]", "a place needs the type str, not list[str]"),
    (
        "Annotated[str, path()]",
        "a path needs the type tuple[str, ...], not str",
    ),
    (
        "Annotated[int, number(decimals=1)]",
        "a number needs the type str, not int",
    ),
    ("Annotated[str, number()]", "a number needs the type int, not str"),
    ("Annotated[int, number(9, 3)]", "nothing is between 9 and 3"),
    ("Annotated[str, word()]", "it has no words"),
    ('Words = "of"', "'of' is not one of its words: ('on', 'off')"),
    ('Annotated[Words, word("of")]', "'of' is not one of its words: ('on', 'off')"),
    ('Annotated[str, word("on")] = "of"', "'of' is not one of its words: ('on', '')"),
    (
        "Annotated[Words, keyword()]\n    by: Annotated[Words, keyword('to')]",
        "two arguments follow",
    ),
]
WRONG = [(GOOD.replace(a, b), 7, f"Wait: {text}") for a, b, text in OF_THE_VERB]
WRONG += [(f"{GOOD}    to: {given}\n", 9, f"Wait.to: {text}") for given, text in OF_AN_ARGUMENT]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module `declares_wrongly`, to be written."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path / "declares_wrongly.py"
    sys.modules.pop("declares_wrongly", None)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(("source", "line", "text"), WRONG)
def test_a_wrong_declaration_fails_at_import_with_its_place(
    source: str, line: int, text: str, lazy: bool, module: Path
) -> None:
    """lazy: under `from __future__ import annotations`."""
    module.write_text("from __future__ import annotations\n" * lazy + HEAD + source)
    with pytest.raises(DeclarationError) as error:
        import_module("declares_wrongly")
    assert str(error.value).startswith(f"{module}:{line + lazy}: {text}")


def test_an_annotation_that_means_nothing_is_named(module: Path) -> None:
    module.write_text(f"from __future__ import annotations\n{HEAD}{GOOD}    to: Plaice\n")
    with pytest.raises(DeclarationError, match=r":8: Wait: .* name 'Plaice' is not defined"):
        import_module("declares_wrongly")


def test_a_module_that_is_loaded_anew_has_only_its_verbs_of_now(module: Path) -> None:
    made: list[tuple[Verb, ...]] = []
    for source in (GOOD, GOOD.replace("Wait", "Rest").replace("wait", "rest")):
        sys.modules.pop("declares_wrongly", None)
        module.write_text(HEAD + source + "GRAMMAR = grammar(__name__)\n")
        made.append(import_module("declares_wrongly").GRAMMAR.verbs)
    assert [[v.name for v in verbs] for verbs in made] == [["wait"], ["rest"]]
