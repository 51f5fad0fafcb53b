"""The order page in a real Chromium: keys, signatures, and the ways to the referee."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

import games
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.crypto.private_keys import load_private
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains
from pbem.dice.provable import chain, own_tail
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of, signed
from pbem.web import order_page
from tests.browser.seat import ADDRESS, Seat, accepted, private_file
from tests.conftest import Clock
from tests.luck import pinned
from tests.referee import Referee, key_of

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")


def test_what_is_signed_is_what_sign_writes(
    bismarck: Seat, browser: Browser, tmp_path: Path
) -> None:
    """Byte for byte, for the same second."""
    system, report = bismarck.referee.system, bismarck.report
    with writing(browser, bismarck.page) as player:
        player.page.clock.set_fixed_time("2026-11-20T12:34:56Z")
        player.open_key(bismarck.key)
        path = player.sign(tmp_path)
        player.quiet()
    form = block_of(header_of(Report.of(report), 0), "\n".join(report["suggest"]))
    reading = read_text(system, Report.of(report), form)
    assert not reading.diagnostics
    wanted = signed(
        system, Report.of(report), reading.orders, DiceChains(key_of("british")), 1795178096
    )
    assert path.read_text("ascii") == wanted


def dicey(folder: Path) -> Referee:
    """A toy game of fast dice in window 3, when anchors count that were sent with window 1."""
    referee = Referee.toy(folder, dice="fast")
    for _ in range(2):
        for side in referee.register.sides:
            report = referee.report(side)
            text = block_of(
                header_of(Report.of(report), report["seq"]), "\n".join(report["suggest"])
            )
            orders = read_text(referee.system, Report.of(report), text).orders
            seq = report["seq"]
            outcome = referee.receive(
                signed(referee.system, Report.of(report), orders, DiceChains(key_of(side)), seq)
            )
            assert outcome[0].good, outcome[0].text
        referee.run()
    return referee


def test_links_of_provable_dice_are_taken(
    clock: Clock, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The header of each window has the link of this key's chain, and the referee checks it."""
    pinned(monkeypatch, "links")
    referee = dicey(tmp_path / "home")
    report = referee.report("hunter")
    assert report["window"] == 3
    page = tmp_path / "order-page.html"
    page.write_bytes(order_page.page(referee.system, Report.of(report)))
    (tmp_path / "k").write_bytes(private_file(key_of("hunter").wire, "hunter"))
    with writing(browser, page, pitch=100) as player:
        player.open_key(tmp_path / "k")
        path = player.sign(tmp_path)
        player.quiet()
    by = report["moderator"]["key"]
    link = chain("g1", "hunter", own_tail(key_of("hunter"), "g1", "hunter", by=by))[3].hex()
    assert link in path.read_text("ascii").replace(" ", "").replace("\n", "")
    (outcome,) = referee.receive(path.read_bytes())
    assert outcome.good, outcome.text


