"""The order page at a web address: installed by its manifest, opened again without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import games
from pbem.base.hashing import canonical_json
from pbem.web import order_page, web_app
from tests.browser.seat import Seat
from tests.browser.test_engines import served
from tests.cli.commands import pbem

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")


def test_it_opens_without_a_network_and_writes_orders(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    folder, report = tmp_path / "site", tmp_path / "report.json"
    assert pbem("page", "--system", "toy", "--app", folder).code == 0
    report.write_bytes(canonical_json(toy_seat.saved))
    context = browser.new_context()
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    with served(folder) as address:
        page.goto(f"{address}/order-page.html")
        page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    context.set_offline(True)
    page.goto(f"{address}/order-page.html")  # nobody serves it any more
    page.locator("#report").set_input_files(report)
    page.locator("#workspace").wait_for()
    assert page.locator("#list code").all_inner_texts() == ["HOUND: move D5;"]
    assert wrong == []
    context.close()


def test_a_phone_can_install_it(tmp_path: Path) -> None:
    """The manifest names a start, a display and an icon that lie beside it."""
    files = web_app.web_app([games.load("toy")])
    manifest = json.loads(files[web_app.MANIFEST])
    assert manifest["display"] == "standalone"
    assert {manifest["start_url"], *(icon["src"] for icon in manifest["icons"])} <= set(files)
    assert b'<link rel="manifest" href="order-page.webmanifest">' in files[web_app.PAGE]
    assert b"worker-src 'self'" in files[web_app.PAGE]


def test_another_page_is_another_worker() -> None:
    """So that a browser fetches the page of a new release."""
    one, other = (web_app.web_app([games.load(name)]) for name in ("toy", "bismarck"))
    assert one[web_app.WORKER] != other[web_app.WORKER]
    assert one == web_app.web_app([games.load("toy")])


def test_a_lone_file_asks_for_nothing(toy_seat: Seat) -> None:
    """An attachment and a page of one report have neither manifest nor worker."""
    for page in (toy_seat.page.read_bytes(), order_page.blank([games.load("toy")])):
        assert b"manifest" not in page
        assert b"serviceWorker" not in page


def test_a_report_is_no_app(tmp_path: Path) -> None:
    assert pbem("page", tmp_path / "report.json", "--app", tmp_path).code == 2
