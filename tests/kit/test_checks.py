"""Checks by verb: which of them run, what they see, and what becomes of a refusal."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from msgspec import Struct

from orders.model import Action, Condition, Order
from orders.model import Test as Comparison
from orders.verbs import Arg, Grammar, Verb
from pbem.kit import checks
from pbem.kit.checks import Change, Checks, Refused
from pbem.model import MenuArg, MenuItem, Problem


class Move(Struct, frozen=True):
    path: tuple[str, ...]
    speed: Literal["full", "slow"] = "full"


class Hold(Struct, frozen=True):
    pass


class Unit(Struct, frozen=True):
    id: str
    place: str


class Seen(checks.Seen, frozen=True):
    def unit(self) -> Unit | None:
        return self.own(self.actor, Unit)


SPEED = Arg("speed", "word", "speed", True, ("full", "slow"))
GRAMMAR = Grammar(
    (
        Verb("move", Move, (Arg("path", "path"), SPEED), "Go.", "A: move B1;", "1.2"),
        Verb("hold", Hold, (), "Stay.", "A: hold;", "1.3"),
    )
)
REPORT: dict[str, Any] = {
    "side": "red",
    "turn": 4,
    "units": [{"id": "A", "place": "B1", "more": 1}],
    "menu": {"A": [{"verb": "move", "args": [{"name": "path", "kind": "path", "values": ["B2"]}]}]},
    "setup": {"text": '{"house": {"ships.toml": "x = 1"}}'},
}
NIGHT = Condition((Comparison("night", "is", "YES"),))


def move(*path: str, actor: str = "A", **more: Any) -> Order:
    return Order(actor, (Action("move", {"path": list(path)}),), **more)


def seen(order: Order, report: dict[str, Any] = REPORT) -> Seen:
    return Seen(order, order.actions[0], "1.2", report)


def test_the_first_refusal_of_any_action_counts() -> None:
    judged = Checks(GRAMMAR, Seen)

    @judged.on(Move, arg="path")
    def far(seen: Seen, order: Move) -> None:
        for item, place in enumerate(order.path):
            if place == "Z9":
                raise Refused("far", seen.rule, f"{place} is far", "go near", item=item)

    @judged.on(Move)
    def slow(seen: Seen, order: Move) -> None:
        if order.speed == "slow":
            raise Refused("slow", "1.9", "too slow", arg="speed")

    @judged.on()
    def late(seen: Seen, order: Struct) -> None:
        if seen.verb == "hold" and seen.turn > 3:
            raise Refused("late", seen.rule, "too late")

    assert judged.check(move("B2"), REPORT) is None
    wanted = Problem("far", "Z9 is far", "go near", "1.2", "path", 1)
    assert judged.check(move("B2", "Z9"), REPORT) == wanted
    slowly = Action("move", {"path": ["B2"], "speed": "slow"})
    assert judged.check(Order("A", (slowly,)), REPORT) == Problem(
        "slow", "too slow", "", "1.9", "speed"
    )
    hold = Order("A", (Action("move", {"path": ["B2"]}),), NIGHT, (Action("hold"),))
    assert judged.check(hold, REPORT) == Problem("late", "too late", "", "1.3")


def test_an_argument_that_was_not_written_is_not_blamed() -> None:
    judged = Checks(GRAMMAR, Seen)

    @judged.on(Move, arg="speed")
    def never(seen: Seen, order: Move) -> None:
        raise Refused("never", "1", "never")

    problem = judged.check(move("B2"), REPORT)
    assert problem is not None
    assert problem.arg == ""


def test_notes_say_what_the_first_action_that_has_one_does() -> None:
    judged = Checks(GRAMMAR, Seen)

    @judged.note(Move)
    def way(seen: Seen, order: Move) -> str:
        if "Z9" in order.path:
            raise Refused("far", "1.2", "far")
        return "" if len(order.path) > 2 else f"{len(order.path)} zones"

    assert judged.noted(move("B2", "B3"), REPORT) == "2 zones"
    assert judged.noted(move("Z9"), REPORT) == ""
    two = Order("A", (*move("B2", "B3", "B4").actions, *move("B2").actions, Action("hold")))
    assert judged.noted(two, REPORT) == "1 zones"
    assert judged.check(two, REPORT) is None


def test_what_a_check_sees() -> None:
    one = seen(move("B2"))
    assert (one.side, one.turn, one.actor, one.verb, one.now) == ("red", 4, "A", "move", True)
    assert one.unit() == Unit("A", "B1")
    assert seen(move("B2", actor="X")).unit() is None
    assert (one.said("path"), one.said("speed")) == (True, False)
    assert one.offers("A") == (MenuItem("move", (MenuArg("path", "path", ("B2",)),)),)
    assert one.offers("X") == ()
    assert one.listed("A", "move", "path") == ("B2",)
    assert one.listed("A", "hold", "path") == one.listed("A", "move", "speed") == ()
    assert one.house == {"ships.toml": "x = 1"}
    assert seen(move("B2"), {**REPORT, "setup": {"digest": "x"}}).house == {}


@pytest.mark.parametrize(
    ("order", "now"),
    [
        (move("B2", turn=4), True),
        (move("B2", turn=5), False),
        (move("B2", standing=True), False),
        (move("B2", when=NIGHT), False),
    ],
)
def test_now_is_what_acts_in_this_window_whatever_happens(order: Order, now: bool) -> None:
    assert seen(order).now == now


def test_a_struct_that_is_no_verb_is_told() -> None:
    judged = Checks(GRAMMAR, Seen)
    judged.on(Unit)(lambda seen, order: None)
    with pytest.raises(ValueError, match="Unit, which no verb has"):
        judged.check(move("B2"), REPORT)


def test_an_effect_makes_the_report_by_which_the_other_orders_are_judged() -> None:
    judged = Checks(GRAMMAR, Seen)

    @judged.effect(Hold)
    def split(seen: Seen, order: Hold) -> list[Change]:
        if seen.actor == "B":
            raise Refused("no", "1.3", "there is nothing to split")
        row = {"id": "C", "place": "B1"}
        return [Change("A", None), Change("C", (MenuItem("hold"),), row)]

    left = judged.after(Order("A", (Action("hold"),)), REPORT)
    assert left is not None
    assert left["units"] == [{"id": "C", "place": "B1"}]
    assert left["menu"] == {"C": [{"verb": "hold", "args": []}]}
    assert [unit["id"] for unit in REPORT["units"]] == ["A"]
    assert judged.after(move("B2"), REPORT) is None
    assert judged.after(Order("B", (Action("hold"),)), REPORT) is REPORT
    assert judged.check(Order("A", (Action("hold"),)), REPORT) is None
