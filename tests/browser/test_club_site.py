"""The pages of a club's site on a phone and a large screen: axe-core finds no fault, nothing is
wider than the screen, and without scripts they say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.surf import surfing
from tests.browser.test_access import violations
from tests.club.club_home import ClubHome
from tests.conftest import Clock
from tests.reading import lasting_readers

PAGES = ("index", "g/g1", "g/g2", "g/g3", "standings", "finished-1")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages of a site as single files: its style sheet inside, which a policy for servers would
    forbid."""
    folder = tmp_path_factory.mktemp("club")
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        lasting_readers(patch)
        club = ClubHome(folder / "home", 'site = "../public"\nnames = "shown"')
        for game in ("g1", "g2", "g4", "g5"):
            club.offer("toy", game, "--schedule", "every=3d at=20:00 on=mon,thu")
            club.join("Orion", game, "fox")
            club.join("Ajax", game, "hunter")
        club.offer("toy", "g3", "--words", "Beginners are welcome.")
        for game in ("g2", "g4", "g5"):
            club.run("end", game, "--result", "fox", "--reason", "late")
        club.tick()
    found = {}
    style = (folder / "public" / "style.css").read_text("utf-8")
    for name in PAGES:
        text = (folder / "public" / f"{name}.html").read_text("utf-8")
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        text = re.sub(r'<link rel="stylesheet"[^>]*>', lambda _: f"<style>{style}</style>", text)
        found[name] = folder / f"{name.replace('/', '-')}.html"
        found[name].write_text(text, "utf-8")
    return found


@pytest.mark.some(1)
@pytest.mark.parametrize(("wide", "dark"), [(390, False), (1280, True)])
@pytest.mark.parametrize("name", PAGES)
def test_pages_suit_their_readers(
    name: str, wide: int, dark: bool, pages: dict[str, Path], browser: Browser
) -> None:
    assert violations(browser, pages[name], wide, dark) == []
    with surfing(browser, pages[name], wide, dark=dark) as surfer:
        surfer.page.goto(pages[name].as_uri())
        assert surfer.page.evaluate("document.documentElement.scrollWidth") <= wide
        assert "Times are yours" in surfer.page.inner_text("footer")
