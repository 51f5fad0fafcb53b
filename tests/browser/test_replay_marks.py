"""Counters in the replay: both sides of a stack show, and nearer ones keep their places."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.replays import Replay

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, compare, surfing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

STACKS = """() => [...document.querySelectorAll("#live .mark.unit")]
    .map((g) => [`${g.dataset.x} ${g.dataset.y}`, g.dataset.side, +g.dataset.lift])"""


def test_both_sides_of_a_stack_show(replays: Callable[[str], Replay], browser: Browser) -> None:
    """Where both sides have ships, their counters stand apart: raiders hide under nobody."""
    replay, shared = replays("far_seas"), 0
    with surfing(browser, replay.page, 390, 844) as surfer:
        for window in replay.windows:
            surfer.open(f"#w={window}&v=truth")
            found: dict[str, dict[str, float]] = {}
            for at, side, lift in surfer.page.evaluate(STACKS):
                found.setdefault(at, {})[side] = lift
            for lifts in found.values():
                if len(lifts) == 2:
                    shared += 1
                    assert abs(lifts["1"] - lifts["2"]) >= 25  # a counter is 25 high
        surfer.quiet()
    assert shared > 3


def test_nearer_marks_keep_their_places(replays: Callable[[str], Replay], browser: Browser) -> None:
    replay = replays("bismarck")
    with surfing(browser, replay.page, 390, 844) as surfer:
        middle = replay.windows[len(replay.windows) // 2]
        surfer.open(f"#w={middle}&v=german")
        wide = surfer.read()["board"][0]
        board, buttons = (surfer.page.locator(one).bounding_box() for one in ("#map", "#in"))
        assert board
        assert buttons
        assert buttons["y"] >= board["y"] + board["height"] - 1  # they cover no counter
        for _ in range(3):
            surfer.page.locator("#in").click()
        assert surfer.read()["board"][0] > 3 * wide
        compare(
            surfer.read(),
            replay.walk,
            replay.walk.frames[replay.windows[len(replay.windows) // 2]],
            2,
        )
        surfer.page.keyboard.press("-")
        surfer.quiet()
