"""The bots' rarer choices; whole games are in test_games."""

from __future__ import annotations

from typing import Any

import pytest

from games.far_seas import bot, setup
from games.far_seas.board import BRITISH, GERMAN
from tests.far_seas.casebook import OPTIONS, report


def told(ship: str, allies: str = "", **fields: Any) -> str:
    """The German bot's order for a ship that differs by some fields; these Allies are beside it,
    all others in area 5."""
    war = setup.begin("war", OPTIONS)
    war.turn, war.segment = 3, 0
    for name, value in fields.items():
        setattr(war.ships[ship], name, value)
    for foe in war.fleet(BRITISH):
        foe.area = war.ships[ship].area if foe.id in allies.split() else "5"
    text = bot.orders(GERMAN, {**report(war, GERMAN), "window": 9, "standing": []}, "x")
    (found,) = [line for line in text.splitlines() if line.startswith(f"{ship}:")]
    return found.partition(": ")[2]


@pytest.mark.parametrize(("damage", "gives_up"), [(2, True), (1, False)])
def test_a_liner_half_damaged_gives_herself_up_where_she_can(damage: int, gives_up: bool) -> None:
    order = told("KRONPRINZ WILHELM", damage=damage, area="6")
    assert (order == "intern;") == gives_up


@pytest.mark.parametrize(("damage", "returns"), [(2, True), (1, False)])
def test_a_cruiser_half_damaged_goes_home_from_area_2(damage: int, returns: bool) -> None:
    order = told("DRESDEN", damage=damage, area="2")
    assert (order == "return;") == returns


@pytest.mark.parametrize(
    ("allies", "order"), [("", "cruise;"), ("AUSTRALIA SYDNEY MINOTAUR", "river;")]
)
def test_a_ship_in_the_river_comes_out_when_the_sea_is_clear(allies: str, order: str) -> None:
    assert told("KONIGSBERG", allies, duty="river") == order


def test_the_gneisenau_joins_a_flagship_that_sails() -> None:
    """She waits with a Scharnhorst that is not named in this segment: she could join nobody."""
    war = setup.begin("war", OPTIONS)
    war.segment, war.ships["GNEISENAU"].leader = 1, ""
    seen = {**report(war, GERMAN), "window": 9, "standing": []}
    told = [bot.orders(GERMAN, seen, f"luck {n}").splitlines() for n in range(30)]
    joins = ["GNEISENAU: join SCHARNHORST;" in lines for lines in told]
    sails = [any(line.startswith("SCHARNHORST: ") for line in lines) for lines in told]
    assert joins == sails
    assert set(joins) == {True, False}
