"""Orders as one list over all actors, and reactions: `Book.script` and `Book.reactions`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec import Struct

from orders.book import VOID, Book, Command
from orders.model import OrderSet, Value
from orders.verbs import Trigger
from tests.orders.sea import codes, read


class Hold(Struct, frozen=True):
    turns: int = 0


class Radio(Struct, frozen=True):
    state: str


KINDS: Mapping[str, type[Struct]] = {"hold": Hold, "radio": Radio}
SIGHTED, ATTACKED = Trigger("sighted"), Trigger("under attack")


def given(text: str, **more: object) -> OrderSet:
    reading = read(text)
    assert not reading.diagnostics, reading.diagnostics
    return OrderSet(reading.orders.orders, **more)  # type: ignore[arg-type]


def book(*texts: str) -> Book:
    """The texts are the sets of windows 1, 2 ..., all in turn 3."""
    found = Book(turn=3)
    for window, text in enumerate(texts, 1):
        found.take(given(text), window)
    return found


def unknown(term: str, actor: str, of: str = "") -> None:
    return None


def listed(found: Book) -> list[str]:
    return [said(c) for c in found.script(KINDS, unknown)]


def said(command: Command[Struct]) -> str:
    order = command.order
    word = order.state if isinstance(order, Radio) else f"hold {getattr(order, 'turns', '')}"
    return f"{command.actor} {word} {command.window}{'' if command.fresh else ' old'}"


def test_orders_come_in_the_order_written_whoever_acts() -> None:
    text = "TF1: hold for 1; TF2: radio on also hold for 2; TF1: move J15; hold for 3;"
    assert listed(book(text)) == ["TF1 hold 1 1", "TF2 on 1", "TF2 hold 2 1", "TF1 hold 3 1"]


def test_a_later_set_comes_first_and_replaces_the_orders_of_whom_it_names() -> None:
    found = book("TF1: hold for 1; TF2: hold for 2; CL1: hold for 3;", "CL1: radio on; TF1: hold;")
    assert listed(found) == ["CL1 on 2", "TF1 hold 0 2", "TF2 hold 2 1"]


def test_weaker_layers_serve_actors_that_had_nothing() -> None:
    found = Book(turn=2)
    found.take(given("turn 3 TF1: hold for 1; turn 3 TF2: hold for 2; turn 4 CL1: hold for 3;"), 1)
    found.take(given("@TF2: hold for 4; @CL1: hold for 5; hold for 6; @CA2: hold for 7;"), 2)
    found = Book(turn=3, standing=found.standing)
    found.take(given("TF1: if night then radio on; CA2: radio silent;"), 3)
    assert listed(found) == [
        "CA2 silent 3",
        "TF1 hold 1 0 old",
        "TF2 hold 2 0 old",
        "CL1 hold 5 0 old",
        "CL1 hold 6 0 old",
    ]


def test_an_order_for_this_turn_counts_once() -> None:
    assert listed(book("turn 3 TF1: if night then hold else radio on;")) == ["TF1 on 1"]
    assert listed(book("turn 3 TF1: if night then hold;")) == []


def test_a_condition_is_judged_when_its_order_is_reached() -> None:
    done: list[str] = []

    def facts(term: str, actor: str) -> Value | None:
        return len(done) if term == "visibility" else None

    text = "TF1: if visibility is 0 then hold for 1; TF2: if visibility is 1 then hold for 2;"
    script = book(text).script(KINDS, facts)
    while command := next(script, None):
        done.append(said(command))
    assert done == ["TF1 hold 1 1", "TF2 hold 2 1"]


def test_nothing_binds_in_a_void_window() -> None:
    found = book("TF1: hold; @TF2: when sighted then hold;")
    found.take(OrderSet(words={VOID: ""}), 2)
    assert listed(found) == []
    assert list(found.reactions(SIGHTED, "TF2", KINDS, unknown)) == []


def reacts(found: Book, trigger: Trigger, actor: str = "TF1") -> list[str]:
    return [said(c) for c in found.reactions(trigger, actor, KINDS, unknown)]


def test_a_reaction_waits_for_its_trigger() -> None:
    found = book(
        "TF1: hold for 1; when sighted then radio silent also hold for 2;"
        "@TF1: when sighted if night then hold for 3 else hold for 4; when under attack then hold;"
    )
    assert listed(found) == ["TF1 hold 1 1"]
    assert [c.fresh for c in found.commands("TF1", KINDS, unknown)] == [True]
    assert reacts(found, SIGHTED) == ["TF1 silent 1", "TF1 hold 2 1", "TF1 hold 4 0 old"]
    assert reacts(found, ATTACKED) == ["TF1 hold 0 0 old"]
    assert reacts(found, SIGHTED, "TF2") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("when", "missing-trigger"),
        ("when night then hold", "unknown-trigger"),
        ("when sighted hold", "missing-then"),
        ("when sighted", "missing-then"),
        ("when sighted then", "missing-verb"),
        ("when sighted then hold else hold", "missing-if"),
        ("if night then when sighted then hold", "misplaced-when"),
        ("detach Suffolk as when", "bad-name"),
    ],
)
def test_what_is_wrong_with_a_reaction(text: str, code: str) -> None:
    assert codes(f"TF1: {text};") == [code]
