"""What checks know of orders that were given before, and of others of the set: notes and hints."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import structs

from games.baltic.check import CHECKS
from games.baltic.game import SYSTEM
from pbem.model import Side
from pbem.testing.orders import judged, shown
from tests.baltic.casebook import position

SHIPS = {
    "VASA": "20 30 90 half",
    "ROVFAGEL": "10 10 90 half",
    "HAVSORN": "10 15 90 half",
    "SKARGARD": "10 40 90 half x2",
    "BLEKINGE": "10 20 90 half x2",
    "HOCHMEISTER": "66 30 270 half",
}


def sent(text: str, standing: Sequence[str] = ()) -> tuple[list[str], list[str]]:
    """The hints of what is refused, and the notes of what stands, one a line."""
    report = shown(SYSTEM, position({"ships": SHIPS}), Side("kalmar"))
    reading = judged(SYSTEM, structs.replace(report, standing=list(standing)), text)
    pairs = zip(reading.orders.orders, reading.seen, strict=True)
    notes = [CHECKS.noted(order, seen) for order, seen in pairs]
    return [one.hint for one in reading.diagnostics], [note for note in notes if note]


@pytest.mark.parametrize(
    "earlier",
    ["@VASA: speed full;", "turn 2 VASA: speed full;", "@VASA: if crippled then speed full;"],
)
def test_a_move_may_fit_a_telegraph_that_an_order_given_before_moves(earlier: str) -> None:
    hints, notes = sent("VASA: move ahead 6;", [earlier])
    assert not hints
    assert notes == [
        "6.00 inches, ends at 26.00 30.00, heading 90; "
        "3.00 to 5.00 inches unless an order given before moves her telegraph"
    ]


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        ("VASA: speed half; VASA: move ahead 6;", "@VASA: speed full;"),
        ("VASA: move ahead 8;", "@VASA: speed full;"),
        ("VASA: move ahead 6;", "turn 3 VASA: speed full;"),
        ("VASA: move ahead 6;", "@ROVFAGEL: speed full;"),
        ("VASA: move ahead 6;", "@VASA: steer HOCHMEISTER speed 6;"),
    ],
)
def test_it_fits_no_other_one(text: str, earlier: str) -> None:
    assert len(sent(text, [earlier])[0]) == 1


def test_the_hint_names_the_setting_at_which_a_move_would_be_right() -> None:
    hints, _ = sent("VASA: move ahead 6;")
    assert hints == ["for this move set her telegraph too: VASA: speed full"]
    assert sent("VASA: move ahead 15;")[0] == ["a turn costs the length of its arc"]
    assert sent("VASA: speed full; VASA: move ahead 6;")[0] == []


def test_who_sets_no_card_aside_is_told_that_there_is_no_reserve() -> None:
    none = "no card is set aside, and no order of this set does so"
    assert sent("KALMAR: if round at least 2 then play reserve;") == ([], [none])
    assert sent("KALMAR: play reserve; KALMAR: reserve VASA;") == ([], [])
    assert sent("@KALMAR: play reserve;") == ([], [])
