"""The replay of a battle by mail: the rounds of one window, one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.replay.publish import MOST, replay_page
from pbem.replay.walk import walk
from tests.bismarck.sea_battle import met
from tests.browser.writing import writing

pytest.importorskip("playwright", reason="playwright is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The replay of a game that ends with a battle."""
    folder = tmp_path_factory.mktemp("battle")
    referee = met(folder / "home")
    while not referee.register.over:
        referee.run(force=True)
    game = referee.read()
    content = replay_page(game, referee.system, walk(game, referee.system))
    assert len(content) < MOST
    file = folder / "replay.html"
    file.write_bytes(content)
    return file


@pytest.mark.some(1)
@pytest.mark.parametrize("view", ["british", "german", "truth"])
def test_the_rounds_of_a_battle_are_steps_of_its_window(
    browser: Browser, page: Path, view: str
) -> None:
    with writing(browser, page) as player:
        player.page.goto(f"{page.as_uri()}#w=5&v={view}&c=battle-1")
        player.page.reload()
        steps = player.find("#rounds button").all_inner_texts()
        first = int(steps[1].removeprefix("Round "))
        rounds = range(first, first + len(steps) - 1)
        assert steps == ["All rounds", *(f"Round {number}" for number in rounds)]
        drawn = set()
        for number in rounds:
            player.page.keyboard.press(".")
            assert player.find("#pick").inner_text().startswith(f"Round {number}, ")
            assert player.find("#live .hull").count() == 0
            drawn.add(player.find("#live").inner_html())
        assert len(drawn) == len(steps) - 1
        player.press("All rounds")
        assert player.find("#live .hull").count() > 0
        rows = player.find("#sheet tr th:first-child").all_inner_texts()
        assert {"Hood", "Prince of Wales", "Bismarck"} <= set(rows)
        player.quiet()


def test_hits_are_stars_and_the_rounds_play(browser: Browser, page: Path) -> None:
    with writing(browser, page) as player:
        player.page.goto(f"{page.as_uri()}#w=4&v=british&c=battle-1")
        player.page.reload()
        player.press("Round 3")
        assert player.find('#live .token path[fill="var(--area)"]').count() > 0
        player.press("Round 1")
        player.press("Play")
        player.find("#pick").get_by_text("Round 2, ").wait_for()
        player.press("Pause")
