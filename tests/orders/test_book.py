"""Which orders bind: layers, standing orders, orders for later turns, what replaces what."""

from __future__ import annotations

import pytest
from msgspec import Struct

from orders import model
from orders.book import VOID, Book, Command, Standing
from orders.model import Action, Condition, Order, OrderSet, Value


class Move(Struct, frozen=True):
    area: str


class Raid(Struct, frozen=True):
    """Another kind."""


VERBS: dict[type[Struct], str] = {Move: "move", Raid: "raid"}
KINDS: dict[str, type[Struct]] = {"move": Move, "raid": Raid}
RAID = Action("raid")


def to(area: str) -> Action:
    return Action("move", {"area": area})


def order(text: str, *actions: Action, actor: str = "TF1", when: Condition | None = None) -> Order:
    """text: `now`, `always` for a standing order, or the number of its turn."""
    turn = int(text) if text.isdigit() else None
    return Order(actor, actions, when, standing=text == "always", turn=turn)


def given(*orders: Order, **more: object) -> OrderSet:
    return OrderSet(orders, **more)  # type: ignore[arg-type]


def book(*sets: OrderSet, turn: int = 3) -> Book:
    found = Book(turn=turn, verbs=VERBS)
    for one in sets:
        found.take(one)
    return found


def goes(found: Book, actor: str = "TF1", wind: Value | None = None) -> str:
    """Where the binding order takes it, empty without one; wind: as the actor knows it."""
    facts = {("wind", actor): wind}
    move = found.find(actor, Move, lambda term, who: facts.get((term, who)))
    return move.area if move else ""


def everything(found: Book, actor: str = "TF1") -> list[tuple[str, bool]]:
    commands = found.commands(actor, KINDS, lambda term, who: None)
    return [(getattr(c.order, "area", "raid"), c.fresh) for c in commands]


def test_the_layers_are_asked_in_order_and_only_this_turns_sets_are_fresh() -> None:
    early = given(order("always", to("D"), RAID), order("3", to("C")))
    found = book(early, given(order("now", to("B"))))
    found.standing.later.append(order("4", to("X")))
    assert everything(found) == [("B", True), ("C", False), ("D", False), ("raid", False)]
    assert everything(found, "TF2") == []
    first = next(found.commands("TF1", {"move": Move}, lambda term, who: None))
    (now,) = found.given["TF1"]
    assert first == Command(Move("B"), fresh=True, actor="TF1", said=now)


def test_a_command_knows_its_order_and_what_stands_behind_it() -> None:
    one = order("now", to("B"), RAID)
    found = [*book(given(one)).script(KINDS, lambda term, who: None)]
    assert [command.said for command in found] == [one, one]
    assert [command.behind for command in found] == [(RAID,), ()]


def test_an_order_for_this_turn_is_of_the_set_in_force() -> None:
    assert everything(book(given(order("3", to("C"))))) == [("C", True), ("C", False)]


def test_a_kind_is_found_behind_other_kinds_and_in_weaker_layers() -> None:
    assert goes(book(given(order("now", RAID), order("always", to("D"))))) == "D"
    assert book(given(order("now", to("B")))).find("TF1", Raid, lambda term, who: None) is None


def test_every_takes_the_strongest_layer_that_has_the_kind() -> None:
    found = book(given(order("now", RAID), order("always", to("D")), order("always", to("E"))))
    moves = [m.area for m in found.every("TF1", Move, lambda term, who: None)]
    assert moves == ["D", "E"]
    found.take(given(order("now", to("A"), to("B"))))
    assert [m.area for m in found.every("TF1", Move, lambda term, who: None)] == ["A", "B"]
    assert found.every("TF2", Move, lambda term, who: None) == []


def test_a_later_set_binds_whom_it_names_and_leaves_the_others() -> None:
    one = given(order("now", to("A")), order("now", to("B"), actor="TF2"))
    found = book(one, given(order("now", to("C"))))
    assert (goes(found), goes(found, "TF2")) == ("C", "B")


def test_answers_and_words_are_those_of_the_last_set() -> None:
    found = book(given(answers={"Q1": "KENT"}, words={"FINAL": ""}), given(answers={"Q2": "NO"}))
    assert (found.answers, found.words) == ({"Q2": "NO"}, {})


def test_in_a_void_window_nothing_binds() -> None:
    found = book(given(order("always", to("D"))), given(words={VOID: ""}))
    assert everything(found) == [] and goes(found) == ""