def test_a_mail_link_holds_the_signed_file(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    with writing(browser, toy_seat.page, pitch=100) as player:
        player.type("HOUND: move E4;")
        player.open_key(toy_seat.key)
        path = player.sign(tmp_path)
        link = urlsplit(player.find("#mail").get_attribute("href") or "")
        player.quiet()
    fields = parse_qs(link.query)
    assert (link.scheme, link.path) == ("mailto", ADDRESS)
    assert fields["subject"] == ["g1 orders for window 1"]
    assert fields["body"] == [path.read_text("ascii").replace("\n", "\r\n")]
    (outcome,) = toy_seat.referee.receive(fields["body"][0])
    assert outcome.good, outcome.text


def test_orders_refused_for_their_number_are_signed_with_the_one_named(
    clock: Clock, browser: Browser, tmp_path: Path
) -> None:
    """The page's clock is years off; another machine had numbered its orders higher."""
    seat = Seat(tmp_path, "toy")
    referee = seat.referee
    high = referee.report("hunter")["seq"] + 86_000
    assert referee.order("hunter", "HOUND: move D5;", seq=high).good
    with writing(browser, seat.page, pitch=100) as player:
        player.page.evaluate("Date.now = () => 9000")
        player.type("HOUND: move E4;")
        player.open_key(seat.key)
        (refused,) = referee.receive(player.sign(tmp_path).read_bytes())
        assert refused.receipt["code"] == "old-sequence"
        player.find("#number summary").click()
        player.find("#seq").fill(f"In short: {refused.receipt['hint']}")
        player.find("#seq").blur()
        for lines in ("HOUND: move E4;", "HOUND: move D5;"):
            player.type(lines)
            (taken,) = referee.receive(player.sign(tmp_path).read_bytes())
            assert taken.good, taken.text
        player.quiet()


def test_what_is_too_long_for_a_mail_link_is_saved(
    bismarck: Seat, browser: Browser, tmp_path: Path
) -> None:
    with writing(browser, bismarck.page) as player:
        ships = [u["id"] for u in bismarck.report["units"] if u["kind"] == "ship"]
        player.type("".join(f"@{ship}: if contact at least BB then hold;\n" for ship in ships))
        player.open_key(bismarck.key)
        path = player.sign(tmp_path)
        assert player.find("#mail").count() == 0
        assert f"attach it to a mail to {ADDRESS}" in player.find("#signed").inner_text()
        player.quiet()
    accepted(bismarck, path)


def test_orders_that_were_changed_are_not_sent_as_signed(toy_seat: Seat, browser: Browser) -> None:
    with writing(browser, toy_seat.page, pitch=100) as player:
        player.open_key(toy_seat.key)
        player.find("#sign").click()
        player.find("#save").wait_for()
        player.type("HOUND: move D5;\nHOUND: pounce D5;\n")
        assert player.find("#save").count() == 0
        player.quiet()


def test_a_new_key_is_saved_locked_and_opens_the_next_session(
    clock: Clock, browser: Browser, tmp_path: Path
) -> None:
    referee = Referee.toy(tmp_path / "home")
    page = tmp_path / "order-page.html"
    page.write_bytes(order_page.page(referee.system, Report.of(referee.report("hunter"))))
    with writing(browser, page, pitch=100) as player:
        player.find("#make").click()
        player.find("#pass-first").fill("short")
        player.find("#pass-again").fill("short")
        player.find("#make-key").click()
        assert "fewer than 8" in player.find("#key").inner_text()
        player.find("#pass-again").fill("a long phrase")
        player.find("#pass-first").fill("another phrase")
        player.find("#make-key").click()
        assert "differ" in player.find("#key").inner_text()
        player.find("#pass-first").fill("a long phrase")
        player.find("#pass-again").fill("a long phrase")
        path = player.saved("#make-key", tmp_path)
        assert b"OPENSSH PRIVATE KEY" in path.read_bytes()
        assert player.find("#sign").is_disabled()
        line = player.find("#key .public").inner_text()
        player.find("#key-file").set_input_files(path)
        player.find("#pass").fill("wrong phrase")
        player.find("#unlock").click()
        player.find("#key .fault").wait_for()
        player.find("#pass").fill("a long phrase")
        player.find("#unlock").click()
        player.find("#key").get_by_text("Key open").wait_for()
        assert "does not name this key" in player.find("#key").inner_text()
        referee.enlist("hunter", load_private(path.read_bytes(), b"a long phrase"))
        signed_file = player.sign(tmp_path)
        player.quiet()
    assert public_line(load_private(path.read_bytes(), b"a long phrase").wire, "order page") == line
    (outcome,) = referee.receive(signed_file.read_bytes())
    assert outcome.good, outcome.text


def test_a_browser_that_keeps_nothing_and_has_no_crypto_serves_all_the_same(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    with writing(browser, toy_seat.page, pitch=100) as player:
        player.page.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
            "Object.defineProperty(crypto, 'subtle', { value: undefined });"
        )
        player.page.reload()
        player.type("HOUND: move E4;")
        player.open_key(toy_seat.key)
        path = player.sign(tmp_path)
        assert "does not support Ed25519" in player.find("#signed").inner_text()
        player.quiet()
    accepted(toy_seat, path)


def test_a_draft_and_a_locked_key_may_stay_in_the_browser(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    with writing(browser, toy_seat.page, pitch=100) as player:
        player.type("HOUND: move E4;\n")
        player.open_key(toy_seat.key)
        assert player.find("#keep").count() == 0
        player.press("Close the key")
        player.find("#make").click()
        player.find("#pass-first").fill("a long phrase")
        player.find("#pass-again").fill("a long phrase")
        path = player.saved("#make-key", tmp_path)
        player.open_key(path, "a long phrase")
        player.find("#keep").check()
        player.page.reload()
        assert player.lines() == ["HOUND: move E4;"]
        player.press("Open the key stored here")
        player.find("#pass").fill("a long phrase")
        player.find("#unlock").click()
        player.find("#key").get_by_text("Key open").wait_for()
        stored = player.page.evaluate("JSON.stringify(localStorage)")
        assert "a long phrase" not in stored
        player.find("#keep").uncheck()
        player.page.reload()
        assert player.find("#key").get_by_text("stored here").count() == 0
        player.quiet()


def test_in_encrypted_games_the_file_is_encrypted_to_the_moderator(
    clock: Clock, browser: Browser, tmp_path: Path
) -> None:
    referee = Referee.made(tmp_path / "home", games.load("toy"), Choices(seed="x", mail="sealed"))
    referee.open()
    page, key = tmp_path / "order-page.html", tmp_path / "k"
    page.write_bytes(order_page.page(referee.system, Report.of(referee.report("hunter")), ADDRESS))
    key.write_bytes(private_file(key_of("hunter").wire, "hunter"))
    with writing(browser, page, pitch=100) as player:
        player.type("HOUND: move E4;")
        player.open_key(key)
        path = player.sign(tmp_path)
        assert player.find("#mail").count() == 0
        player.quiet()
    assert path.read_bytes().startswith(b"-----BEGIN AGE ENCRYPTED FILE-----")
    assert b"ORDERS" not in path.read_bytes()
    (outcome,) = referee.receive(path.read_bytes())
    assert outcome.good, outcome.text
    assert "HOUND: move E4" in outcome.text


PHONE = """Object.assign(navigator, { canShare: ({ files }) => files[0].name.endsWith(".txt"),
  share: async ({ title, files: [file] }) => {
    window.shared = [title, file.name, await file.text()];
  } });
"""


def test_a_phone_hands_the_file_to_its_mail_program(
    bismarck: Seat, browser: Browser, tmp_path: Path
) -> None:
    """Where the link would be too long: as an attachment, in two taps."""
    with writing(browser, bismarck.page, 390, 844) as player:
        player.page.add_init_script(PHONE)
        player.page.reload()
        ships = [u["id"] for u in bismarck.report["units"] if u["kind"] == "ship"]
        player.type("".join(f"@{ship}: if contact at least BB then hold;\n" for ship in ships))
        player.open_key(bismarck.key)
        path = player.sign(tmp_path)
        assert "Share the file to your mail program" in player.find("#signed").inner_text()
        player.press("Share the file")
        title, name, text = player.page.wait_for_function("window.shared").json_value()
        player.quiet()
    assert (title, name) == ("g1 orders for window 1", path.name)
    assert text == path.read_text("ascii")
    accepted(bismarck, path)
