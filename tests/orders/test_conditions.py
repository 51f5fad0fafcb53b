"""Conditions read what a side knows; what it does not know makes a test false."""

from __future__ import annotations

import msgspec
import pytest

from orders.book import Book
from orders.conditions import holds, shortest, thousandths
from orders.model import Condition, Order, OrderSet, Value
from tests.orders.sea import read


def condition(text: str) -> Condition:
    reading = read(f"TF1: if {text} then hold")
    assert not reading.diagnostics, reading.diagnostics
    when = reading.orders.orders[0].when
    assert when
    return when


KNOWN: dict[str, Value] = {
    "visibility": 4,
    "contact": "CA",
    "enemy evasion": 28,
    "own evasion": 29,
    "weather": "fog",
    "night": "NO",
}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("visibility is 4", True),
        ("visibility over 4", False),
        ("visibility at least 4", True),
        ("visibility at most 3", False),
        ("visibility under 4.5", True),
        ("not visibility under 4.5", False),
        ("contact at least CL", True),
        ("contact at least CA", True),
        ("contact over CA", False),
        ("contact under BB", True),
        ("contact is CA", True),
        ("not contact is DD", True),
        ("enemy evasion over own", False),
        ("enemy evasion under own evasion", True),
        ("own evasion over enemy", True),
        ("weather is fog", True),
        ("weather is clear sky", False),
        ("night", False),
        ("not night", True),
        ("night is no", True),
        ("night and visibility is 4", False),
        ("night or visibility is 4", True),
        ("night or weather is clear sky or not contact is BB", True),
        ("visibility is 4 and contact is CA and not night", True),
    ],
)
def test_known_facts(text: str, outcome: bool) -> None:
    assert holds(condition(text), KNOWN.get) is outcome


@pytest.mark.parametrize("negation", ["", "not "])
@pytest.mark.parametrize(
    "text",
    [
        "visibility is 4",
        "contact at most BB",
        "enemy evasion over own",
        "night",
        "weather is fog",
        "own evasion over enemy",
    ],
)
def test_the_unknown_makes_every_test_false(text: str, negation: str) -> None:
    assert not holds(condition(negation + text), lambda _: None)
    half = {"own evasion": 29}
    assert not holds(condition(negation + text), half.get)


@pytest.mark.parametrize("strange", ["SUBMARINE", 7, ["CA"]])
def test_a_value_outside_the_scale_is_unknown(strange: Value) -> None:
    assert not holds(condition("contact at least DD"), lambda _: strange)
    assert not holds(condition("not contact at least DD"), lambda _: strange)


def test_decimals_are_exact() -> None:
    assert thousandths("0.3") == 300
    assert thousandths("12.345") == 12345
    assert [thousandths(t) for t in ("", ".5", "1.2345", "x", "1.x", "-1")] == [None] * 6
    assert holds(condition("visibility is 0.3"), lambda _: "0.300")
    assert " ".join(map(shortest, ("2.0", "02.50", "0.0", "10", "7."))) == "2 2.5 0 10 7"


def orders(text: str) -> OrderSet:
    reading = read(text)
    assert not reading.diagnostics
    return reading.orders


def test_the_book_asks_for_the_actor_s_own_facts() -> None:
    book = Book(turn=3)
    book.take(orders("@TF2: if contact at least CA then withdraw NW else shadow EN7;"))

    def facts(term: str, actor: str) -> Value | None:
        return {"TF2": "BB"}.get(actor) if term == "contact" else None

    assert [a.verb for a in book.actions("TF2", facts)] == ["withdraw"]
    assert [a.verb for a in book.actions("TF2", lambda t, a: None)] == ["shadow"]


