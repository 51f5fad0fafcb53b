"""The joining page: a player with a browser alone answers an invitation, and the referee takes the
answer from a mail."""

from __future__ import annotations

import shutil
import subprocess
from email import message_from_bytes, policy
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

import games
from pbem.admin.commands import schedule
from pbem.admin.letters import invite
from pbem.admin.setup import Choices, create
from pbem.player.joining import read_join, read_letter
from pbem.store.game_dir import writing as opened
from pbem.turns.schedule import read_rule
from tests.conftest import Clock
from tests.mail.office import Office
from tests.referee import Referee

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import Player, writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
PASSPHRASE = "a long phrase"
MOST = 60_000
FOCUSED = "() => document.activeElement.id || document.activeElement.tagName"


def invited(tmp_path: Path, mail: str = "plain") -> tuple[Office, Path]:
    """A home with an invited fox, and the page from the invitation's mail."""
    system = games.load("toy")
    (tmp_path / "home").mkdir()
    office = Office(Referee(tmp_path / "home", system))
    create(office.home, system, "g1", Choices(mail=mail))
    with opened(office.home, "g1") as game:
        schedule(game, read_rule(["every=3d", "at=20:00", "zone=Europe/Berlin"]))
        invite(game, system, "fox", "fox@example.org", "")
    office.tick()
    (letter,) = office.sent("fox")
    found: Any = message_from_bytes(letter.as_bytes(), policy=policy.default)
    assert read_letter(letter.as_bytes())["side"] == "fox"  # the whole mail serves as letter.txt
    (part,) = [p for p in found.walk() if p.get_filename() == "join.html"]
    page = tmp_path / "join.html"
    page.write_bytes(part.get_payload(decode=True))
    office.empty()
    return office, page


def joined(player: Player, folder: Path) -> Path:
    """Make a key, open it and write the answer; return the saved key."""
    player.find("#make").click()
    player.find("#pass-first").fill(PASSPHRASE)
    player.find("#pass-again").fill(PASSPHRASE)
    assert "chmod 600" in player.find("#key").inner_text()
    key = player.saved("#make-key", folder)
    player.open_key(key, PASSPHRASE)
    player.find("#my-name").fill("Günter")
    player.press("Write the answer")
    player.find("#mail").wait_for()
    return key


@pytest.mark.some(1)
@pytest.mark.parametrize(("width", "mail"), [(390, "sealed"), (1280, "plain")])
def test_a_browser_is_enough_to_join(
    width: int, mail: str, clock: Clock, browser: Browser, tmp_path: Path
) -> None:
    office, page = invited(tmp_path, mail)
    assert page.stat().st_size < MOST
    with writing(browser, page) as player:
        player.page.set_viewport_size({"width": width, "height": 844})
        about = player.find("#steps").inner_text()
        for said in ("The hunter (nobody yet)", "20:00 (Europe/Berlin)", "at most 8 turns"):
            assert said in about
        assert not player.find("#old").is_visible()
        joined(player, tmp_path)
        link = urlsplit(player.find("#mail").get_attribute("href") or "")
        assert player.page.evaluate("document.documentElement.scrollWidth") <= width
        player.quiet()
    fields = parse_qs(link.query)
    assert link.path == "games@example.org"
    assert read_join(fields["body"][0].encode())["name"] == "Günter"
    office.mail("fox", fields["body"][0], fields["subject"][0])
    assert office.one().dealt.joined == 1
    assert office.subjects("fox") == ["[g1] You play the Fox side"]
    assert [o.side for o in office.referee.register.officers] == ["fox"]


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="openssh-client is not installed")
def test_the_saved_key_serves_ssh_keygen(clock: Clock, browser: Browser, tmp_path: Path) -> None:
    _, page = invited(tmp_path)
    with writing(browser, page) as player:
        key = joined(player, tmp_path)
    orders = tmp_path / "orders.txt"
    orders.write_text("BEGIN ORDERS\nEND ORDERS\n")
    command = ["ssh-keygen", "-y", "-P", PASSPHRASE, "-f", str(key)]
    key.chmod(0o644)
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "too open" in refused.stderr  # what the page says chmod 600 for
    key.chmod(0o600)
    line = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert line.startswith("ssh-ed25519 ")


@pytest.mark.parametrize("width", [390, 1280])
def test_eyes_that_differ_and_keyboards_can_join(
    width: int, clock: Clock, browser: Browser, tmp_path: Path
) -> None:
    """axe-core finds no fault before and after; every control is reached with Tab, in the order of
    the page, and Enter presses it."""
    _, page = invited(tmp_path)
    with writing(browser, page) as player:
        player.page.set_viewport_size({"width": width, "height": 844})
        assert player.axed() == []
        reached = []
        for _ in range(8):
            player.page.keyboard.press("Tab")
            reached.append(player.page.evaluate(FOCUSED))
        assert reached[:5] == ["key-file", "make", "my-name", "join", "SUMMARY"]
        player.find("#make").focus()
        player.page.keyboard.press("Enter")
        assert player.axed() == []
        joined_here = player.find("#pass-first")
        joined_here.wait_for()
        player.quiet()


def test_without_a_key_it_says_so(clock: Clock, browser: Browser, tmp_path: Path) -> None:
    _, page = invited(tmp_path)
    with writing(browser, page) as player:
        player.press("Write the answer")
        assert "Open or make your key first" in player.find("#join-said").inner_text()
        player.quiet()
