"""The referee's small mails: every text is used, with the facts that it names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from pbem.data import TEMPLATES, table
from pbem.store.records import KeyChange
from pbem.text.layout import WIDTH
from pbem.text.messages import (
    FILE,
    Note,
    fill_note,
    name_of,
    part,
    phrase,
    the_side,
    the_sides,
)

CODE = Path(__file__).parents[2] / "pbem"
TEXTS = table(TEMPLATES, FILE)
PARTS = TEXTS["parts"]
GROUPS = ("parts", "phrases", "rights", "names")


def called() -> Iterator[tuple[str, ast.Call]]:
    """Calls for words in the code: which words, and the call."""
    for path in sorted(CODE.rglob("*.py")):
        text = path.read_text("utf-8")
        if "from pbem.text.messages import" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in ("fill_note", "part", "with_part", "phrase"):
                    yield name, node


def names(argument: ast.expr) -> set[str]:
    """The texts that a call may mean: one, or one of two."""
    if isinstance(argument, ast.IfExp):
        return names(argument.body) | names(argument.orelse)
    if isinstance(argument, ast.Constant):
        return {str(argument.value)}
    raise TypeError(f"line {argument.lineno}: which words is not to be seen")


def fields(text: str) -> set[str]:
    """What a text wants to be told; `{Side}` and `{the_side}` are names of the fact `side`."""
    return {name.lower().removeprefix("the_") for _, name, _, _ in Formatter().parse(text) if name}


def test_every_text_is_used_and_gets_its_facts() -> None:
    notes = {n: x["subject"] + x["text"] for n, x in TEXTS.items() if n not in GROUPS}
    texts = {"fill_note": notes, "phrase": TEXTS["phrases"], "part": PARTS, "with_part": PARTS}
    unused = {id(known): {*known} for known in texts.values()}
    for kind, call in called():
        for name in names(call.args[0]):
            unused[id(texts[kind])].discard(name)
            words = texts[kind][name]
            given = {keyword.arg for keyword in call.keywords if keyword.arg}
            spread = any(keyword.arg is None for keyword in call.keywords)
            assert given <= fields(words), name
            assert spread or fields(words) <= given, name
    assert not [one for left in unused.values() for one in left]
    assert {*TEXTS["rights"]} == {"officer", *get_args(KeyChange)}


def test_texts_are_filled_in() -> None:
    said = fill_note("extended", window=4, deadline="2026-11-20 12:00 UTC")
    assert said == Note(
        "deadline moved to 2026-11-20 12:00 UTC", "Window 4 now closes 2026-11-20 12:00 UTC.\n"
    )
    assert said.with_part("reason", reason="a {storm}").text.endswith(".\nReason: a {storm}\n")
    assert part("published").startswith("The replay")
    assert phrase("ruling_voids", window=4).startswith("Orders sent for window 4 are void")


@pytest.mark.parametrize("wrong", ["extend", "parts", "held "])
def test_what_is_not_there_is_an_error(wrong: str) -> None:
    with pytest.raises(KeyError):
        fill_note(wrong)
    with pytest.raises(KeyError):
        fill_note("extended", window=4)
    with pytest.raises(KeyError):
        part(wrong)


def test_every_text_is_plain_and_narrow() -> None:
    """What is longer is broken where it ends; a table in it would come apart. The texts of the
    bundle and of pbem.toml are no mail."""
    texts = PARTS | {name: one["text"] for name, one in TEXTS.items() if name not in GROUPS}
    lines = [*TEXTS["phrases"].values(), *TEXTS["rights"].values()]
    assert all(line.isascii() and "\n" not in line for line in lines)
    for name, text in texts.items():
        assert text.isascii()
        assert text.endswith("\n") or text in ("", "{text}")
        fixed = [line for line in text.splitlines() if "{" not in line]
        assert max(map(len, fixed), default=0) <= (
            90 if name in ("bundle", "settings") else WIDTH
        ), name


@pytest.mark.parametrize(
    ("seat", "name", "inside"),
    [
        ("german", "German", "the German side"),
        ("royal_navy", "Royal Navy", "the Royal Navy side"),
        ("nato", "NATO", "the NATO side"),
        ("nato.surface", "NATO, surface officer", "the NATO surface officer"),
    ],
)
def test_a_seat_has_a_name_alone_and_in_a_sentence(seat: str, name: str, inside: str) -> None:
    assert (name_of(seat), the_side(seat)) == (name, inside)
    assert fill_note("officer", side=seat, why="x", key="k").subject == f"another key for {inside}"


def test_several_sides_are_listed_as_a_sentence_lists_them() -> None:
    assert the_sides(["german"]) == "the German side"
    assert the_sides(["german", "british"]) == "the German and British sides"
    assert the_sides(["red", "green", "blue"]) == "the Red, Green and Blue sides"
    assert the_sides(["nato", "nato.air"]) == "the NATO side and the NATO air officer"
