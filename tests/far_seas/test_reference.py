"""What players may look up: `pbem rules far_seas`, and the same tables on the page of the game."""

from __future__ import annotations

from games.far_seas import board, setup
from games.far_seas.reference import text
from pbem.text import layout
from tests.clauses import ROOT


def test_every_ship_and_station_can_be_looked_up() -> None:
    found = text()
    assert max(map(len, found.splitlines())) <= layout.WIDTH
    assert all(row.name in found for row in setup.rows())
    assert all(f"{s} {board.points(s)}" in found for s in board.STATIONS)
    assert "\nEmden                     DE    CL C 4+  4         -1    4   25\n" in found


def test_the_page_of_the_game_has_the_same_tables() -> None:
    page = (ROOT / "docs" / "far_seas.md").read_text("utf-8")
    assert f"```text\n{text()}\n```" in page