def test_standing_orders_are_replaced_cleared_and_expire() -> None:
    book = Book(turn=3)
    book.take(orders("@TF1: hold; radio silent; @TF2: hold; turn 4 CL1: hold; turn 3 TF1: hold;"))
    book.take(orders("@TF1: radio on; @TF2: none; turn 4 CL1: radio on;"))
    assert [o.actions[0].verb for o in book.standing.always["TF1"]] == ["radio"]
    assert "TF2" not in book.standing.always
    assert [o.actions[0].verb for o in book.standing.later if o.actor == "CL1"] == ["radio"]
    book.standing.expire(5)
    assert book.standing.later == []


# Terms about a unit, a contact or a place

SEEN: dict[tuple[str, str], Value] = {
    ("range of", "EN7"): 4,
    ("type of", "EN7"): "CA",
    ("type of", "KGV"): "BB",
    ("fog at", "F20"): "YES",
    ("orders of", "LR RECON 2"): "close in",
}


def told(term: str, of: str = "") -> Value | None:
    return SEEN.get((term, of)) if of else KNOWN.get(term)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("range of EN7 under 5", True),
        ("range of EN7 over 5", False),
        ("not range of en7 is 4", False),
        ("type of EN7 at least CA", True),
        ("type of King George V over CA", True),
        ("type of EN7 over type of KGV", False),
        ("type of EN7 under type of KGV", True),
        ("type of EN7 at least contact", True),
        ("contact under type of KGV", True),
        ("visibility is range of EN7", True),
        ("fog at Scapa Flow", True),
        ("not fog at F20", False),
        ("fog at J15", False),
        ("not fog at J15", False),
        ("orders of LR Recon 2 is close in", True),
        ("orders of Suffolk is close in", False),
        ("fog at F20 and range of EN7 at most 4 and not night", True),
    ],
)
def test_what_is_known_of_a_contact_a_unit_or_a_place(text: str, outcome: bool) -> None:
    assert holds(condition(text), told) is outcome


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("range of", "missing-argument", "'range of' needs a contact behind it"),
        ("range of EN9 under 4", "unknown-contact", "'EN9' is not one of your contacts"),
        ("orders of EN7 is sweep", "unknown-unit", "'EN7' is not one of your units"),
        (
            "type of EN9 is BB",
            "unknown-contact",
            "'EN9' is neither a contact nor one of your units",
        ),
        ("fog at Z99", "unknown-zone", "'Z99' is not on this board"),
        ("range of EN7", "missing-comparison", "'range of EN7' must be compared with something"),
        (
            "range of EN7 is type of EN7",
            "bad-comparison",
            "'range of' and 'type of' cannot be compared with each other",
        ),
    ],
)
def test_a_name_that_does_not_fit_the_term(text: str, code: str, said: str) -> None:
    (found,) = read(f"TF1: if {text} then hold").diagnostics
    assert (found.code, found.text) == (code, said)


def test_facts_are_asked_with_the_name_of_the_own_report() -> None:
    """Never with another: what a condition tells its sender is what facts know of that name."""
    book, asked = Book(turn=3), list[tuple[str, ...]]()

    def facts(term: str, actor: str, of: str = "") -> Value | None:
        asked.append((term, actor, of))
        return told(term, of)

    book.take(orders("@TF2: if night or type of EN7 over type of KGV then hold else radio on;"))
    assert [a.verb for a in book.actions("TF2", facts)] == ["radio"]
    assert asked == [("night", "TF2", ""), ("type of", "TF2", "EN7"), ("type of", "TF2", "KGV")]


def test_tests_without_an_object_are_stored_as_ever() -> None:
    """Positions of earlier releases stay readable, and those of their games keep their bytes."""
    raw = msgspec.json.encode(orders("@TF2: if visibility is 4 then hold;").orders[0])
    assert raw == (
        b'{"actor":"TF2","actions":[{"verb":"hold","args":{}}],"when":{"tests":[{"left":'
        b'"visibility","op":"is","right":4,"negated":false,"term":false,"scale":[]}],"joiner":'
        b'"and"},"otherwise":[],"standing":true,"turn":null}'
    )
    about = orders("@TF2: when sighted if fog at F20 then hold;").orders[0]
    assert msgspec.json.decode(msgspec.json.encode(about), type=Order) == about
