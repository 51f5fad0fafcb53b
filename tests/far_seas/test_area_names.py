"""Areas are ordered by the names that reports print."""

from __future__ import annotations

import pytest

from games.far_seas import board
from games.far_seas.game import SYSTEM
from orders.parse import Line, read_line
from orders.vocabulary import language, phrases

AREAS = sorted(board.SEA, key=int)
SHIP = phrases(("DRESDEN", "DRESDEN"))
NONE = phrases()


def read(said: str) -> Line | None:
    return read_line(f"DRESDEN: move {said};", language(SYSTEM.grammar), SHIP, SHIP, NONE)


@pytest.mark.parametrize("area", AREAS)
def test_an_area_has_its_printed_name_and_number(area: str) -> None:
    name = board.AREAS[area].name
    for said in (area, name, name.replace("&", "and"), f"{area} {name}", f"area {area}"):
        line = read(said)
        assert line, said
        assert line.orders[0].actions[0].args["area"] == area, said


def test_cape_horn_alone_is_two_areas() -> None:
    assert read("Cape Horn") is None