@pytest.mark.parametrize(("answer", "area"), [(6, "N"), (4, "S"), (None, "S")])
def test_a_condition_is_judged_by_what_its_actor_knows_now(answer: int | None, area: str) -> None:
    when = Condition((model.Test("wind", "over", 5),))
    if_ = Order("TF1", (to("N"),), when, (to("S"),))
    assert goes(book(given(if_)), wind=answer) == area


def test_actors_are_those_of_any_layer_that_counts_now() -> None:
    now = given(
        order("now", to("A"), actor="TF3"),
        order("always", to("A"), actor="TF1"),
        order("4", to("A"), actor="TF9"),
    )
    found = book(now)
    found.standing.later.append(order("3", to("A"), actor="TF2"))
    assert found.actors() == ["TF1", "TF2", "TF3"]


# What outlives a turn


def standing(*sets: OrderSet) -> Standing:
    found = Standing()
    for one in sets:
        found.take(one, {})
    return found


def test_standing_orders_replace_all_of_their_actors() -> None:
    found = standing(
        given(
            order("always", to("A")), order("always", RAID), order("always", to("B"), actor="TF2")
        ),
        given(order("always", to("C"))),
    )
    assert found.always == {
        "TF1": [order("always", to("C"))],
        "TF2": [order("always", to("B"), actor="TF2")],
    }


def test_none_clears_and_other_orders_leave_standing_ones_alone() -> None:
    first = given(order("always", to("A")), order("always", to("B"), actor="TF2"))
    found = standing(first, given(order("now", to("C")), cleared=("TF2", "TF3")))
    assert found.always == {"TF1": [order("always", to("A"))]}


def test_cleared_and_ordered_anew_in_one_set() -> None:
    found = standing(given(order("always", to("A")), cleared=("TF1",)))
    assert found.always == {"TF1": [order("always", to("A"))]}


def test_orders_for_a_turn_replace_those_of_the_same_actor_and_turn() -> None:
    first = given(order("4", to("A")), order("4", to("B"), actor="TF2"), order("5", to("C")))
    found = standing(first, given(order("4", to("D")), order("4", RAID)))
    assert found.later == [
        order("4", to("B"), actor="TF2"),
        order("5", to("C")),
        order("4", to("D")),
        order("4", RAID),
    ]
    found.expire(5)
    assert found.later == [order("5", to("C"))]
    found.expire(6)
    assert found.later == []


# Settings


SETTINGS = {"retire": "retire", "run": "run", "stand": "run"}
RUN, STAND, RETIRE = Action("run"), Action("stand"), Action("retire")


def verbs_of(orders: list[Order]) -> list[str]:
    return [action.verb for each in orders for action in each.actions]


def test_a_setting_is_replaced_only_by_one_about_the_same_matter() -> None:
    found = Book(turn=3, verbs=VERBS, settings=SETTINGS)
    found.take(given(order("now", to("B")), order("now", RUN), order("now", RETIRE)), 1)
    found.take(given(order("now", STAND)), 2)
    assert verbs_of(found.given["TF1"]) == ["move", "retire", "stand"]
    found.take(given(order("now", RAID)), 3)
    assert verbs_of(found.given["TF1"]) == ["retire", "stand", "raid"]
    assert [window for window, _ in found.sets] == [1, 2, 3]
    commands = found.commands("TF1", KINDS, lambda term, who: None)
    assert [command.window for command in commands] == [3]


def test_standing_settings_and_those_of_a_turn_stand_beside_each_other() -> None:
    found = Standing()
    found.take(given(order("always", RUN), order("4", RETIRE), order("5", RETIRE)), SETTINGS)
    found.take(given(order("always", RETIRE), order("4", STAND), order("5", RETIRE)), SETTINGS)
    assert verbs_of(found.always["TF1"]) == ["run", "retire"]
    assert [(o.turn, o.actions[0].verb) for o in found.later] == [
        (4, "retire"),
        (4, "stand"),
        (5, "retire"),
    ]
    found.take(given(cleared=("TF1",)), SETTINGS)
    assert not found.always


def test_an_order_with_two_matters_is_replaced_for_each_of_them() -> None:
    found = Book(turn=3, verbs=VERBS, settings=SETTINGS)
    found.take(given(order("now", RUN, RETIRE)), 1)
    found.take(given(order("now", RETIRE)), 2)
    assert verbs_of(found.given["TF1"]) == ["retire"]
