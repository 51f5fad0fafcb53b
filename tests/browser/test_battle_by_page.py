"""A battle by mail at the order page: places in reach are tapped, and the ships go there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from games.bismarck.game import SYSTEM
from pbem.base.report_json import Report
from pbem.beside_map import Move
from pbem.charts.scenes import drawable
from pbem.web import order_page
from tests.bismarck.sea_battle import HOLLAND, MANY, ON, met
from tests.browser.seat import ADDRESS, private_file
from tests.browser.writing import Player, writing
from tests.referee import Referee, key_of

pytest.importorskip("playwright", reason="playwright is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def saved(referee: Referee, folder: Path, side: str = "british") -> Path:
    """The order page of a side in a file, as it is mailed."""
    file = folder / "order-page.html"
    report = Report.of(referee.report(side))
    file.write_bytes(order_page.page(SYSTEM, report, ADDRESS))
    return file


def offered(referee: Referee) -> dict[str, list[Move]]:
    """The places that the British chart of the battle offers, by ship."""
    _, chart = drawable(SYSTEM, referee.report("british"))
    ships = dict.fromkeys(move.unit for move in chart.moves)
    return {ship: [m for m in chart.moves if m.unit == ship] for ship in ships}


def steer(player: Player, ship: str, cell: str, heading: str) -> str:
    """Choose a ship, tap a hex, and choose the heading there; what the page says of it."""
    player.unit(ship)
    cells: dict[str, list[float]] = player.page.evaluate(CELLS)
    player.page.mouse.click(*cells[cell])
    player.press(heading, "#pickers")
    said = player.find("#hint").inner_text()
    player.press("‹ All")
    return said


CELLS = """() => {
  const m = document.getElementById("map").getScreenCTM();
  const data = document.querySelectorAll("#overlay .picked");
  return Object.fromEntries([...data].map((p) => {
    const box = p.getBBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    return [p.dataset.cell, [m.a * x + m.e, m.d * y + m.f]];
  }));
}"""


@pytest.mark.some(1)
@pytest.mark.parametrize("wide", [390, 1280])
def test_9_52_ships_go_where_their_captain_taps(
    browser: Browser, tmp_path: Path, wide: int
) -> None:
    referee = met(tmp_path / "home")
    reach = {ship: moves[-1] for ship, moves in offered(referee).items()}
    key = tmp_path / "my.key"
    key.write_bytes(private_file(key_of("british").wire, "british"))
    with writing(browser, saved(referee, tmp_path), wide, 844) as player:
        for ship, place in reach.items():
            assert steer(player, ship, place.cell, place.label) == place.order
        assert player.codes() == []
        player.open_key(key)
        signed = player.sign(tmp_path)
        player.quiet()
    (outcome,) = referee.receive(signed.read_bytes(), signed.name)
    assert outcome.good and not outcome.receipt["problems"], outcome.text
    referee.turn(german=ON["german"])
    (battle,) = referee.report("british")["board"]["battles"]
    for ship in [s for s in battle["ships"] if s["own"]]:
        (spot,) = [s for s in ship["track"] if s["round"] == 1]
        place = reach[ship["id"]]
        assert (spot["hex"], spot["heading"]) == (place.cell, place.label)


def test_the_places_that_light_up_are_those_of_the_chosen_ship(
    browser: Browser, tmp_path: Path
) -> None:
    referee = met(tmp_path / "home", MANY)
    with writing(browser, saved(referee, tmp_path), 1280, 844) as player:
        assert player.find("#overlay .picked").count() == 0
        for ship, moves in offered(referee).items():
            player.unit(ship)
            assert set(player.page.evaluate(CELLS)) == {move.cell for move in moves}
            player.press("‹ All")


@pytest.mark.some(1)
@pytest.mark.parametrize("british", [HOLLAND, MANY])
def test_the_page_of_a_battle_is_not_too_large(tmp_path: Path, british: tuple[str, ...]) -> None:
    referee = met(tmp_path / "home", british)
    for side in ("british", "german"):
        assert saved(referee, tmp_path, side).stat().st_size < order_page.MOST


def test_4_5_the_page_of_a_battles_window_offers_no_order_to_sail(
    browser: Browser, tmp_path: Path
) -> None:
    """All have moved: what is left to order is the battle, and later turns."""
    referee = met(tmp_path / "home")
    with writing(browser, saved(referee, tmp_path), 1280, 844) as player:
        player.unit("HOOD")
        verbs = {*player.find("#composer .verbs button").all_inner_texts()}
        assert {"range", "target", "withdraw"} <= verbs
        assert not {"move", "patrol", "hold", "form", "intercept"} & verbs
        player.press("‹ All")
        player.type("HOOD: move C6;")
        assert player.codes() == ["not-now"]
        player.type("turn 5 HOOD: move C6; HOOD: range b;")
        assert player.codes() == []
        player.quiet()
