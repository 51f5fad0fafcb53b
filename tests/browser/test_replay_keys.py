"""The keys of the replay, and when they rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.replays import Replay

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, compare, surfing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")


def test_keys(toy: Replay, browser: Browser) -> None:
    with surfing(browser, toy.page) as surfer:
        surfer.open()
        key = surfer.page.keyboard.press
        last = len(toy.windows) - 1
        at, view = 0, 0
        for name, i, v in (
            ("ArrowRight", 1, 0),
            ("ArrowRight", 2, 0),
            ("2", 2, 1),
            ("ArrowLeft", 1, 1),
            ("3", 1, 2),
            ("End", last, 2),
            ("ArrowRight", last, 2),
            ("4", last, 2),
            ("1", last, 0),
            ("Home", 0, 0),
            ("ArrowLeft", 0, 0),
        ):
            key(name)
            at, view = i, v
            compare(surfer.read(), toy.walk, toy.walk.frames[toy.windows[at]], view)
        surfer.page.locator("#slider").focus()
        key("ArrowRight")
        assert surfer.read()["hash"] == f"#w={toy.windows[1]}&v=truth"
        surfer.quiet()


def test_single_keys_rest_in_the_lists_and_when_off(toy: Replay, browser: Browser) -> None:
    """Who speaks to the computer is heard as letters (WCAG 2.1.4); arrows are none."""
    with surfing(browser, toy.page) as surfer:
        surfer.open()
        key, switch = surfer.page.keyboard.press, surfer.page.locator("#single")

        def view() -> str:
            (pressed,) = surfer.read()["pressed"]
            return str(pressed)

        for place, key_of, v in (
            ("aside summary", "2", "0"),
            ("#play", "2", "1"),
            ("#in", "3", "2"),
            ("aside summary", "1", "2"),
            ("#slider", "1", "0"),
        ):
            surfer.page.locator(place).first.focus()
            key(key_of)
            assert view() == v, place
        surfer.page.locator("aside summary").first.focus()
        key("ArrowRight")
        assert surfer.read()["hash"] == f"#w={toy.windows[1]}&v=truth"
        switch.uncheck()
        for place in ("#single", "#play", "#slider"):
            surfer.page.locator(place).focus()
            key("2")
            assert view() == "0", place
        surfer.page.reload()
        key("2")
        assert (view(), switch.is_checked()) == ("0", False)
        switch.check()
        surfer.page.reload()
        key("2")
        assert view() == "1"
        surfer.quiet()
