"""What the owner of an order hears that cannot be carried out tells him nothing else, and nobody
else anything: turns that look alike to a side do so whatever is behind them."""

from __future__ import annotations

from typing import Any

import pytest

from games.bismarck import undone
from games.bismarck.board import GERMAN, Zone
from games.bismarck.verbs import Search
from games.bismarck.verbs_battle import HighSpeed, Reinforce, Shadow, Withdraw
from pbem.model import Side
from tests.bismarck import casebook

QUIET = {
    "british": "BRITISH: search none; BRITISH: attack never;",
    "german": "GERMAN: search none;",
}


def heard(side: Side, case: dict[str, Any], **orders: str) -> list[str]:
    """Everything that a side hears, and what it sees of dice, in one turn."""
    given = {name: f"{QUIET[name]} {orders.get(name, '')}" for name in QUIET}
    _, table, _ = casebook.play({"level": 1, **case, "orders": given})
    events = [repr(event) for to, event in table.told if side in to]
    return [*events, *(label for label, to in table.rolled if side in to)]


@pytest.mark.parametrize(
    ("side", "order", "turn"),
    [
        (GERMAN, "BISMARCK: attack always;", 10),
        (GERMAN, "BISMARCK: withdraw; BISMARCK: reinforce yes;", 10),
        (GERMAN, "GERMAN: huffduff Z20;", 10),
        (GERMAN, "BREST BOMBERS: fly P20; BREST BOMBERS: strike cv;", 13),
    ],
)
def test_what_a_side_hears_does_not_tell_who_is_there(side: Side, order: str, turn: int) -> None:
    here, away = (
        {"turn": turn, "place": {"BISMARCK": "P20", "NORFOLK": zone, "VICTORIOUS": zone}}
        for zone in ("P20", "Z10")
    )
    dice = {"dice": {"CHANCE/TABLE/-/BISMARCK": [1, 1]}}
    one, other = (heard(side, {**world, **dice}, german=order) for world in (here, away))
    assert one == other


@pytest.mark.parametrize(
    "order",
    ["BRITISH: shadow by RODNEY;", "BRITISH: shadow EN1 by KENYA;", "RODNEY: reinforce yes;"],
)
def test_the_enemy_does_not_hear_of_it(order: str) -> None:
    place = {"BISMARCK": "H5", "SUFFOLK": "H5", "RODNEY": "H5", "KENYA": "H8"}
    case = {"place": place, "saw": {"british": ["BISMARCK"]}}
    assert heard(GERMAN, case, british=order) == heard(GERMAN, case)


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (Withdraw(midships=5, round=3), "withdraw midships 5 round 3"),
        (Reinforce("yes", enter=6), "reinforce yes enter 6"),
        (Shadow(contact="EN1", by=("RODNEY", "HOOD")), "shadow EN1 by RODNEY HOOD"),
        (HighSpeed("on", by=("RODNEY",)), "high speed shadow on by RODNEY"),
        (Search(zones=(Zone("J15"), Zone("P14"))), "search J15 P14"),
    ],
)
def test_an_order_is_quoted_as_it_would_be_written(order: Any, text: str) -> None:
    assert undone.quoted(order) == text
