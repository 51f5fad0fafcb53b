"""Sorts of actors: orders that nothing would carry out by this sort are refused."""

from __future__ import annotations

from importlib import import_module

import pytest

from orders.model import Action, Order
from orders.verbs import Grammar
from pbem.kit.checks import Seen
from pbem.kit.sorts import Sorts, addressed

SORTS = Sorts(
    {"side": "the side as a whole", "ship": "ships", "air": "squadrons"},
    {"losses": "side", "array": "side ship", "cap": "air decoy"},
)
TABLES = {
    "second_fleet": "games.second_fleet.able",
    "baltic": "games.baltic.able",
    "atlantic_chase": "games.atlantic_chase.check",
}


def seen(verb: str, actor: str = "HAWES", standing: bool = False, turn: int | None = None) -> Seen:
    action = Action(verb, {})
    order = Order(actor, (action,), standing=standing, turn=turn)
    return Seen(order, action, "2.1", {"side": "nato", "turn": 3, "units": []})


def test_a_verb_is_meant_for_others_where_the_sort_is_none_of_its_own() -> None:
    assert SORTS.meant("array", "air") == ["side", "ship"]
    assert SORTS.meant("losses", "ship") == ["side"]
    assert not SORTS.meant("array", "ship")
    assert not SORTS.meant("move", "ship")  # no row: for all
    assert not SORTS.meant("losses", "")  # not in the report, as a group that the set forms


@pytest.mark.parametrize(
    "verb, given, text, hint",
    [
        ("cap", "fly", "'cap' to HAWES has no effect: it is for squadrons", "fly"),
        ("cap", "", "'cap' to HAWES has no effect: it is for squadrons", ""),
        (
            "array",
            "",
            "'array' to HAWES has no effect: it is for the side as a whole, ships",
            "NATO: array ...",
        ),
        ("array", "x", "'array' to HAWES has no effect: it is for the side as a whole, ships", "x"),
        (
            "losses",
            "orders of ships",
            "'losses' to HAWES has no effect: it is an order of the side",
            "NATO: losses ...",
        ),
    ],
)
def test_a_refusal_says_for_whom_it_is(verb: str, given: str, text: str, hint: str) -> None:
    no = SORTS.refusal(seen(verb), SORTS.meant(verb, "base"), given)
    assert (no.code, no.rule, no.text, no.hint) == ("no-effect", "2.1", text, hint)


def test_an_order_to_somebody_else_is_for_the_same_time() -> None:
    assert addressed(seen("cap"), "USF15A") == "USF15A: cap ..."
    assert addressed(seen("cap", standing=True), "USF15A") == "@USF15A: cap ..."
    assert addressed(seen("cap", turn=5), "USF15A") == "turn 5 USF15A: cap ..."


@pytest.mark.parametrize("system", TABLES)
def test_tables_of_games_know_every_setting(system: str) -> None:
    """A verb that is missing would be for all, and a word that is no verb or sort for nobody."""
    sorts: Sorts = import_module(TABLES[system]).SORTS
    grammar: Grammar = import_module(f"games.{system}.verbs").GRAMMAR
    verbs = {verb.name for verb in grammar.verbs}
    assert set(sorts.verbs) <= verbs
    assert grammar.settings().keys() <= sorts.verbs.keys()
    if system != "atlantic_chase":  # there lines of a programme are for all
        assert set(sorts.verbs) == verbs
    assert {*" ".join(sorts.verbs.values()).split()} - {"decoy"} == set(sorts.called)
